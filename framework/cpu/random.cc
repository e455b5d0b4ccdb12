#include "wick/framework/cpu/random.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <type_traits>
#include <utility>

#include "wick/framework/core/error.h"
#include "wick/framework/core/isa.h"
#include "wick/framework/cpu/random_kernels.h"

namespace wick::cpu {
namespace {

const RandomKernels& kernels() { return isa() == Isa::kAvx512 ? avx512::kRandomKernels : avx2::kRandomKernels; }

// Calls convert(words, out, count) for consecutive pieces of out[0 .. n), with kWords random words for each number of the piece. A
// number whose words lie in two blocks of the engine is a piece by itself.
template <int kWords, class T, class Convert>
void fill(Mt19937& engine, T* out, int64_t n, const Convert& convert) {
  while (n > 0) {
    if (engine.ready() == 0) engine.refill(kernels().next_block);
    int64_t count = std::min<int64_t>(n, engine.ready() / kWords);
    if (count > 0) {
      convert(engine.take(static_cast<int>(count) * kWords), out, count);
    } else {
      uint32_t words[kWords];
      for (uint32_t& word : words) word = engine();
      count = 1;
      convert(words, out, count);
    }
    out += count;
    n -= count;
  }
}

void uniform_unchecked(Mt19937& engine, float* out, int64_t n, float from, float to) {
  const auto convert = kernels().uniform_float;
  fill<1>(engine, out, n, [=](const uint32_t* words, float* piece, int64_t count) { convert(words, piece, count, from, to); });
}

void uniform_unchecked(Mt19937& engine, double* out, int64_t n, double from, double to) {
  const auto convert = kernels().uniform_double;
  fill<2>(engine, out, n, [=](const uint32_t* words, double* piece, int64_t count) { convert(words, piece, count, from, to); });
}

// out[i] = f(u, i) with u uniform on [0, 1) in U, float or double.
template <class U, class T, class F>
void fill_from_uniform(Mt19937& engine, T* out, int64_t n, const F& f) {
  constexpr int64_t kPiece = 256;
  U u[kPiece];
  for (int64_t begin = 0; begin < n; begin += kPiece) {
    const int64_t count = std::min(kPiece, n - begin);
    uniform_unchecked(engine, u, count, U(0), U(1));
    for (int64_t i = 0; i < count; ++i) out[begin + i] = f(u[i], begin + i);
  }
}

template <class T>
void uniform_checked(GeneratorImpl& generator, T* out, int64_t n, double from, double to, const char* dtype) {
  constexpr T kMax = std::numeric_limits<T>::max();
  WICK_CHECK(from >= std::numeric_limits<T>::lowest() && from <= kMax, "from is out of bounds for ", dtype);
  WICK_CHECK(to >= std::numeric_limits<T>::lowest() && to <= kMax, "to is out of bounds for ", dtype);
  WICK_CHECK(from <= to, "uniform_ expects to return a [from, to) range, but found from=", from, " > to=", to);
  WICK_CHECK(to - from <= kMax, "uniform_ expects to-from <= std::numeric_limits<", sizeof(T) == 4 ? "Float" : "Double",
             ">::max(), but found to=", to, " and from=", from, " which result in to-from to exceed the limit");
  uniform_unchecked(generator.engine(), out, n, static_cast<T>(from), static_cast<T>(to));
}

// A standard normal number; the second of each pair is kept in the generator.
double next_normal(GeneratorImpl& generator) {
  if (const auto kept = generator.next_double_normal_sample()) {
    generator.set_next_double_normal_sample(std::nullopt);
    return *kept;
  }
  const auto uniform53 = [&] { return static_cast<double>(generator.random64() & ((uint64_t{1} << 53) - 1)) * 0x1p-53; };
  const double angle = 2 * std::numbers::pi * uniform53();
  const double radius = std::sqrt(-2 * std::log1p(-uniform53()));
  generator.set_next_double_normal_sample(radius * std::sin(angle));
  return radius * std::cos(angle);
}

void normal_blocks(float* x, int64_t blocks, float mean, float std) { kernels().normal_blocks(x, blocks, mean, std); }

void normal_blocks(double* x, int64_t blocks, double mean, double std) {
  for (; blocks > 0; --blocks, x += 16) {
    for (int j = 0; j < 8; ++j) {
      const double radius = std::sqrt(-2 * std::log(1 - x[j]));
      const double angle = 2 * std::numbers::pi * x[j + 8];
      x[j] = std::fma(radius * std::cos(angle), std, mean);
      x[j + 8] = std::fma(radius * std::sin(angle), std, mean);
    }
  }
}

void check_std(double std) { WICK_CHECK(std >= 0, "normal expects std >= 0.0, but found std ", std); }

template <class T>
void normal_any(GeneratorImpl& generator, T* out, int64_t n, double mean, double std) {
  if (n < 16) return normal_pairs(generator, out, n, mean, std);
  check_std(std);
  uniform_unchecked(generator.engine(), out, n, T(0), T(1));
  normal_blocks(out, n / 16, static_cast<T>(mean), static_cast<T>(std));
  if (n % 16 != 0) {
    T* last = out + n - 16;
    uniform_unchecked(generator.engine(), last, 16, T(0), T(1));
    normal_blocks(last, 1, static_cast<T>(mean), static_cast<T>(std));
  }
}

// Through an integer, which the compiler makes of the comparison without a branch: no processor could predict it.
template <class T>
T zero_or_one(bool one) { return static_cast<T>(static_cast<uint8_t>(one)); }

template <class T, class P>
void bernoulli_each(GeneratorImpl& generator, T* out, int64_t n, const P* p) {
  const P* bad = std::find_if_not(p, p + n, [](P value) { return value >= 0 && value <= 1; });
  WICK_CHECK(bad == p + n, "Expected p_in >= 0 && p_in <= 1 to be true, but got false.\n  bernoulli: probability ", bad - p, " is ",
             *bad, ".");
  fill_from_uniform<P>(generator.engine(), out, n, [=](P u, int64_t i) { return zero_or_one<T>(u < p[i]); });
}

}  // namespace

void uniform(GeneratorImpl& g, float* out, int64_t n, double from, double to) { uniform_checked(g, out, n, from, to, "float"); }
void uniform(GeneratorImpl& g, double* out, int64_t n, double from, double to) { uniform_checked(g, out, n, from, to, "double"); }
void normal(GeneratorImpl& generator, float* out, int64_t n, double mean, double std) { normal_any(generator, out, n, mean, std); }
void normal(GeneratorImpl& generator, double* out, int64_t n, double mean, double std) { normal_any(generator, out, n, mean, std); }

template <class T>
void normal_pairs(GeneratorImpl& generator, T* out, int64_t n, double mean, double std) {
  check_std(std);
  for (int64_t i = 0; i < n; ++i) out[i] = static_cast<T>(std::fma(next_normal(generator), std, mean));
}

template <class T>
void log_normal(GeneratorImpl& generator, T* out, int64_t n, double mean, double std) {
  WICK_CHECK(std > 0, "log_normal_ expects std > 0.0, but found std=", std);
  for (int64_t i = 0; i < n; ++i) out[i] = static_cast<T>(std::exp(std::fma(next_normal(generator), std, mean)));
}

template <class T>
void exponential(GeneratorImpl& generator, T* out, int64_t n, double lambda) {
  WICK_CHECK(lambda > 0, "exponential_ expects lambda > 0.0, but found lambda=", lambda);
  fill_from_uniform<double>(generator.engine(), out, n,
                            [=](double u, int64_t) { return static_cast<T>(-1 / lambda * std::log1p(-u)); });
}

template <class T>
void cauchy(GeneratorImpl& generator, T* out, int64_t n, double median, double sigma) {
  WICK_CHECK(sigma > 0, "cauchy_ expects sigma > 0.0, but found sigma=", sigma);
  fill_from_uniform<double>(generator.engine(), out, n, [=](double u, int64_t) {
    return static_cast<T>(std::fma(sigma, std::tan(std::numbers::pi * (u - 0.5)), median));
  });
}

template <class T>
void geometric(GeneratorImpl& generator, T* out, int64_t n, double p) {
  WICK_CHECK(p > 0 && p < 1, "geometric_ expects p to be in (0, 1), but got p=", p);
  fill_from_uniform<double>(generator.engine(), out, n, [log_q = std::log1p(-p)](double u, int64_t) {
    const double trials = std::ceil(std::log(u) / log_q);
    if constexpr (std::is_floating_point_v<T>) return static_cast<T>(trials);
    // u = 0 gives infinity, which no integer type has; a small type takes the low bits.
    else return static_cast<T>(static_cast<int64_t>(std::min(trials, 0x1p62)));
  });
}

template <class T>
void bernoulli(GeneratorImpl& generator, T* out, int64_t n, double p) {
  WICK_CHECK(p >= 0 && p <= 1, "bernoulli_ expects p to be in [0, 1], but got p=", p);
  fill_from_uniform<double>(generator.engine(), out, n, [=](double u, int64_t) { return zero_or_one<T>(u < p); });
}

template <class T>
void bernoulli(GeneratorImpl& generator, T* out, int64_t n, const double* p) { bernoulli_each(generator, out, n, p); }

template <class T>
void bernoulli(GeneratorImpl& generator, T* out, int64_t n, const float* p) { bernoulli_each(generator, out, n, p); }

template <class T>
void random_from_to(GeneratorImpl& generator, T* out, int64_t n, uint64_t range, int64_t base) {
  const auto shifted = [base](uint64_t offset) { return static_cast<T>(static_cast<int64_t>(offset + static_cast<uint64_t>(base))); };
  if (range >= uint64_t{1} << 28) {
    for (int64_t i = 0; i < n; ++i) out[i] = shifted(generator.random64() % range);
  } else {
    const uint32_t range32 = static_cast<uint32_t>(range);
    for (int64_t i = 0; i < n; ++i) out[i] = shifted(generator.random() % range32);
  }
}

template <class T>
void random_full_range(GeneratorImpl& generator, T* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = static_cast<T>(static_cast<int64_t>(generator.random64()));
}

template <class T>
void random(GeneratorImpl& generator, T* out, int64_t n) {
  // The number of values: 2^digits of an integer type, one more of a floating-point type.
  constexpr uint64_t kRange = (uint64_t{1} << std::numeric_limits<T>::digits) + std::is_floating_point_v<T>;
  for (int64_t i = 0; i < n; ++i) {
    if constexpr (sizeof(T) == 8) out[i] = static_cast<T>(generator.random64() % kRange);
    else out[i] = static_cast<T>(generator.random() % static_cast<uint32_t>(kRange));
  }
}

void randperm(GeneratorImpl& generator, int64_t* out, int64_t n) {
  if (n < static_cast<int64_t>(std::numeric_limits<uint32_t>::max() / 20)) {
    for (int64_t i = 0; i < n; ++i) out[i] = i;
    for (int64_t i = 0; i < n - 1; ++i) std::swap(out[i], out[i + generator.random() % static_cast<uint32_t>(n - i)]);
    return;
  }
  // 32 bits would make some places of so large a range 5 % likelier than others.
  for (int64_t i = 0; i < n; ++i) {
    const int64_t j = static_cast<int64_t>(generator.random64() % static_cast<uint64_t>(i + 1));
    out[i] = i;
    std::swap(out[i], out[j]);
  }
}

#define WICK_FOR_FLOATING(T)                                                         \
  template void normal_pairs<T>(GeneratorImpl&, T*, int64_t, double, double);        \
  template void log_normal<T>(GeneratorImpl&, T*, int64_t, double, double);          \
  template void exponential<T>(GeneratorImpl&, T*, int64_t, double);                 \
  template void cauchy<T>(GeneratorImpl&, T*, int64_t, double, double);
WICK_FOR_FLOATING(float)
WICK_FOR_FLOATING(double)

#define WICK_FOR_ANY(T)                                                              \
  template void bernoulli<T>(GeneratorImpl&, T*, int64_t, double);                   \
  template void bernoulli<T>(GeneratorImpl&, T*, int64_t, const double*);            \
  template void bernoulli<T>(GeneratorImpl&, T*, int64_t, const float*);             \
  template void random_from_to<T>(GeneratorImpl&, T*, int64_t, uint64_t, int64_t);   \
  template void random_full_range<T>(GeneratorImpl&, T*, int64_t);           \
  template void random<T>(GeneratorImpl&, T*, int64_t);
#define WICK_FOR_NUMBER(T) \
  WICK_FOR_ANY(T)          \
  template void geometric<T>(GeneratorImpl&, T*, int64_t, double);
WICK_FOR_ANY(bool)
WICK_FOR_NUMBER(uint8_t)
WICK_FOR_NUMBER(int8_t)
WICK_FOR_NUMBER(int16_t)
WICK_FOR_NUMBER(int32_t)
WICK_FOR_NUMBER(int64_t)
WICK_FOR_NUMBER(float)
WICK_FOR_NUMBER(double)

}  // namespace wick::cpu
