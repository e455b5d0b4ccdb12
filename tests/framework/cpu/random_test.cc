// The golden numbers are those of PyTorch 2.15 on x86-64, of a generator with seed 0 unless a test says otherwise.
#include "wick/framework/cpu/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "wick/framework/core/error.h"
#include "wick/framework/core/isa.h"
#include "wick/framework/cpu/random_kernels.h"
#include "wick/tests/framework/core/support.h"

namespace wick::cpu {
namespace {

using test::message_of;

template <class T>
using Values = std::vector<T>;

// The first n numbers that f(generator, out, n) draws. Not a std::vector<T>, which has no bool memory.
template <class T, class F>
Values<T> draw(int64_t n, const F& f, uint64_t seed = 0) {
  const Generator generator = make_generator(seed);
  const auto out = std::make_unique<T[]>(static_cast<size_t>(n));
  f(*generator.impl(), out.get(), n);
  return Values<T>(out.get(), out.get() + n);
}

template <class T>
Values<T> rand(int64_t n, double from = 0, double to = 1) {
  return draw<T>(n, [&](auto& g, T* out, int64_t count) { uniform(g, out, count, from, to); });
}

template <class T>
Values<T> randn(int64_t n, double mean = 0, double std = 1) {
  return draw<T>(n, [&](auto& g, T* out, int64_t count) { normal(g, out, count, mean, std); });
}

template <class T>
Values<T> randint(int64_t n, uint64_t range, int64_t base) {
  return draw<T>(n, [&](auto& g, T* out, int64_t count) { random_from_to(g, out, count, range, base); });
}

template <class T>
Values<T> random_(int64_t n) {
  return draw<T>(n, [](auto& g, T* out, int64_t count) { cpu::random(g, out, count); });
}

template <class T>
void expect_near(const Values<T>& actual, const Values<T>& expected, double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i) {
    EXPECT_NEAR(actual[i], expected[i], tolerance * std::max(1.0, std::abs(double(expected[i])))) << i;
  }
}

constexpr double kUlps = 1e-15;  // libm's functions may differ in the last digit from one machine to the next

TEST(Uniform, IsPyTorchsToTheBit) {
  EXPECT_EQ(rand<float>(4), (Values<float>{0.49625659f, 0.768221796f, 0.0884774327f, 0.132030487f}));
  EXPECT_EQ(rand<double>(3), (Values<double>{0.9700530018065531, 0.707819864399788, 0.45938294312745087}));
  EXPECT_EQ(rand<float>(4, -0.37, 1.3), (Values<float>{0.45874849f, 0.912930369f, -0.222242698f, -0.149509102f}));
  const auto many = rand<float>(2000);
  EXPECT_EQ(many[1998], 0.348132908f);
  EXPECT_EQ(many[1999], 0.876719773f);
  // nn.Linear(4, 10): bounds of 1 / sqrt(4), the weight and then the bias.
  const auto linear = rand<float>(42, -0.5, 0.5);
  EXPECT_EQ(linear[0], -0.00374341011f);
  EXPECT_EQ(linear[40], 0.0262957811f);
}

// 15, 17 and 18 do not divide 624, so that pieces end inside blocks, and single words shift the pairs of the doubles.
TEST(Uniform, DoesNotDependOnHowTheStreamIsCut) {
  const auto in_pieces = [](auto& g, auto* out, int64_t n) {
    for (int64_t begin = 0, size = 15; begin < n; begin += size, size = 32 - size) {
      uniform(g, out + begin, std::min(size, n - begin), 0, 1);
    }
  };
  EXPECT_EQ(draw<float>(3000, in_pieces), rand<float>(3000));
  EXPECT_EQ(draw<double>(3000, in_pieces), rand<double>(3000));

  const Generator generator = make_generator(8), by_word = make_generator(8);
  generator.impl()->random();
  by_word.impl()->random();
  double out[1500];
  uniform(*generator.impl(), out, 1500, 0, 1);
  for (int i = 0; i < 1500; ++i) {
    const double expected = static_cast<double>(by_word.impl()->random64() & ((uint64_t{1} << 53) - 1)) * 0x1p-53;
    ASSERT_EQ(out[i], expected) << i;
  }
}

TEST(Uniform, LeavesTheUpperBoundOut) {
  const float to = std::nextafter(1.f, 2.f);
  for (const float x : rand<float>(5000, 1, to)) ASSERT_EQ(x, 1.f);
  for (const float x : rand<float>(100, 3, 3)) ASSERT_EQ(x, 3.f);
}

TEST(Uniform, RefusesBoundsBeforeDrawing) {
  const Generator generator = make_generator(0);
  float x[3] = {7, 7, 7};
  const auto error = [&](double from, double to) { return message_of([&] { uniform(*generator.impl(), x, 3, from, to); }); };
  const double nan = std::nan("");
  EXPECT_EQ(error(2, 1), "uniform_ expects to return a [from, to) range, but found from=2 > to=1");
  EXPECT_EQ(error(-3e38, 3e38),
            "uniform_ expects to-from <= std::numeric_limits<Float>::max(), but found to=3e+38 and from=-3e+38 which result in "
            "to-from to exceed the limit");
  EXPECT_EQ(error(-1e39, 0), "from is out of bounds for float");
  EXPECT_EQ(error(0, 1e39), "to is out of bounds for float");
  EXPECT_EQ(error(nan, 1), "from is out of bounds for float");
  EXPECT_EQ(error(0, nan), "to is out of bounds for float");
  double y[1];
  EXPECT_EQ(message_of([&] { uniform(*generator.impl(), y, 1, -1.7e308, 1.7e308); }).substr(0, 55),
            "uniform_ expects to-from <= std::numeric_limits<Double>");
  EXPECT_EQ(x[0], 7);
  EXPECT_EQ(generator.impl()->random(), make_generator(0).impl()->random());
}

TEST(Normal, FewNumbersAreComputedInDoubleByPairs) {
  expect_near(randn<double>(3), {1.5409961082440433, -0.2934289057609464, -2.1787893820745574}, kUlps);
  expect_near(randn<float>(9),
              {1.54099607f, -0.293428898f, -2.17878938f, 0.568431258f, -1.08452237f, -1.39859545f, 0.403346837f, 0.838026345f,
               -0.719257593f},
              1e-7);
}

TEST(Normal, SecondOfAPairWaitsForTheNextCall) {
  const auto one_by_one = draw<double>(9, [](auto& g, double* out, int64_t n) {
    for (int64_t i = 0; i < n; ++i) normal(g, out + i, 1, 0, 1);
  });
  EXPECT_EQ(one_by_one, randn<double>(9));
  const auto pairs = draw<float>(101, [](auto& g, float* out, int64_t n) { normal_pairs(g, out, n, 0, 1); });
  const auto few = randn<float>(15);
  EXPECT_EQ(Values<float>(pairs.begin(), pairs.begin() + 15), few);
}

TEST(Normal, ManyNumbersComeInBlocksOfSixteen) {
  const auto x = randn<float>(25);
  expect_near(Values<float>(x.begin(), x.begin() + 4), {-1.12583983f, -1.1523602f, -0.250578582f, -0.433878809f}, 1e-6);
  expect_near(Values<float>(x.begin() + 8, x.begin() + 13), {0.322274923f, -0.157712445f, 1.44366014f, 0.266049415f, 0.166455343f},
              1e-6);
  expect_near(Values<float>(x.end() - 4, x.end()), {-0.412802219f, -0.841064811f, -2.31604195f, -0.102309652f}, 1e-6);
  const auto y = randn<double>(25, 1, 2);
  expect_near(Values<double>(y.begin(), y.begin() + 3), {-3.620823600468352, 0.2534982774844714, -1.1216333570925725}, kUlps);
  expect_near(Values<double>(y.end() - 3, y.end()), {-2.492809807456484, 3.082024914067018, 2.307848993470162}, kUlps);
}

// The float kernel against libm, over all that uniform numbers can be: u1 and u2 the 24-bit fractions of the stream.
TEST(Normal, FloatBlocksAreAccurate) {
  constexpr int64_t kN = 1 << 20;
  const auto u = rand<float>(kN);
  const auto x = randn<float>(kN);
  double worst = 0;
  for (int64_t i = 0; i < kN; i += 16) {
    for (int64_t j = i; j < i + 8; ++j) {
      const double radius = std::sqrt(-2 * std::log1p(-double(u[j])));
      const double angle = 6.28318548f * u[j + 8];
      worst = std::max({worst, std::abs(x[j] - radius * std::cos(angle)), std::abs(x[j + 8] - radius * std::sin(angle))});
    }
  }
  EXPECT_LT(worst, 8e-7);
}

TEST(RandomKernels, GiveTheSameBitsOnEveryInstructionSet) {
  if (isa() != Isa::kAvx512) GTEST_SKIP() << "no AVX-512 here";
  constexpr int kN = Mt19937::kWords;
  struct Result {
    uint32_t words[kN + 8];
    uint32_t outputs[kN];
    float uniform[kN], normal[kN];
    double uniform_double[kN / 2];
  };
  const auto run = [](const RandomKernels& kernels) {
    auto result = std::make_unique<Result>();
    const auto first = Mt19937(6).data().words;
    std::copy(first.begin(), first.end(), result->words);
    kernels.next_block(result->words, result->outputs);
    kernels.uniform_float(result->outputs, result->uniform, kN, 0, 1);
    kernels.uniform_double(result->outputs, result->uniform_double, kN / 2, -0.3, 0.7);
    std::copy(result->uniform, result->uniform + kN, result->normal);
    kernels.normal_blocks(result->normal, kN / 16, 0.5f, 3);
    return result;
  };
  const auto narrow = run(avx2::kRandomKernels), wide = run(avx512::kRandomKernels);
  EXPECT_TRUE(std::equal(narrow->words, narrow->words + kN, wide->words));
  EXPECT_TRUE(std::equal(narrow->outputs, narrow->outputs + kN, wide->outputs));
  EXPECT_TRUE(std::equal(narrow->uniform, narrow->uniform + kN, wide->uniform));
  EXPECT_TRUE(std::equal(narrow->uniform_double, narrow->uniform_double + kN / 2, wide->uniform_double));
  EXPECT_TRUE(std::equal(narrow->normal, narrow->normal + kN, wide->normal));
}

TEST(Normal, HasItsMoments) {
  const auto x = randn<float>(1 << 20, 3, 2);
  double sum = 0, squares = 0;
  for (const float value : x) {
    sum += value;
    squares += (value - 3.0) * (value - 3.0);
  }
  EXPECT_NEAR(sum / double(x.size()), 3, 0.01);
  EXPECT_NEAR(squares / double(x.size()), 4, 0.03);
}

TEST(Normal, TakesZeroAndRefusesNegativeStd) {
  for (const int64_t n : {3, 40}) {
    for (const float x : randn<float>(n, 1.5, 0)) EXPECT_EQ(x, 1.5f);
    EXPECT_EQ(message_of([&] { randn<float>(n, 0, -1); }), "normal expects std >= 0.0, but found std -1");
    EXPECT_EQ(message_of([&] { randn<double>(n, 0, std::nan("")); }), "normal expects std >= 0.0, but found std nan");
  }
  EXPECT_TRUE(randn<float>(0).empty());
}

TEST(LogNormal, IsPyTorchs) {
  const auto x = draw<double>(3, [](auto& g, double* out, int64_t n) { log_normal(g, out, n, 0.5, 0.7); });
  expect_near(x, {4.848635260531737, 1.3425889013688939, 0.3587417289189791}, kUlps);
  EXPECT_EQ(message_of([] { draw<float>(1, [](auto& g, float* out, int64_t n) { log_normal(g, out, n, 0, 0); }); }),
            "log_normal_ expects std > 0.0, but found std=0");
}

TEST(Cauchy, IsPyTorchs) {
  const auto x = draw<double>(3, [](auto& g, double* out, int64_t n) { cauchy(g, out, n, 0.2, 1.5); });
  expect_near(x, {16.096593990023443, 1.34715088940885, 0.007550986875238919}, 4 * kUlps);
  EXPECT_EQ(message_of([] { draw<float>(1, [](auto& g, float* out, int64_t n) { cauchy(g, out, n, 0, -2); }); }),
            "cauchy_ expects sigma > 0.0, but found sigma=-2");
}

TEST(Exponential, IsPyTorchsGenericOne) {
  const auto x = draw<double>(3, [](auto& g, double* out, int64_t n) { exponential(g, out, n, 1.5); });
  expect_near(x, {2.3388841244717615, 0.8202565094531179, 0.410029395929341}, kUlps);
  EXPECT_EQ(message_of([] { draw<float>(1, [](auto& g, float* out, int64_t n) { exponential(g, out, n, 0); }); }),
            "exponential_ expects lambda > 0.0, but found lambda=0");
}

TEST(Geometric, IsPyTorchs) {
  const auto f = [](auto& g, auto* out, int64_t n) { geometric(g, out, n, 0.3); };
  EXPECT_EQ(draw<int64_t>(10, f), (Values<int64_t>{1, 1, 3, 1, 2, 1, 5, 3, 2, 4}));
  EXPECT_EQ(draw<float>(4, f), (Values<float>{1, 1, 3, 1}));
  // A small type takes the low bits, and nothing overflows.
  for (const int64_t x : draw<int64_t>(100, [](auto& g, int64_t* out, int64_t n) { geometric(g, out, n, 1e-300); })) EXPECT_GT(x, 0);
  const auto small = draw<uint8_t>(300, [](auto& g, uint8_t* out, int64_t n) { geometric(g, out, n, 0.001); });
  const auto large = draw<int64_t>(300, [](auto& g, int64_t* out, int64_t n) { geometric(g, out, n, 0.001); });
  for (size_t i = 0; i < 300; ++i) EXPECT_EQ(small[i], static_cast<uint8_t>(large[i]));
  EXPECT_EQ(message_of([] { draw<float>(1, [](auto& g, float* out, int64_t n) { geometric(g, out, n, 1); }); }),
            "geometric_ expects p to be in (0, 1), but got p=1");
}

TEST(Bernoulli, IsPyTorchsGenericOne) {
  const std::vector<double> p64(12, 0.3);
  const std::vector<float> p32(12, 0.3f);
  const Values<float> by_double{0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1};
  EXPECT_EQ(draw<float>(12, [&](auto& g, float* out, int64_t n) { bernoulli(g, out, n, p64.data()); }), by_double);
  EXPECT_EQ(draw<float>(12, [](auto& g, float* out, int64_t n) { bernoulli(g, out, n, 0.3); }), by_double);
  EXPECT_EQ(draw<bool>(12, [](auto& g, bool* out, int64_t n) { bernoulli(g, out, n, 0.3); }),
            Values<bool>(by_double.begin(), by_double.end()));
  EXPECT_EQ(draw<int64_t>(12, [&](auto& g, int64_t* out, int64_t n) { bernoulli(g, out, n, p32.data()); }),
            (Values<int64_t>{0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(Bernoulli, KnowsCertaintyAndRefusesTheRest) {
  for (const float x : draw<float>(1000, [](auto& g, float* out, int64_t n) { bernoulli(g, out, n, 1.0); })) ASSERT_EQ(x, 1);
  for (const float x : draw<float>(1000, [](auto& g, float* out, int64_t n) { bernoulli(g, out, n, 0.0); })) ASSERT_EQ(x, 0);
  const auto error = [](double p) {
    return message_of([=] { draw<float>(1, [=](auto& g, float* out, int64_t n) { bernoulli(g, out, n, p); }); });
  };
  EXPECT_EQ(error(1.5), "bernoulli_ expects p to be in [0, 1], but got p=1.5");
  EXPECT_EQ(error(std::nan("")), "bernoulli_ expects p to be in [0, 1], but got p=nan");
  const float p[3] = {0.5f, 1, -0.25f};
  EXPECT_EQ(message_of([&] { draw<float>(3, [&](auto& g, float* out, int64_t n) { bernoulli(g, out, n, p); }); }),
            "Expected p_in >= 0 && p_in <= 1 to be true, but got false.\n  bernoulli: probability 2 is -0.25.");
}

TEST(RandomFromTo, IsPyTorchs) {
  EXPECT_EQ(randint<int64_t>(12, 10, 0), (Values<int64_t>{4, 9, 3, 0, 3, 9, 7, 3, 7, 3, 1, 6}));
  EXPECT_EQ(randint<float>(4, 10, -1), (Values<float>{3, 8, 2, -1}));
  EXPECT_EQ(randint<int64_t>(3, uint64_t{1} << 40, -(int64_t{1} << 39)),
            (Values<int64_t>{191524809263, -43618546496, -258308156677}));
  // 64 bits a number from a range of 2^28 on, 32 below.
  EXPECT_EQ(randint<int64_t>(3, 1u << 28, 0), (Values<int64_t>{130329135, 136432832, 195187451}));
  EXPECT_EQ(randint<int64_t>(3, (1u << 28) - 1, 0), (Values<int64_t>{209652404, 130329144, 118924928}));
  constexpr int64_t kLowest = std::numeric_limits<int64_t>::lowest();
  for (const int64_t x : randint<int64_t>(1000, ~uint64_t{0}, kLowest)) EXPECT_LT(x, std::numeric_limits<int64_t>::max());
  for (const bool x : randint<bool>(20, 1, 1)) EXPECT_TRUE(x);
}

TEST(RandomFullRange, IsPyTorchs) {
  EXPECT_EQ(draw<int64_t>(2, [](auto& g, int64_t* out, int64_t n) { random_full_range(g, out, n); }),
            (Values<int64_t>{-8322921849960486353, -5253828890213626688}));
}

TEST(Random, IsPyTorchsForEveryDtype) {
  EXPECT_EQ(random_<bool>(4), (Values<bool>{false, true, true, false}));
  EXPECT_EQ(random_<uint8_t>(4), (Values<uint8_t>{172, 47, 117, 192}));
  EXPECT_EQ(random_<int8_t>(4), (Values<int8_t>{44, 47, 117, 64}));
  EXPECT_EQ(random_<int16_t>(4), (Values<int16_t>{2732, 10799, 9845, 19648}));
  EXPECT_EQ(random_<int32_t>(4), (Values<int32_t>{209652396, 398764591, 924231285, 1478610112}));
  EXPECT_EQ(random_<int64_t>(2), (Values<int64_t>{900450186894289455, 3969543146641149120}));
  EXPECT_EQ(random_<float>(4), (Values<float>{8325664, 12888472, 1484222, 2214888}));
  EXPECT_EQ(random_<double>(2), (Values<double>{8737460674930124, 6375474555111176}));
}

TEST(Randperm, IsPyTorchs) {
  const auto perm = [](int64_t n) { return draw<int64_t>(n, [](auto& g, int64_t* out, int64_t count) { randperm(g, out, count); }); };
  EXPECT_EQ(perm(10), (Values<int64_t>{4, 1, 7, 5, 3, 9, 0, 8, 6, 2}));
  EXPECT_TRUE(perm(0).empty());
  EXPECT_EQ(perm(1), Values<int64_t>{0});
  auto sorted = perm(5000);
  std::sort(sorted.begin(), sorted.end());
  for (int64_t i = 0; i < 5000; ++i) ASSERT_EQ(sorted[i], i);
}

}  // namespace
}  // namespace wick::cpu
