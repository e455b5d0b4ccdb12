// InferenceMode: which tensors are made in it, and what may be done with them outside.
#include <gtest/gtest.h>

#include "wick/framework/autograd/engine.h"
#include "wick/framework/ops/from_blob.h"
#include "wick/tests/framework/ops/checks.h"

namespace wick::test {
namespace {

const char* const kInplace =
    "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal tensor before doing "
    "inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details.";
const char* const kSaved =
    "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in computation tracked by "
    "autograd. To work around this, you can make a clone to get a normal tensor and use it in autograd, or use `torch.no_grad()` instead "
    "of `torch.inference_mode()`.";
const std::string kViewRest =
    " modified inplace in normal mode. Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code "
    "by moving both the view and the inplace either both inside the inference_mode block (if you don't want the inplace to be tracked) or "
    "both outside (if you want the inplace to be tracked).";

Tensor normal(bool requires_grad) { return ones({1, 2, 3}).requires_grad_(requires_grad).clone(); }
Tensor inference(bool requires_grad) {
  InferenceMode guard;
  return ones({1, 2, 3}).requires_grad_(requires_grad);
}

TEST(InferenceMode, IsAStateOfTheThread) {
  EXPECT_FALSE(InferenceMode::is_enabled());
  {
    InferenceMode guard;
    EXPECT_TRUE(InferenceMode::is_enabled());
    EXPECT_FALSE(GradMode::is_enabled());
    {
      InferenceMode off(false);
      EXPECT_FALSE(InferenceMode::is_enabled());
      EXPECT_TRUE(GradMode::is_enabled());
      EXPECT_FALSE(ones({1}).is_inference());
    }
    EXPECT_TRUE(InferenceMode::is_enabled());
    EXPECT_FALSE(GradMode::is_enabled());
  }
  EXPECT_FALSE(InferenceMode::is_enabled());
  EXPECT_TRUE(GradMode::is_enabled());
}

class InferenceTensors : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(RequiresGrad, InferenceTensors, testing::Bool());

TEST_P(InferenceTensors, AreWhatIsMadeInTheMode) {
  InferenceMode guard;
  float memory = 1;
  EXPECT_TRUE(from_blob(&memory, {1}).is_inference());
  const Tensor x = ones({1, 2, 3}).requires_grad_(GetParam());
  EXPECT_EQ(x.requires_grad(), GetParam());
  const Tensor y = x * x, v = x.view({2, 3});
  x.mul_(1);
  for (const Tensor& t : {x, y, v}) {
    EXPECT_TRUE(t.is_inference());
    EXPECT_TRUE(t.is_leaf());
  }
  EXPECT_EQ(x.requires_grad(), GetParam());
  EXPECT_FALSE(y.requires_grad());
  EXPECT_FALSE(v.requires_grad());
}

TEST_P(InferenceTensors, MakeNormalTensorsOutside) {
  const Tensor x = inference(GetParam());
  const Tensor y = x * x, v = x.view({2, 3});
  EXPECT_FALSE(y.is_inference());
  EXPECT_FALSE(y.requires_grad());
  EXPECT_TRUE(v.is_inference());
  EXPECT_FALSE(v.requires_grad());
  EXPECT_FALSE(v.is_view());
  EXPECT_FALSE(x.clone().is_inference());
}

TEST_P(InferenceTensors, CannotBeWrittenToOutside) {
  Tensor x = inference(GetParam());
  EXPECT_EQ(error_of([&] { x.mul_(1); }), kInplace);
  EXPECT_EQ(error_of([&] { x.copy_(ones({1, 2, 3})); }), kInplace);
  EXPECT_EQ(error_of([&] { x.view({6}).zero_(); }), kInplace);
  EXPECT_EQ(error_of([&] { mul_out(x, ones({1, 2, 3}), ones({1, 2, 3})); }),
            GetParam() ? "mul(): functions with out=... arguments don't support automatic differentiation, but one of the arguments "
                         "requires grad."
                       : kInplace);
  EXPECT_EQ(values(x), Numbers(6, 1));
}

TEST(InferenceTensor, HasNoVersionAndRequiresNoGrad) {
  const Tensor x = inference(false);
  EXPECT_EQ(error_of([&] { x._version(); }), "Inference tensors do not track version counter.");
  EXPECT_EQ(error_of([&] { x.requires_grad_(); }), "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.");
}

TEST_P(InferenceTensors, MixWithNormalOnesWhereNothingIsSaved) {
  const Tensor c = inference(GetParam()), s = ones({1, 2, 3}).requires_grad_(GetParam());
  const Tensor y = c.add(s);
  EXPECT_FALSE(y.is_inference());
  EXPECT_EQ(y.requires_grad(), GetParam());
  if (!GetParam()) return;
  y.backward(ones_like(y));
  EXPECT_EQ(values(c.grad()), Numbers(6, 1));
  EXPECT_EQ(error_of([&] { c.mul(s); }), kSaved);
  EXPECT_EQ(error_of([&] { (s * 1).mul_(c); }), kSaved);
}

TEST(NormalTensor, IsSeenToChangeInTheMode) {
  const Tensor a = normal(true);
  const Tensor y = a * a;
  {
    InferenceMode guard;
    a.mul_(1);
    EXPECT_FALSE(a.is_inference());
  }
  EXPECT_EQ(error_of([&] { y.sum().backward(); })
                .find("one of the variables needed for gradient computation has been modified by an inplace operation"), 0u);
}

class NormalTensors : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(RequiresGrad, NormalTensors, testing::Bool());

TEST_P(NormalTensors, HaveNormalViewsInTheMode) {
  const Tensor a = normal(GetParam());
  Tensor v, w;
  {
    InferenceMode guard;
    v = a.view({2, 3});
    w = v.view({6});
    w.mul_(1);
    for (const Tensor& t : {v, w}) {
      EXPECT_FALSE(t.is_inference());
      EXPECT_EQ(t.requires_grad(), GetParam());
      EXPECT_TRUE(t.is_leaf());
    }
    EXPECT_EQ(a._version(), w._version());
  }
  const Tensor u = normal(GetParam());
  {
    InferenceMode guard;
    v = u.view({2, 3});
  }
  EXPECT_EQ((v * v).requires_grad(), GetParam());
  EXPECT_EQ(v.view({6}).requires_grad(), GetParam());
  EXPECT_EQ(error_of([&] { v.mul_(1); }), GetParam() ? "A view was created in inference mode and is being" + kViewRest : "no error");
  {
    NoGradGuard no_grad;
    w = v.view({6});
  }
  EXPECT_EQ(error_of([&] { w.mul_(1); }), GetParam() ? "A view was created in inference mode and is being" + kViewRest : "no error");
}

TEST_P(NormalTensors, LeaveViewsOfTheModeBehindWhenWrittenTo) {
  const Tensor a = normal(GetParam());
  Tensor v;
  {
    InferenceMode guard;
    v = a.view({2, 3});
  }
  a.mul_(1);
  EXPECT_EQ(error_of([&] { v.grad_fn(); }),
            GetParam() ? "A view was created in inference mode and its base or another view of its base has been" + kViewRest : "no error");
}

TEST(NormalTensor, LeavesViewsOfNoGradModeBehindWhenWrittenTo) {
  const Tensor a = normal(true);
  Tensor v;
  {
    NoGradGuard no_grad;
    v = a.view({2, 3});
  }
  EXPECT_TRUE(v.requires_grad());
  EXPECT_TRUE(v.is_leaf());
  EXPECT_TRUE(v._is_view());
  EXPECT_TRUE(v._base().is_same(a));
  EXPECT_EQ(error_of([&] { a._base(); }), "Can't get base of non-view Tensor");
  a.mul_(1);
  EXPECT_EQ(error_of([&] { v.grad_fn(); })
                .find("A view was created in no_grad mode and its base or another view of its base has been modified inplace with grad "
                      "mode enabled."), 0u);
}

// As in PyTorch, such a view is a leaf of its own.
TEST(NormalTensor, HasViewsOfNoGradModeThatAreLeavesWithoutGradient) {
  const Tensor a = ones({2}).requires_grad_();
  Tensor v;
  {
    NoGradGuard no_grad;
    v = a.view({2, 1});
  }
  (v * 3).sum().backward();
  EXPECT_TRUE(v.is_leaf() && v.requires_grad());
  EXPECT_FALSE(v.grad().defined() || a.grad().defined() || v.grad_fn());
  v.sum(0).select(0, 0).backward(ones({}), false, false, TensorList(&v, 1));
  EXPECT_FALSE(v.grad().defined() || a.grad().defined());
}

}  // namespace
}  // namespace wick::test
