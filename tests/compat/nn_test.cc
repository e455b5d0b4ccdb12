// The modules that are there for LibTorch's programs alone.
#include <torch/torch.h>

#include <sstream>

#include "wick/tests/nn/composed_layers_golden.h"
#include "wick/tests/nn/support.h"

namespace wick::test {
namespace {

template <class M>
std::string text(const M& module) {
  std::ostringstream out;
  out << module;
  return out.str();
}

// PyTorch's values, made by tools/make_layer_golden.py.
void expect_value(const std::string& name, const Tensor& got) {
  for (const Golden& g : kGolden) {
    if (name != g.name) continue;
    const Tensor want = tensor(std::vector<float>(g.y)).view_as(got);
    EXPECT_TRUE(allclose(got.to(kFloat), want, 3e-6, 3e-6)) << name << ": " << got << " is not " << want;
    return;
  }
  ADD_FAILURE() << "no golden value is called " << name;
}

TEST(ParameterList, HoldsAndClones) {
  nn::ParameterList list(ones({2}).requires_grad_(), zeros({3}));
  list->append(ones({1, 2}));
  EXPECT_EQ(list->size(), 3u);
  EXPECT_TRUE(list->at(0).requires_grad());
  EXPECT_FALSE(list->at(1).requires_grad());
  EXPECT_EQ(list->parameters().size(), 3u);
  auto copy = std::dynamic_pointer_cast<nn::ParameterListImpl>(list->clone());
  EXPECT_TRUE(copy->at(2).equal(list->at(2)));
  EXPECT_NE(copy->at(2).data_ptr(), list->at(2).data_ptr());
  EXPECT_TRUE(copy->at(0).requires_grad());
  EXPECT_NE(message_of([&] { list->at(3); }).find("Index out of range"), std::string::npos);
  *list += *list;
  EXPECT_EQ(list->size(), 6u);
  EXPECT_TRUE(list[5].equal(list[2]));
  EXPECT_EQ(text(nn::ParameterList(ones({2, 3}))), "torch::nn::ParameterList(\n(0): Parameter containing: [Float of size [2, 3]]\n)");
}

TEST(ParameterDict, HoldsAndClones) {
  nn::ParameterDict dict;
  dict->insert("a", ones({2}).requires_grad_());
  dict->insert("b", zeros({3}));
  EXPECT_EQ(dict->keys(), (std::vector<std::string>{"a", "b"}));
  auto copy = std::dynamic_pointer_cast<nn::ParameterDictImpl>(dict->clone());
  EXPECT_NE(copy->get("a").data_ptr(), dict->get("a").data_ptr());
  (*copy)["a"] = ones({5});
  dict->update(*copy);
  EXPECT_EQ(dict["a"].numel(), 5);
  EXPECT_EQ(dict->pop("a").numel(), 5);
  EXPECT_FALSE(dict->contains("a"));
  (*copy)["b"] = ones({5});
  EXPECT_EQ(message_of([&] { dict->update(*copy); }), "Parameter 'a' is not defined");
  EXPECT_EQ(dict["b"].numel(), 3);
  EXPECT_NE(message_of([&] { dict->insert("b", ones({1})); }), "");
}

TEST(AdaptiveLogSoftmax, Values) {
  manual_seed(0);
  nn::AdaptiveLogSoftmaxWithLoss layer(nn::AdaptiveLogSoftmaxWithLossOptions(8, 10, {3, 6}).div_value(2));
  const Tensor x = (arange(24, kFloat) * 0.7).sin().view({3, 8}).requires_grad_();
  const nn::ASMoutput result = layer(x, tensor({1, 4, 9}));
  expect_value("ada", result.output.detach());
  expect_value("ada_loss", tensor(static_cast<float>(result.loss)));
  (-result.output.mean()).backward();
  expect_value("ada_g", x.grad()[1]);
  expect_value("ada_lp", layer->log_prob(x)[0]);
  expect_value("ada_predict", layer->predict(x));
  EXPECT_NE(message_of([&] { layer(x, tensor({1, 4, 10})); }).find("Target values should be in [0, 9]"), std::string::npos);
  EXPECT_NE(message_of([] {
              nn::AdaptiveLogSoftmaxWithLoss(8, 10, std::vector<int64_t>{6, 3});
            }).find("cutoffs should be"),
            std::string::npos);
}

TEST(FractionalMaxPool, Values) {
  const auto wave = [](IntArrayRef sizes) { return (arange(checked_numel(sizes), kFloat) * 0.7).sin().view(sizes); };
  const auto options = F::FractionalMaxPool2dFuncOptions({2, 3}).output_size(ExpandingArray<2>({3, 2}))
                           ._random_samples(tensor_of({1, 1, 2}, {0.3f, 0.8f}));
  const Tensor x = wave({1, 1, 6, 7}).requires_grad_(), y = F::fractional_max_pool2d(x, options);
  expect_value("frac2", y.detach());
  expect_value("frac2_i", std::get<1>(F::fractional_max_pool2d_with_indices(x, options)));
  y.sum().backward();
  EXPECT_EQ(x.grad().sum().item<float>(), 6);
  nn::FractionalMaxPool3d third(nn::FractionalMaxPool3dOptions(2).output_size(ExpandingArray<3>({2, 2, 3}))
                                    ._random_samples(tensor_of({1, 1, 3}, {0.3f, 0.8f, 0.1f})));
  expect_value("frac3_i", std::get<1>(third->forward_with_indices(wave({1, 1, 4, 4, 5}))));
  nn::FractionalMaxPool2d half(nn::FractionalMaxPool2dOptions(2).output_ratio(ExpandingArray<2, double>(0.5)));
  EXPECT_EQ(half(wave({1, 6, 8})).sizes().vec(), (std::vector<int64_t>{1, 3, 4}));
  EXPECT_EQ(third->named_buffers().keys(), std::vector<std::string>{"_random_samples"});
  EXPECT_FALSE(half->_random_samples.defined());
  EXPECT_EQ(message_of([] { nn::FractionalMaxPool2d(nn::FractionalMaxPool2dOptions(2)); }),
            "FractionalMaxPool2d requires specifying either an output size, or a pooling ratio");
  EXPECT_EQ(text(half), "torch::nn::FractionalMaxPool2d()");
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

TEST(Optimizer, WarnsOfWhatLibTorchWillRemove) {
  struct Handler : WarningHandler {
    void process(const SourceLocation&, const std::string& message, bool) override { messages.push_back(message); }
    std::vector<std::string> messages;
  } handler;
  const auto leaf = [] { return zeros({2}).requires_grad_(); };
  const Tensor first = leaf();
  torch::optim::SGD optimizer({first}, torch::optim::SGDOptions(0.5));
  Warning::set_warning_handler(&handler);
  EXPECT_EQ(optimizer.size(), 1u);
  optimizer.add_parameters({leaf()});
  EXPECT_EQ(optimizer.parameters().size(), 2u);
  EXPECT_EQ(optimizer.param_groups().size(), 1u);
  EXPECT_EQ(handler.messages, (std::vector<std::string>{"Optimizer::size() will be removed in PyTorch 1.6",
                                                        "Optimizer::add_parameters() will be removed in PyTorch 1.6",
                                                        "Optimizer::parameters() will be removed in PyTorch 1.6"}));
  EXPECT_THROW(optimizer.add_parameters({first}), c10::ValueError);
  Warning::set_warning_handler(nullptr);
  torch::optim::SGD empty(std::vector<Tensor>{}, torch::optim::SGDOptions(0.5));
  empty.add_parameters({leaf()});
  EXPECT_EQ(std::as_const(empty).parameters().size(), 1u);
}

}  // namespace
}  // namespace wick::test
