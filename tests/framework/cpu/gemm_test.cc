#include "wick/framework/cpu/gemm.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "wick/framework/core/parallel.h"
#include "wick/framework/cpu/gemm_small.h"

namespace wick::cpu {
namespace {

template <class T>
using Gemm = void (*)(const GemmArgs<T>&);

// gemm and, for the floating types, each build of our own kernels that this processor runs.
template <class T>
std::vector<Gemm<T>> implementations() {
  std::vector<Gemm<T>> all = {&gemm<T>};
  if constexpr (std::is_floating_point_v<T>) {
    all.push_back(&avx2::gemm_small);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")) {
      all.push_back(&avx512::gemm_small);
    }
  }
  return all;
}

template <class T>
T nan_or_max() {
  return std::is_floating_point_v<T> ? std::numeric_limits<T>::quiet_NaN() : std::numeric_limits<T>::max();
}

template <class T>
bool same(T x, T y) {
  return std::memcmp(&x, &y, sizeof(T)) == 0;
}

// What a product should give, in double, and how far off a result may be.
struct Expected {
  double value;
  double tolerance;
};

template <class T>
Expected expected(const GemmArgs<T>& x, int64_t i, int64_t j, T old) {
  double sum = 0, size = 0;
  for (int64_t p = 0; p < x.k && x.alpha != 0; ++p) {
    const double a = x.a[x.trans_a ? p * x.lda + i : i * x.lda + p], b = x.b[x.trans_b ? j * x.ldb + p : p * x.ldb + j];
    sum += a * b;
    size += std::abs(a * b);
  }
  double y = x.alpha == 0 ? 0 : double(x.alpha) * sum;
  size *= std::abs(double(x.alpha));
  if (x.beta != 0) y += double(x.beta) * old, size += std::abs(double(x.beta) * old);
  if (x.bias != nullptr) y += x.bias[j], size += std::abs(double(x.bias[j]));
  if (x.activation == Activation::kRelu) y = std::max(y, 0.0);
  const double epsilon = std::is_floating_point_v<T> ? double(std::numeric_limits<T>::epsilon()) : 0;
  return {y, epsilon * size * (double(x.k) / 4 + 4)};
}

template <class T>
std::string describe(const GemmArgs<T>& x) {
  return std::to_string(x.m) + "x" + std::to_string(x.k) + "x" + std::to_string(x.n) + (x.trans_a ? " T" : " N") +
         (x.trans_b ? "T" : "N") + " alpha " + std::to_string(x.alpha) + " beta " + std::to_string(x.beta) +
         (x.bias != nullptr ? " bias" : "") + (x.activation == Activation::kRelu ? " relu" : "");
}

// Operands for one product, with `gap` unused elements behind each row.
template <class T>
struct Problem {
  GemmArgs<T> args;
  std::vector<T> a, b, bias, old;

  Problem(std::mt19937& random, int64_t m, int64_t n, int64_t k, bool trans_a, bool trans_b, int64_t gap) {
    args.m = m, args.n = n, args.k = k;
    args.trans_a = trans_a, args.trans_b = trans_b;
    args.lda = (trans_a ? m : k) + gap, args.ldb = (trans_b ? k : n) + gap, args.ldc = n + gap;
    a.resize((trans_a ? k : m) * args.lda);
    b.resize((trans_b ? n : k) * args.ldb);
    bias.resize(n);
    old.resize(m * args.ldc);
    for (auto* values : {&a, &b, &bias, &old})
      for (T& value : *values) value = draw(random);
    args.a = a.data(), args.b = b.data();
  }

  static T draw(std::mt19937& random) {
    if constexpr (std::is_floating_point_v<T>) return std::uniform_real_distribution<T>(-1, 1)(random);
    else return static_cast<T>(std::uniform_int_distribution<int>(0, 3)(random));
  }

  // Runs each implementation on a copy of `old` and compares all of C, the gaps included.
  void check(const std::vector<Gemm<T>>& tried = implementations<T>()) {
    std::vector<Expected> right;
    for (int64_t i = 0; i < args.m; ++i)
      for (int64_t j = 0; j < args.n; ++j) right.push_back(expected(args, i, j, old[i * args.ldc + j]));
    for (Gemm<T> implementation : tried) {
      std::vector<T> c = old;
      args.c = c.data();
      implementation(args);
      for (int64_t i = 0; i < args.m; ++i) {
        for (int64_t j = 0; j < args.ldc; ++j) {
          const int64_t at = i * args.ldc + j;
          if (j < args.n) {
            const Expected& y = right[i * args.n + j];
            ASSERT_NEAR(double(c[at]), y.value, y.tolerance) << describe(args) << " at " << i << ", " << j;
          } else {
            ASSERT_TRUE(same(c[at], old[at])) << describe(args) << " wrote behind row " << i;
          }
        }
      }
    }
  }
};

template <class T>
class GemmTest : public testing::Test {};
using AllTypes = testing::Types<float, double, int64_t, int32_t, int16_t, int8_t, uint8_t>;
TYPED_TEST_SUITE(GemmTest, AllTypes);

TYPED_TEST(GemmTest, RandomShapesEqualTheDefinition) {
  using T = TypeParam;
  std::mt19937 random(1);
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  // No result leaves the range of int8: 8 terms of at most 9, twice an old 3 and a bias of 3.
  const int largest_k = sizeof(T) == 1 ? 8 : 40;
  for (int round = 0; round < 600; ++round) {
    Problem<T> problem(random, pick(1, 40), pick(1, 40), pick(1, largest_k), pick(0, 1), pick(0, 1), pick(0, 1) * pick(0, 20));
    GemmArgs<T>& args = problem.args;
    args.alpha = sizeof(T) == 1 || pick(0, 1) ? T(1) : T(3);
    args.beta = T(pick(0, 2));
    if (pick(0, 1)) args.bias = problem.bias.data();
    if (pick(0, 3) == 0) args.activation = Activation::kRelu;
    if (args.beta == 0) std::fill(problem.old.begin(), problem.old.end(), nan_or_max<T>());
    ASSERT_NO_FATAL_FAILURE(problem.check());
  }
}

TYPED_TEST(GemmTest, EmptyInnerDimensionLeavesBetaTimesCPlusBias) {
  using T = TypeParam;
  for (const bool trans : {false, true}) {
    for (const int64_t size : {3, 200}) {
      std::vector<T> c(size * size, T(2)), bias(size, T(5));
      GemmArgs<T> args;
      args.m = args.n = args.ldc = size;
      args.trans_a = args.trans_b = trans;
      args.lda = args.ldb = 1;
      args.c = c.data();
      args.beta = 3;
      gemm(args);
      EXPECT_EQ(c, std::vector<T>(size * size, T(6)));
      args.bias = bias.data();
      gemm(args);
      EXPECT_EQ(c, std::vector<T>(size * size, T(23)));
      args.beta = 0;
      std::fill(c.begin(), c.end(), nan_or_max<T>());
      gemm(args);
      EXPECT_EQ(c, std::vector<T>(size * size, T(5)));
    }
  }
}

TYPED_TEST(GemmTest, EmptyResultTouchesNothing) {
  using T = TypeParam;
  for (const auto& [m, n] : {std::pair<int64_t, int64_t>{0, 4}, {4, 0}, {0, 0}}) {
    GemmArgs<T> args;
    args.m = m, args.n = n, args.k = 4;
    args.lda = args.ldb = args.ldc = 4;
    gemm(args);
    gemm_batch(args, 3, 16, 16, 16);
  }
}

TYPED_TEST(GemmTest, AlphaZeroDoesNotReadAAndB) {
  using T = TypeParam;
  std::mt19937 random(2);
  for (const int64_t size : {7, 150}) {
    Problem<T> problem(random, size, size, size, false, true, 1);
    std::fill(problem.a.begin(), problem.a.end(), nan_or_max<T>());
    problem.args.alpha = 0;
    problem.args.beta = 1;
    ASSERT_NO_FATAL_FAILURE(problem.check({&gemm<T>}));
  }
}

TYPED_TEST(GemmTest, BatchEqualsSingleProducts) {
  using T = TypeParam;
  std::mt19937 random(3);
  for (const auto& [size, batch] : {std::pair<int64_t, int64_t>{5, 7}, {40, 60}, {160, 3}}) {
    const int64_t area = size * size;
    Problem<T> problem(random, size * batch, size, size, false, false, 0);
    GemmArgs<T> args = problem.args;
    args.m = size;
    args.bias = problem.bias.data();
    std::vector<T> all(area * batch), one(area);
    args.c = all.data();
    gemm_batch(args, batch, area, 0, area);
    for (int64_t i = 0; i < batch; ++i) {
      args.a = problem.a.data() + i * area;
      args.c = one.data();
      gemm(args);
      ASSERT_EQ(std::memcmp(one.data(), all.data() + i * area, area * sizeof(T)), 0) << "product " << i;
    }
  }
}

template <class T>
class FloatGemmTest : public testing::Test {};
using FloatTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(FloatGemmTest, FloatTypes);

// Every combination of full and partial tiles, and every number of lanes.
TYPED_TEST(FloatGemmTest, AllTileEdges) {
  std::mt19937 random(4);
  for (int64_t m = 1; m <= 17; ++m) {
    for (int64_t n = 1; n <= 50; ++n) {
      for (const int64_t k : {1, 6, 17}) {
        const int trans = static_cast<int>((m + n) % 4);
        Problem<TypeParam> problem(random, m, n, k, trans / 2, trans % 2, n % 3);
        if (n % 2) problem.args.bias = problem.bias.data();
        if (m % 2) problem.args.beta = 1;
        else std::fill(problem.old.begin(), problem.old.end(), nan_or_max<TypeParam>());
        ASSERT_NO_FATAL_FAILURE(problem.check());
      }
    }
  }
}

// Shapes at which the ways part: blocks along k, packed and wide B, dot products, vectors, blocks for threads, oneDNN.
TYPED_TEST(FloatGemmTest, LargeShapes) {
  const int64_t shapes[][3] = {{10, 4, 120},  {3, 10, 120}, {120, 10, 3},   {5, 60, 600},   {70, 200, 257}, {3, 2100, 40}, {1, 3000, 30},
                               {1, 300, 300}, {300, 1, 90}, {2000, 2, 100}, {3, 4, 5000},   {130, 400, 33}, {200, 90, 150}, {20, 20, 6000}};
  std::mt19937 random(5);
  for (const auto& [m, n, k] : shapes) {
    for (int trans = 0; trans < 4; ++trans) {
      Problem<TypeParam> problem(random, m, n, k, trans / 2, trans % 2, 3);
      for (int variant = 0; variant < 3; ++variant) {
        problem.args.alpha = variant == 2 ? TypeParam(-0.5) : TypeParam(1);
        problem.args.beta = variant == 0 ? TypeParam(0) : variant == 1 ? TypeParam(1) : TypeParam(0.25);
        problem.args.bias = variant == 1 ? nullptr : problem.bias.data();
        problem.args.activation = variant == 1 ? Activation::kNone : Activation::kRelu;
        ASSERT_NO_FATAL_FAILURE(problem.check());
      }
    }
  }
}

// NaN in A or B reaches the result, through the activation too.
TYPED_TEST(FloatGemmTest, KeepsNaN) {
  std::mt19937 random(6);
  for (const int64_t size : {3, 20, 150}) {
    Problem<TypeParam> problem(random, size, size, size, false, false, 0);
    std::fill(problem.a.begin(), problem.a.begin() + size, nan_or_max<TypeParam>());
    problem.args.activation = Activation::kRelu;
    for (Gemm<TypeParam> implementation : implementations<TypeParam>()) {
      std::vector<TypeParam> c(size * size);
      problem.args.c = c.data();
      implementation(problem.args);
      for (int64_t i = 0; i < size * size; ++i) ASSERT_EQ(std::isnan(c[i]), i < size) << size << " at " << i;
    }
  }
}

// `count` elements that end (or begin) at a page that may not be touched.
template <class T>
class GuardedArray {
 public:
  GuardedArray(const std::vector<T>& values, bool at_end) {
    const size_t page = sysconf(_SC_PAGESIZE), bytes = values.size() * sizeof(T), body = (bytes + page - 1) / page * page;
    size_ = body + 2 * page;
    base_ = static_cast<char*>(mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    EXPECT_NE(base_, MAP_FAILED);
    EXPECT_EQ(mprotect(base_ + page, body, PROT_READ | PROT_WRITE), 0);
    data_ = reinterpret_cast<T*>(base_ + page + (at_end ? body - bytes : 0));
    std::copy(values.begin(), values.end(), data_);
  }
  ~GuardedArray() { munmap(base_, size_); }
  GuardedArray(const GuardedArray&) = delete;
  GuardedArray& operator=(const GuardedArray&) = delete;
  T* data() { return data_; }

 private:
  char* base_;
  size_t size_;
  T* data_;
};

TYPED_TEST(FloatGemmTest, TouchesNothingBesideTheOperands) {
  using T = TypeParam;
  std::mt19937 random(7);
  const int64_t shapes[][3] = {{1, 1, 1},  {3, 5, 7},   {8, 16, 4},  {120, 10, 4}, {120, 3, 10}, {10, 4, 120}, {3, 10, 120},
                               {9, 33, 5}, {1, 19, 23}, {19, 1, 23}, {2, 3, 70},   {17, 49, 9},  {70, 31, 13}, {65, 190, 190}};
  for (const auto& [m, n, k] : shapes) {
    for (int variant = 0; variant < 16; ++variant) {
      const bool at_end = variant & 1, beta = variant & 2;
      Problem<T> problem(random, m, n, k, variant & 4, variant & 8, 0);
      GuardedArray<T> a(problem.a, at_end), b(problem.b, at_end), bias(problem.bias, at_end);
      problem.args.a = a.data(), problem.args.b = b.data(), problem.args.bias = bias.data();
      problem.args.beta = beta ? T(1) : T(0);
      for (Gemm<T> implementation : implementations<T>()) {
        GuardedArray<T> c(problem.old, at_end);
        problem.args.c = c.data();
        implementation(problem.args);
        const Expected y = expected(problem.args, m - 1, n - 1, problem.old.back());
        ASSERT_NEAR(double(c.data()[m * n - 1]), y.value, y.tolerance) << describe(problem.args);
      }
    }
  }
}

TYPED_TEST(FloatGemmTest, AnyLeadingDimension) {
  using T = TypeParam;
  std::mt19937 random(8);
  for (const int64_t size : {2, 30, 150}) {
    for (int trans = 0; trans < 4; ++trans) {
      Problem<T> problem(random, size, size, size, trans / 2, trans % 2, 0);
      problem.args.lda = 0;  // all rows of A are the first one
      ASSERT_NO_FATAL_FAILURE(problem.check());
      problem.args.lda = -size;  // the rows of A from the last to the first
      problem.args.a = problem.a.data() + (size - 1) * size;
      problem.args.ldb = size - 1;  // overlapping rows
      ASSERT_NO_FATAL_FAILURE(problem.check());
    }
  }
  // Of a matrix with one row or column the leading dimension may be anything.
  for (const auto& [m, n, k] : {std::array<int64_t, 3>{1, 30, 20}, {30, 1, 20}, {30, 20, 1}, {1, 1, 9}, {1, 1500, 1500}}) {
    Problem<T> problem(random, m, n, k, false, false, 0);
    if (m == 1) problem.args.lda = 0, problem.args.ldc = n;
    if (k == 1) problem.args.ldb = 0;
    ASSERT_NO_FATAL_FAILURE(problem.check());
  }
}

// Operands for which products have been given wrong leading dimensions, and an output whose old content is NaN.
TYPED_TEST(FloatGemmTest, KnownExamples) {
  using T = TypeParam;
  const auto multiply = [](GemmArgs<T> args) {
    std::vector<T> c(args.m * args.n, std::numeric_limits<T>::quiet_NaN());
    args.c = c.data();
    args.ldc = args.n;
    gemm(args);
    return c;
  };
  const std::vector<T> ones(63, T(1));
  EXPECT_EQ(multiply({.m = 5, .n = 9, .k = 7, .a = ones.data(), .lda = 7, .b = ones.data(), .ldb = 9}), std::vector<T>(45, T(7)));

  const std::vector<T> counted = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const T* const c = counted.data();
  EXPECT_EQ(multiply({.m = 1, .n = 2, .k = 2, .trans_b = true, .a = c + 1, .lda = 2, .b = c + 3, .ldb = 0}), (std::vector<T>{11, 11}));
  EXPECT_EQ(multiply({.m = 2, .n = 2, .k = 3, .trans_a = true, .a = c + 1, .lda = 4, .b = c, .ldb = 2}),
            (std::vector<T>{46, 61, 52, 70}));
  EXPECT_EQ(multiply({.m = 1, .n = 2, .k = 1, .a = c + 1, .lda = 6, .b = c + 2, .ldb = 2}), (std::vector<T>{2, 3}));
  EXPECT_EQ(multiply({.m = 2, .n = 1, .k = 1, .a = c + 2, .lda = 1, .b = c + 1, .ldb = 6}), (std::vector<T>{2, 3}));
}

TEST(IntegerGemmTest, WrapsAround) {
  const int8_t a8[] = {100, 27}, b8[] = {100, 1};
  int8_t c8 = 0;
  gemm<int8_t>({.m = 1, .n = 1, .k = 2, .a = a8, .lda = 2, .b = b8, .ldb = 1, .c = &c8, .ldc = 1});
  EXPECT_EQ(c8, static_cast<int8_t>(10027 % 256));
  const int64_t a64[] = {std::numeric_limits<int64_t>::max()}, b64[] = {3};
  int64_t c64 = 0;
  gemm<int64_t>({.m = 1, .n = 1, .k = 1, .a = a64, .lda = 1, .b = b64, .ldb = 1, .c = &c64, .ldc = 1});
  EXPECT_EQ(c64, std::numeric_limits<int64_t>::max() - 2);
  const uint8_t a1[] = {200}, b1[] = {2};
  uint8_t c1 = 7;
  gemm<uint8_t>({.m = 1, .n = 1, .k = 1, .a = a1, .lda = 1, .b = b1, .ldb = 1, .c = &c1, .ldc = 1, .beta = 1});
  EXPECT_EQ(c1, (400 + 7) % 256);
}

class ThreadsTest : public testing::Test {
 protected:
  void TearDown() override { set_num_threads(threads_); }
  const int threads_ = get_num_threads();
};

TEST_F(ThreadsTest, ResultsOfOurKernelsDoNotDependOnTheirNumber) {
  std::mt19937 random(9);
  const int64_t shapes[][3] = {{300, 900, 20}, {4, 4000, 300}, {2000, 1, 900}, {500, 12, 400}, {257, 385, 130}};
  for (const auto& [m, n, k] : shapes) {
    for (int trans = 0; trans < 4; ++trans) {
      Problem<double> problem(random, m, n, k, trans / 2, trans % 2, 0);
      std::vector<double> first;
      for (const int threads : {1, 2, 3}) {
        set_num_threads(threads);
        std::vector<double> c(m * n);
        problem.args.c = c.data();
        gemm(problem.args);
        if (first.empty()) first = c;
        ASSERT_EQ(std::memcmp(first.data(), c.data(), c.size() * sizeof(double)), 0) << describe(problem.args) << ", " << threads;
      }
    }
  }
}

#if !defined(WICK_STD_THREADS)
TEST_F(ThreadsTest, OneDnnRunsInAForkedProcess) {
  std::mt19937 random(10);
  set_num_threads(2);
  Problem<float> problem(random, 200, 200, 200, false, false, 0);
  ASSERT_NO_FATAL_FAILURE(problem.check({&gemm<float>}));
  const auto child = [&] {
    alarm(20);
    problem.check({&gemm<float>});
    _exit(testing::Test::HasFailure() ? 1 : 0);
  };
  EXPECT_EXIT(child(), testing::ExitedWithCode(0), "");
}
#endif

}  // namespace
}  // namespace wick::cpu
