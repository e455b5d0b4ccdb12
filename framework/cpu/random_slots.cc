// The random kernels on the CPU: cpu/random.h behind the door, for every dtype.
#include "wick/framework/plan/random.h"

#include <algorithm>
#include <memory>

#include "wick/framework/core/dtype.h"
#include "wick/framework/cpu/random.h"

namespace wick {
namespace {

// What numbers for a T are drawn as: the half types from float.
template <class T>
inline constexpr bool kIsHalf = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;
template <class T>
using Drawn = std::conditional_t<kIsHalf<T>, float, T>;

// draw(out, n) for a T; a half type is drawn elsewhere first, and converted.
template <class T, class Draw>
void fill(T* out, int64_t n, const Draw& draw) {
  if constexpr (kIsHalf<T>) {
    const auto drawn = std::make_unique_for_overwrite<float[]>(static_cast<size_t>(n));
    draw(drawn.get(), n);
    std::transform(drawn.get(), drawn.get() + n, out, [](float x) { return T(x); });
  } else {
    draw(out, n);
  }
}

[[noreturn]] void unsupported(const char* name, ScalarType dtype) {
  detail::raise<NotImplementedError>("\"", name, "\" not implemented for '", dtype, "'");
}

// Locks the generator and fills the output by draw(generator, out, n), in the output's type. `name` is what PyTorch calls the kernel.
enum class Types { kAll, kNotBool, kFloating };
template <Types types, class Draw>
void run(const RandomArgs& args, const char* name, const Draw& draw) {
  std::lock_guard<std::mutex> lock(args.generator->mutex());
  dispatch_dtype(args.dtype, name, [&]<class T>() {
    constexpr bool kFloating = kIsHalf<T> || std::is_floating_point_v<T>;
    if constexpr (kFloating || types == Types::kAll || (types == Types::kNotBool && !std::is_same_v<T, bool>)) {
      fill(args.buffers[0].as<T>(), args.n, [&](Drawn<T>* out, int64_t n) { draw(*args.generator, out, n); });
    } else {
      unsupported(name, args.dtype);
    }
  });
}

// A float that rounds up to the upper bound in a half type becomes the lower one, which belongs to the range.
template <class T>
void keep_below(T* x, int64_t n, double from, double to) {
  const T first(static_cast<float>(from)), end(static_cast<float>(to));
  std::replace_if(x, x + n, [end](T value) { return static_cast<float>(value) == static_cast<float>(end); }, first);
}

void run_uniform(const RandomArgs& args) {
  run<Types::kFloating>(args, "check_uniform_bounds", [&](auto& g, auto* out, int64_t n) { cpu::uniform(g, out, n, args.a, args.b); });
  if (args.dtype == kHalf) keep_below(args.buffers[0].as<Half>(), args.n, args.a, args.b);
  if (args.dtype == kBFloat16) keep_below(args.buffers[0].as<BFloat16>(), args.n, args.a, args.b);
}

// A kernel that is a call of cpu/random.h.
#define WICK_RUN(name, types, kernel_name, ...) \
  void run_##name(const RandomArgs& args) {     \
    run<Types::types>(args, kernel_name, [&](auto& g, auto* out, int64_t n) { cpu::name(g, out, n __VA_OPT__(, ) __VA_ARGS__); }); \
  }
WICK_RUN(normal_pairs, kFloating, "normal_kernel_cpu", args.a, args.b)
WICK_RUN(log_normal, kFloating, "log_normal_cpu", args.a, args.b)
WICK_RUN(cauchy, kFloating, "cauchy_cpu", args.a, args.b)
WICK_RUN(exponential, kFloating, "exponential_cpu", args.a)
WICK_RUN(geometric, kNotBool, "geometric_cpu", args.a)
WICK_RUN(bernoulli, kAll, "bernoulli_scalar_cpu_", args.a)
WICK_RUN(random_from_to, kAll, "random_from_to_kernel_cpu", args.range, args.base)
WICK_RUN(random_full_range, kAll, "random_full_64_bits_range_kernel_cpu")
WICK_RUN(random, kAll, "random_kernel_cpu")

void run_normal(const RandomArgs& args) {
  if (args.n < 16) return run_normal_pairs(args);
  const auto draw = [&](auto& g, auto* out, int64_t n) { cpu::normal(g, out, n, args.a, args.b); };
  const bool half = args.dtype == kHalf || args.dtype == kBFloat16;
  if (!half || args.n % 16 == 0) return run<Types::kFloating>(args, "normal_kernel_cpu", draw);
  // Of a half type PyTorch draws whole blocks only, and then the last 16 places once more.
  RandomArgs part = args;
  part.n = args.n / 16 * 16;
  run<Types::kFloating>(part, "normal_kernel_cpu", draw);
  part.n = 16;
  part.buffers[0].data = args.buffers[0].as<char>() + (args.n - 16) * element_size(args.dtype);
  run<Types::kFloating>(part, "normal_kernel_cpu", draw);
}

template <class P>
void run_bernoulli_each_of(const RandomArgs& args) {
  const P* p = args.buffers[1].as<const P>();
  run<Types::kAll>(args, "bernoulli_tensor_cpu_self_", [&](auto& g, auto* out, int64_t n) { cpu::bernoulli(g, out, n, p); });
}
void run_bernoulli_each(const RandomArgs& args) {
  args.probability_dtype == kDouble ? run_bernoulli_each_of<double>(args) : run_bernoulli_each_of<float>(args);
}

void run_random_default(const RandomArgs& args) {
  if (args.dtype == kHalf || args.dtype == kBFloat16) {  // the integers that the type has without a gap
    RandomArgs bounded = args;
    bounded.base = 0;
    bounded.range = args.dtype == kHalf ? (1 << 11) + 1 : (1 << 8) + 1;
    return run_random_from_to(bounded);
  }
  run_random(args);
}

void run_randperm(const RandomArgs& args) {
  std::lock_guard<std::mutex> lock(args.generator->mutex());
  cpu::randperm(*args.generator, args.buffers[0].as<int64_t>(), args.n);
}

}  // namespace

#define WICK_RANDOM_SLOT(name) \
  constinit Kernel<RandomArgs> name##_kernel = Kernel<RandomArgs>::make<run_##name, run_##name>(#name);
WICK_RANDOM_KERNELS(WICK_RANDOM_SLOT)

}  // namespace wick
