// In-place operations under autograd: leaves, views, saved tensors.
#include <gtest/gtest.h>

#include <cmath>

#include "wick/framework/autograd/anomaly_mode.h"
#include "wick/framework/autograd/engine.h"
#include "wick/tests/framework/ops/checks.h"

namespace wick::test {
namespace {

Tensor numbers(std::initializer_list<double> list) { return tensor(list, kDouble).requires_grad_(); }

// ---- Leaves ------------------------------------------------------------------------------------------------------------------------

TEST(Leaf, MustNotBeWrittenTo) {
  const Tensor x = numbers({1, 2});
  EXPECT_EQ(error_of([&] { x.add_(1); }), "a leaf Variable that requires grad is being used in an in-place operation.");
  EXPECT_EQ(error_of([&] { x.zero_(); }), "a leaf Variable that requires grad is being used in an in-place operation.");
  EXPECT_EQ(error_of([&] { x.slice(0, 0, 1).mul_(2); }),
            "a view of a leaf Variable that requires grad is being used in an in-place operation.");
  EXPECT_EQ(values(x), (Numbers{1, 2}));
  EXPECT_EQ(x._version(), 0);
}

TEST(Leaf, MayBeWrittenToWithoutRecording) {
  const Tensor x = numbers({1, 2});
  {
    NoGradGuard no_grad;
    x.add_(1);
    x.slice(0, 0, 1).mul_(2);
  }
  EXPECT_EQ(values(x), (Numbers{4, 3}));
  EXPECT_TRUE(x.is_leaf() && x.requires_grad());
  (x * x).sum().backward();
  EXPECT_EQ(values(x.grad()), (Numbers{8, 6}));
}

TEST(Leaf, GainsHistoryFromWhatIsWritten) {
  const Tensor b = zeros({2}, kDouble), s = numbers({5, 6});
  b.select(0, 0).copy_(s.select(0, 0));
  EXPECT_TRUE(b.requires_grad());
  EXPECT_EQ(values(b), (Numbers{5, 0}));
  b.sum().backward();
  EXPECT_EQ(values(s.grad()), (Numbers{1, 0}));
}

// ---- Tensors with history ----------------------------------------------------------------------------------------------------------

TEST(InPlace, ExtendsTheHistory) {
  const Tensor x = numbers({1, 2});
  const Tensor y = (x * 1).add_(1).mul_(3);
  EXPECT_EQ(values(y), (Numbers{6, 9}));
  y.sum().backward();
  EXPECT_EQ(values(x.grad()), (Numbers{3, 3}));
}

TEST(InPlace, OnATensorWithoutHistoryStartsOne) {
  const Tensor x = numbers({3, 4});
  const Tensor y = ones({2}, kDouble);
  y.mul_(x).mul_(x);
  EXPECT_EQ(values(y), (Numbers{9, 16}));
  y.sum().backward();
  EXPECT_EQ(values(x.grad()), (Numbers{6, 8}));
}

TEST(InPlace, CutsHistoryWhereEverythingIsOverwritten) {
  const Tensor x = numbers({1, 2});
  const Tensor y = x * 5;
  y.fill_(3);
  y.sum().backward();
  EXPECT_EQ(values(x.grad()), (Numbers{0, 0}));
}

TEST(InPlace, KeepsSecondDerivatives) {
  const Tensor x = numbers({0.5, 2});
  const Tensor y = (x * 1).square_().sin_();
  const Tensor first = autograd::grad({y.sum()}, {x}, {}, std::nullopt, true)[0];
  const Tensor second = autograd::grad({first.sum()}, {x})[0];
  for (size_t i = 0; i < 2; ++i) {
    const double v = values(x)[i];
    EXPECT_NEAR(values(first)[i], 2 * v * std::cos(v * v), 1e-12);
    EXPECT_NEAR(values(second)[i], 2 * std::cos(v * v) - 4 * v * v * std::sin(v * v), 1e-12);
  }
}

// ---- Views: a base and its views have one history ----------------------------------------------------------------------------------

class Views : public testing::Test {
 protected:
  const Tensor x = numbers({1, 2, 3, 4});
  const Tensor y = x * 1;

  Numbers gradient_of(const Tensor& result) {
    result.backward();
    return values(x.grad());
  }
};

TEST_F(Views, WriteThroughToTheirBase) {
  y.slice(0, 1, 3).mul_(10);
  EXPECT_EQ(values(y), (Numbers{1, 20, 30, 4}));
  EXPECT_EQ(gradient_of(y.sum()), (Numbers{1, 10, 10, 1}));
}

TEST_F(Views, SeeWhatIsWrittenToTheirBase) {
  const Tensor v = y.slice(0, 1, 3);
  y.mul_(10);
  EXPECT_EQ(values(v), (Numbers{20, 30}));
  EXPECT_EQ(node(v), "AsStridedBackward0");
  EXPECT_EQ(gradient_of(v.sum()), (Numbers{0, 10, 10, 0}));
}

TEST_F(Views, ForgetWhatIsOverwritten) {
  y.slice(0, 1, 3).fill_(0);
  EXPECT_EQ(gradient_of((y * y).sum()), (Numbers{2, 0, 0, 8}));
}

TEST_F(Views, CopyFromEachOther) {
  y.slice(0, 0, 2).copy_(y.slice(0, 2, 4) * 3);
  EXPECT_EQ(values(y), (Numbers{9, 12, 3, 4}));
  EXPECT_EQ(gradient_of(y.sum()), (Numbers{0, 0, 4, 4}));
}

TEST_F(Views, OfViewsReachTheBase) {
  y.reshape({2, 2}).t().select(0, 0).mul_(5);
  EXPECT_EQ(values(y), (Numbers{5, 2, 15, 4}));
  EXPECT_EQ(gradient_of(y.sum()), (Numbers{5, 1, 5, 1}));
}

TEST_F(Views, SeeWhatOtherViewsWrite) {
  const Tensor a = y.slice(0, 0, 3), b = y.slice(0, 1, 4);
  a.mul_(2);
  b.mul_(3);
  EXPECT_EQ(values(a), (Numbers{2, 12, 18}));
  EXPECT_EQ(gradient_of(a.sum()), (Numbers{2, 6, 6, 0}));
}

TEST_F(Views, OfSeveralOutputsMustNotBeWrittenTo) {
  const std::string rest =
      " is a view and is being modified inplace. This view is the output of a function that returns multiple views. Such functions do not "
      "allow the output views to be modified inplace. You should replace the inplace operation by an out-of-place one.";
  EXPECT_EQ(error_of([&] { y.unbind()[0].mul_(2); }), "Output 0 of UnbindBackward0" + rest);
  EXPECT_EQ(error_of([&] { y.split(2)[1].mul_(2); }), "Output 1 of SplitBackward0" + rest);
  EXPECT_EQ(error_of([&] { y.split(2)[1].slice(0, 0, 1).mul_(2); }), "Output 0 of SliceBackward0" + rest) << "nor a view of one of them";
  EXPECT_EQ(values(y), (Numbers{1, 2, 3, 4}));
}

TEST_F(Views, MadeWithoutRecordingMustNotBeWrittenToWithIt) {
  Tensor v;
  {
    NoGradGuard no_grad;
    v = y.slice(0, 0, 2);
  }
  EXPECT_EQ(error_of([&] { v.mul_(2); }).find("A view was created in no_grad mode and is being modified inplace with grad mode enabled."),
            0u);
  EXPECT_EQ(error_of([&] { y.slice(0, 0, 2).detach_(); }), "Can't detach views in-place. Use detach() instead.");
}

// PyTorch's hint: what anomaly mode would tell, or that it has told.
TEST_F(Views, TheHintOfAChangedTensorIsThatOfTheMode) {
  const auto message = [&] {
    const Tensor z = y.exp();
    z.add_(1);
    return error_of([&] { z.sum().backward(); });
  };
  EXPECT_NE(message().find("Hint: enable anomaly detection to find the operation that failed to compute its gradient"), std::string::npos);
  const autograd::DetectAnomalyGuard anomaly;
  EXPECT_NE(message().find("Hint: the backtrace further above shows the operation that failed"), std::string::npos);
}

// ---- Saved tensors -----------------------------------------------------------------------------------------------------------------

TEST(SavedTensors, MustNotChangeBeforeBackward) {
  const Tensor x = numbers({1, 2});
  {
    const Tensor y = x * 1, z = y * y;
    y.add_(1);
    EXPECT_EQ(error_of([&] { z.sum().backward(); })
                  .find("one of the variables needed for gradient computation has been modified by an inplace operation: "
                        "[torch.DoubleTensor [2]], which is output 0 of AddBackward0, is at version 1; expected version 0 instead."),
              0u);
  }
  {
    const Tensor z = x.exp();
    z.mul_(2);
    EXPECT_NE(error_of([&] { z.sum().backward(); }).find("which is output 0 of ExpBackward0, is at version 1; expected version 0 instead."),
              std::string::npos);
  }
  {
    const Tensor c = ones({2}, kDouble), z = x * c;
    c.slice(0, 0, 1).add_(1);  // through a view
    EXPECT_NE(error_of([&] { z.sum().backward(); }).find("[torch.DoubleTensor [2]] is at version 1; expected version 0 instead."),
              std::string::npos);
  }
  EXPECT_FALSE(x.grad().defined());
}

TEST(SavedTensors, MayChangeWhereTheyAreNotNeeded) {
  const Tensor x = numbers({1, 2});
  const Tensor y = x * 1, z = y + 3;
  y.add_(1);
  z.sum().backward();
  EXPECT_EQ(values(x.grad()), (Numbers{1, 1}));
}

TEST(VersionCounter, IsSharedByViewsAndNotByData) {
  const Tensor x = zeros({4});
  const Tensor v = x.slice(0, 0, 2), detached = x.detach(), data = x.data();
  EXPECT_EQ(x._version(), 0);
  v.add_(1);
  EXPECT_EQ(x._version(), 1);
  EXPECT_EQ(v._version(), 1);
  detached.add_(1);
  EXPECT_EQ(x._version(), 2);
  data.add_(1);
  EXPECT_EQ(x._version(), 2);
  EXPECT_EQ(values(x), (Numbers{3, 3, 2, 2}));
}

}  // namespace
}  // namespace wick::test
