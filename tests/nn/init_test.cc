// The expected numbers are PyTorch's after torch.manual_seed.
#include "wick/nn/init.h"

#include <cmath>

#include "wick/tests/nn/support.h"

namespace wick::test {
namespace {

// The first four of [3, 5, 2] elements.
template <class F>
std::vector<float> first(F&& fill) {
  manual_seed(1);
  const Tensor w = empty({3, 5, 2});
  EXPECT_TRUE(fill(w).is_same(w));
  return floats(w.flatten().slice(0, 0, 4));
}

void expect_same(const std::vector<float>& got, const std::vector<float>& wanted) {
  ASSERT_EQ(got.size(), wanted.size());
  for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], wanted[i], 1e-6f * std::fabs(wanted[i])) << i;
}

TEST(Init, PyTorchsNumbers) {
  namespace init = nn::init;
  expect_same(first([](Tensor w) { return init::uniform_(w, -2, 3); }), {1.78815794f, -0.60344559f, 0.0153462887f, 1.67342234f});
  expect_same(first([](Tensor w) { return init::normal_(w, 1, 2); }), {-2.05119181f, -0.500463605f, -0.307961822f, -2.21896958f});
  expect_same(first([](Tensor w) { return init::kaiming_uniform_(w); }), {0.399121165f, -0.341890126f, -0.15016447f, 0.363571614f});
  expect_same(first([](Tensor w) { return init::kaiming_normal_(w, 0, kFanOut, kReLU); }),
              {-0.880803168f, -0.433146536f, -0.377576053f, -0.929236472f});
  expect_same(first([](Tensor w) { return init::xavier_uniform_(w); }), {0.315532982f, -0.270287871f, -0.118715435f, 0.287428617f});
  expect_same(first([](Tensor w) { return init::xavier_normal_(w, 2); }), {-1.07875919f, -0.530493975f, -0.462434322f, -1.13807762f});
}

TEST(Init, Constants) {
  Tensor w = empty({2}).requires_grad_();
  EXPECT_EQ(floats(nn::init::zeros_(w)), (std::vector<float>{0, 0}));
  EXPECT_EQ(floats(nn::init::ones_(w)), (std::vector<float>{1, 1}));
  EXPECT_EQ(floats(nn::init::constant_(w, 2.5)), (std::vector<float>{2.5, 2.5}));
  EXPECT_TRUE(w.is_leaf());
}

TEST(Init, Fans) {
  EXPECT_EQ(nn::init::_calculate_fan_in_and_fan_out(empty({3, 5, 2, 4})), std::make_tuple(int64_t{40}, int64_t{24}));
  EXPECT_EQ(message_of([] { nn::init::kaiming_uniform_(ones({3})); }),
            "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions\n  The tensor has shape [3].");
  EXPECT_EQ(nn::init::kaiming_normal_(empty({0, 3})).numel(), 0);
}

TEST(Init, Gains) {
  EXPECT_EQ(nn::init::calculate_gain(kLinear), 1);
  EXPECT_EQ(nn::init::calculate_gain(kConv2D), 1);
  EXPECT_EQ(nn::init::calculate_gain(kSigmoid), 1);
  EXPECT_EQ(nn::init::calculate_gain(kTanh), 5.0 / 3);
  EXPECT_EQ(nn::init::calculate_gain(kReLU), std::sqrt(2.0));
  EXPECT_EQ(nn::init::calculate_gain(kLeakyReLU, 2), std::sqrt(2.0 / 5));
}

TEST(Init, OrthogonalDiracEyeAndSparse) {
  manual_seed(0);
  expect_near(nn::init::orthogonal_(empty({2, 3})), {0.5739809274673462f, -0.10929460823535919f, -0.8115421533584595f, -0.3454151153564453f,
                                                     -0.9308826923370361f, -0.11893554031848907f});
  manual_seed(0);
  expect_near(nn::init::orthogonal_(empty({3, 2}), 2), {1.0699050426483154f, -0.3398601710796356f, -1.5127216577529907f, 0.680367648601532f,
                                                        -0.7529779672622681f, -1.8497554063796997f});
  manual_seed(0);
  expect_near(nn::init::sparse_(empty({4, 2}), 0.5), {0, -0.002934289164841175f, 0, 0, -0.010845223441720009f, -0.013985954225063324f,
                                                      0.004033468663692474f, 0});
  expect_near(nn::init::eye_(empty({2, 3})), {1, 0, 0, 0, 1, 0});
  expect_near(nn::init::dirac_(empty({2, 2, 3})), {0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0});
}

}  // namespace
}  // namespace wick::test
