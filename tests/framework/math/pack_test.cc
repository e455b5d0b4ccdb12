// The pack vocabulary against libm and against the scalar vocabulary, for both instruction sets and both types.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "wick/framework/math/scalar.h"
#include "wick/tests/framework/math/pack_functions.h"

namespace wick::math::test {
namespace {

template <class T_, bool avx512_>
struct Case {
  using T = T_;
  static constexpr bool avx512 = avx512_;
};

template <class C>
class PackTest : public testing::Test {
 protected:
  using T = typename C::T;
  static constexpr T kInf = std::numeric_limits<T>::infinity();
  static constexpr T kNan = std::numeric_limits<T>::quiet_NaN();

  void SetUp() override {
    const bool runs = C::avx512 ? __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")
                                : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (!runs) GTEST_SKIP() << "this processor lacks the instruction set";
  }

  static const Functions& functions() { return C::avx512 ? avx512::kFunctions : avx2::kFunctions; }
  static const PackProbe<T>& probe() {
    if constexpr (std::is_same_v<T, float>) return functions().float_probe;
    else return functions().double_probe;
  }
  static ArrayFunction<T> array_function(const Function& f) {
    if constexpr (std::is_same_v<T, float>) return f.on_float;
    else return f.on_double;
  }
  static ArrayFunction<T> array_function(const std::string& name) {
    for (const Function* f = functions().begin; f != functions().end; ++f) {
      if (f->name == name) return array_function(*f);
    }
    ADD_FAILURE() << "no function " << name;
    return nullptr;
  }
  static T call(const std::string& name, T x, T z = 0) {
    T y;
    array_function(name)(&x, &z, &y, 1);
    return y;
  }

  // Everything that is not an ordinary number, and ordinary ones of all sizes.
  static std::vector<T> edge_cases() {
    using L = std::numeric_limits<T>;
    std::vector<T> x = {0, L::denorm_min(), L::min() / 2, L::min(), T(1e-20), L::epsilon(), T(0.1), T(0.49999997), T(0.5), T(0.7),
                        1, T(1.5), 2, T(2.5), 3, T(3.5), 9, 20, 50, 88, T(88.8), 103, 105, T(709.5), 745, 1000, 8388609, T(1e15),
                        T(1e30), L::max(), L::infinity()};
    for (size_t i = 0, n = x.size(); i < n; ++i) x.push_back(-x[i]);
    x.push_back(L::quiet_NaN());
    return x;
  }
};

using Cases = testing::Types<Case<float, false>, Case<float, true>, Case<double, false>, Case<double, true>>;
TYPED_TEST_SUITE(PackTest, Cases);

// The same value: equal, of the same sign, or both NaN.
template <class T>
bool same(T x, T y) { return std::isnan(x) ? std::isnan(y) : x == y && std::signbit(x) == std::signbit(y); }

// The distance of x from the exact value in units in the last place; subnormal numbers have the unit of the smallest normal ones.
template <class T>
double ulp_error(T x, long double exact) {
  const T rounded = static_cast<T>(exact);
  if (std::isnan(exact) || std::isinf(rounded) || rounded == 0) {
    if (same(x, rounded)) return 0;
    if (std::isnan(exact) || !std::isfinite(x) || exact == 0) return INFINITY;
  }
  if (std::isnan(x)) return INFINITY;
  int exponent;
  std::frexp(exact, &exponent);
  exponent = std::max(exponent, std::numeric_limits<T>::min_exponent);
  return static_cast<double>(std::fabs(x - exact) / std::ldexp(1.0L, exponent - std::numeric_limits<T>::digits));
}

// References in a type with at least eleven more bits; values of z that are not needed are ignored.
template <class W>
struct Reference {
  const char* name;
  W (*f)(W x, W z);
  double low, high;  // where most arguments are
  double float_bound = 4, double_bound = 4;  // libmvec's promise
};

template <class W>
const std::vector<Reference<W>>& references() {
#define UNARY(name, ...) {#name, [](W x, W) -> W { return std::name(x); }, __VA_ARGS__}
#define BINARY(name, ...) {#name, [](W x, W z) -> W { return std::name(x, z); }, __VA_ARGS__}
  static const std::vector<Reference<W>> table = {
      UNARY(exp, -104, 89, 1.02, 1.05), UNARY(exp2, -150, 128), UNARY(expm1, -20, 89),
      UNARY(log, 0, 10, 0.85), UNARY(log2, 0, 10), UNARY(log10, 0, 10), UNARY(log1p, -1, 10),
      UNARY(sqrt, 0, 10, 0.501, 0.501), {"rsqrt", [](W x, W) { return 1 / std::sqrt(x); }, 0, 10, 1.6, 1.6},
      UNARY(sin, -10, 10), UNARY(cos, -10, 10), UNARY(tan, -10, 10), UNARY(asin, -1, 1), UNARY(acos, -1, 1), UNARY(atan, -10, 10),
      UNARY(sinh, -10, 10), UNARY(cosh, -10, 10), UNARY(tanh, -10, 10, 1.65, 1.95),
      UNARY(asinh, -10, 10), UNARY(acosh, 1, 10), UNARY(atanh, -1, 1), UNARY(erf, -5, 5, 1.7), UNARY(erfc, -5, 10, 3.25),
      {"sigmoid", [](W x, W) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }, -104, 20, 1.5, 1.5},
      {"log1p_exp", [](W x, W) { return x != x ? x : (x > 0 ? x : 0) + std::log1p(std::exp(-std::fabs(x))); }, -100, 100, 2.85, 2.85},
      BINARY(pow, 0, 10), BINARY(atan2, -10, 10), BINARY(hypot, -10, 10),
  };
#undef UNARY
#undef BINARY
  return table;
}

TYPED_TEST(PackTest, ErrorsStayBelowTheStatedBounds) {
  using T = typename TestFixture::T;
  using W = std::conditional_t<std::is_same_v<T, float>, double, long double>;
  using Bits = std::conditional_t<std::is_same_v<T, float>, uint32_t, uint64_t>;
  constexpr int64_t kHalf = 20000;
  std::vector<T> x(2 * kHalf), z(2 * kHalf), y(2 * kHalf);
  for (const Reference<W>& reference : references<W>()) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> usual(reference.low, reference.high);
    for (int64_t i = 0; i < 2 * kHalf; ++i) {
      if (i < kHalf) {
        x[i] = static_cast<T>(usual(random));
        z[i] = static_cast<T>(usual(random));
      } else {  // all exponents, infinities and NaN
        const Bits bits[2] = {static_cast<Bits>(random()), static_cast<Bits>(random())};
        std::memcpy(&x[i], &bits[0], sizeof(T));
        std::memcpy(&z[i], &bits[1], sizeof(T));
      }
    }
    this->array_function(reference.name)(x.data(), z.data(), y.data(), 2 * kHalf);
    double worst = -1;
    int64_t at = 0;
    for (int64_t i = 0; i < 2 * kHalf; ++i) {
      const double error = ulp_error<T>(y[i], reference.f(x[i], z[i]));
      if (error > worst) worst = error, at = i;
    }
    EXPECT_LE(worst, sizeof(T) == 4 ? reference.float_bound : reference.double_bound)
        << reference.name << " of " << x[at] << ", " << z[at] << " is not " << y[at];
  }
}

TYPED_TEST(PackTest, EdgeCasesAgreeWithLibm) {
  using T = typename TestFixture::T;
  using W = std::conditional_t<std::is_same_v<T, float>, double, long double>;
  for (const Reference<W>& reference : references<W>()) {
    for (const T x : this->edge_cases()) {
      for (const T z : this->edge_cases()) {
        const T y = this->call(reference.name, x, z);
        EXPECT_LE(ulp_error<T>(y, reference.f(x, z)), 4) << reference.name << " of " << x << ", " << z << " is not " << y;
      }
    }
  }
}

TYPED_TEST(PackTest, TailsOfActivationsAreRight) {
  using T = typename TestFixture::T;
  EXPECT_EQ(this->call("exp", -1000), 0);
  EXPECT_EQ(this->call("exp", 1000), this->kInf);
  EXPECT_EQ(this->call("sigmoid", -1000), 0);
  EXPECT_EQ(this->call("sigmoid", 1000), 1);
  EXPECT_EQ(this->call("sigmoid", 0), T(0.5));
  EXPECT_EQ(this->call("log1p_exp", 100), 100);
  EXPECT_EQ(this->call("log1p_exp", 1000), 1000);
  EXPECT_EQ(this->call("log1p_exp", -1000), 0);
  EXPECT_NEAR(this->call("log1p_exp", -100) / 3.720076e-44, 1, 0.02);
  EXPECT_EQ(this->call("tanh", 100), 1);
  EXPECT_EQ(this->call("tanh", -100), -1);
  EXPECT_EQ(this->call("erf", 10), 1);
  EXPECT_EQ(this->call("erf", -10), -1);
  EXPECT_TRUE(same(this->call("erf", T(-0.0)), T(-0.0)));
  EXPECT_EQ(this->call("pow", 0, 0), 1);
  EXPECT_EQ(this->call("pow", this->kNan, 0), 1);
  EXPECT_EQ(this->call("pow", -2, 3), -8);
  EXPECT_TRUE(std::isnan(this->call("pow", -2, T(0.5))));
}

TYPED_TEST(PackTest, RoundsHalvesToEven) {
  using T = typename TestFixture::T;
  const T x[] = {T(-2.5), T(-1.5), T(-0.5), T(0.5), T(1.5), T(2.5), T(0.49999997), 8388609};
  const T expected[] = {-2, -2, T(-0.0), 0, 2, 2, 0, 8388609};
  T y[8];
  this->array_function("round")(x, x, y, 8);
  for (int i = 0; i < 8; ++i) EXPECT_TRUE(same(y[i], expected[i])) << x[i] << " became " << y[i];
}

// Where no rounding is left open, packs and scalars agree in every bit.
TYPED_TEST(PackTest, ExactFunctionsAgreeWithScalars) {
  using T = typename TestFixture::T;
  const struct {
    const char* name;
    T (*f)(T x, T z);
  } functions[] = {
#define UNARY(name) {#name, [](T x, T) { return name(x); }}
#define BINARY(name) {#name, [](T x, T z) { return name(x, z); }}
      UNARY(sqrt), UNARY(rsqrt), UNARY(floor), UNARY(ceil), UNARY(trunc), UNARY(round), UNARY(abs), UNARY(neg), UNARY(sign), UNARY(sgn),
      UNARY(conj), UNARY(reciprocal), UNARY(square), UNARY(lgamma), BINARY(max), BINARY(min), BINARY(fmax), BINARY(fmin),
      BINARY(copysign), BINARY(fmod), BINARY(remainder), BINARY(floor_divide),
#undef UNARY
#undef BINARY
  };
  for (const auto& function : functions) {
    for (const T x : this->edge_cases()) {
      for (const T z : this->edge_cases()) {
        const T y = this->call(function.name, x, z);
        EXPECT_TRUE(same(y, function.f(x, z))) << function.name << " of " << x << ", " << z << " is not " << y;
      }
    }
  }
}

// A value does not depend on its place in the array, on the array's length or on its neighbours.
TYPED_TEST(PackTest, ValuesDoNotDependOnTheirPosition) {
  using T = typename TestFixture::T;
  std::vector<T> x = this->edge_cases();
  std::mt19937 random(2);
  for (int i = 0; i < 100; ++i) x.push_back(std::uniform_real_distribution<T>(-3, 3)(random));
  std::shuffle(x.begin(), x.end(), random);
  const int64_t n = static_cast<int64_t>(x.size());
  std::vector<T> z(x.rbegin(), x.rend()), y(n), moved(n);
  for (const Function* f = this->functions().begin; f != this->functions().end; ++f) {
    const ArrayFunction<T> function = this->array_function(*f);
    function(x.data(), z.data(), y.data(), n);
    for (int64_t start = 1; start < n; ++start) {
      const int64_t length = std::min<int64_t>(n - start, 1 + start % 37);
      function(x.data() + start, z.data() + start, moved.data(), length);
      for (int64_t i = 0; i < length; ++i) {
        ASSERT_TRUE(same(moved[i], y[start + i])) << f->name << " of " << x[start + i] << ", " << z[start + i] << " is " << y[start + i]
                                                  << " or " << moved[i];
      }
    }
  }
}

TYPED_TEST(PackTest, PartialLoadsAndStoresTouchNothingBeyondTheEnd) {
  using T = typename TestFixture::T;
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  char* memory = static_cast<char*>(mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(memory, MAP_FAILED);
  ASSERT_EQ(mprotect(memory + page, page, PROT_NONE), 0);
  T* const end = reinterpret_cast<T*>(memory + page);
  const int size = this->probe().size;
  std::vector<T> y(size + 1);
  for (int n = 0; n <= size; ++n) {
    for (int i = 0; i < n; ++i) end[i - n] = T(i + 1);
    std::fill(y.begin(), y.end(), T(-1));
    const T last = this->probe().copy_partial(end - n, y.data(), n, 7);
    EXPECT_EQ(last, n == size ? T(n) : T(7));
    for (int i = 0; i <= size; ++i) EXPECT_EQ(y[i], i < n ? T(i + 1) : T(-1)) << "lane " << i << " of " << n;

    for (int i = 0; i < n; ++i) end[i - n] = T(-1);
    for (int i = 0; i < size; ++i) y[i] = T(i + 1);
    this->probe().copy_partial(y.data(), end - n, n, 0);
    for (int i = 0; i < n; ++i) EXPECT_EQ(end[i - n], T(i + 1));
  }
  munmap(memory, 2 * page);
}

TYPED_TEST(PackTest, MasksFollowTheLanes) {
  using T = typename TestFixture::T;
  const int size = this->probe().size;
  std::vector<T> x(size), z(size, 3), y(size);
  for (int i = 0; i < size; ++i) x[i] = T(i % 5);
  bool mask[17], any_all[2];
  for (int n = 0; n <= size; ++n) {
    std::fill(mask, mask + 17, true);
    this->probe().compare(x.data(), z.data(), mask, n, any_all);
    for (int i = 0; i < 17; ++i) EXPECT_EQ(mask[i], i >= n || (x[i] < 3 && x[i] != 0)) << i;
    EXPECT_TRUE(any_all[0]);
    EXPECT_FALSE(any_all[1]);

    std::fill(y.begin(), y.end(), T(-1));
    this->probe().blend(mask, x.data(), z.data(), y.data(), n);
    for (int i = 0; i < size; ++i) EXPECT_EQ(y[i], i >= n ? T(-1) : mask[i] ? x[i] : z[i]) << i;
  }
  std::fill(x.begin(), x.end(), T(1));
  this->probe().compare(x.data(), z.data(), mask, size, any_all);
  EXPECT_TRUE(any_all[0] && any_all[1]);
  this->probe().compare(z.data(), x.data(), mask, size, any_all);
  EXPECT_FALSE(any_all[0] || any_all[1]);
}

TYPED_TEST(PackTest, ComparisonsAndClassesTreatNanAsScalarsDo) {
  using T = typename TestFixture::T;
  const std::vector<T> values = this->edge_cases();
  for (const T x : values) {
    for (const T z : values) {
      const unsigned expected = (x == z) | (x != z) << 1 | (x < z) << 2 | (x <= z) << 3 | (x > z) << 4 | (x >= z) << 5;
      EXPECT_EQ(this->probe().comparisons(x, z), expected) << x << ", " << z;
    }
    const std::vector<T> lanes(this->probe().size, x);
    bool nan[16], inf[16], finite[16];
    this->probe().classes(lanes.data(), nan, inf, finite);
    for (int i = 0; i < this->probe().size; ++i) {
      EXPECT_EQ(nan[i], std::isnan(x));
      EXPECT_EQ(inf[i], std::isinf(x));
      EXPECT_EQ(finite[i], std::isfinite(x));
    }
  }
}

TYPED_TEST(PackTest, ReductionsHaveAFixedOrder) {
  using T = typename TestFixture::T;
  const int size = this->probe().size;
  std::vector<T> x(size);
  std::mt19937 random(3);
  for (T& value : x) value = std::uniform_real_distribution<T>(-1, 1)(random);
  EXPECT_EQ(this->probe().reduce_max(x.data()), *std::max_element(x.begin(), x.end()));
  EXPECT_EQ(this->probe().reduce_min(x.data()), *std::min_element(x.begin(), x.end()));
  std::vector<T> sums = x;
  for (int half = size / 2; half > 0; half /= 2) {
    for (int i = 0; i < half; ++i) sums[i] += sums[i + half];
  }
  EXPECT_EQ(this->probe().reduce_add(x.data()), sums[0]);
  for (int i = 0; i < size; ++i) {
    std::vector<T> with_nan = x;
    with_nan[i] = this->kNan;
    EXPECT_TRUE(std::isnan(this->probe().reduce_max(with_nan.data()))) << i;
    EXPECT_TRUE(std::isnan(this->probe().reduce_min(with_nan.data()))) << i;
  }
}

TYPED_TEST(PackTest, FmaRoundsOnce) {
  using T = typename TestFixture::T;
  const int size = this->probe().size;
  const T tiny = std::numeric_limits<T>::epsilon();
  const std::vector<T> a(size, 1 + tiny), b(size, 1 - tiny), c(size, -1);
  std::vector<T> y(size);
  this->probe().fma(a.data(), b.data(), c.data(), y.data());
  for (const T value : y) EXPECT_EQ(value, -tiny * tiny);
}

// The functions of pack_poly.h give the same bits with either instruction set.
TEST(PackPolynomials, DoNotDependOnTheInstructionSet) {
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512dq")) GTEST_SKIP() << "this processor lacks AVX-512";
  constexpr int kCount = 50001;
  std::vector<float> x(kCount), y(kCount), y512(kCount);
  std::vector<double> xd(kCount), yd(kCount), yd512(kCount);
  for (int i = 0; i < kCount; ++i) x[i] = static_cast<float>(xd[i] = -120 + 240.0 * i / (kCount - 1));
  for (const Function* f = avx2::kFunctions.begin; f != avx2::kFunctions.end; ++f) {
    const std::string name = f->name;
    const bool both = name == "exp" || name == "tanh" || name == "sigmoid" || name == "log1p_exp";
    if (!both && name != "log" && name != "erf") continue;
    const Function& g = avx512::kFunctions.begin[f - avx2::kFunctions.begin];
    f->on_float(x.data(), x.data(), y.data(), kCount);
    g.on_float(x.data(), x.data(), y512.data(), kCount);
    for (int i = 0; i < kCount; ++i) ASSERT_TRUE(same(y[i], y512[i])) << name << " of " << x[i];
    if (!both) continue;
    f->on_double(xd.data(), xd.data(), yd.data(), kCount);
    g.on_double(xd.data(), xd.data(), yd512.data(), kCount);
    for (int i = 0; i < kCount; ++i) ASSERT_TRUE(same(yd[i], yd512[i])) << name << " of " << xd[i];
  }
}

}  // namespace
}  // namespace wick::math::test
