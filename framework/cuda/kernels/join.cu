// Laying tensors side by side: a thread moves one unit, as many bytes as all the parts' boundaries allow.
#include "wick/framework/cuda/install.h"
#include "wick/framework/cuda/kernels/launch.h"
#include "wick/framework/cuda/stream.h"
#include "wick/framework/plan/join.h"

namespace wick::cuda {
namespace {

constexpr int kThreads = 256;

template <class Unit>
__global__ void __launch_bounds__(kThreads) cat(const __grid_constant__ CatArgs args) {
  constexpr auto kBytes = static_cast<int64_t>(sizeof(Unit));
  const int64_t i = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  const int64_t width = (args.begin[args.num_parts] - args.begin[0]) / kBytes, row = i / width;
  if (row >= args.rows) return;
  const int64_t byte = args.begin[0] + i % width * kBytes;
  int part = 0;
  while (byte >= args.begin[part + 1]) ++part;
  const int64_t from = row * (args.begin[part + 1] - args.begin[part]) + byte - args.begin[part];
  Unit* const to = reinterpret_cast<Unit*>(static_cast<char*>(args.buffers[0].data) + row * args.row_bytes + byte);
  *to = *reinterpret_cast<const Unit*>(static_cast<const char*>(args.buffers[part + 1].data) + from);
}

template <class Unit>
void cat_as(const CatArgs& args) {
  const int64_t units = args.rows * (args.begin[args.num_parts] - args.begin[0]) / static_cast<int64_t>(sizeof(Unit));
  launch<cat<Unit>>({dim3(static_cast<unsigned>((units + kThreads - 1) / kThreads)), dim3(kThreads), 0, current_stream()}, args);
}

void run_cat(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const CatArgs*>(raw_args);
  auto bits = static_cast<uint64_t>(args.row_bytes) | reinterpret_cast<uintptr_t>(args.buffers[0].data);
  for (int part = 0; part < args.num_parts; ++part) {
    bits |= static_cast<uint64_t>(args.begin[part] | args.begin[part + 1]) | reinterpret_cast<uintptr_t>(args.buffers[part + 1].data);
  }
  if (bits % 16 == 0) cat_as<int4>(args);
  else if (bits % 8 == 0) cat_as<uint64_t>(args);
  else if (bits % 4 == 0) cat_as<uint32_t>(args);
  else if (bits % 2 == 0) cat_as<uint16_t>(args);
  else cat_as<uint8_t>(args);
}

}  // namespace

void install_join() { cat_kernel.cuda = run_cat; }

}  // namespace wick::cuda
