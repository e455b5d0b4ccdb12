// ModuleList, ModuleDict and Functional.
#include "wick/tests/nn/support.h"

namespace wick::test {
namespace {

TEST(ModuleList, HoldsAndRegisters) {
  nn::ModuleList list(nn::Linear(2, 3), nn::ReLU());
  list->push_back(nn::Linear(3, 1));
  EXPECT_EQ(list->size(), 3u);
  EXPECT_EQ(list->named_parameters().keys(), (std::vector<std::string>{"0.weight", "0.bias", "2.weight", "2.bias"}));
  EXPECT_EQ(list->at<nn::LinearImpl>(2).options.in_features(), 3);
  EXPECT_EQ(list->ptr<nn::ReLUImpl>(1).get(), list[1].get());
  Tensor x = ones({1, 2});
  for (const auto& module : *list) {
    if (auto* linear = module->as<nn::Linear>()) x = linear->forward(x);
  }
  EXPECT_EQ(x.sizes().vec(), (std::vector<int64_t>{1, 1}));
  list->insert(1, nn::Dropout(0.5));
  EXPECT_NE((*list)[1]->as<nn::Dropout>(), nullptr);
  EXPECT_NE((*list)[2]->as<nn::ReLU>(), nullptr);
  EXPECT_EQ(list->named_children().keys(), (std::vector<std::string>{"0", "1", "2", "3"}));
  EXPECT_NE(message_of([&] { list->ptr(4); }).find("Index out of range"), std::string::npos);
  EXPECT_NE(message_of([&] { list->at<nn::ReLUImpl>(0); }), "");
  EXPECT_EQ(text(nn::ModuleList(nn::ReLU())), "torch::nn::ModuleList(\n  (0): torch::nn::ReLU()\n)");
}

TEST(ModuleList, Clones) {
  nn::ModuleList list(nn::Linear(2, 3));
  auto copy = std::dynamic_pointer_cast<nn::ModuleListImpl>(list->clone());
  EXPECT_TRUE(copy->at<nn::LinearImpl>(0).weight.equal(list->at<nn::LinearImpl>(0).weight));
  EXPECT_NE(copy->ptr(0), list->ptr(0));
  EXPECT_EQ(copy->parameters().size(), 2u);
}

TEST(ModuleDict, HoldsReplacesAndClones) {
  using Items = std::vector<std::pair<std::string, std::shared_ptr<nn::Module>>>;
  nn::ModuleDict dict(Items{{"fc", nn::Linear(2, 3).ptr()}, {"act", nn::ReLU().ptr()}});
  EXPECT_EQ(dict->keys(), (std::vector<std::string>{"fc", "act"}));
  EXPECT_TRUE(dict->contains("fc"));
  EXPECT_EQ(dict->at<nn::LinearImpl>("fc").options.out_features(), 3);
  dict->update(Items{{"fc", nn::Linear(2, 5).ptr()}, {"out", nn::Linear(5, 1).ptr()}});
  EXPECT_EQ(dict->at<nn::LinearImpl>("fc").options.out_features(), 5);
  EXPECT_EQ(dict->named_parameters().size(), 4u);
  auto copy = std::dynamic_pointer_cast<nn::ModuleDictImpl>(dict->clone());
  EXPECT_EQ(copy->keys(), dict->keys());
  EXPECT_NE((*copy)["out"], dict["out"]);
  EXPECT_NE(dict->pop("act")->as<nn::ReLU>(), nullptr);
  EXPECT_EQ(dict->size(), 2u);
  dict->clear();
  EXPECT_TRUE(dict->empty());
  EXPECT_TRUE(dict->children().empty());
  EXPECT_NE(message_of([&] { dict["fc"]; }).find("'fc' is not defined"), std::string::npos);
}

TEST(Functional, WrapsFunctionsAndArguments) {
  nn::Sequential net(nn::Functional(relu), nn::Functional([](Tensor x) { return x * 2; }), nn::Functional(softplus, 1, 20));
  const Tensor y = net->forward(tensor_of({2}, {-1, 30}));
  EXPECT_NEAR(y[0].item<float>(), 0.693147f, 1e-5);
  EXPECT_NEAR(y[1].item<float>(), 60, 1e-5);
  EXPECT_EQ(text(nn::Functional(relu)), "torch::nn::Functional()");
  auto copy = std::dynamic_pointer_cast<nn::FunctionalImpl>(nn::Functional(relu)->clone());
  EXPECT_EQ(copy->forward(tensor_of({1}, {-1})).item<float>(), 0);
}

}  // namespace
}  // namespace wick::test
