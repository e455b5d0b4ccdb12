// Functions below the layers, differences, histograms and others that compat composes, beside PyTorch.
#include "wick/tests/compat/golden_rows.h"
#include "wick/tests/compat/support.h"

using namespace golden;

namespace {

std::optional<torch::ArrayRef<double>> range(const std::vector<double>& ends) { return torch::ArrayRef<double>(ends); }

TEST(Network, ValuesAndGradients) {
  check({
      {{3.86643485, 2.38554751},
       {sample({10, 3}), ints({1, 2, 4, 5, 4, 3, 2, 9}), ints({0, 4, 4, 7})},
       OF(std::get<0>(torch::embedding_bag(x[0], x[1], x[2], false, 0)))},
      {{2.39777559, 1.41180119},
       {sample({10, 3}), ints({1, 2, 4, 5, 4, 3, 2, 9}), ints({0, 4, 4, 7})},
       OF(std::get<0>(torch::embedding_bag(x[0], x[1], x[2], false, 1)))},
      {{1.25092666, 3.21657352},
       {sample({10, 3}), ints({1, 2, 4, 5, 4, 3, 2, 9}), ints({0, 4, 4, 7})},
       OF(std::get<0>(torch::embedding_bag(x[0], x[1], x[2], false, 2)))},
      {{1.03341336, -1.82065035, 0.638556164},
       {sample({10, 3}), ints({1, 2, 4, 5, 4, 3, 2, 9}), ints({0, 4, 4, 7, 8}), sample({8}, 0.5, 2)},
       OF(std::get<0>(torch::embedding_bag(x[0], x[1], x[2], true, 0, false, x[3], true, 2)))},
      {{-12.7355144, 0, -4.58735186},
       {sample({10, 3}), ints({1, 2, 4, 5, 4, 3, 2, 9}), ints({0, 4, 4, 7}), sample({1}, 1, 2)},
       OF(joined(torch::embedding_bag(x[0].detach(), x[1], x[2], false, 2)) * x[3][0])},
      {{1.05436629, -0.159641562},
       {sample({5, 2, 4}, -2, 2), ints({1, 2, 3, 3, 3, 1})},
       OF(torch::ctc_loss(x[0].log_softmax(2), x[1].view({2, 3}), {5, 4}, {3, 2}))},
      {{1.6582849, -0.418775812},
       {sample({5, 2, 4}, -2, 2), ints({1, 2, 3, 3, 3, 1}), ints({5, 2}), ints({3, 3})},
       OF(torch::ctc_loss(x[0].log_softmax(2), x[1].view({2, 3}), x[2], x[3], 0, torch::Reduction::Sum, true))},
      {{-0.432767924, 0.935790966, 0},
       {sample({3, 4}), ints({1, 0, 3}), sample({4}, 0.5, 2)},
       OF(torch::multi_margin_loss(x[0], x[1], 2, 0.7, x[2].detach(), torch::Reduction::None))},
      {{0.215443369, 0.0264662239},
       {sample({2, 3}), ints({2, 0, -1, 1, -1, 0})},
       OF(torch::multilabel_margin_loss(x[0], x[1].view({2, 3})))},
      {{-0.0706461953, 0.254304956}, {sample({2, 3, 2}), ints({2, 0, 1, 1})}, OF(torch::nll_loss_nd(x[0], x[1].view({2, 2})))},
      {{-1.36621713,  0.577471099,  -0.103271219, -0.447983922, 0.854155997,  -0.0850993306, -0.277003851,
        -0.277003851, -0.168385279, -0.329732987, -0.42472216,  -0.42472216,  0.586167101,   -0.678442273,
        -0.623902512, -0.623902512, -0.55327798,  0.254532048,  0.0313955887, 0.0313955887},
       {sample({5, 2, 4}), sample({4, 2, 3}), sample({4, 2, 3}, -0.7, 0.5), sample({12, 4}, -0.5, 0.6), sample({12, 3}, -0.51, 0.6),
        sample({12}, -0.52, 0.6), sample({12}, -0.53, 0.6), sample({12, 4}, -0.54, 0.6), sample({12, 3}, -0.55, 0.6),
        sample({12}, -0.56, 0.6), sample({12}, -0.57, 0.6), sample({12, 6}, -0.58, 0.6), sample({12, 3}, -0.59, 0.6),
        sample({12}, -0.6, 0.6), sample({12}, -0.61, 0.6), sample({12, 6}, -0.62, 0.6), sample({12, 3}, -0.63, 0.6),
        sample({12}, -0.64, 0.6), sample({12}, -0.65, 0.6)},
       OF(joined(torch::lstm(x[0], part(x, 1, 3), part(x, 3), true, 2, 0.0, false, true, false)))},
      {{0.916104164, -0.00907952884, 1.03391124, 0.698031245, 0.0438673057},
       {sample({2, 5, 4}), sample({1, 2, 3}), sample({9, 4}, -0.5, 0.6), sample({9, 3}, -0.51, 0.6)},
       OF(joined(torch::gru(x[0], x[1], part(x, 2), false, 1, 0.0, false, false, true)))},
      {{1.61857507, -0.214385367, 0.543589664, -0.595135565, -0.850834607, -0.777700122, -0.777700122, -2.10151619, 0.590868641,
        -0.181302629, -0.181302629},
       {sample({5, 2, 4}), sample({2, 2, 3}), sample({3, 4}, -0.5, 0.6), sample({3, 3}, -0.51, 0.6), sample({3}, -0.52, 0.6),
        sample({3}, -0.53, 0.6), sample({3, 4}, -0.54, 0.6), sample({3, 3}, -0.55, 0.6), sample({3}, -0.56, 0.6), sample({3}, -0.57, 0.6)},
       OF(joined(torch::rnn_tanh(x[0], x[1], part(x, 2), true, 1, 0.0, false, true, false)))},
      {{-1.48224766, -0.634272743, -1.29060455, -4.88352661, -0.491361381, 3.02274421, 3.02274421, -0.438808259, -1.40401834, 0.54378584,
        0.54378584},
       {sample({5, 2, 4}), sample({2, 2, 3}), sample({3, 4}, -0.5, 0.6), sample({3, 3}, -0.51, 0.6), sample({3}, -0.52, 0.6),
        sample({3}, -0.53, 0.6), sample({3, 3}, -0.54, 0.6), sample({3, 3}, -0.55, 0.6), sample({3}, -0.56, 0.6), sample({3}, -0.57, 0.6)},
       OF(joined(torch::rnn_relu(x[0], x[1], part(x, 2), true, 2, 0.0, false, false, false)))},
      {{1.05815007, 0.224446919, 1.43400673, 0.522940074, 0.249374615, -0.510853242, -0.556581056},
       {sample({6, 4}), sample({1, 3, 2}), sample({6, 4}), sample({6, 2}, -1, 0.5), sample({6}), sample({6}, -0.5, 1)},
       OF(joined(torch::gru(x[0], torch::tensor({3, 2, 1}), x[1], part(x, 2), true, 1, 0.0, false, false)))},
      {{0.0244935959, -2.32724846, -1.58361298, 0.908412459, 2.63639147, 0.961026696},
       {sample({6, 4}), sample({1, 3, 2}), sample({1, 3, 2}, 0.1, 1), sample({8, 4}), sample({8, 2}, -1, 0.5)},
       OF(joined(torch::lstm(x[0], torch::tensor({3, 2, 1}), part(x, 1, 3), part(x, 3), false, 1, 0.0, false, false)))},
      {{0.53022614, 0.984891357, 0.760625214, 2.38061334, 0.00585625196, 0.32105274, -0.093781603, -0.093781603},
       {sample({2, 4}), sample({2, 3}), sample({2, 3}, 0.1, 1), sample({12, 4}), sample({12, 3}, -1, 0.5), sample({12}),
        sample({12}, -0.5, 1)},
       OF(joined(torch::lstm_cell(x[0], part(x, 1, 3), x[3], x[4], x[5], x[6])))},
      {{0.759587237, 1.46312995, 1.55755099, -0.717033493, 0.311923427},
       {sample({2, 4}), sample({2, 3}), sample({9, 4}), sample({9, 3}, -1, 0.5)},
       OF(torch::gru_cell(x[0], x[1], x[2], x[3]))},
      {{0.0899779388, 0.121067714, -1.0134476, 1.20943275, 1.15701551, 0.973979638, 0.973979638},
       {sample({2, 4}), sample({2, 3}), sample({3, 4}), sample({3, 3}, -1, 0.5), sample({3}), sample({3}, -0.5, 1)},
       OF(torch::rnn_relu_cell(x[0], x[1], x[2], x[3], x[4], x[5]))},
      {{1.40174073, 2.18697432}, {sample({6}, -3, 3)}, OF(torch::rrelu(x[0]))},
      {{0.34088638, 0.11888709}, {sample({2, 2, 3})}, OF(torch::affine_grid_generator(x[0], {2, 1, 3, 2}, false))},
      {{-0.952898424, 1.64530363, 1.32603083},
       {sample({1, 2, 4, 5}), sample({1, 3, 2, 2}, -1.3, 1.2)},
       OF(torch::grid_sampler(x[0], x[1], 0, 2, true))},
      {{-3.53955116, -2.01139414}, {sample({1, 6, 2})}, OF(torch::channel_shuffle(x[0], 2))},
      {{0.00749943539, 3.02312227}, {sample({1, 2, 3, 4})}, OF(torch::im2col(x[0], {2, 2}, {1, 1}, {1, 0}, {2, 1}))},
      {{4.94355651, 3.02312227}, {sample({1, 8, 6})}, OF(torch::col2im(x[0], {3, 4}, {2, 2}, {1, 1}, {1, 0}, {2, 1}))},
      {{2.31120596, -1.19641219, -3.36181831, 1.56650242},
       {sample({5, 2, 3}), sample({3, 3, 4}), sample({4})},
       OF(torch::conv_tbc(x[0], x[1], x[2], 1))},
      {{-1.3130726, -7.14816156, -5.40204743, -1.19839341},
       {sample({1, 2, 6, 6}), sample({3, 2, 2, 3}), sample({3})},
       OF(torch::slow_conv_dilated2d(x[0], x[1], {2, 3}, x[2], 1, 1, 2))},
      {{4.85850574, -12.072329, -10.0853092, 0.285432052},
       {sample({1, 2, 4, 4}), sample({2, 3, 2, 3}), sample({3})},
       OF(torch::slow_conv_transpose2d(x[0], x[1], {2, 3}, x[2], 2, 1, 1, 1))},
      {{-1.86318536, 0.637941297, 5.07696906},
       {sample({1, 2, 3, 3, 3}), sample({2, 2, 2, 1, 2})},
       OF(torch::slow_conv3d(x[0], x[1], {2, 1, 2}))},
      {{-27.182918, 1.09636427, 0},
       {sample({1, 2, 6, 5}), sample({1, 2, 2}, 0.1, 0.9)},
       OF(joined(torch::fractional_max_pool2d(x[0], {2, 2}, {3, 2}, x[1])))},
      {{0.52642481, -0.151547383}, {sample({1, 2, 2}), ints({0, 2, 5, 7})}, OF(torch::max_unpool2d(x[0], x[1].view({1, 2, 2}), {3, 3}))},
      {{0.52642481, -0.151547383},
       {sample({1, 2, 1, 2}), ints({0, 2, 5, 7})},
       OF(torch::max_unpool3d(x[0], x[1].view({1, 2, 1, 2}), {2, 2, 3}, {1, 1, 1}, {0, 0, 0}))},
      {{-6.06888647, 0.310655431, 0.897477961, 0.0234182587},
       {sample({2, 3}), sample({3}), sample({3})},
       OF(joined(torch::native_layer_norm(x[0], {3}, x[1], x[2], 1e-5)))},
      {{4.52216303, -1.13461634, -2.67423712, -0.143700269},
       {sample({2, 4, 3}), sample({4}), sample({4})},
       OF(joined(torch::native_group_norm(x[0], x[1], x[2], 2, 4, 3, 2, 1e-5)))},
      {{-1.77298143, -0.206398627, 1.5389941, 0.431239181},
       {sample({4, 2, 3}), sample({2}), sample({2})},
       OF(joined(torch::native_batch_norm(x[0], x[1], x[2], {}, {}, true, 0.1, 1e-5)))},
      {{1.31808108, 1.8724399, 2.72984928}, {sample({2, 2}), sample({3, 2})}, OF(torch::pad_sequence({x[0], x[1]}, true, 0.5))},
  });
}

TEST(Arrange, ValuesAndGradients) {
  check({
      {{-3.09884246, 0.0804834655}, {sample({8}, -50, 70)}, OF(joined(torch::frexp(x[0])))},
      {{0.524861645, -2.22162134}, {sample({3, 4})}, OF(joined(torch::gradient(x[0])))},
      {{-0.161855195, 0.108960903}, {sample({3, 4})}, OF(joined(torch::gradient(x[0], torch::Scalar(2.0), torch::IntArrayRef(1), 2)))},
      {{2.64124358, 5.02866449}, {sample({3, 4})}, OF(joined(torch::gradient(x[0], torch::IntArrayRef({1, 0}), 2)))},
      {{0.427062484, -5.21853662}, {sample({3, 4})}, OF(joined(torch::gradient(x[0], std::vector<torch::Scalar>{2, 0.5})))},
      {{1.47011122, -0.591915128}, {sample({5})},
       OF(joined(torch::gradient(x[0], std::vector<torch::Tensor>{torch::tensor({0., 1., 3., 4., 7.}, torch::kDouble)}, std::nullopt, 2)))},
      {{-16.1137695, 0, -5.80420455}, {sample({20}), sample({1}, 1, 2)}, OF(joined(torch::histogram(x[0], 4)) * x[1][0])},
      {{-4.04552301, 0, -1.45720361, 0}, {sample({20}), sample({1}, 1, 2), sample({20}, 0.1, 3)},
       OF(joined(torch::histogram(x[0], 4, range({-0.5, 0.7}), x[2].detach(), true)) * x[1][0])},
      {{-4.46659216, 0, -1.60887336}, {sample({20}), sample({1}, 1, 2)},
       OF(joined(torch::histogram(x[0], torch::tensor({-1., -0.3, 0.5, 0.7}, torch::kDouble))) * x[1][0])},
      {{-1.18133298, 0, -0.425517955}, {sample({10, 2}), sample({1}, 1, 2)}, OF(joined(torch::histogramdd(x[0], {3, 2})) * x[1][0])},
      {{2.6167662, 0, 0.94256321}, {sample({10, 2}), sample({1}, 1, 2)},
       OF(joined(torch::histogramdd(x[0], 3, std::nullopt, {}, true)) * x[1][0])},
      {{0.645706869, 1.86847768}, {sample({5})}, OF(torch::range(0, 2, 0.5, torch::kDouble) * x[0])},
      {{-0.390148301, 2.95925262}, {sample({3})}, OF(torch::range(5, 1, -2) * x[0])},
  });
}

TEST(Network, ErrorsAreLibTorchs) {
  const torch::Tensor one = torch::ones({1});
  EXPECT_EQ(message_of([] { torch::channel_shuffle(torch::ones({1, 3, 2}), 2); }),
            "Number of channels must be divisible by groups. Got 3 channels and 2 groups.");
  EXPECT_EQ(message_of([] { torch::channel_shuffle(torch::ones({3, 2}), 2); }),
            "channel_shuffle expects input with > 2 dims, but got input with sizes [3, 2]");
  const torch::Tensor x = torch::ones({2, 1, 3}), h = torch::ones({1, 1, 2});
  EXPECT_EQ(message_of([&] { torch::gru(x, h, {torch::ones({6, 3})}, false, 1, 0.0, false, false, false); }),
            "got an incorrect number of RNN parameters");
  EXPECT_EQ(message_of([&] { torch::lstm(x, {h}, {torch::ones({8, 3}), torch::ones({8, 2})}, false, 1, 0.0, false, false, false); }),
            "lstm expects two hidden states");
  const torch::Tensor w_ih = torch::ones({6, 4}), w_hh = torch::ones({6, 2});
  EXPECT_EQ(message_of([&] {
              torch::gru_cell(torch::ones({1, 3}), h[0], w_ih, w_hh);
            }),
            "input has inconsistent input_size: got 3 expected 4");
  EXPECT_EQ(message_of([&] { torch::gru_cell(torch::ones({1, 4}), torch::ones({1, 3}), w_ih, w_hh); }),
            "hidden0 has inconsistent hidden_size: got 3, expected 2");
  const torch::Tensor planes = torch::ones({1, 2, 2}), places = torch::full({1, 2, 2}, 20);
  EXPECT_EQ(message_of([&] { torch::max_unpool2d(planes, places, {3}); }),
            "There should be exactly two elements (height, width) in output_size, but got 1 elements.");
  EXPECT_EQ(message_of([&] { torch::max_unpool2d(planes, places, {3, 3}); }),
            "Found an invalid max index: 20 (output volumes are of size 3x3)");
  EXPECT_EQ(message_of([&] { torch::rrelu(one, 0.5, 0.1); }), "Lower bound should be less than or equal to the upper bound");
  EXPECT_EQ(message_of([] { torch::conv_tbc(torch::ones({2, 2}), torch::ones({1, 1, 1}), torch::ones({1})); }),
            "Input must have 3 dims: time, batch, in_channel");
}

TEST(Network, RecurrentFunctionsDrawNothing) {
  torch::manual_seed(5);
  const torch::Tensor expected = torch::rand({3});
  torch::manual_seed(5);
  const torch::Tensor y = torch::gru_cell(torch::ones({4}), torch::ones({2}), torch::ones({6, 4}), torch::ones({6, 2}));
  EXPECT_EQ(y.sizes(), torch::IntArrayRef({2}));
  EXPECT_TRUE(torch::equal(torch::rand({3}), expected));
  const torch::Tensor padded = torch::arange(12, torch::kFloat).view({3, 2, 2});
  const auto [data, sizes] = torch::_pack_padded_sequence(padded, torch::tensor({3, 1}), false);
  EXPECT_EQ(data.size(0), 4);
  const auto [again, lengths] = torch::_pad_packed_sequence(data, sizes, false, -1, 0);
  EXPECT_EQ(again[2][1][0].item<float>(), -1);
  EXPECT_TRUE(torch::equal(lengths, torch::tensor({3, 1})));
}

TEST(Network, DropoutsKeepTheMean) {
  torch::manual_seed(0);
  const torch::Tensor x = torch::randn({200, 40, 3});
  const torch::Tensor y = torch::feature_dropout(x, 0.25, true);
  EXPECT_TRUE(torch::equal(y.eq(0).all(-1), y.eq(0).any(-1)));  // whole features
  EXPECT_NEAR(y.eq(0).to(torch::kFloat).mean().item<float>(), 0.25, 0.02);
  EXPECT_NEAR(torch::alpha_dropout(x, 0.3, true).std().item<float>(), 1, 0.03);
  EXPECT_TRUE(torch::equal(torch::feature_alpha_dropout(x, 0.3, false), x));
  torch::Tensor changed = x.clone();
  EXPECT_EQ(&torch::alpha_dropout_(changed, 0.3, true), &changed);
  EXPECT_FALSE(torch::equal(changed, x));
  const auto [kept, mask] = torch::native_dropout(x, 0.5, true);
  EXPECT_TRUE(torch::allclose(kept, x * mask * 2));
  torch::Tensor noise = torch::empty_like(x);
  const torch::Tensor leaky = torch::rrelu_with_noise(x, noise, 0.1, 0.3, true);
  EXPECT_TRUE(torch::allclose(leaky, x * noise));
  EXPECT_TRUE(noise.masked_select(x.gt(0)).eq(1).all().item<bool>());
  const torch::Tensor slopes = noise.masked_select(x.lt(0));
  EXPECT_TRUE(slopes.min().item<float>() >= 0.1f && slopes.max().item<float>() <= 0.3f);
}

// Numbers by PyTorch.
TEST(Random, CountsAreThoseOfItsStreams) {
  torch::manual_seed(0);
  const torch::Tensor rates = torch::tensor({0., 0.5, 3., 9.9, 12., 250., 4.}).requires_grad_();
  const torch::Tensor counts = torch::poisson(rates);
  EXPECT_TRUE(torch::equal(counts, torch::tensor({0., 2., 4., 10., 15., 258., 6.})));
  counts.sum().backward();
  EXPECT_TRUE(rates.grad().eq(0).all().item<bool>());
  const torch::Tensor trials = torch::tensor({10., 40., 1000., 7., 0., 30.}), chances = torch::tensor({0.2, 0.9, 0.4, 0.5, 0.3, 1.});
  EXPECT_TRUE(torch::equal(torch::binomial(trials, chances), torch::tensor({2., 35., 394., 2., 0., 30.})));
  EXPECT_EQ(torch::rand({1}).item<float>(), 0.6922780871391296f);
  EXPECT_EQ(message_of([] { torch::poisson(torch::tensor({-1.})); }), "invalid Poisson rate, expected rate to be non-negative");
  EXPECT_EQ(message_of([] { torch::poisson(torch::tensor({1})); }), "\"poisson_cpu\" not implemented for 'Long'");
}

TEST(Arrange, ErrorsAndEdges) {
  const torch::Tensor x = torch::tensor({1., 2., 1., 4.});
  const auto histogramdd = [](const torch::Tensor& points, std::vector<int64_t> bins) {
    torch::histogramdd(points, torch::IntArrayRef(bins));
  };
  EXPECT_EQ(message_of([&] { torch::histogram(x, 0); }), "torch.histogram(): bins must be > 0, but got 0 for dimension 0");
  EXPECT_EQ(message_of([&] { torch::histogram(x.to(torch::kLong), 2); }), "\"histogramdd\" not implemented for 'Long'");
  EXPECT_EQ(message_of([&] { histogramdd(x, {2}); }), "torch.histogramdd: input tensor should have at least 2 dimensions");
  EXPECT_EQ(message_of([&] { histogramdd(x.view({2, 2}), {2}); }),
            "histogramdd: The size of bins must be equal to the innermost dimension of the input.");
  const auto [counts, edges] = torch::histogram(torch::ones({3}), 2);  // no width: one to each side
  EXPECT_TRUE(torch::equal(edges, torch::tensor({0.5, 1., 1.5})));
  EXPECT_TRUE(torch::equal(counts, torch::tensor({0., 3.})));
  EXPECT_EQ(message_of([&] { torch::gradient(x, torch::Scalar(1), torch::IntArrayRef(0), 3); }),
            "torch.gradient only supports edge_order=1 and edge_order=2.");
  EXPECT_EQ(message_of([] { torch::gradient(torch::ones({1})); }),
            "torch.gradient expected each dimension size to be at least edge_order+1");
  EXPECT_EQ(message_of([] { torch::range(1, 0); }), "upper bound and lower bound inconsistent with step sign");
  EXPECT_EQ(message_of([] { torch::range(1, 0, 0); }), "step must be nonzero");
  const double nan = std::nan(""), inf = HUGE_VAL;
  const auto [mantissa, exponent] = torch::frexp(torch::tensor({-0.375, 1e-320, 0., inf, nan}, torch::kDouble));
  EXPECT_TRUE(torch::allclose(mantissa, torch::tensor({-0.75, 0.98828125, 0., inf, nan}, torch::kDouble), 0, 0, true));
  EXPECT_TRUE(torch::equal(exponent, torch::tensor({-1, -1063, 0, 0, 0}, torch::kInt)));
  const torch::Tensor base = sample({3, 3}), src = sample({2, 2}, 2, 3),
                      scattered = torch::as_strided_scatter(base, src, {2, 2}, {2, 1}, 1);
  EXPECT_TRUE(torch::equal(scattered.view(-1).slice(0, 1, 5).view({2, 2}), src));
  (scattered * torch::arange(9, torch::kDouble).view({3, 3})).sum().backward();
  EXPECT_TRUE(torch::equal(base.grad(), torch::tensor({{0., 0., 0.}, {0., 0., 5.}, {6., 7., 8.}}, torch::kDouble)));
  EXPECT_TRUE(torch::equal(src.grad(), torch::tensor({{1., 2.}, {3., 4.}}, torch::kDouble)));
  const auto places = torch::nonzero_numpy(torch::tensor({{0, 3}, {4, 0}}));
  EXPECT_TRUE(torch::equal(places[1], torch::tensor({1, 0})));
  EXPECT_EQ(std::get<0>(torch::unique_dim_consecutive(torch::tensor({{1}, {1}, {2}, {1}}), 0)).size(0), 3);
  torch::Tensor small = torch::ones({2});
  EXPECT_EQ(torch::resize_as_(small, torch::ones({3, 2})).sizes(), torch::IntArrayRef({3, 2}));
  const torch::Tensor drawn = torch::uniform(torch::zeros({100}), 2, 3);
  EXPECT_TRUE(drawn.ge(2).logical_and(drawn.lt(3)).all().item<bool>());
}

TEST(InPlace, WritesToItsArgument) {
  const torch::Tensor x = torch::tensor({-0.4, 0.3, 0.9});
  const auto expect = [&](torch::Tensor& (*in_place)(torch::Tensor&), torch::Tensor (*f)(const torch::Tensor&)) {
    torch::Tensor y = x.clone();
    EXPECT_EQ(&in_place(y), &y);
    EXPECT_TRUE(torch::allclose(y, f(x), 1e-6, 1e-7, true));
  };
  expect(torch::arccos_, torch::acos);
  expect(torch::arctanh_, torch::atanh);
  expect(torch::deg2rad_, torch::deg2rad);
  expect(torch::fix_, torch::trunc);
  expect(torch::negative_, torch::neg);
  expect(torch::hardswish_, torch::hardswish);
  expect(torch::hardsigmoid_, torch::hardsigmoid);
  expect(torch::mish_, torch::mish);
  expect(torch::relu6_, torch::relu6);
  expect(torch::selu_, torch::selu);
  expect(torch::i0_, torch::i0);
  torch::Tensor y = x.clone().requires_grad_(), z = y * 1;
  EXPECT_TRUE(torch::equal(torch::elu_(z, 2.0), torch::elu(x, 2.0)));
  torch::gelu_(z).sum().backward();
  torch::Tensor leaf = x.clone().requires_grad_();
  torch::gelu(torch::elu(leaf, 2.0)).sum().backward();
  EXPECT_TRUE(torch::allclose(y.grad(), leaf.grad()));
  EXPECT_EQ(message_of([&] { torch::celu_(leaf); }).substr(0, 61), "a leaf Variable that requires grad is being used in an in-pla");
  torch::Tensor numbers = torch::tensor({12, 18});
  EXPECT_TRUE(torch::equal(torch::gcd_(numbers, torch::tensor({8, 27})), torch::tensor({4, 9})));
  torch::Tensor half = torch::tensor({0.5, 1.5});
  EXPECT_TRUE(torch::equal(torch::ldexp_(half, torch::tensor({1, 2})), torch::tensor({1., 6.})));
  EXPECT_TRUE(torch::equal(torch::threshold_(half, 2, 0), torch::tensor({0., 6.})));
  torch::Tensor nan = torch::tensor({std::nan(""), 1.});
  EXPECT_TRUE(torch::equal(torch::nan_to_num_(nan, 3.0), torch::tensor({3., 1.})));
}

// at::tensor makes vectors of the numbers' own type; torch::tensor does not.
TEST(Tensor, OfAtAndOfTorch) {
  EXPECT_EQ(at::tensor(3).sizes(), torch::IntArrayRef({1}));
  EXPECT_EQ(at::tensor(3).scalar_type(), torch::kInt);
  EXPECT_EQ(at::tensor({1.5, 2.0}).scalar_type(), torch::kDouble);
  EXPECT_EQ(at::tensor(std::vector<int64_t>{1, 2}, at::kFloat).scalar_type(), torch::kFloat);
  EXPECT_EQ(torch::tensor(3).dim(), 0);
  EXPECT_EQ(torch::tensor(3).scalar_type(), torch::kLong);
  EXPECT_EQ(message_of([] { at::tensor(c10::complex<float>(1, 2), at::kFloat); }), "\"tensor_cpu\" not implemented for 'Float'");
}

}  // namespace
