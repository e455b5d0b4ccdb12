#include "wick/nn/cloneable.h"

#include "wick/tests/nn/support.h"

namespace wick::test {
namespace {

struct MLP : nn::Cloneable<MLP> {
  explicit MLP(int64_t hidden = 10) : fc2(register_module("fc2", nn::Linear(hidden, 3))), hidden(hidden) {}
  nn::Linear fc1 = register_module("fc1", nn::Linear(4, 10));
  nn::Linear fc2;
  int64_t hidden;
  Tensor forward(const Tensor& x) { return fc2(relu(fc1(x))); }
};

TEST(Clone, OfInitialisedMembersNeedsNoReset) {
  auto model = std::make_shared<MLP>(10);
  model->hidden = 77;
  model->eval();
  model->fc1->weight.set_requires_grad(false);
  auto copy = std::dynamic_pointer_cast<MLP>(model->clone());
  EXPECT_EQ(copy->hidden, 77);
  EXPECT_FALSE(copy->is_training());
  EXPECT_FALSE(copy->fc1->weight.requires_grad());
  EXPECT_TRUE(copy->fc1->bias.requires_grad());
  EXPECT_EQ(copy->named_parameters().keys(), model->named_parameters().keys());
  EXPECT_TRUE(copy->named_parameters()["fc1.weight"].is_same(copy->fc1->weight));
  EXPECT_EQ(floats(copy->fc1->weight), floats(model->fc1->weight));
  const Tensor x = ones({2, 4});
  const Tensor before = (*model)(x);
  EXPECT_EQ(floats((*copy)(x)), floats(before));
  nn::init::zeros_(copy->fc1->weight);
  EXPECT_EQ(floats((*model)(x)), floats(before));
}

TEST(Clone, AHolderCopiedOutsideOfCloneKeepsItsModule) {
  MLP model;
  model.clone();
  const nn::Linear same = model.fc1;
  EXPECT_EQ(same.ptr(), model.fc1.ptr());
}

struct WithReset : nn::Cloneable<WithReset> {
  WithReset() { reset(); }
  void reset() override {
    w = register_parameter("w", ones({2}));
    b = register_buffer("b", zeros({3}));
    fc = register_module("fc", nn::Linear(2, 2));
  }
  Tensor w, b;
  nn::Linear fc{nullptr};
};

TEST(Clone, OfAModuleWithReset) {
  WithReset module;
  nn::init::constant_(module.w, 5);
  nn::init::constant_(module.b, 6);
  auto copy = std::dynamic_pointer_cast<WithReset>(module.clone());
  EXPECT_EQ(floats(copy->w), (std::vector<float>{5, 5}));
  EXPECT_EQ(floats(copy->b), (std::vector<float>{6, 6, 6}));
  EXPECT_EQ(floats(copy->fc->weight), floats(module.fc->weight));
  EXPECT_FALSE(copy->w.is_same(module.w));
  EXPECT_NE(copy->w.data_ptr(), module.w.data_ptr());
  EXPECT_NE(copy->fc.ptr(), module.fc.ptr());
  EXPECT_TRUE(copy->named_parameters()["w"].is_same(copy->w));
  EXPECT_TRUE(copy->fc->named_parameters()["weight"].is_same(copy->fc->weight));
}

TEST(Clone, OfLayersKeepsOptions) {
  nn::Linear linear(nn::LinearOptions(2, 2).bias(false));
  auto copy = std::dynamic_pointer_cast<nn::LinearImpl>(linear->clone());
  EXPECT_FALSE(copy->bias.defined());
  EXPECT_FALSE(copy->options.bias());
  nn::CrossEntropyLoss loss(nn::CrossEntropyLossOptions().weight(ones({3})).ignore_index(2));
  auto loss_copy = std::dynamic_pointer_cast<nn::CrossEntropyLossImpl>(loss->clone());
  EXPECT_EQ(loss_copy->options.ignore_index(), 2);
  EXPECT_TRUE(loss_copy->weight.defined());
  EXPECT_FALSE(loss_copy->weight.is_same(loss->weight));
  auto slope = std::dynamic_pointer_cast<nn::LeakyReLUImpl>(nn::LeakyReLU(nn::LeakyReLUOptions().negative_slope(0.3))->clone());
  EXPECT_EQ(slope->options.negative_slope(), 0.3);
}

TEST(Clone, ToAnotherDevice) {
  auto copy = nn::Linear(2, 3)->clone(Device(kMeta));
  EXPECT_TRUE(copy->parameters()[0].is_meta());
}

TEST(Clone, KeepsHooksAsItsOwn) {
  auto layer = scale_by(2);
  int calls = 0;
  auto handle = layer->register_forward_hook([&](nn::Module&, const std::vector<Tensor>&, std::vector<Tensor>&) { ++calls; });
  auto copy = std::dynamic_pointer_cast<nn::LinearImpl>(layer->clone());
  handle.remove();
  layer(ones({1, 1}));
  EXPECT_EQ(calls, 0);
  (*copy)(ones({1, 1}));
  EXPECT_EQ(calls, 1);
}

TEST(Clone, Errors) {
  struct Plain : nn::Module {};
  EXPECT_NE(message_of([&] { Plain().clone(); }).find("clone() has not been implemented for "), std::string::npos);

  const std::string hint = "as the original module after calling reset(). Are you sure you called ";
  struct Parameter : nn::Cloneable<Parameter> {
    Tensor w = register_parameter("w", ones({1}));
  };
  EXPECT_EQ(message_of([&] { Parameter().clone(); }), "The cloned module does not have the same number of parameters " + hint +
                                                          "register_parameter() inside reset() and not the constructor?");
  struct Buffer : nn::Cloneable<Buffer> {
    void reset() override {}
    Tensor w = register_buffer("w", ones({1}));
  };
  EXPECT_EQ(message_of([&] { Buffer().clone(); }), "The cloned module does not have the same number of buffers " + hint +
                                                       "register_buffer() inside reset() and not the constructor?");
  // A shared_ptr would go on referring to the original's child.
  struct Pointer : nn::Cloneable<Pointer> {
    std::shared_ptr<MLP> child = register_module("child", std::make_shared<MLP>());
  };
  EXPECT_EQ(message_of([&] { Pointer().clone(); }), "The cloned module does not have the same number of child modules " + hint +
                                                        "register_module() inside reset() and not the constructor?");
}

}  // namespace
}  // namespace wick::test
