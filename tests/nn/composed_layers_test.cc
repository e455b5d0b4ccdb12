// Layers that are composed from other operations: values and gradients against PyTorch's (tools/make_layer_golden.py).
#include <cmath>
#include <functional>
#include <sstream>

#include "wick/framework/ops/tensor_literal.h"
#include "wick/tests/nn/composed_layers_golden.h"
#include "wick/tests/nn/support.h"

namespace wick::test {
namespace {

Tensor wave(IntArrayRef sizes) {
  int64_t n = 1;
  for (int64_t size : sizes) n *= size;
  return (arange(n, kFloat) * 0.7).sin().view(sizes);
}
Tensor longs(IntArrayRef sizes, const std::vector<float>& values) { return tensor_of(sizes, values).to(kLong); }

void expect_close(const Tensor& got, const std::vector<float>& wanted, const std::string& what) {
  ASSERT_EQ(got.numel(), static_cast<int64_t>(wanted.size())) << what;
  const std::vector<float> values = floats(got.to(kFloat).flatten());
  for (size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(values[i], wanted[i], 3e-6f + 3e-6f * std::fabs(wanted[i])) << what << ' ' << i;
}

const Golden& golden(const std::string& name) {
  for (const Golden& g : kGolden) {
    if (name == g.name) return g;
  }
  ADD_FAILURE() << "no numbers for " << name;
  return kGolden[0];
}

void expect_value(const std::string& name, const Tensor& y) { expect_close(y, golden(name).y, name); }

// f's value, and the gradients of sum cos(i) y[i - 1].
void expect_golden(const std::string& name, const std::function<Tensor(const std::vector<Tensor>&)>& f, std::vector<Tensor> xs) {
  for (Tensor& x : xs) x = x.detach().clone().requires_grad_();
  const Tensor y = f(xs);
  expect_value(name, y);
  (y.flatten() * (arange(y.numel(), kFloat) + 1).cos()).sum().backward();
  const auto& grads = golden(name).grads;
  ASSERT_EQ(grads.size(), xs.size()) << name;
  for (size_t i = 0; i < xs.size(); ++i) expect_close(xs[i].grad(), grads[i], name + " gradient " + std::to_string(i));
}
#define X const std::vector<Tensor>& x

TEST(ComposedLosses, MarginsAndTriplets) {
  const Tensor x23 = wave({2, 3}), classes = longs({2}, {2, 0});
  expect_golden("multi_margin", [&](X) { return F::multi_margin_loss(x[0], classes, F::MultiMarginLossFuncOptions(kNone)); }, {x23});
  nn::MultiMarginLoss squared(nn::MultiMarginLossOptions().p(2).margin(0.5).weight(tensor_of({3}, {1, 2, 3})));
  expect_golden("multi_margin2", [&](X) { return squared(x[0], classes); }, {x23});
  expect_golden("ml_margin", [&](X) {
    return nn::MultiLabelMarginLoss(kNone)(x[0], longs({2, 3}, {2, 0, -1, 1, -1, 0}));
  }, {x23});
  nn::MultiLabelSoftMarginLoss soft(nn::MultiLabelSoftMarginLossOptions().weight(tensor_of({3}, {1, 2, 3})));
  expect_golden("ml_soft", [&](X) { return soft(x[0], tensor_of({2, 3}, {1, 0, 1, 0, 1, 0})); }, {x23});
  nn::TripletMarginWithDistanceLoss triplet(nn::TripletMarginWithDistanceLossOptions().swap(true).reduction(kNone));
  expect_golden("triplet_d", [&](X) { return triplet(x[0], x[0].flip({0}), x[0] * 0.5 + 1); }, {x23});
  EXPECT_NE(message_of([&] { F::multi_margin_loss(x23, classes, F::MultiMarginLossFuncOptions().p(3)); })
                .find("only p == 1 and p == 2 supported"), std::string::npos);
}

TEST(ComposedLosses, Ctc) {
  const Tensor x = wave({5, 2, 4});
  const auto ctc = [](const Tensor& scores, const Tensor& targets, std::vector<float> inputs, std::vector<float> lengths, auto options) {
    return F::ctc_loss(scores.log_softmax(2), targets, longs({2}, inputs), longs({2}, lengths), options);
  };
  const Tensor rows = longs({2, 3}, {1, 2, 2, 3, 1, 0}), longer = longs({2, 3}, {1, 2, 2, 3, 1, 2});
  expect_golden("ctc", [&](X) { return ctc(x[0], rows, {5, 4}, {3, 2}, F::CTCLossFuncOptions(kNone)); }, {x});
  expect_golden("ctc_mean", [&](X) { return ctc(x[0], longs({4}, {1, 2, 2, 3}), {5, 1}, {3, 1}, F::CTCLossFuncOptions()); }, {x});
  expect_value("ctc_zero", ctc(x, longer, {5, 2}, {3, 3}, F::CTCLossFuncOptions(kNone).zero_infinity(true)));
  EXPECT_EQ(ctc(x, longer, {5, 2}, {3, 3}, F::CTCLossFuncOptions(kNone))[1].item<float>(), HUGE_VALF);
  EXPECT_NE(message_of([&] { ctc(x, rows, {6, 4}, {3, 2}, F::CTCLossFuncOptions()); })
                .find("Expected input_lengths to have value at most 5, but got value 6"), std::string::npos);
  nn::CTCLoss one(nn::CTCLossOptions().reduction(kNone));  // without a batch
  EXPECT_NEAR(one(x.select(1, 0).log_softmax(1), longs({3}, {1, 2, 2}), longs({1}, {5}), longs({1}, {3})).item<float>(), golden("ctc").y[0],
              1e-5f);
}

TEST(Interpolate, Modes) {
  const auto sized = [](std::vector<int64_t> size) { return F::InterpolateFuncOptions().size(size); };
  const Tensor x1 = wave({1, 1, 4}), x2 = wave({1, 1, 3, 4}), x3 = wave({1, 1, 2, 2, 3});
  const auto expect = [](const char* name, const Tensor& x, const F::InterpolateFuncOptions& options) {
    expect_golden(name, [&](X) { return F::interpolate(x[0], options); }, {x});
  };
  expect("near", x2, sized({5, 3}));
  expect("exact", x2, sized({5, 3}).mode(kNearestExact));
  expect("linear", x1, F::InterpolateFuncOptions().scale_factor(std::vector<double>{1.7}).mode(kLinear).align_corners(false));
  expect("bilinear", x2, sized({4, 5}).mode(kBilinear).align_corners(false));
  expect("bilinear_ac", x2, sized({2, 6}).mode(kBilinear).align_corners(true));
  expect("bicubic", x2, sized({4, 3}).mode(kBicubic).align_corners(false));
  expect("bicubic_ac", x2, sized({2, 5}).mode(kBicubic).align_corners(true));
  expect("trilinear", x3, sized({2, 3, 2}).mode(kTrilinear).align_corners(false));
  expect("area", x2, sized({2, 3}).mode(kArea));
  expect("bil_aa", wave({1, 1, 5, 6}), sized({2, 2}).mode(kBilinear).align_corners(false).antialias(true));
  expect("bic_aa", wave({1, 1, 5, 7}), sized({2, 3}).mode(kBicubic).align_corners(false).antialias(true));
  nn::Upsample upsample(nn::UpsampleOptions().size(std::vector<int64_t>{4, 5}).mode(kBilinear).align_corners(false));
  expect_value("bilinear", upsample(x2));
  EXPECT_NE(message_of([&] { F::interpolate(x1, sized({4}).mode(kBilinear)); }).find("Got 3D input, but bilinear mode needs 4D input"),
            std::string::npos);
  EXPECT_NE(message_of([&] { F::interpolate(x1); }).find("either size or scale_factor should be defined"), std::string::npos);
  EXPECT_NE(message_of([&] { F::interpolate(x1, sized({4}).align_corners(true)); }).find("align_corners option can only be set with the "
            "interpolating modes"), std::string::npos);
}

TEST(GridSample, ModesAndAffineGrid) {
  const Tensor theta = tensor_of({1, 2, 3}, {0.9f, 0.3f, 0.1f, -0.2f, 1.1f, -0.4f});
  expect_golden("affine", [](X) { return F::affine_grid(x[0], {1, 1, 2, 3}); }, {theta});
  expect_golden("affine_ac", [](X) { return F::affine_grid(x[0], {1, 1, 2, 2}, true); }, {theta});
  const Tensor x2 = wave({1, 1, 3, 4}), grid = wave({1, 2, 3, 2}) * 1.3;
  const auto expect = [&](const char* name, const F::GridSampleFuncOptions& o) {
    expect_golden(name, [&](X) { return F::grid_sample(x[0], x[1], o); }, {x2, grid});
  };
  const auto options = [](auto padding, bool align) { return F::GridSampleFuncOptions().padding_mode(padding).align_corners(align); };
  expect("grid_bilinear_zeros_0", options(kZeros, false));
  expect("grid_bilinear_zeros_1", options(kZeros, true));
  expect("grid_bilinear_border_0", options(kBorder, false));
  expect("grid_bilinear_border_1", options(kBorder, true));
  expect("grid_bilinear_reflection_0", options(kReflection, false));
  expect("grid_bilinear_reflection_1", options(kReflection, true));
  expect_value("grid_nearest_zeros_0", F::grid_sample(x2, grid, options(kZeros, false).mode(kNearest)));
  expect_value("grid_nearest_border_0", F::grid_sample(x2, grid, options(kBorder, false).mode(kNearest)));
  expect_value("grid_nearest_reflection_0", F::grid_sample(x2, grid, options(kReflection, false).mode(kNearest)));
  expect_golden("grid3", [&](X) { return F::grid_sample(x[0], x[1], options(kZeros, false)); },
                {wave({1, 1, 2, 2, 3}), wave({1, 1, 2, 2, 3}) * 0.9});
}

TEST(Fold, ColumnsAndBack) {
  nn::Unfold unfold(nn::UnfoldOptions({2, 2}).dilation({1, 2}).padding({1, 0}).stride({2, 1}));
  expect_golden("unfold", [&](X) { return unfold(x[0]); }, {wave({1, 1, 3, 4})});
  nn::Fold fold(nn::FoldOptions({3, 3}, {2, 2}).padding(1).stride(2));
  expect_golden("fold", [&](X) { return fold(x[0]); }, {wave({1, 4, 4})});
  EXPECT_NE(message_of([&] { fold(wave({1, 5, 4})); }).find("to be divisible by the product of kernel_size"), std::string::npos);
}

TEST(Fold, NothingUnfoldsToNothing) {
  EXPECT_EQ(nn::Unfold(nn::UnfoldOptions({2, 2}))(zeros({0, 2, 4, 5})).sizes().vec(), (std::vector<int64_t>{0, 8, 12}));
}

TEST(Pooling, NormsAndUnpooling) {
  expect_golden("lp1", [](X) { return nn::LPPool1d(nn::LPPool1dOptions(2, 3).stride(2))(x[0]); }, {wave({1, 1, 7})});
  expect_golden("lp2", [](X) { return F::lp_pool2d(x[0].abs() + 0.1, F::LPPool2dFuncOptions(3, {2, 1})); }, {wave({1, 1, 3, 4})});
  const auto [values, indices] = F::max_pool2d_with_indices(wave({1, 1, 4, 4}), F::MaxPool2dFuncOptions(2));
  const Tensor found = indices;
  expect_golden("unpool", [&](X) { return nn::MaxUnpool2d(2)(x[0], found); }, {values});
  EXPECT_EQ(nn::MaxUnpool2d(2)(values, found, std::vector<int64_t>{5, 5}).sizes().vec(), (std::vector<int64_t>{1, 1, 5, 5}));
  EXPECT_NE(message_of([&] {
              nn::MaxUnpool2d(2)(values, found, std::vector<int64_t>{6, 4});
            }).find("invalid output_size"),
            std::string::npos);
}

TEST(LocalResponseNorm, Values) {
  const auto options = nn::LocalResponseNormOptions(4).alpha(0.5).beta(0.6).k(2);
  expect_golden("lrn", [&](X) { return nn::LocalResponseNorm(options)(x[0]); }, {wave({1, 5, 2})});
  expect_value("lrn", nn::CrossMapLRN2d(options)(wave({1, 5, 2, 1})));
}

TEST(Dropout, FamilyDropsWhatPyTorchDrops) {
  manual_seed(0);
  expect_value("d2", nn::Dropout2d(0.4)(ones({2, 3, 1, 2})));
  manual_seed(0);
  expect_value("d3", nn::Dropout3d(0.4)(ones({2, 3, 1, 1, 2})));
  manual_seed(0);
  expect_value("a", nn::AlphaDropout(0.4)(ones({2, 3, 1, 1, 2})));
  manual_seed(0);
  expect_value("fa", nn::FeatureAlphaDropout(0.4)(ones({2, 3, 1, 1, 2})));
  nn::AlphaDropout evaluated(0.4);
  evaluated->eval();
  EXPECT_TRUE(evaluated(ones({3})).equal(ones({3})));
  EXPECT_NE(message_of([] { nn::Dropout3d(1.5); }).find("dropout probability has to be between 0 and 1, but got 1.5"), std::string::npos);
}

TEST(EmbeddingBag, Modes) {
  manual_seed(0);
  expect_value("eb_w", nn::EmbeddingBag(nn::EmbeddingBagOptions(5, 2).mode(kSum).padding_idx(1))->weight.detach());
  const Tensor w = wave({5, 2}), rows = longs({5}, {0, 1, 2, 4, 4}), offsets = longs({3}, {0, 2, 2});
  const auto options = [&](nn::EmbeddingBagMode mode) { return F::EmbeddingBagFuncOptions().mode(mode).offsets(offsets); };
  expect_golden("eb_sum", [&](X) { return F::embedding_bag(rows, x[0], options(kSum)); }, {w});
  expect_golden("eb_mean", [&](X) { return F::embedding_bag(rows, x[0], options(kMean)); }, {w});
  expect_golden("eb_max", [&](X) { return F::embedding_bag(rows, x[0], options(kMax)); }, {w});
  expect_golden("eb_psw", [&](X) { return F::embedding_bag(rows, x[0], options(kSum).per_sample_weights(x[1])); }, {w, wave({5})});
  expect_golden("eb_2d", [&](X) {
    return F::embedding_bag(longs({2, 2}, {0, 1, 3, 3}), x[0], F::EmbeddingBagFuncOptions().padding_idx(1));
  }, {w});
  expect_golden("eb_last", [&](X) {
    return F::embedding_bag(rows, x[0], options(kSum).offsets(longs({3}, {0, 2, 5})).include_last_offset(true));
  }, {w});
  const Tensor leaf = w.clone().requires_grad_();  // what fills up the short bags is no look-up: row 4 alone is looked up twice
  F::embedding_bag(rows, leaf, options(kSum).scale_grad_by_freq(true)).sum().backward();
  EXPECT_TRUE(leaf.grad().equal(tensor({{1.f, 1.f}, {1.f, 1.f}, {1.f, 1.f}, {0.f, 0.f}, {1.f, 1.f}})));
  EXPECT_NE(message_of([&] { F::embedding_bag(rows, w); }).find("offsets has to be a 1D Tensor but got null"), std::string::npos);
  nn::EmbeddingBag bag = nn::EmbeddingBag::from_pretrained(w, nn::EmbeddingBagFromPretrainedOptions().mode(kSum));
  EXPECT_FALSE(bag->weight.requires_grad());
  expect_value("eb_sum", bag(rows, offsets));
}

}  // namespace
// The weights are as exact as the input.
TEST(Interpolate, OfFloat64IsExact) {
  const Tensor x = tensor({0., 1., 2.}, kDouble).view({1, 1, 3});
  const auto sized = F::InterpolateFuncOptions().size(std::vector<int64_t>{7}).mode(kLinear).align_corners(true);
  const Tensor error = F::interpolate(x, sized).view({7}) - arange(7, kDouble) / 3;
  EXPECT_LT(error.abs().max().item<double>(), 1e-15);
  const std::string message = message_of([&] { F::interpolate(x, F::InterpolateFuncOptions(sized).recompute_scale_factor(true)); });
  EXPECT_EQ(message.find("recompute_scale_factor is not meaningful with an explicit size."), 0u);
}

TEST(Interpolate, ASizeThatNoMemoryHolds) {
  const Tensor x = ones({1, 1, 2});
  nn::functional::InterpolateFuncOptions options;
  options.size(std::vector<int64_t>{int64_t{1} << 60});
  EXPECT_THROW(nn::functional::interpolate(x, options.mode(kNearest)), Error);
  EXPECT_THROW(nn::functional::interpolate(x, options.mode(kLinear).align_corners(true)), Error);
}

}  // namespace wick::test
