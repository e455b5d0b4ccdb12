// The golden numbers are those of PyTorch 2.15 on the CPU after torch.manual_seed(0), unless a test says otherwise.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <thread>
#include <vector>

#include "wick/framework/ops/tensor_literal.h"
#include "wick/tests/framework/core/support.h"

namespace wick {
namespace {

using test::error_of;

// All elements, row by row, as double.
std::vector<double> values(const Tensor& x) {
  const Tensor y = x.detach().to(kDouble).contiguous();
  return std::vector<double>(y.data_ptr<double>(), y.data_ptr<double>() + y.numel());
}

void expect_near(const Tensor& x, const std::vector<double>& golden, double tolerance = 1e-6) {
  const std::vector<double> got = values(x);
  ASSERT_EQ(got.size(), golden.size());
  for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], golden[i], tolerance * (1 + std::fabs(golden[i]))) << "element " << i;
}

// The result of f() with the default generator seeded with 0.
template <class F>
Tensor seeded(const F& f) {
  manual_seed(0);
  return f();
}

const std::vector<double> kRand6 = {0.49625659, 0.768221796, 0.0884774327, 0.132030487, 0.307422817, 0.634078681};

TEST(Normal, TensorsOfMeansAndDeviations) {
  const auto seeded = [](const auto& draw) { return manual_seed(7), draw(); };
  const Tensor mean = tensor({10.0, 20.0, 30.0}), std = tensor({1.0, 2.0, 0.0});
  const Tensor z = seeded([] { return randn({3}); });
  EXPECT_EQ(values(seeded([&] { return normal(mean, std); })), values(z * std + mean));
  EXPECT_EQ(values(seeded([&] { return normal(mean, 2.0); })), values(z * 2.0 + mean));
  EXPECT_EQ(values(seeded([&] { return normal(5.0, std); })), values(z * std + 5.0));
  EXPECT_EQ(normal(ones({2, 1}), ones({3})).sizes().vec(), (std::vector<int64_t>{2, 3}));
}

TEST(Random, Rand) {
  expect_near(seeded([] { return rand({2, 3}); }), kRand6, 1e-8);
  expect_near(seeded([] { return rand({3}, kDouble); }), {0.97005300180655307, 0.70781986439978795, 0.45938294312745087}, 0);
  expect_near(seeded([] { return rand({4}, kHalf); }), {0.496337891, 0.768066406, 0.0885009766, 0.132080078}, 1e-8);
  expect_near(seeded([] { return rand({4}, kBFloat16); }), {0.49609375, 0.76953125, 0.0883789062, 0.131835938}, 1e-8);
  expect_near(seeded([] { return empty({4}).uniform_(-1, 1); }), {-0.00748682022, 0.536443591, -0.823045135, -0.735939026}, 1e-8);
  manual_seed(1);
  expect_near(rand({2}), {0.7576316, 0.279310882}, 1e-8);
}

TEST(Random, Randn) {
  expect_near(seeded([] { return randn({5}); }), {1.54099607, -0.293428898, -2.17878938, 0.568431258, -1.08452237});
  expect_near(seeded([] { return randn({3}, kDouble); }), {1.5409961082440433, -0.29342890576094638, -2.1787893820745574}, 1e-15);
  expect_near(seeded([] { return randn({18}); }),
              {-1.12583983, -1.1523602, 0.566650629, 0.793508351, 0.598839462, -1.55509508, -0.34136039, 1.85300612, 0.468096405,
               -0.157712445, -0.173396751, 0.183477938, 1.38936615, 1.58633423, 0.946298361, -0.843676746, 0.931826591, 1.25900924});
  expect_near(seeded([] { return randn({18}, kDouble); }),
              {-2.310411800234176, -0.3732508612577643, -1.2609246557194385, -0.72695106206541105, -0.019964750907762653,
               0.2102998901016947, 0.17718935139366584, -0.83051005100844899, 0.23871805816817063, 0.73352836852728409,
               -0.77301127729581809, -1.5951814880783068, -0.68700369404354633, 1.4880743158106724, -0.44841580471145109,
               -0.89100303517073753, 0.67485754359400385, 1.0468653769814655},
              1e-13);
  expect_near(seeded([] { return normal(2, 3, {3}); }), {6.62298822, 1.11971331, -4.53636837});
  expect_near(seeded([] { return empty({4}).normal_(1, 2); }), {4.08199215, 0.413142174, -3.35757875, 2.13686252});
}

TEST(Random, RandnOfHalfTypesDrawsWholeBlocks) {
  expect_near(seeded([] { return randn({18}, kHalf); }),
              {-1.12597656, -1.15234375, -1.35253906, -1.69628906, 0.566894531, 0.793457031, 0.598632812, -1.5546875, -0.341308594,
               1.85253906, 0.75, -0.585449219, -0.173339844, 0.18347168, 1.38964844, 1.5859375, 0.946289062, -0.84375},
              1e-3);
  expect_near(seeded([] { return randn({3}, kBFloat16); }), {1.5390625, -0.29296875, -2.171875}, 1e-8);
}

TEST(Random, TheSecondOfAPairWaits) {
  expect_near(seeded([] { return randn({3}), randn({3}); }), {0.568431258, -1.08452237, -1.39859545});
}

TEST(Random, Integers) {
  const auto expect = [](const Tensor& x, ScalarType dtype, const std::vector<double>& golden) {
    EXPECT_EQ(x.scalar_type(), dtype);
    EXPECT_EQ(values(x), golden);
  };
  expect(seeded([] { return randint(10, {8}); }), kLong, {4, 9, 3, 0, 3, 9, 7, 3});
  expect(seeded([] { return randint(-3, 4, {2, 4}); }), kLong, {1, 0, -3, -1, -2, -1, 3, 0});
  expect(seeded([] { return randint(0, 100, {4}, kFloat); }), kFloat, {44, 39, 33, 60});
  expect(seeded([] { return randint(0, 256, {4}, kByte); }), kByte, {172, 47, 117, 192});
  expect(seeded([] { return randint(0, int64_t{1} << 40, {3}); }), kLong, {741280623151, 506137267392, 291447657211});
  expect(seeded([] { return empty({6}).random_(5); }), kFloat, {4, 4, 3, 0, 3, 4});
  expect(seeded([] { return empty({3}, kChar).random_(100, std::optional<int64_t>()); }), kChar, {104, 103, 121});
  expect(seeded([] { return randint_like(zeros({8}, kInt), 10); }), kInt, {4, 9, 3, 0, 3, 9, 7, 3});
}

TEST(Random, RandomWithoutBounds) {
  const auto draw = [](ScalarType t) { return [t] { return empty({3}, t).random_(); }; };
  const Tensor wide = seeded(draw(kLong));
  EXPECT_EQ(wide.data_ptr<int64_t>()[0], 900450186894289455);
  EXPECT_EQ(wide.data_ptr<int64_t>()[1], 3969543146641149120);
  EXPECT_EQ(values(seeded(draw(kByte))), (std::vector<double>{172, 47, 117}));
  EXPECT_EQ(values(seeded(draw(kBool))), (std::vector<double>{0, 1, 1}));
  EXPECT_EQ(values(seeded(draw(kFloat))), (std::vector<double>{8325664, 12888472, 1484222}));
  EXPECT_EQ(values(seeded(draw(kHalf))), (std::vector<double>{1277, 1017, 1661}));
  EXPECT_EQ(values(seeded(draw(kBFloat16))), (std::vector<double>{149, 179, 47}));
  const Tensor full = seeded([] { return empty({2}, kLong).random_(INT64_MIN, std::optional<int64_t>()); });
  EXPECT_EQ(full.data_ptr<int64_t>()[0], -8322921849960486353);
  EXPECT_EQ(full.data_ptr<int64_t>()[1], -5253828890213626688);
}

// Half represents every second, fourth, ... integer only; none of them rounds up to the bound.
TEST(Random, BoundsThatADtypeRounds) {
  const Tensor x = seeded([] { return empty({6}, kHalf).random_(0, 65504); });
  EXPECT_EQ(values(x), (std::vector<double>{13104, 42144, 30576, 57984, 20608, 18752}));
  const std::vector<double> many = values(empty({20000}, kHalf).random_(65400, 65504));
  EXPECT_EQ(*std::max_element(many.begin(), many.end()), 65472);
}

TEST(Random, Randperm) {
  EXPECT_EQ(values(seeded([] { return randperm(10); })), (std::vector<double>{4, 1, 7, 5, 3, 9, 0, 8, 6, 2}));
  const Tensor x = seeded([] { return randperm(6, kFloat); });
  EXPECT_EQ(x.scalar_type(), kFloat);
  EXPECT_EQ(values(x), (std::vector<double>{2, 5, 3, 0, 1, 4}));
  EXPECT_EQ(randperm(0).sizes(), IntArrayRef({0}));
}

TEST(Random, Bernoulli) {
  EXPECT_EQ(values(seeded([] { return bernoulli(full({10}, 0.5)); })), (std::vector<double>{1, 0, 1, 1, 1, 0, 1, 0, 1, 0}));
  EXPECT_EQ(values(seeded([] { return bernoulli(full({6}, 0.5, kBFloat16)); })), (std::vector<double>{1, 0, 1, 1, 1, 0}));
  // One probability draws as a double tensor of probabilities does.
  const std::vector<double> golden = {0, 0, 0, 0, 0, 0, 1, 0, 0, 0};
  EXPECT_EQ(values(seeded([] { return empty({10}).bernoulli_(full({10}, 0.25, kDouble)); })), golden);
  EXPECT_EQ(values(seeded([] { return empty({10}, kBool).bernoulli_(0.25); })), golden);
  EXPECT_EQ(values(seeded([] { return bernoulli(empty({10}), 0.25); })), golden);
  const Tensor p = tensor({0.1, 0.5, 0.9});
  EXPECT_EQ(values(seeded([&] { return empty({2, 3}, kLong).bernoulli_(p); })), (std::vector<double>{0, 0, 1, 0, 1, 1}));
  EXPECT_EQ(values(seeded([&] { return empty({3, 2}).t().bernoulli_(p); })), (std::vector<double>{0, 1, 1, 0, 1, 1}));
}

TEST(Random, OtherDistributions) {
  expect_near(seeded([] { return empty({3}).log_normal_(); }), {59.2634163, 1.51155996, 0.0348194614}, 1e-6);
  expect_near(seeded([] { return empty({3}).cauchy_(); }), {10.5977297, 0.764767289, -0.128299341}, 1e-6);
  expect_near(seeded([] { return empty({3}, kHalf).cauchy_(); }), {10.6015625, 0.764648438, -0.128295898}, 1e-6);
  expect_near(seeded([] { return empty({4}).exponential_(); }), {3.50832629, 1.23038471, 0.615044117, 2.53511858}, 1e-6);
  EXPECT_EQ(values(seeded([] { return empty({5}, kLong).geometric_(0.3); })), (std::vector<double>{1, 1, 3, 1, 2}));
  EXPECT_EQ(values(seeded([] { return empty({5}, kHalf).geometric_(0.3); })), (std::vector<double>{1, 1, 3, 1, 2}));
}

// The stream follows memory, not the dimensions; what lies between the elements of a slice stays as it was.
TEST(Random, OrderInViews) {
  const std::vector<double> columns = {0.49625659, 0.132030487, 0.768221796, 0.307422817, 0.0884774327, 0.634078681};
  expect_near(seeded([] { return empty({2, 3}).t().uniform_(); }), columns, 1e-8);
  expect_near(seeded([] { return rand_like(empty({2, 3}).t()); }), columns, 1e-8);
  const Tensor base = zeros({2, 6});
  expect_near(seeded([&] { return base.slice(1, 0, 6, 2).uniform_(); }), kRand6, 1e-8);
  EXPECT_EQ(values(base.slice(1, 1, 6, 2)), std::vector<double>(6, 0));
  expect_near(seeded([&] { return base.slice(1, 0, 6, 2).t().uniform_(); }), columns, 1e-8);
  expect_near(seeded([] {
                return empty({4, 5}).t().normal_(1, 2);
              }),
              {4.08199215,   -1.79719079,  -0.193270728, 1.24540246,   0.413142174, 1.80669367, 1.36407292,
               -0.132634953, -3.35757875,  2.67605257,   -0.713349164, 1.74622929,  2.13686252, -0.438515157,
               3.20120835,   -0.783990622, -1.16904473,  0.193312943,  -1.14237475, -2.01821542});
}

TEST(Random, AGeneratorOfOnesOwn) {
  const Generator g = make_generator(5);
  manual_seed(0);
  expect_near(rand({3}, g), {0.830251873, 0.126110911, 0.90746969}, 1e-8);
  EXPECT_EQ(values(randint(10, {3}, g)), (std::vector<double>{5, 6, 0}));
  EXPECT_EQ(values(randperm(5, g)), (std::vector<double>{2, 0, 1, 3, 4}));
  expect_near(rand({2, 3}), kRand6, 1e-8);  // the default one was not touched
  expect_near(seeded([] { return rand({6}, Generator()); }), kRand6, 1e-8);
}

TEST(Random, Errors) {
  const auto fill = [](auto f, ScalarType t = kFloat) { return [f, t] { f(empty({3}, t)); }; };
  EXPECT_EQ(error_of([] { randint(0, {2}); }), "random_ expects 'from' to be less than 'to', but got from=0 >= to=0");
  EXPECT_EQ(error_of([] { randint(5, 3, {0}); }), "random_ expects 'from' to be less than 'to', but got from=5 >= to=3");
  EXPECT_EQ(error_of([] { randint(0, 300, {2}, kByte); }), "to - 1 is out of bounds for unsigned char");
  EXPECT_EQ(error_of([] { randint(-1, 3, {2}, kByte); }), "from is out of bounds for unsigned char");
  EXPECT_EQ(error_of([] { randint(0, 3, {2}, kBool); }), "to - 1 is out of bounds for bool");
  EXPECT_EQ(error_of([] { randint(0, 70000, {2}, kHalf); }), "to - 1 is out of bounds for c10::Half");
  EXPECT_EQ(error_of([] { randint(3, {-1}); }), "Trying to create tensor with negative dimension -1: [-1]");
  EXPECT_EQ(error_of([] { rand({2}, kLong); }), "\"check_uniform_bounds\" not implemented for 'Long'");
  EXPECT_EQ(error_of([] { randn({2}, kLong); }), "\"normal_kernel_cpu\" not implemented for 'Long'");
  EXPECT_EQ(error_of(fill([](Tensor x) { x.normal_(0, -1); })), "normal expects std >= 0.0, but found std -1");
  EXPECT_EQ(error_of(fill([](Tensor x) { x.uniform_(1, 0); })),
            "uniform_ expects to return a [from, to) range, but found from=1 > to=0");
  EXPECT_EQ(error_of(fill([](Tensor x) { x.uniform_(0, 70000); }, kHalf)), "to is out of bounds for c10::Half");
  EXPECT_EQ(error_of(fill([](Tensor x) { x.uniform_(0, 1e300); }, kBFloat16)), "to is out of bounds for c10::BFloat16");
  EXPECT_EQ(error_of(fill([](Tensor x) { x.bernoulli_(1.5); })), "bernoulli_ expects p to be in [0, 1], but got p=1.5");
  EXPECT_EQ(error_of(fill([](Tensor x) { x.bernoulli_(tensor({0.5, 2.0, 0.0})); })),
            "Expected p_in >= 0 && p_in <= 1 to be true, but got false.");
  EXPECT_EQ(error_of(fill([](Tensor x) { x.bernoulli_(tensor({1, 0, 0})); })),
            "\"bernoulli_tensor_cpu_p_\" not implemented for 'Long'");
  EXPECT_EQ(error_of(fill([](Tensor x) { x.exponential_(0); })), "exponential_ expects lambda > 0.0, but found lambda=0");
  EXPECT_EQ(error_of(fill([](Tensor x) { x.exponential_(); }, kLong)),
            "Exponential distribution is a continuous probability distribution. dtype must be a floating point but you specified Long");
  EXPECT_EQ(error_of(fill([](Tensor x) { x.cauchy_(); }, kLong)),
            "Cauchy distribution is a continuous probability distribution. dtype must be a floating point but you specified long int");
  EXPECT_EQ(error_of(fill([](Tensor x) { x.geometric_(0.5); }, kBool)), "\"geometric_cpu\" not implemented for 'Bool'");
  EXPECT_EQ(error_of([] { randperm(300, kByte); }), "value cannot be converted to type uint8_t without overflow");
  EXPECT_EQ(error_of([] { randperm(3000, kHalf); }), "n cannot be greater than 2049 for Half type.");
  EXPECT_EQ(error_of([] { randperm(2, kBool); }), "\"randperm\" not implemented for 'Bool'");
  EXPECT_EQ(error_of([] { randperm(-1); }), "Trying to create tensor with negative dimension -1: [-1]");
  EXPECT_EQ(error_of([] { zeros({1}).expand({3}).uniform_(); }).substr(0, 22), "unsupported operation:");
}

// An error draws nothing and changes nothing.
TEST(Random, ErrorsLeaveTheStreamAlone) {
  manual_seed(0);
  const Tensor x = ones({20}, kHalf), p = zeros({20});
  p[19].fill_(2);
  EXPECT_THROW(x.bernoulli_(p), Error);
  EXPECT_THROW(x.normal_(0, -1), Error);
  EXPECT_THROW(rand({2}, TensorOptions(kLong).requires_grad(true)), Error);
  EXPECT_EQ(values(x), std::vector<double>(20, 1));
  EXPECT_EQ(x._version(), 0);
  expect_near(rand({6}), kRand6, 1e-8);
}

TEST(Random, EmptyAndMeta) {
  manual_seed(0);
  EXPECT_EQ(randn({0}).numel() + randn({2, 0}, kHalf).numel() + randint(5, {0, 3}).numel() + bernoulli(empty({0})).numel(), 0);
  const Tensor x = empty({3, 4}, device(kMeta)).normal_();
  EXPECT_TRUE(x.is_meta());
  EXPECT_EQ(rand({3, 4}, device(kMeta)).sizes(), IntArrayRef({3, 4}));
  expect_near(rand({6}), kRand6, 1e-8);  // none of these drew a number
}

// ---- Autograd ----------------------------------------------------------------------------------------------------------------------

TEST(Random, InPlaceUnderAutograd) {
  const Tensor leaf = ones({3}, requires_grad());
  EXPECT_NE(error_of([&] { leaf.uniform_(); }).find("a leaf Variable that requires grad is being used in an in-place operation."),
            std::string::npos);
  EXPECT_EQ(values(leaf), std::vector<double>(3, 1));
  const Tensor y = (leaf * 2).normal_();
  EXPECT_EQ(y.grad_fn()->name(), "NormalBackward0");
  (y.sum() + leaf.sum()).backward();
  EXPECT_EQ(values(leaf.grad()), std::vector<double>(3, 1));
  EXPECT_EQ((leaf * 2).random_(5).grad_fn()->name(), "RandomBackward1");
  const Tensor p = full({3}, 0.5, requires_grad());
  EXPECT_EQ(ones({3}).bernoulli_(p).grad_fn()->name(), "BernoulliBackward1");
  bernoulli(p).sum().backward();
  EXPECT_EQ(values(p.grad()), std::vector<double>(3, 0));
  const Tensor x = ones({2});
  x.uniform_();
  EXPECT_EQ(x._version(), 1);
}

TEST(Dropout, AtTheEnds) {
  const Tensor x = ones({4}, requires_grad());
  Tensor y = dropout(x, 1, true);
  EXPECT_EQ(values(y), std::vector<double>(4, 0));
  y.sum().backward();
  EXPECT_EQ(values(x.grad()), std::vector<double>(4, 0));
  EXPECT_TRUE(dropout(x, 0, true).is_same(x));
  EXPECT_TRUE(dropout(x, 0.5, false).is_same(x));
  EXPECT_TRUE(std::isnan(dropout(full({1}, NAN), 0, true).item<float>()));
  EXPECT_EQ(dropout(zeros({0}), 0.5, true).numel(), 0);
  EXPECT_EQ(error_of([&] { dropout(x, 1.1, true); }), "dropout probability has to be between 0 and 1, but got 1.1");
  EXPECT_EQ(error_of([&] { dropout(x, -0.1, false); }), "dropout probability has to be between 0 and 1, but got -0.1");
}

TEST(Dropout, MaskAndMean) {
  manual_seed(0);
  const Tensor x = ones({100000}, requires_grad());
  const Tensor y = dropout(x, 0.25, true);
  double sum = 0;
  for (double v : values(y)) {
    EXPECT_TRUE(v == 0 || static_cast<float>(v) == 1.3333334f);
    sum += v;
  }
  EXPECT_NEAR(sum / 100000, 1, 0.01);
  y.sum().backward();
  EXPECT_EQ(values(x.grad()), values(y));  // the same mask
  // The generic stream of bernoulli_(1 - p).
  const Tensor mask = seeded([] { return empty({100000}).bernoulli_(0.75); });
  EXPECT_EQ(values(mask.div_(0.75)), values(y));
}

TEST(Dropout, InPlaceAndStrided) {
  Tensor x = seeded([] { return ones({3, 4}); });
  Tensor& same = dropout_(x, 0.5, true);
  EXPECT_EQ(&same, &x);
  const std::vector<double> dropped = values(x);
  EXPECT_EQ(std::count(dropped.begin(), dropped.end(), 0) + std::count(dropped.begin(), dropped.end(), 2), 12);
  // A transposed input draws in its memory order.
  const Tensor y = seeded([] { return dropout(ones({4, 3}).t(), 0.5, true); });
  EXPECT_EQ(y.strides(), IntArrayRef({1, 3}));
  EXPECT_EQ(values(y.t()), dropped);
}

// Several threads may draw from the default generator; each call gets a piece of the stream for itself.
TEST(Random, Threads) {
  const std::vector<double> whole = values(seeded([] { return rand({4000}); }));
  manual_seed(0);
  std::vector<Tensor> parts(4);
  std::vector<std::thread> threads;
  for (Tensor& part : parts) threads.emplace_back([&part] { part = rand({1000}); });
  for (std::thread& thread : threads) thread.join();
  for (size_t i = 0; i < 4; ++i) {
    const std::vector<double> part = values(parts[i]);
    const auto at = std::search(whole.begin(), whole.end(), part.begin(), part.end());
    ASSERT_NE(at, whole.end());
    EXPECT_EQ((at - whole.begin()) % 1000, 0);
  }
}

}  // namespace
}  // namespace wick
