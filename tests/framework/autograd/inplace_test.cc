// In-place operations under autograd: leaves, views, saved tensors.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

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
  EXPECT_EQ(error_of([&] { y.slice(0, 0, 2).detach_(); }).find("Can't detach views in-place. Use detach() instead."), 0u);
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
// ---- Results that are no views ------------------------------------------------------------------------------------------------------

// These are computed as reshaped parts of something else, which nobody can tell.
TEST(OwnResults, AreNoViewsAndMayBeWrittenTo) {
  const Tensor a = rand({3, 3}, kDouble).requires_grad_(), v = rand({3}, kDouble), b = rand({2, 4, 3}, kDouble);
  const std::vector<std::function<Tensor()>> makers = {
      [&] { return linear(b, a); },
      [&] { return a.mv(v); },
      [&] { return v.matmul(a); },
      [&] { return b.matmul(a); },
      [&] { return v.dot(a[0]); },
      [&] { return kron(a, a); },
      [&] { return std::get<0>(a.median(0)); },
      [&] { return std::get<0>(a.kthvalue(1, 0)); },
      [&] { return std::get<0>(a.mode(0)); },
      [&] { return a.quantile(0.5); },
      [&] { return a.rot90(); },
      [&] { return embedding(a, tensor({2, 0}).view({1, 2})); },
      [&] { return max_pool1d(b * a[0], 2); }};
  for (size_t i = 0; i < makers.size(); ++i) {
    Tensor without;
    {
      NoGradGuard no_grad;
      without = makers[i]();
    }
    EXPECT_FALSE(without.is_view()) << i;
    without.add_(a.sum());  // begins to be recorded
    EXPECT_TRUE(without.requires_grad()) << i;
    Tensor y = makers[i]();
    EXPECT_FALSE(y.is_view()) << i;
    const Tensor expected = autograd::grad({(makers[i]() * 2).sum()}, {a})[0];
    y.mul_(2);
    EXPECT_TRUE(allclose(autograd::grad({y.sum()}, {a})[0], expected)) << i;
  }
}

// An argument that an operation gives back stays the view that it is.
TEST(OwnResults, ArgumentsStayViews) {
  const Tensor x = rand({2, 3}), view = x.view({3, 2});
  EXPECT_TRUE(view.contiguous().is_view());
  EXPECT_TRUE(view.to(kFloat).is_view());
  EXPECT_TRUE(view.is_view());
}

TEST(InPlaceRules, ShapesOfLeavesReachTheirAccumulator) {
  const Tensor x = rand({4}).requires_grad_();
  const Tensor before = x * 2;  // x has an accumulator
  {
    NoGradGuard no_grad;
    x.unsqueeze_(1);
  }
  (x * 3).sum().backward();
  EXPECT_TRUE(x.grad().equal(full({4, 1}, 3.0f)));
}

TEST(InPlaceRules, CopiesOfItselfAreWrites) {
  const Tensor x = rand({3});
  x.copy_(x);
  EXPECT_EQ(x._version(), 1);
  const Tensor leaf = rand({3}).requires_grad_();
  EXPECT_NE(error_of([&] { leaf.copy_(leaf); }).find("a leaf Variable that requires grad is being used in an in-place operation"),
            std::string::npos);
}

TEST(InPlaceRules, PlacesAreNotReadFromWhatIsWritten) {
  const Tensor x = rand({2, 2});
  const char* const kSentence = "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory "
                                "location. Please clone() the tensor before performing the operation.";
  const Tensor index = zeros({2, 2}, kLong), rows = tensor({1, 0});
  EXPECT_NE(error_of([&] { x.scatter_(0, index, x); }).find(kSentence), std::string::npos);
  EXPECT_NE(error_of([&] { x.scatter_add_(0, index, x); }).find(kSentence), std::string::npos);
  EXPECT_NE(error_of([&] { x.index_add_(0, rows, x); }).find(kSentence), std::string::npos);
  EXPECT_NE(error_of([&] { x.index_copy_(0, rows, x); }).find(kSentence), std::string::npos);
  EXPECT_NE(error_of([&] { x.index_put_({rows}, x); }).find(kSentence), std::string::npos);
  EXPECT_EQ(x._version(), 0);
}

TEST(OldViews, HooksAreThoseOfTheNewHistory) {
  const Tensor x = rand({3}).requires_grad_(), view = x.slice(0, 0, 3);
  {
    NoGradGuard no_grad;
    x.fill_(1);
  }
  view.register_hook([](const Tensor& g) { return g * 2; });
  view.sum().backward();
  EXPECT_TRUE(x.grad().equal(full({3}, 2.0f)));
}

TEST(OldViews, AreNotDetachedInPlace) {
  const Tensor view = rand({4}).view({2, 2});
  const Tensor base = rand({4}), of_base = base.view({2, 2});
  EXPECT_NE(error_of([&] { of_base.detach_(); }).find("Can't detach views in-place. Use detach() instead."), std::string::npos);
}

TEST(OldViews, WithoutHistoryGetNoGradient) {
  const Tensor x = rand({3}).requires_grad_();
  Tensor view;
  {
    NoGradGuard no_grad;
    view = x.slice(0, 0, 2);
  }
  EXPECT_TRUE(view.requires_grad());
  const auto grads = autograd::grad({(x * 2).sum()}, {x, view}, {}, std::nullopt, false, /*allow_unused=*/true);
  EXPECT_TRUE(grads[0].equal(full({3}, 2.0f)));
  EXPECT_FALSE(grads[1].defined());
}

}  // namespace wick::test
