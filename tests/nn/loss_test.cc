// Losses between tensors against PyTorch's numbers, and at the edges where public libraries have gone wrong.
#include "wick/nn/loss.h"

#include <cmath>

#include "wick/tests/nn/support.h"

namespace wick::test {
namespace {

Tensor leaf(const std::vector<float>& values) { return tensor_of({static_cast<int64_t>(values.size())}, values).requires_grad_(); }
Tensor vec(const std::vector<float>& values) { return tensor_of({static_cast<int64_t>(values.size())}, values); }

TEST(BCE, LargeLogitsStayFinite) {
  const Tensor x = leaf({-100, 100, -100, 100});
  const Tensor loss = F::binary_cross_entropy_with_logits(x, vec({0, 0, 1, 1}),
      F::BinaryCrossEntropyWithLogitsFuncOptions().reduction(kNone));
  expect_near(loss, {0, 100, 100, 0});
  loss.sum().backward();
  expect_near(x.grad(), {0, 1, -1, 0});
  const Tensor zero = leaf({0});
  nn::BCEWithLogitsLoss()(zero, vec({0})).backward();
  expect_near(zero.grad(), {0.5});
  const Tensor far = leaf({-100});
  const Tensor weighted = nn::BCEWithLogitsLoss(nn::BCEWithLogitsLossOptions().pos_weight(vec({2})))(far, vec({1}));
  expect_near(weighted.reshape({1}), {200});
  weighted.backward();
  expect_near(far.grad(), {-2});
}

TEST(BCE, LogarithmsAreBounded) {
  nn::BCELoss none(nn::BCELossOptions().reduction(kNone));
  expect_near(none(vec({0, 1, 1}), vec({1, 0, 1})), {100, 100, 0});
  const Tensor x = leaf({0, 1, 0.25f});
  none(x, vec({1, 0, 1})).sum().backward();
  EXPECT_TRUE(isfinite(x.grad()).all().item<bool>());
  EXPECT_NE(message_of([&] { none(vec({1.5f}), vec({1})); }).find("all elements of input should be between 0 and 1"), std::string::npos);
  EXPECT_NE(message_of([&] { none(vec({0.5f}), vec({1, 1})); }).find("Using a target size ([2]) that is different to the input size ([1])"),
            std::string::npos);
  // The operation alone does not mind dimensions of size 1.
  const Tensor column = vec({0.5f, 0.25f}).unsqueeze(1), row = vec({1, 0});
  EXPECT_NE(message_of([&] { none(column, row); }).find("Using a target size ([2])"), std::string::npos);
  EXPECT_TRUE(binary_cross_entropy(column, row).equal(binary_cross_entropy(column, row.unsqueeze(1))));
  EXPECT_NE(message_of([&] { nn::BCEWithLogitsLoss()(vec({0.5f}), vec({1,
               1})); }).find("Target size ([2]) must be the same as input size ([1])"),
            std::string::npos);
}

TEST(SmoothL1, BetaMayBeZero) {
  const Tensor x = leaf({1, 3, 0});
  const Tensor loss = F::smooth_l1_loss(x, vec({1, 1, 1}), F::SmoothL1LossFuncOptions(kNone).beta(0));
  expect_near(loss, {0, 2, 1});
  loss.sum().backward();
  expect_near(x.grad(), {0, 1, -1});
  const Tensor y = leaf({1, 3, 0.5f, 2});
  const Tensor smooth = nn::SmoothL1Loss(nn::SmoothL1LossOptions(kNone))(y, vec({1, 1, 1, 1}));
  expect_near(smooth, {0, 1.5f, 0.125f, 0.5f});
  smooth.sum().backward();
  expect_near(y.grad(), {0, 1, -0.5f, 1});
  EXPECT_NE(message_of([&] { F::smooth_l1_loss(x, x, F::SmoothL1LossFuncOptions().beta(-1)); }), "");
}

TEST(Huber, ValuesAndGradients) {
  const Tensor x = leaf({1, 3});
  const Tensor loss = nn::HuberLoss(nn::HuberLossOptions(kNone).delta(2))(x, vec({0, 0}));
  expect_near(loss, {0.5, 4});
  loss.sum().backward();
  expect_near(x.grad(), {1, 2});
}

TEST(KLDiv, ATargetOfZeroCostsNothing) {
  const Tensor x = leaf({-2, -0.5f});
  const Tensor loss = nn::KLDivLoss(nn::KLDivLossOptions(kNone))(x, vec({0, 1}));
  expect_near(loss, {0, 0.5f});
  loss.sum().backward();
  expect_near(x.grad(), {0, -1});
  expect_near(F::kl_div(vec({-HUGE_VALF}), vec({0}), F::KLDivFuncOptions(kNone)), {0});
  const Tensor logs = tensor_of({1, 2}, {0, -1}), half = tensor_of({1, 2}, {0.5f, 0.5f});
  expect_near(F::kl_div(logs, half).reshape({1}), {-0.0965735903f});
  expect_near(F::kl_div(logs, half, F::KLDivFuncOptions(kBatchMean)).reshape({1}), {-0.193147181f});
}

TEST(HingeEmbedding, Values) {
  const Tensor x = vec({0.5f, -1, 2}), y = vec({1, -1, 1});
  expect_near(F::hinge_embedding_loss(x, y, F::HingeEmbeddingLossFuncOptions().margin(0.5).reduction(kNone)), {0.5f, 1.5f, 2});
  expect_near(nn::HingeEmbeddingLoss()(x, y).reshape({1}), {1.5f});
}

TEST(CosineEmbedding, Values) {
  const Tensor a = tensor_of({2, 3}, {1, 2, 3, 0.5f, -1, 2}), b = tensor_of({2, 3}, {3, 1, -1, 1, -2, 2}), t = vec({1, -1});
  const Tensor each = F::cosine_embedding_loss(a, b, t, F::CosineEmbeddingLossFuncOptions().margin(0.25).reduction(kNone));
  EXPECT_NEAR(each[0].item<float>(), 0.8388, 1e-4);
  EXPECT_NEAR(each[1].item<float>(), 0.6956, 1e-4);
  EXPECT_NEAR(nn::CosineEmbeddingLoss()(a, b, t).item<float>(), 0.8922, 1e-4);
}

TEST(MarginLosses, OneNumberIsASampleOfOneClass) {
  const Tensor x = full({}, 0.5, kDouble), first = zeros({}, kLong);
  for (const Tensor& loss : {F::multi_margin_loss(x, first), F::multilabel_margin_loss(x, first)}) {
    EXPECT_EQ(loss.dim(), 0);
    EXPECT_EQ(loss.item<double>(), 0);
  }
  const std::string empty_input = "Expected non-empty vector or matrix with optional 0-dim batch size, but got: [5, 0]";
  EXPECT_EQ(message_of([] { F::multi_margin_loss(ones({5, 0}), zeros({5}, kLong)); }).substr(0, empty_input.size()), empty_input);
  EXPECT_EQ(message_of([] { F::multilabel_margin_loss(ones({5, 0}), zeros({5, 0}, kLong)); }).substr(0, empty_input.size()), empty_input);
}

// They would get no gradient, so a weight that expects one is refused.
TEST(ClassLosses, TheWeightsAreNotTrained) {
  const Tensor weight = ones({3}).requires_grad_(), target = zeros({2}, kLong);
  const auto nll = [&] { return F::nll_loss(ones({2, 3}), target, F::NLLLossFuncOptions().weight(weight)); };
  const auto entropy = [&](const Tensor& x, const Tensor& y, double smoothing) {
    return F::cross_entropy(x, y, F::CrossEntropyFuncOptions().weight(weight).label_smoothing(smoothing));
  };
  const std::string wanted = "The function 'nll_loss_forward' is not differentiable with respect to argument 'weight'. This input cannot "
                             "have requires_grad True.";
  EXPECT_EQ(message_of([&] { nll(); }), wanted);
  EXPECT_EQ(message_of([&] { entropy(ones({2, 3}), target, 0); }), wanted);
  EXPECT_EQ(message_of([&] { entropy(ones({2, 3}), target, 0.1); }), wanted);
  EXPECT_NE(message_of([&] { entropy(ones({2, 3, 4}), zeros({2, 4}, kLong), 0); }).find("'nll_loss2d_forward'"), std::string::npos);
  const NoGradGuard no_grad;
  EXPECT_EQ(nll().item<float>(), -1);
}

TEST(Losses, CloneAndPrint) {
  const Tensor weight = vec({1, 2});
  nn::BCELoss loss(nn::BCELossOptions().weight(weight));
  auto copy = std::dynamic_pointer_cast<nn::BCELossImpl>(loss->clone());
  EXPECT_TRUE(copy->weight.equal(weight));
  EXPECT_FALSE(copy->weight.is_same(loss->weight));
  EXPECT_EQ(nn::repr(nn::TripletMarginLoss()), "TripletMarginLoss()");
  nn::TripletMarginLoss triplet;
  EXPECT_GT(triplet(tensor_of({1, 2}, {0, 0}), tensor_of({1, 2}, {1, 0}), tensor_of({1, 2}, {0, 1})).item<float>(), 0.99f);
}

}  // namespace
}  // namespace wick::test
