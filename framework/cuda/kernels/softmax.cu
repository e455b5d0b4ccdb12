// Softmax, its logarithm, and their gradients. Rows go to a few lanes of a warp, or to a block where they are long; of columns each
// goes to a thread, so that neighbouring threads read neighbouring elements.
#include "wick/framework/cuda/kernels/softmax.cuh"

#include "wick/framework/cuda/install.h"

namespace wick::cuda {
namespace {

template <class T>
struct SoftmaxCall {
  T* y;
  const T* x;
  const T* g;  // backward: of y, and then y is gx and x is y
  int width;
  ClassShape shape;
};

template <class T, bool log, class Group>
__global__ void __launch_bounds__(kGroupThreads) softmax_forward(const __grid_constant__ SoftmaxCall<T> call) {
  const Group group(call.width);
  const Problem problem(group.index, call.shape);
  const T* const x = call.x + problem.offset;
  T* const y = call.y + problem.offset;
  const Total<T> total = log_sum_exp(group, problem, x);
  const T last = log ? math::log(total.sum) : T(1) / total.sum;
  for (int64_t j = group.rank; j < problem.n; j += group.size) {
    const T d = x[j * problem.stride] - total.largest;
    y[j * problem.stride] = log ? d - last : math::exp(d) * last;
  }
}

template <class T, bool log, class Group>
__global__ void __launch_bounds__(kGroupThreads) softmax_backward(const __grid_constant__ SoftmaxCall<T> call) {
  const Group group(call.width);
  const Problem problem(group.index, call.shape);
  const T *const y = call.x + problem.offset, *const g = call.g + problem.offset;
  T* const gx = call.y + problem.offset;
  T sum = T(0);
  for (int64_t j = group.rank; j < problem.n; j += group.size) {
    const int64_t at = j * problem.stride;
    sum += log ? g[at] : g[at] * y[at];
  }
  sum = group.reduce(sum, Plus(), T(0));
  for (int64_t j = group.rank; j < problem.n; j += group.size) {
    const int64_t at = j * problem.stride;
    gx[at] = log ? g[at] - math::exp(y[at]) * sum : (g[at] - sum) * y[at];
  }
}

template <class T, bool log, bool backward>
void softmax_as(SoftmaxCall<T> call) {
  const ProblemGrid grid = problem_grid(call.shape);
  call.width = grid.width;
  if constexpr (backward) {
    if (grid.blocks) launch<softmax_backward<T, log, BlockGroup>>(grid.grid, call);
    else launch<softmax_backward<T, log, LaneGroup>>(grid.grid, call);
  } else {
    if (grid.blocks) launch<softmax_forward<T, log, BlockGroup>>(grid.grid, call);
    else launch<softmax_forward<T, log, LaneGroup>>(grid.grid, call);
  }
}

template <class T>
void forward(const SoftmaxArgs& args) {
  const SoftmaxCall<T> call{args.buffers[0].as<T>(), args.buffers[1].as<const T>(), nullptr, 1, args.shape};
  args.log ? softmax_as<T, true, false>(call) : softmax_as<T, false, false>(call);
}

template <class T>
void backward(const SoftmaxBackwardArgs& args) {
  const SoftmaxCall<T> call{args.buffers[0].as<T>(), args.buffers[2].as<const T>(), args.buffers[1].as<const T>(), 1, args.shape};
  args.log ? softmax_as<T, true, true>(call) : softmax_as<T, false, true>(call);
}

void run_softmax(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const SoftmaxArgs*>(raw_args);
  if (args.shape.problems() == 0 || args.shape.n == 0) return;
  args.dtype == kFloat ? forward<float>(args) : forward<double>(args);
}

void run_softmax_backward(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const SoftmaxBackwardArgs*>(raw_args);
  if (args.shape.problems() == 0 || args.shape.n == 0) return;
  args.dtype == kFloat ? backward<float>(args) : backward<double>(args);
}

}  // namespace

void install_softmax() {
  softmax_kernel.cuda = run_softmax;
  softmax_backward_kernel.cuda = run_softmax_backward;
}

}  // namespace wick::cuda
