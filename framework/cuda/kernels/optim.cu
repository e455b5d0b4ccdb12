// Optimiser steps: one launch updates all tensors of a call. The numbers of the group and the steps are read on the device.
#include "wick/framework/cuda/install.h"
#include "wick/framework/cuda/kernels/launch.h"
#include "wick/framework/cuda/stream.h"
#include "wick/framework/math/scalar.h"
#include "wick/framework/plan/optim.h"

namespace wick::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int64_t kPerBlock = 4096;  // elements of a tensor that a block updates

// How many steps the tensor has seen, for the block's first thread. All blocks of a tensor must read the number before one counts it up,
// and nobody may wait: each block adds one to the upper bits, where the last to come finds all others, and writes the next number.
__device__ inline int64_t read_and_count(int64_t* step, unsigned blocks) {
  constexpr int kShift = 40;
  auto* const word = reinterpret_cast<unsigned long long*>(step);
  const unsigned long long before = atomicAdd(word, 1ull << kShift);
  const unsigned long long number = before & ((1ull << kShift) - 1);
  if (before >> kShift == blocks - 1) atomicExch(word, number + 1);
  return static_cast<int64_t>(number);
}

// The elements of the tensor that this block has to do.
struct Range {
  int64_t begin, end;

  template <class Args>
  __device__ Range(const Args& args, int t) : begin(blockIdx.x * kPerBlock), end(begin + kPerBlock) {
    if (end > args.numel[t]) end = args.numel[t];
  }
};

// A tensor without elements still counts its steps.
__device__ inline unsigned blocks_of(int64_t numel) { return numel == 0 ? 1 : static_cast<unsigned>((numel + kPerBlock - 1) / kPerBlock); }

template <class Args>
__device__ inline const double* numbers_of(const Args& args) { return static_cast<const double*>(args.buffers[0].data); }
template <class Args>
__device__ inline void* role(const Args& args, int t, int r) { return args.buffers[1 + t * Args::kNumRoles + r].data; }

// ---- SGD ---------------------------------------------------------------------------------------------------------------------------

template <class T>
__global__ void __launch_bounds__(kThreads) sgd(const __grid_constant__ SgdArgs args) {
  __shared__ bool first_step;
  const int t = static_cast<int>(blockIdx.y);
  const unsigned blocks = blocks_of(args.numel[t]);
  if (blockIdx.x >= blocks) return;
  T* const param = static_cast<T*>(role(args, t, SgdArgs::kParam));
  const T* const grad = static_cast<const T*>(role(args, t, SgdArgs::kGrad));
  T* const buffer = static_cast<T*>(role(args, t, SgdArgs::kMomentumBuffer));
  if (buffer) {
    if (threadIdx.x == 0) first_step = read_and_count(static_cast<int64_t*>(role(args, t, SgdArgs::kStep)), blocks) == 0;
    __syncthreads();
  }
  const double* const numbers = numbers_of(args);
  const T minus_lr = static_cast<T>(-numbers[SgdArgs::kLr]), momentum = static_cast<T>(numbers[SgdArgs::kMomentum]);
  const T share = buffer && first_step ? T(1) : static_cast<T>(1 - numbers[SgdArgs::kDampening]);
  const T weight_decay = static_cast<T>(numbers[SgdArgs::kWeightDecay]);
  const bool decays = numbers[SgdArgs::kWeightDecay] != 0;
  const Range range(args, t);
  for (int64_t i = range.begin + threadIdx.x; i < range.end; i += kThreads) {
    const T p = param[i];
    T g = args.maximize ? -grad[i] : grad[i];
    if (decays) g = math::fma(p, weight_decay, g);
    if (buffer) {
      const T b = math::fma(g, share, momentum * buffer[i]);
      buffer[i] = b;
      g = args.nesterov ? math::fma(b, momentum, g) : b;
    }
    param[i] = math::fma(g, minus_lr, p);
  }
}

// ---- Adam --------------------------------------------------------------------------------------------------------------------------

template <class T>
__global__ void __launch_bounds__(kThreads) adam(const __grid_constant__ AdamArgs args) {
  __shared__ double corrections[2];  // of the step size, and of the root of the second moment
  const int t = static_cast<int>(blockIdx.y);
  const unsigned blocks = blocks_of(args.numel[t]);
  if (blockIdx.x >= blocks) return;
  const double* const numbers = numbers_of(args);
  const double lr = numbers[AdamArgs::kLr], beta1 = numbers[AdamArgs::kBeta1], beta2 = numbers[AdamArgs::kBeta2];
  if (threadIdx.x == 0) {
    const double n = static_cast<double>(read_and_count(static_cast<int64_t*>(role(args, t, AdamArgs::kStep)), blocks) + 1);
    corrections[0] = lr / (1 - math::pow(beta1, n));
    corrections[1] = math::sqrt(1 - math::pow(beta2, n));
  }
  __syncthreads();
  T* const param = static_cast<T*>(role(args, t, AdamArgs::kParam));
  const T* const grad = static_cast<const T*>(role(args, t, AdamArgs::kGrad));
  T* const exp_avg = static_cast<T*>(role(args, t, AdamArgs::kExpAvg));
  T* const exp_avg_sq = static_cast<T*>(role(args, t, AdamArgs::kExpAvgSq));
  T* const largest = static_cast<T*>(role(args, t, AdamArgs::kMaxExpAvgSq));
  const double decay = numbers[AdamArgs::kWeightDecay];
  const bool shrinks = decay != 0 && args.decoupled_decay, decays = decay != 0 && !args.decoupled_decay;
  const T shrink = static_cast<T>(1 - lr * decay), weight_decay = static_cast<T>(decay), eps = static_cast<T>(numbers[AdamArgs::kEps]);
  // An interpolation from the nearer end, so that beta1 = 0 gives the gradient itself.
  const bool from_grad = 1 - beta1 >= 0.5;
  const T weight = static_cast<T>(from_grad ? -beta1 : 1 - beta1), keep = static_cast<T>(beta2), share = static_cast<T>(1 - beta2);
  const T minus_step = static_cast<T>(-corrections[0]), second_root = static_cast<T>(corrections[1]);
  const Range range(args, t);
  for (int64_t i = range.begin + threadIdx.x; i < range.end; i += kThreads) {
    T p = param[i], g = args.maximize ? -grad[i] : grad[i];
    if (decays) g = math::fma(p, weight_decay, g);
    if (shrinks) p *= shrink;
    T m = exp_avg[i];
    m = math::fma(weight, g - m, from_grad ? g : m);
    exp_avg[i] = m;
    T v = math::fma(share * g, g, keep * exp_avg_sq[i]);
    exp_avg_sq[i] = v;
    if (largest) largest[i] = v = math::max(largest[i], v);
    param[i] = p + minus_step * m / (math::sqrt(v) / second_root + eps);
  }
}

// ---- Adagrad -----------------------------------------------------------------------------------------------------------------------

template <class T>
__global__ void __launch_bounds__(kThreads) adagrad(const __grid_constant__ AdagradArgs args) {
  __shared__ double rate;
  const int t = static_cast<int>(blockIdx.y);
  const unsigned blocks = blocks_of(args.numel[t]);
  if (blockIdx.x >= blocks) return;
  const double* const numbers = numbers_of(args);
  if (threadIdx.x == 0) {
    const double steps = static_cast<double>(read_and_count(static_cast<int64_t*>(role(args, t, AdagradArgs::kStep)), blocks));
    rate = numbers[AdagradArgs::kLr] / (1 + steps * numbers[AdagradArgs::kLrDecay]);
  }
  __syncthreads();
  T* const param = static_cast<T*>(role(args, t, AdagradArgs::kParam));
  const T* const grad = static_cast<const T*>(role(args, t, AdagradArgs::kGrad));
  T* const sum = static_cast<T*>(role(args, t, AdagradArgs::kSum));
  const T minus_lr = static_cast<T>(-rate), eps = static_cast<T>(numbers[AdagradArgs::kEps]);
  const T weight_decay = static_cast<T>(numbers[AdagradArgs::kWeightDecay]);
  const bool decays = numbers[AdagradArgs::kWeightDecay] != 0;
  const Range range(args, t);
  for (int64_t i = range.begin + threadIdx.x; i < range.end; i += kThreads) {
    const T p = param[i];
    T g = args.maximize ? -grad[i] : grad[i];
    if (decays) g = math::fma(p, weight_decay, g);
    const T s = math::fma(g, g, sum[i]);
    sum[i] = s;
    param[i] = p + minus_lr * g / (math::sqrt(s) + eps);
  }
}

// ---- RMSprop -----------------------------------------------------------------------------------------------------------------------

template <class T>
__global__ void __launch_bounds__(kThreads) rmsprop(const __grid_constant__ RmspropArgs args) {
  const int t = static_cast<int>(blockIdx.y);
  const unsigned blocks = blocks_of(args.numel[t]);
  if (blockIdx.x >= blocks) return;
  if (threadIdx.x == 0) read_and_count(static_cast<int64_t*>(role(args, t, RmspropArgs::kStep)), blocks);
  T* const param = static_cast<T*>(role(args, t, RmspropArgs::kParam));
  const T* const grad = static_cast<const T*>(role(args, t, RmspropArgs::kGrad));
  T* const square_avg = static_cast<T*>(role(args, t, RmspropArgs::kSquareAvg));
  T* const grad_avg = static_cast<T*>(role(args, t, RmspropArgs::kGradAvg));
  T* const buffer = static_cast<T*>(role(args, t, RmspropArgs::kMomentumBuffer));
  const double* const numbers = numbers_of(args);
  const double alpha = numbers[RmspropArgs::kAlpha], decay = numbers[RmspropArgs::kWeightDecay];
  const T minus_lr = static_cast<T>(-numbers[RmspropArgs::kLr]), momentum = static_cast<T>(numbers[RmspropArgs::kMomentum]);
  const T eps = static_cast<T>(numbers[RmspropArgs::kEps]), weight_decay = static_cast<T>(decay);
  const bool from_grad = 1 - alpha >= 0.5;
  const T weight = static_cast<T>(from_grad ? -alpha : 1 - alpha), keep = static_cast<T>(alpha), share = static_cast<T>(1 - alpha);
  const Range range(args, t);
  for (int64_t i = range.begin + threadIdx.x; i < range.end; i += kThreads) {
    const T p = param[i];
    T g = args.maximize ? -grad[i] : grad[i];
    if (decay != 0) g = math::fma(p, weight_decay, g);
    T v = math::fma(share * g, g, keep * square_avg[i]);
    square_avg[i] = v;
    if (grad_avg) {
      T m = grad_avg[i];
      m = math::fma(weight, g - m, from_grad ? g : m);
      grad_avg[i] = m;
      v = math::fma(-m, m, v);
    }
    const T scale = math::sqrt(v) + eps;
    if (buffer) {
      const T b = math::fma(momentum, buffer[i], g / scale);
      buffer[i] = b;
      param[i] = math::fma(b, minus_lr, p);
    } else {
      param[i] = p + minus_lr * g / scale;
    }
  }
}

// ---- Launching ---------------------------------------------------------------------------------------------------------------------

template <class Args>
Grid grid_of(const Args& args) {
  int64_t largest = 1;
  for (int t = 0; t < args.count; ++t) largest = args.numel[t] > largest ? args.numel[t] : largest;
  return {dim3(static_cast<unsigned>((largest + kPerBlock - 1) / kPerBlock), static_cast<unsigned>(args.count)), dim3(kThreads), 0,
          current_stream()};
}

void run_sgd(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const SgdArgs*>(raw_args);
  if (args.dtype == kFloat) launch<sgd<float>>(grid_of(args), args);
  else launch<sgd<double>>(grid_of(args), args);
}

void run_adam(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const AdamArgs*>(raw_args);
  if (args.dtype == kFloat) launch<adam<float>>(grid_of(args), args);
  else launch<adam<double>>(grid_of(args), args);
}

void run_adagrad(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const AdagradArgs*>(raw_args);
  if (args.dtype == kFloat) launch<adagrad<float>>(grid_of(args), args);
  else launch<adagrad<double>>(grid_of(args), args);
}

void run_rmsprop(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const RmspropArgs*>(raw_args);
  if (args.dtype == kFloat) launch<rmsprop<float>>(grid_of(args), args);
  else launch<rmsprop<double>>(grid_of(args), args);
}

}  // namespace

void install_optim() {
  sgd_kernel.cuda = run_sgd;
  adam_kernel.cuda = run_adam;
  adagrad_kernel.cuda = run_adagrad;
  rmsprop_kernel.cuda = run_rmsprop;
}

}  // namespace wick::cuda
