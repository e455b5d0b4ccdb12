// The random kernels: four or two numbers to a counter of Philox4x32-10. A call of n numbers takes ceil(n / 4) counters, or ceil(n / 2)
// where numbers need 64 bits; which number gets which bits depends on its place alone.
#include "wick/framework/cuda/install.h"
#include "wick/framework/cuda/kernels/convert.cuh"
#include "wick/framework/cuda/kernels/launch.h"
#include "wick/framework/cuda/kernels/sort.cuh"
#include "wick/framework/cuda/runtime/generator.h"
#include "wick/framework/cuda/runtime/scratch.h"
#include "wick/framework/cuda/stream.h"
#include "wick/framework/math/scalar.h"
#include "wick/framework/plan/random.h"

namespace wick::cuda {
namespace {

struct Bits {
  uint32_t x[4];
};

__device__ inline Bits philox(uint64_t seed, uint64_t counter) {
  constexpr uint32_t kMultiplier0 = 0xd2511f53, kMultiplier1 = 0xcd9e8d57, kWeyl0 = 0x9e3779b9, kWeyl1 = 0xbb67ae85;
  Bits c{{static_cast<uint32_t>(counter), static_cast<uint32_t>(counter >> 32), 0, 0}};
  uint32_t key0 = static_cast<uint32_t>(seed), key1 = static_cast<uint32_t>(seed >> 32);
  for (int round = 0; round < 10; ++round) {
    const uint64_t product0 = static_cast<uint64_t>(kMultiplier0) * c.x[0], product1 = static_cast<uint64_t>(kMultiplier1) * c.x[2];
    c = Bits{{static_cast<uint32_t>(product1 >> 32) ^ c.x[1] ^ key0, static_cast<uint32_t>(product1),
              static_cast<uint32_t>(product0 >> 32) ^ c.x[3] ^ key1, static_cast<uint32_t>(product0)}};
    key0 += kWeyl0;
    key1 += kWeyl1;
  }
  return c;
}

// ---- From bits to numbers --------------------------------------------------------------------------------------------------------------

__device__ inline uint64_t bits64(const Bits& bits, int j) { return static_cast<uint64_t>(bits.x[2 * j]) << 32 | bits.x[2 * j + 1]; }

// In [0, 1): a multiple of 2^-24 or of 2^-53.
template <class T>
__device__ inline T unit(const Bits& bits, int j) {
  if constexpr (std::is_same_v<T, float>) return static_cast<float>(bits.x[j] >> 8) * 0x1p-24f;
  else return static_cast<double>(bits64(bits, j) >> 11) * 0x1p-53;
}

struct DrawCall {
  void* y;
  const void* probabilities;
  ScalarType dtype, probability_dtype;
  int64_t n;
  double a, b;
  int64_t base;
  uint64_t range;
  RandomSource source;
};

template <class T>
inline constexpr int kNumbers = sizeof(T) == 4 ? 4 : 2;  // to a counter

// Each distribution: the type that it computes in, and draw(call, bits, y, first), which gives the kNumbers<T> numbers from `first` on.
template <class C>
struct Uniform {
  using T = C;
  __device__ static void draw(const DrawCall& call, const Bits& bits, T* y, int64_t) {
    const T from = static_cast<T>(call.a), to = static_cast<T>(call.b);
    for (int j = 0; j < kNumbers<T>; ++j) {
      y[j] = math::fma(unit<T>(bits, j), to - from, from);
      // In the dtype of the output a number may round up to the bound that does not belong to the range.
      T stored = y[j], bound = to;
      if (call.dtype == kHalf) stored = T(float(Half(float(stored)))), bound = T(float(Half(float(bound))));
      if (call.dtype == kBFloat16) stored = T(float(BFloat16(float(stored)))), bound = T(float(BFloat16(float(bound))));
      if (stored >= bound) y[j] = from;
    }
  }
};

// Box and Muller's transform: two normal numbers from two uniform ones.
template <class C>
struct Normal {
  using T = C;
  __device__ static void draw(const DrawCall& call, const Bits& bits, T* y, int64_t) {
    constexpr T kTwoPi = T(6.283185307179586476925);
    for (int j = 0; j < kNumbers<T>; j += 2) {
      const T radius = math::sqrt(T(-2) * math::log(T(1) - unit<T>(bits, j))), angle = kTwoPi * unit<T>(bits, j + 1);
      y[j] = radius * math::cos(angle) * static_cast<T>(call.b) + static_cast<T>(call.a);
      y[j + 1] = radius * math::sin(angle) * static_cast<T>(call.b) + static_cast<T>(call.a);
    }
  }
};

// y = f(u), u uniform in [0, 1).
template <class C, class F>
struct Transformed {
  using T = C;
  __device__ static void draw(const DrawCall& call, const Bits& bits, T* y, int64_t) {
    for (int j = 0; j < kNumbers<T>; ++j) y[j] = F::apply(call, unit<T>(bits, j));
  }
};
struct ToExponential {
  template <class T>
  __device__ static T apply(const DrawCall& call, T u) { return -math::log1p(-u) / static_cast<T>(call.a); }
};
struct ToCauchy {
  template <class T>
  __device__ static T apply(const DrawCall& call, T u) {
    constexpr T kPi = T(3.141592653589793238463);
    return static_cast<T>(call.a) + static_cast<T>(call.b) * math::tan(kPi * (u - T(0.5)));
  }
};
struct ToGeometric {
  template <class T>
  __device__ static T apply(const DrawCall& call, T u) {
    return math::max(math::ceil(math::log1p(-u) / static_cast<T>(::log1p(-call.a))), T(1));
  }
};

template <class C>
struct LogNormal {
  using T = C;
  __device__ static void draw(const DrawCall& call, const Bits& bits, T* y, int64_t first) {
    Normal<T>::draw(call, bits, y, first);
    for (int j = 0; j < kNumbers<T>; ++j) y[j] = math::exp(y[j]);
  }
};

// 1 with a probability: 32 bits decide.
struct Bernoulli {
  using T = float;
  __device__ static void draw(const DrawCall& call, const Bits& bits, T* y, int64_t first) {
    for (int j = 0; j < 4; ++j) {
      double p = call.a;
      if (call.probabilities && first + j < call.n) p = load_as<double>(call.probabilities, call.probability_dtype, first + j);
      y[j] = static_cast<double>(bits.x[j]) * 0x1p-32 < p ? 1.0f : 0.0f;
    }
  }
};

struct FromTo {
  using T = int64_t;
  __device__ static void draw(const DrawCall& call, const Bits& bits, T* y, int64_t) {
    for (int j = 0; j < 2; ++j) {
      const uint64_t number = call.range == 0 ? bits64(bits, j) : bits64(bits, j) % call.range;
      y[j] = static_cast<int64_t>(static_cast<uint64_t>(call.base) + number);
    }
  }
};

template <class D>
__global__ void __launch_bounds__(256) draw(const __grid_constant__ DrawCall call) {
  using T = typename D::T;
  const int64_t step = static_cast<int64_t>(blockIdx.x) * 256 + threadIdx.x, first = step * kNumbers<T>;
  if (first >= call.n) return;
  const uint64_t seed = call.source.state ? call.source.state->seed : call.source.value.seed;
  const uint64_t offset = call.source.value.offset + (call.source.state ? call.source.state->offset : 0);
  T y[kNumbers<T>];
  D::draw(call, philox(seed, offset + static_cast<uint64_t>(step)), y, first);
  for (int j = 0; j < kNumbers<T>; ++j) {
    if (first + j < call.n) store_as(call.y, call.dtype, first + j, y[j]);
  }
}

__global__ void set_state(PhiloxState* state, PhiloxState value) { *state = value; }

// ---- Launching -------------------------------------------------------------------------------------------------------------------------

template <class D>
void draw_as(const RandomArgs& args) {
  if (args.n == 0) return;
  constexpr int kEach = kNumbers<typename D::T>;
  const int64_t steps = (args.n + kEach - 1) / kEach;
  DrawCall call{args.buffers[0].data, args.buffers[1].data, args.dtype, args.probability_dtype, args.n, args.a, args.b, args.base,
                args.range, RandomSource::take(static_cast<uint64_t>(steps))};
  launch<draw<D>>({dim3(static_cast<unsigned>((steps + 255) / 256)), dim3(256), 0, current_stream()}, call);
}

// PyTorch's name of the kernel, for its sentence.
[[noreturn]] void unsupported(const char* name, ScalarType dtype) {
  wick::detail::raise<NotImplementedError>("\"", name, "\" not implemented for '", dtype, "'");
}

template <template <class> class D>
void draw_floating(const RandomArgs& args, const char* name) {
  if (!is_floating(args.dtype)) unsupported(name, args.dtype);
  args.dtype == kDouble ? draw_as<D<double>>(args) : draw_as<D<float>>(args);
}
template <class T>
using Exponential = Transformed<T, ToExponential>;
template <class T>
using Cauchy = Transformed<T, ToCauchy>;

void check_parameters(bool valid, const char* text, double value) { WICK_CHECK(valid, text, value); }

void run_uniform(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const RandomArgs*>(raw_args);
  WICK_CHECK(args.a <= args.b, "uniform_ expects to return a [from, to) range, but found from=", args.a, " > to=", args.b);
  draw_floating<Uniform>(args, "check_uniform_bounds");
}

void run_normal(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const RandomArgs*>(raw_args);
  check_parameters(args.b >= 0, "normal expects std >= 0.0, but found std ", args.b);
  draw_floating<Normal>(args, "normal_kernel_cuda");
}

void run_log_normal(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const RandomArgs*>(raw_args);
  check_parameters(args.b > 0, "log_normal_ expects std > 0.0, but found std=", args.b);
  draw_floating<LogNormal>(args, "log_normal_cuda");
}

void run_cauchy(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const RandomArgs*>(raw_args);
  check_parameters(args.b > 0, "cauchy_ expects sigma > 0.0, but found sigma=", args.b);
  draw_floating<Cauchy>(args, "cauchy_cuda");
}

void run_exponential(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const RandomArgs*>(raw_args);
  check_parameters(args.a > 0, "exponential_ expects lambda > 0.0, but found lambda=", args.a);
  draw_floating<Exponential>(args, "exponential_cuda");
}

void run_geometric(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const RandomArgs*>(raw_args);
  check_parameters(args.a > 0 && args.a < 1, "geometric_ expects p to be in (0, 1), but got p=", args.a);
  if (args.dtype == kBool) unsupported("geometric_cuda", args.dtype);
  draw_as<Transformed<double, ToGeometric>>(args);
}

void run_bernoulli(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const RandomArgs*>(raw_args);
  check_parameters(args.buffers[1].data || (args.a >= 0 && args.a <= 1), "bernoulli_ expects p to be in [0, 1], but got p=", args.a);
  draw_as<Bernoulli>(args);
}

void run_from_to(const KernelInfo&, const void* raw_args) { draw_as<FromTo>(*static_cast<const RandomArgs*>(raw_args)); }

void run_full_range(const KernelInfo&, const void* raw_args) {
  RandomArgs args = *static_cast<const RandomArgs*>(raw_args);
  args.base = 0;
  args.range = 0;
  draw_as<FromTo>(args);
}

// The integers that a dtype has without a gap; all that are not negative of an integer type.
void run_default(const KernelInfo&, const void* raw_args) {
  RandomArgs args = *static_cast<const RandomArgs*>(raw_args);
  args.base = 0;
  switch (args.dtype) {
    case kHalf: args.range = (1 << 11) + 1; break;
    case kBFloat16: args.range = (1 << 8) + 1; break;
    case kFloat: args.range = (1 << 24) + 1; break;
    case kDouble: args.range = (uint64_t{1} << 53) + 1; break;
    case kBool: args.range = 2; break;
    case kByte: args.range = 256; break;
    default: args.range = uint64_t{1} << (8 * element_size(args.dtype) - 1);
  }
  draw_as<FromTo>(args);
}

// The order of random keys.
void run_randperm(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const RandomArgs*>(raw_args);
  if (args.n == 0) return;
  const cudaStream_t stream = current_stream();
  const Scratch keys(static_cast<size_t>(args.n) * 8, stream), scratch(sort_scratch(1, args.n), stream);
  RandomArgs draw = args;
  draw.buffers[0].data = keys.as<void>();
  draw.dtype = kLong;
  draw.base = 0;
  draw.range = 0;
  draw_as<FromTo>(draw);
  const SortedRows sorted = sort_rows(keys.as<uint64_t>(), 1, args.n, scratch.as<void>(), stream);
  const auto bytes = static_cast<size_t>(args.n) * 8;
  check(cudaMemcpyAsync(args.buffers[0].data, sorted.places, bytes, cudaMemcpyDeviceToDevice, stream), "randperm");
}

}  // namespace

void set_philox_state(PhiloxState* state, PhiloxState value, cudaStream_t stream) {
  launch<set_state>({dim3(1), dim3(1), 0, stream}, state, value);
}

void install_random() {
  uniform_kernel.cuda = run_uniform;
  normal_kernel.cuda = run_normal;
  normal_pairs_kernel.cuda = run_normal;
  log_normal_kernel.cuda = run_log_normal;
  cauchy_kernel.cuda = run_cauchy;
  exponential_kernel.cuda = run_exponential;
  geometric_kernel.cuda = run_geometric;
  bernoulli_kernel.cuda = run_bernoulli;
  bernoulli_each_kernel.cuda = run_bernoulli;
  random_from_to_kernel.cuda = run_from_to;
  random_full_range_kernel.cuda = run_full_range;
  random_default_kernel.cuda = run_default;
  randperm_kernel.cuda = run_randperm;
}

}  // namespace wick::cuda
