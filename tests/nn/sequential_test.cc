#include "wick/nn/sequential.h"

#include "wick/tests/nn/support.h"

namespace wick::test {
namespace {

struct Add : nn::Module {
  Tensor forward(Tensor a, Tensor b) { return a + b; }
};
struct Length : nn::Module {
  int64_t forward(const Tensor& x) { return x.numel(); }
};
struct Twice : nn::Module {
  int64_t forward(int64_t n) { return 2 * n; }
};

TEST(Sequential, IsBuiltFromAllKindsOfModules) {
  nn::Sequential model(nn::Linear(4, 10), std::make_shared<nn::ReLUImpl>(), nn::LinearImpl(10, 3), nn::AnyModule(nn::Identity()));
  EXPECT_EQ(model->size(), 4u);
  EXPECT_EQ(model->named_children().keys(), (std::vector<std::string>{"0", "1", "2", "3"}));
  EXPECT_EQ(model(ones({2, 4})).sizes(), (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(model->at<nn::LinearImpl>(2).options.out_features(), 3);
  EXPECT_EQ(model->ptr<nn::ReLUImpl>(1), model->ptr(1));
  EXPECT_EQ(model[1], model->ptr(1));
  size_t count = 0;
  for (auto& module : *model) count += !module.is_empty();
  EXPECT_EQ(count, 4u);
}

TEST(Sequential, Names) {
  nn::Sequential model({{"fc", nn::Linear(4, 2)}, {"act", std::make_shared<nn::ReLUImpl>()}, {"id", nn::IdentityImpl()}});
  model->push_back("last", nn::Linear(2, 1));
  EXPECT_EQ(model->named_children().keys(), (std::vector<std::string>{"fc", "act", "id", "last"}));
  EXPECT_EQ(message_of([&] { model->push_back("fc", nn::ReLU()); }), "Submodule 'fc' already defined");
  EXPECT_EQ(model->size(), 4u);
  OrderedDict<std::string, nn::AnyModule> dict;
  dict.insert("a", nn::AnyModule(scale_by(2)));
  dict.insert("b", nn::AnyModule(scale_by(3)));
  nn::Sequential from_dict(std::move(dict));
  EXPECT_EQ(from_dict->named_parameters().keys(), (std::vector<std::string>{"a.weight", "b.weight"}));
}

TEST(Sequential, PushBackAndExtend) {
  nn::Sequential model;
  model->push_back(scale_by(2));
  nn::Sequential more(scale_by(3), scale_by(5));
  model->extend(*more);
  model->extend(std::vector<nn::Linear>{scale_by(7)});
  EXPECT_EQ(model(ones({1, 1})).item<float>(), 210);
}

TEST(Sequential, OtherTypesThanTensorPassBetweenTheModules) {
  nn::Sequential model(Add{}, scale_by(2), Length{}, Twice{});
  EXPECT_EQ(model->forward<int64_t>(ones({3, 1}), ones({3, 1})), 6);
  EXPECT_EQ(nn::Sequential(scale_by(2), Length{})->forward<int64_t>(ones({3, 1})), 3);
}

TEST(Sequential, Nests) {
  nn::Sequential model(nn::Sequential(scale_by(2), scale_by(3)), scale_by(5));
  EXPECT_EQ(model(ones({1, 1})).item<float>(), 30);
  EXPECT_EQ(model->named_parameters().keys(), (std::vector<std::string>{"0.0.weight", "0.1.weight", "1.weight"}));
}

TEST(Sequential, ReleasesTheIntermediateResults) {
  struct Count : nn::Module {
    size_t handles = 0;
    Tensor forward(Tensor x) {
      handles = x.use_count();
      return x;
    }
  };
  auto count = std::make_shared<Count>();
  nn::Sequential model(scale_by(2), count);
  NoGradGuard no_grad;
  model(ones({1, 1}));
  EXPECT_EQ(count->handles, 1u);
}

TEST(Sequential, CloneKeepsNamesAndIsIndependent) {
  nn::Sequential model({{"fc", scale_by(2)}, {"act", nn::ReLU()}});
  model->eval();
  auto copy = std::dynamic_pointer_cast<nn::SequentialImpl>(model->clone());
  EXPECT_EQ(copy->named_children().keys(), (std::vector<std::string>{"fc", "act"}));
  EXPECT_FALSE(copy->is_training());
  nn::init::constant_(model->at<nn::LinearImpl>(0).weight, 9);
  EXPECT_EQ((*copy)(ones({1, 1})).item<float>(), 2);

  struct Net : nn::Cloneable<Net> {
    nn::Sequential body = register_module("body", nn::Sequential(scale_by(2)));
    Tensor forward(const Tensor& x) { return body(x); }
  };
  Net net;
  auto net_copy = std::dynamic_pointer_cast<Net>(net.clone());
  nn::init::constant_(net.body->at<nn::LinearImpl>(0).weight, 9);
  EXPECT_EQ((*net_copy)(ones({1, 1})).item<float>(), 2);
}

TEST(Sequential, Errors) {
  nn::Sequential model(nn::Linear(1, 1));
  EXPECT_EQ(message_of([] { nn::Sequential()->forward(1); }), "Cannot call forward() on an empty Sequential");
  EXPECT_EQ(message_of([&] { model->forward<int>(ones({1, 1})); }),
            "The type of the return value is at::Tensor, but you asked for type int");
  EXPECT_EQ(message_of([&] { model->at<nn::LinearImpl>(1); }), "Index out of range\n  index 1 of a Sequential of 1 modules");
  EXPECT_EQ(message_of([&] { model->ptr(7); }), "Index out of range\n  index 7 of a Sequential of 1 modules");
}

}  // namespace
}  // namespace wick::test
