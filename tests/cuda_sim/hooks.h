// What device code asks of the simulator: how a kernel is made known, what threads do together. cuda_sim.h gives it CUDA's names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <type_traits>
#include <utility>

// A function that reads and writes on the device's behalf and tells accesses.h itself what it does.
#define CUDA_SIM_UNCHECKED [[gnu::no_sanitize("thread")]]

namespace cuda_sim {

using Where = std::source_location;

// ---- Launches -----------------------------------------------------------------------------------------------------------------------

// What a launch must know of a kernel beyond its address.
struct KernelEntry {
  const void* function;
  const char* name;  // lives as long as the program
  unsigned num_parameters;
  const size_t* sizes;                                // of the parameters
  void (*invoke)(const void* function, void** args);  // the kernel as one thread
};
void add_kernel(const KernelEntry& kernel);

template <class... P, size_t... I>
CUDA_SIM_UNCHECKED void invoke(void (*kernel)(P...), void** args, std::index_sequence<I...>) {
  kernel(*static_cast<std::remove_cv_t<P>*>(args[I])...);
}
template <class... P>
CUDA_SIM_UNCHECKED void invoke_kernel(const void* function, [[maybe_unused]] void** args) {
  invoke(reinterpret_cast<void (*)(P...)>(const_cast<void*>(function)), args, std::index_sequence_for<P...>());
}

// To be called before each launch: cudaLaunchKernelExC gets a kernel's address only.
template <class... P>
void register_kernel(const char* name, void (*kernel)(P...)) {
  static constexpr size_t kSizes[] = {sizeof(P)..., 0};
  add_kernel({reinterpret_cast<const void*>(kernel), name, sizeof...(P), kSizes, &invoke_kernel<P...>});
}

// The running block's dynamic shared memory.
void* dynamic_shared();

// ---- What threads do together ---------------------------------------------------------------------------------------------------------

enum class BarrierKind { kPlain, kCount, kAnd, kOr };
int block_barrier(BarrierKind kind, int predicate, const Where& where);

enum class WarpOp {
  kSync,
  kShuffle,
  kShuffleUp,
  kShuffleDown,
  kShuffleXor,
  kBallot,
  kAny,
  kAll,
  kMatchAny,
  kMatchAll,
  kAdd,
  kMin,
  kMax,
  kAnd,
  kOr,
  kXor
};
struct WarpRequest {
  WarpOp op;
  uint32_t mask;
  uint64_t value = 0;      // what the lane contributes: the bits of a value, or a truth value
  unsigned lane = 0;       // of a shuffle: source lane, distance or lane mask
  int width = 32;          // of a shuffle
  bool is_signed = false;  // of kMin and kMax
};
// Waits for the lanes of the mask and returns the calling lane's result.
uint64_t warp_call(const WarpRequest& request, const Where& where);
uint32_t active_mask();

void thread_fence();
[[noreturn]] void trap(const Where& where);
// An atomic operation is about to read and write `bytes` bytes at `address`.
void atomic_access(const void* address, size_t bytes, const Where& where);

}  // namespace cuda_sim
