// Functions below the layers, differences, histograms and others that compat composes, beside PyTorch.
#include "wick/tests/compat/golden_rows.h"
#include "wick/tests/compat/support.h"

using namespace golden;

namespace {

std::optional<torch::ArrayRef<double>> range(const std::vector<double>& ends) { return torch::ArrayRef<double>(ends); }

TEST(Network, ValuesAndGradients) {
  check({
      {{3.86643485, 2.38554751}, {sample({10, 3}), ints({1, 2, 4, 5, 4, 3, 2, 9}), ints({0, 4, 4, 7})},
       OF(std::get<0>(torch::embedding_bag(x[0], x[1], x[2], false, 0)))},
      {{2.39777559, 1.41180119}, {sample({10, 3}), ints({1, 2, 4, 5, 4, 3, 2, 9}), ints({0, 4, 4, 7})},
       OF(std::get<0>(torch::embedding_bag(x[0], x[1], x[2], false, 1)))},
      {{1.25092666, 3.21657352}, {sample({10, 3}), ints({1, 2, 4, 5, 4, 3, 2, 9}), ints({0, 4, 4, 7})},
       OF(std::get<0>(torch::embedding_bag(x[0], x[1], x[2], false, 2)))},
      {{1.03341336, -1.82065035, 0.638556164}, {sample({10, 3}), ints({1, 2, 4, 5, 4, 3, 2, 9}), ints({0, 4, 4, 7, 8}), sample({8}, 0.5, 2)},
       OF(std::get<0>(torch::embedding_bag(x[0], x[1], x[2], true, 0, false, x[3], true, 2)))},
      {{-12.7355144, 0, -4.58735186}, {sample({10, 3}), ints({1, 2, 4, 5, 4, 3, 2, 9}), ints({0, 4, 4, 7}), sample({1}, 1, 2)},
       OF(joined(torch::embedding_bag(x[0].detach(), x[1], x[2], false, 2)) * x[3][0])},
      {{-0.738567323, -0.141975518}, {sample({5, 2, 4}, -2, 2), ints({1, 2, 3, 3, 3, 1})},
       OF(torch::ctc_loss(x[0].log_softmax(2), x[1].view({2, 3}), {5, 4}, {3, 2}))},
      {{1.6582849, -0.418775812}, {sample({5, 2, 4}, -2, 2), ints({1, 2, 3, 3, 3, 1}), ints({5, 2}), ints({3, 3})},
       OF(torch::ctc_loss(x[0].log_softmax(2), x[1].view({2, 3}), x[2], x[3], 0, torch::Reduction::Sum, true))},
      {{-0.432767924, 0.935790966, 0}, {sample({3, 4}), ints({1, 0, 3}), sample({4}, 0.5, 2)},
       OF(torch::multi_margin_loss(x[0], x[1], 2, 0.7, x[2].detach(), torch::Reduction::None))},
      {{0.215443369, 0.0264662239}, {sample({2, 3}), ints({2, 0, -1, 1, -1, 0})},
       OF(torch::multilabel_margin_loss(x[0], x[1].view({2, 3})))},
      {{-0.0706461953, 0.254304956}, {sample({2, 3, 2}), ints({2, 0, 1, 1})}, OF(torch::nll_loss_nd(x[0], x[1].view({2, 2})))},
      {{-1.36621713, 0.577471099, -0.103271219, -0.447983922, 0.854155997, -0.0850993306, -0.277003851, -0.277003851, -0.168385279, -0.329732987, -0.42472216, -0.42472216, 0.586167101, -0.678442273, -0.623902512, -0.623902512, -0.55327798, 0.254532048, 0.0313955887, 0.0313955887}, {sample({5, 2, 4}), sample({4, 2, 3}), sample({4, 2, 3}, -0.7, 0.5), sample({12, 4}, -0.5, 0.6), sample({12, 3}, -0.51, 0.6), sample({12}, -0.52, 0.6), sample({12}, -0.53, 0.6), sample({12, 4}, -0.54, 0.6), sample({12, 3}, -0.55, 0.6), sample({12}, -0.56, 0.6), sample({12}, -0.57, 0.6), sample({12, 6}, -0.58, 0.6), sample({12, 3}, -0.59, 0.6), sample({12}, -0.6, 0.6), sample({12}, -0.61, 0.6), sample({12, 6}, -0.62, 0.6), sample({12, 3}, -0.63, 0.6), sample({12}, -0.64, 0.6), sample({12}, -0.65, 0.6)},
       OF(joined(torch::lstm(x[0], part(x, 1, 3), part(x, 3), true, 2, 0.0, false, true, false)))},
      {{0.916104164, -0.00907952884, 1.03391124, 0.698031245, 0.0438673057}, {sample({2, 5, 4}), sample({1, 2, 3}), sample({9, 4}, -0.5, 0.6), sample({9, 3}, -0.51, 0.6)},
       OF(joined(torch::gru(x[0], x[1], part(x, 2), false, 1, 0.0, false, false, true)))},
      {{1.61857507, -0.214385367, 0.543589664, -0.595135565, -0.850834607, -0.777700122, -0.777700122, -2.10151619, 0.590868641, -0.181302629, -0.181302629}, {sample({5, 2, 4}), sample({2, 2, 3}), sample({3, 4}, -0.5, 0.6), sample({3, 3}, -0.51, 0.6), sample({3}, -0.52, 0.6), sample({3}, -0.53, 0.6), sample({3, 4}, -0.54, 0.6), sample({3, 3}, -0.55, 0.6), sample({3}, -0.56, 0.6), sample({3}, -0.57, 0.6)},
       OF(joined(torch::rnn_tanh(x[0], x[1], part(x, 2), true, 1, 0.0, false, true, false)))},
      {{-1.48224766, -0.634272743, -1.29060455, -4.88352661, -0.491361381, 3.02274421, 3.02274421, -0.438808259, -1.40401834, 0.54378584, 0.54378584}, {sample({5, 2, 4}), sample({2, 2, 3}), sample({3, 4}, -0.5, 0.6), sample({3, 3}, -0.51, 0.6), sample({3}, -0.52, 0.6), sample({3}, -0.53, 0.6), sample({3, 3}, -0.54, 0.6), sample({3, 3}, -0.55, 0.6), sample({3}, -0.56, 0.6), sample({3}, -0.57, 0.6)},
       OF(joined(torch::rnn_relu(x[0], x[1], part(x, 2), true, 2, 0.0, false, false, false)))},
      {{1.05815007, 0.224446919, 1.43400673, 0.522940074, 0.249374615, -0.510853242, -0.556581056}, {sample({6, 4}), sample({1, 3, 2}), sample({6, 4}), sample({6, 2}, -1, 0.5), sample({6}), sample({6}, -0.5, 1)},
       OF(joined(torch::gru(x[0], torch::tensor({3, 2, 1}), x[1], part(x, 2), true, 1, 0.0, false, false)))},
      {{0.0244935959, -2.32724846, -1.58361298, 0.908412459, 2.63639147, 0.961026696}, {sample({6, 4}), sample({1, 3, 2}), sample({1, 3, 2}, 0.1, 1), sample({8, 4}), sample({8, 2}, -1, 0.5)},
       OF(joined(torch::lstm(x[0], torch::tensor({3, 2, 1}), part(x, 1, 3), part(x, 3), false, 1, 0.0, false, false)))},
      {{0.53022614, 0.984891357, 0.760625214, 2.38061334, 0.00585625196, 0.32105274, -0.093781603, -0.093781603}, {sample({2, 4}), sample({2, 3}), sample({2, 3}, 0.1, 1), sample({12, 4}), sample({12, 3}, -1, 0.5), sample({12}), sample({12}, -0.5, 1)},
       OF(joined(torch::lstm_cell(x[0], part(x, 1, 3), x[3], x[4], x[5], x[6])))},
      {{0.759587237, 1.46312995, 1.55755099, -0.717033493, 0.311923427}, {sample({2, 4}), sample({2, 3}), sample({9, 4}), sample({9, 3}, -1, 0.5)},
       OF(torch::gru_cell(x[0], x[1], x[2], x[3]))},
      {{0.0899779388, 0.121067714, -1.0134476, 1.20943275, 1.15701551, 0.973979638, 0.973979638}, {sample({2, 4}), sample({2, 3}), sample({3, 4}), sample({3, 3}, -1, 0.5), sample({3}), sample({3}, -0.5, 1)},
       OF(torch::rnn_relu_cell(x[0], x[1], x[2], x[3], x[4], x[5]))},
      {{1.40174073, 2.18697432}, {sample({6}, -3, 3)}, OF(torch::rrelu(x[0]))},
      {{0.34088638, 0.11888709}, {sample({2, 2, 3})}, OF(torch::affine_grid_generator(x[0], {2, 1, 3, 2}, false))},
      {{-0.952898424, 1.64530363, 1.32603083}, {sample({1, 2, 4, 5}), sample({1, 3, 2, 2}, -1.3, 1.2)},
       OF(torch::grid_sampler(x[0], x[1], 0, 2, true))},
      {{-3.53955116, -2.01139414}, {sample({1, 6, 2})}, OF(torch::channel_shuffle(x[0], 2))},
      {{0.00749943539, 3.02312227}, {sample({1, 2, 3, 4})}, OF(torch::im2col(x[0], {2, 2}, {1, 1}, {1, 0}, {2, 1}))},
      {{4.94355651, 3.02312227}, {sample({1, 8, 6})}, OF(torch::col2im(x[0], {3, 4}, {2, 2}, {1, 1}, {1, 0}, {2, 1}))},
      {{2.31120596, -1.19641219, -3.36181831, 1.56650242}, {sample({5, 2, 3}), sample({3, 3, 4}), sample({4})},
       OF(torch::conv_tbc(x[0], x[1], x[2], 1))},
      {{-1.3130726, -7.14816156, -5.40204743, -1.19839341}, {sample({1, 2, 6, 6}), sample({3, 2, 2, 3}), sample({3})},
       OF(torch::slow_conv_dilated2d(x[0], x[1], {2, 3}, x[2], 1, 1, 2))},
      {{4.85850574, -12.072329, -10.0853092, 0.285432052}, {sample({1, 2, 4, 4}), sample({2, 3, 2, 3}), sample({3})},
       OF(torch::slow_conv_transpose2d(x[0], x[1], {2, 3}, x[2], 2, 1, 1, 1))},
      {{-1.86318536, 0.637941297, 5.07696906}, {sample({1, 2, 3, 3, 3}), sample({2, 2, 2, 1, 2})},
       OF(torch::slow_conv3d(x[0], x[1], {2, 1, 2}))},
      {{-27.182918, 1.09636427, 0}, {sample({1, 2, 6, 5}), sample({1, 2, 2}, 0.1, 0.9)},
       OF(joined(torch::fractional_max_pool2d(x[0], {2, 2}, {3, 2}, x[1])))},
      {{0.52642481, -0.151547383}, {sample({1, 2, 2}), ints({0, 2, 5, 7})}, OF(torch::max_unpool2d(x[0], x[1].view({1, 2, 2}), {3, 3}))},
      {{0.52642481, -0.151547383}, {sample({1, 2, 1, 2}), ints({0, 2, 5, 7})},
       OF(torch::max_unpool3d(x[0], x[1].view({1, 2, 1, 2}), {2, 2, 3}, {1, 1, 1}, {0, 0, 0}))},
      {{-6.06888647, 0.310655431, 0.897477961, 0.0234182587}, {sample({2, 3}), sample({3}), sample({3})},
       OF(joined(torch::native_layer_norm(x[0], {3}, x[1], x[2], 1e-5)))},
      {{4.52216303, -1.13461634, -2.67423712, -0.143700269}, {sample({2, 4, 3}), sample({4}), sample({4})},
       OF(joined(torch::native_group_norm(x[0], x[1], x[2], 2, 4, 3, 2, 1e-5)))},
      {{-1.77298143, -0.206398627, 1.5389941, 0.431239181}, {sample({4, 2, 3}), sample({2}), sample({2})},
       OF(joined(torch::native_batch_norm(x[0], x[1], x[2], {}, {}, true, 0.1, 1e-5)))},
      {{1.31808108, 1.8724399, 2.72984928}, {sample({2, 2}), sample({3, 2})}, OF(torch::pad_sequence({x[0], x[1]}, true, 0.5))},
  });
}

TEST(Arrange, ValuesAndGradients) {
  check({
      {{-3.09884246, 0.0804834655}, {sample({8}, -50, 70)}, OF(joined(torch::frexp(x[0])))},
      {{0.524861645, -2.22162134}, {sample({3, 4})}, OF(joined(torch::gradient(x[0])))},
      {{-0.161855195, 0.108960903}, {sample({3, 4})}, OF(joined(torch::gradient(x[0], 2.0, 1, 2)))},
      {{2.64124358, 5.02866449}, {sample({3, 4})}, OF(joined(torch::gradient(x[0], torch::IntArrayRef({1, 0}), 2)))},
      {{0.427062484, -5.21853662}, {sample({3, 4})}, OF(joined(torch::gradient(x[0], std::vector<torch::Scalar>{2, 0.5})))},
      {{1.47011122, -0.591915128}, {sample({5})},
       OF(joined(torch::gradient(x[0], std::vector<torch::Tensor>{torch::tensor({0., 1., 3., 4., 7.})}, std::nullopt, 2)))},
      {{-16.1137695, 0, -5.80420455}, {sample({20}), sample({1}, 1, 2)}, OF(joined(torch::histogram(x[0], 4)) * x[1][0])},
      {{-4.04552301, 0, -1.45720361, 0}, {sample({20}), sample({1}, 1, 2), sample({20}, 0.1, 3)},
       OF(joined(torch::histogram(x[0], 4, range({-0.5, 0.7}), x[2].detach(), true)) * x[1][0])},
      {{-4.46659216, 0, -1.60887336}, {sample({20}), sample({1}, 1, 2)},
       OF(joined(torch::histogram(x[0], torch::tensor({-1., -0.3, 0.5, 0.7}))) * x[1][0])},
      {{-1.18133298, 0, -0.425517955}, {sample({10, 2}), sample({1}, 1, 2)}, OF(joined(torch::histogramdd(x[0], {3, 2})) * x[1][0])},
      {{2.6167662, 0, 0.94256321}, {sample({10, 2}), sample({1}, 1, 2)},
       OF(joined(torch::histogramdd(x[0], 3, std::nullopt, {}, true)) * x[1][0])},
      {{-2.45277745, 1.66097755, 0.648825452}, {sample({3, 3}), sample({2, 2}, 2, 3)},
       OF(torch::as_strided_scatter(x[0], x[1], {2, 2}, {2, 1}, 1))},
      {{0.645706869, 1.86847768}, {sample({5})}, OF(torch::range(0, 2, 0.5, torch::kDouble) * x[0])},
      {{-0.390148301, 2.95925262}, {sample({3})}, OF(torch::range(5, 1, -2) * x[0])},
  });
}

}  // namespace
