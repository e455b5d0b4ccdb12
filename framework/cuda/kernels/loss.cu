// The losses on class indices, with their derivatives. A small batch takes one launch: one block weighs the targets, goes through the
// problems and adds their losses up. A large one takes three, with the losses in scratch memory in between.
#include "wick/framework/cuda/install.h"
#include "wick/framework/cuda/kernels/device_error.cuh"
#include "wick/framework/cuda/kernels/softmax.cuh"
#include "wick/framework/cuda/runtime/scratch.h"

namespace wick::cuda {
namespace {

constexpr int64_t kSmall = 16384;  // elements that one block may take
constexpr int kSumThreads = 1024;

template <class T>
struct LossCall {
  T* loss;               // each, or one
  T* slope;              // or null
  const T* x;
  const int64_t* targets;
  const T* weights;      // or null
  double* scratch;       // the weight of all targets; then the losses. Null where each loss is wanted, and for a small batch
  DeviceError* error;
  LossReduction reduction;
  int width;
  int64_t ignore_index;
  ClassShape shape;
};

template <class T>
__device__ inline bool is_class(const LossCall<T>& call, int64_t target) {
  return static_cast<uint64_t>(target) < static_cast<uint64_t>(call.shape.n);
}

// What a target weighs; one that is no class is reported and makes the result NaN.
template <class T>
__device__ inline T weight_of(const LossCall<T>& call, int64_t target) {
  if (target == call.ignore_index) return T(0);
  if (!is_class(call, target)) {
    report_error(call.error, DeviceErrorKind::kTarget, target, 0, call.shape.n);
    return static_cast<T>(__builtin_nan(""));
  }
  return call.weights ? call.weights[target] : T(1);
}

// Of all targets; every thread of the block gets it.
template <class T>
__device__ inline double total_weight(const LossCall<T>& call) {
  double total = 0;
  const int64_t problems = call.shape.outer * call.shape.inner;
  for (int64_t i = threadIdx.x; i < problems; i += blockDim.x) total += weight_of(call, call.targets[i]);
  return block_reduce(total, Plus(), 0.0);
}

// The loss of one problem, for every thread of the group; `factor` times its derivative goes to the slope.
template <class T, bool softmax, class Group>
__device__ inline T one_loss(const LossCall<T>& call, const Group& group, int64_t index, double factor) {
  const Problem problem(index, call.shape);
  const int64_t target = problem.valid ? call.targets[index] : call.ignore_index;
  const T weight = weight_of(call, target), scale = weight * static_cast<T>(factor);
  const T* const x = call.x + problem.offset;
  const bool counted = target != call.ignore_index && is_class(call, target);
  T value = counted ? x[target * problem.stride] : T(0);
  Total<T> total{T(0), T(1)};
  if constexpr (softmax) {
    total = log_sum_exp(group, problem, x);
    value = value - total.largest - math::log(total.sum);
  }
  if (call.slope && problem.valid) {
    T* const slope = call.slope + problem.offset;
    const T part = scale / total.sum;
    for (int64_t j = group.rank; j < problem.n; j += group.size) {
      const T d = softmax ? math::exp(x[j * problem.stride] - total.largest) * part : T(0);
      slope[j * problem.stride] = j == target ? d - scale : d;
    }
  }
  return target == call.ignore_index ? T(0) : -(weight * value);
}

template <class T>
__device__ inline double factor_of(const LossCall<T>& call, double total) {
  return call.reduction != LossReduction::kMean ? 1 : total == 0 ? 0 : 1 / total;
}

template <class T, bool softmax>
__global__ void __launch_bounds__(kGroupThreads) class_loss_small(const __grid_constant__ LossCall<T> call) {
  const double total = total_weight(call), factor = factor_of(call, total);
  const LaneGroup group(call.width);
  const int64_t problems = call.shape.outer * call.shape.inner, groups = kGroupThreads / call.width;
  double sum = 0;
  for (int64_t first = 0; first < problems; first += groups) {
    const T loss = one_loss<T, softmax>(call, group, first + group.index, factor);
    if (group.rank == 0) sum += static_cast<double>(loss);
  }
  sum = block_reduce(sum, Plus(), 0.0);
  if (threadIdx.x == 0) call.loss[0] = static_cast<T>(call.reduction == LossReduction::kMean ? sum / total : sum);
}

template <class T>
__global__ void __launch_bounds__(kSumThreads) class_loss_weigh(const __grid_constant__ LossCall<T> call) {
  const double total = total_weight(call);
  if (threadIdx.x == 0) call.scratch[0] = total;
}

template <class T, bool softmax, class Group>
__global__ void __launch_bounds__(kGroupThreads) class_loss_problems(const __grid_constant__ LossCall<T> call) {
  const Group group(call.width);
  const bool valid = group.index < call.shape.outer * call.shape.inner;
  const T loss = one_loss<T, softmax>(call, group, group.index, call.scratch ? factor_of(call, call.scratch[0]) : 1);
  if (!valid || group.rank != 0) return;
  if (call.scratch) call.scratch[1 + group.index] = static_cast<double>(loss);
  else call.loss[group.index] = loss;
}

template <class T>
__global__ void __launch_bounds__(kSumThreads) class_loss_sum(const __grid_constant__ LossCall<T> call) {
  double sum = 0;
  const int64_t problems = call.shape.outer * call.shape.inner;
  for (int64_t i = threadIdx.x; i < problems; i += kSumThreads) sum += call.scratch[1 + i];
  sum = block_reduce(sum, Plus(), 0.0);
  if (threadIdx.x == 0) call.loss[0] = static_cast<T>(call.reduction == LossReduction::kMean ? sum / call.scratch[0] : sum);
}

template <class T, bool softmax>
void launch_problems(LossCall<T> call) {
  const ProblemGrid grid = problem_grid(call.shape);
  call.width = grid.width;
  if (grid.blocks) launch<class_loss_problems<T, softmax, BlockGroup>>(grid.grid, call);
  else launch<class_loss_problems<T, softmax, LaneGroup>>(grid.grid, call);
}

template <class T, bool softmax>
void class_loss(const ClassLossArgs& args) {
  LossCall<T> call{args.buffers[0].as<T>(), args.buffers[1].as<T>(), args.buffers[2].as<const T>(), args.buffers[3].as<const int64_t>(),
                   args.buffers[4].as<const T>(), nullptr, device_error_record(), args.reduction, 1, args.ignore_index, args.shape};
  const int64_t problems = args.shape.problems();
  if (args.reduction == LossReduction::kNone) return launch_problems<T, softmax>(call);
  const cudaStream_t stream = current_stream();
  if (problems * args.shape.n <= kSmall) {
    call.width = args.shape.inner == 1 ? lanes_for(args.shape.n) : 1;
    return launch<class_loss_small<T, softmax>>({dim3(1), dim3(kGroupThreads), 0, stream}, call);
  }
  const Scratch scratch(static_cast<size_t>(1 + problems) * sizeof(double), stream);
  call.scratch = scratch.as<double>();
  launch<class_loss_weigh<T>>({dim3(1), dim3(kSumThreads), 0, stream}, call);
  launch_problems<T, softmax>(call);
  launch<class_loss_sum<T>>({dim3(1), dim3(kSumThreads), 0, stream}, call);
}

template <bool softmax>
void run_loss(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const ClassLossArgs*>(raw_args);
  args.dtype == kFloat ? class_loss<float, softmax>(args) : class_loss<double, softmax>(args);
}

}  // namespace

void install_loss() {
  cross_entropy_kernel.cuda = run_loss<true>;
  nll_kernel.cuda = run_loss<false>;
}

}  // namespace wick::cuda
