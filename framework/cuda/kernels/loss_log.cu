#include "wick/framework/cuda/install.h"
#include "wick/framework/cuda/kernels/launch.h"
#include "wick/framework/cuda/loss_log_kernel.h"
#include "wick/framework/cuda/stream.h"

namespace wick::cuda {
namespace {

struct Values {
  const void* at[kLogBlock];
};

template <class T>
__global__ void append(double* ring, int64_t capacity, Values values, int count) {
  const auto before = static_cast<int64_t>(ring[capacity]);
  const int i = static_cast<int>(threadIdx.x);
  if (i < count) ring[(before + i) % capacity] = *static_cast<const T*>(values.at[i]);
  __syncthreads();
  if (i == 0) ring[capacity] = static_cast<double>(before + count);
}

void run(const KernelInfo&, const void* arguments) {
  const LogArgs& args = *static_cast<const LogArgs*>(arguments);
  Values values{};
  for (int i = 0; i < args.count; ++i) values.at[i] = args.buffers[1 + i].data;
  const Grid grid{1, kLogBlock, 0, current_stream()};
  double* const ring = args.buffers[0].as<double>();
  if (args.dtype == kDouble) launch<append<double>>(grid, ring, args.capacity, values, args.count);
  else launch<append<float>>(grid, ring, args.capacity, values, args.count);
}

}  // namespace

void install_loss_log() { log_kernel.cuda = run; }

}  // namespace wick::cuda
