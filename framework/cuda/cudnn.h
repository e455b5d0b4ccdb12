// How convolutions on CUDA are computed. The switches are LibTorch's, except that results are the same in every run unless asked otherwise.
// They hold for the whole process and may be set at any time; a graph that was captured keeps what held then.
#pragma once

#include <atomic>
#include <cstddef>

namespace wick::cuda {

namespace detail {

struct CudnnSettings {
  std::atomic<bool> enabled{true}, benchmark{false}, deterministic{true}, allow_tf32{true};
  std::atomic<size_t> workspace_limit{size_t{256} << 20};
};
inline constinit CudnnSettings cudnn;

}  // namespace detail

// Without cuDNN plain kernels of wick's own do the work: much slower, for comparing.
inline void set_cudnn_enabled(bool on) { detail::cudnn.enabled = on; }
inline bool cudnn_enabled() { return detail::cudnn.enabled; }

// Whether the first convolution of each shape tries all algorithms and times them; otherwise cuDNN's rules of thumb choose. Which one is
// fastest can change from run to run, and with it the rounding. During the capture of a graph nothing can be timed.
inline void set_cudnn_benchmark(bool on) { detail::cudnn.benchmark = on; }
inline bool cudnn_benchmark() { return detail::cudnn.benchmark; }

// Whether only algorithms are taken that give the same bits each time. The others add with atomics, in the order that threads arrive.
inline void set_cudnn_deterministic(bool on) { detail::cudnn.deterministic = on; }
inline bool cudnn_deterministic() { return detail::cudnn.deterministic; }

// Whether float32 convolutions may round their factors to TF32 (10 bits of fraction) for the tensor cores, as
// torch.backends.cudnn.allow_tf32.
inline void set_cudnn_allow_tf32(bool on) { detail::cudnn.allow_tf32 = on; }
inline bool cudnn_allow_tf32() { return detail::cudnn.allow_tf32; }

// The most memory, in bytes, that one convolution may take for its algorithm, besides operands and result.
inline void set_cudnn_workspace_limit(size_t bytes) { detail::cudnn.workspace_limit = bytes; }
inline size_t cudnn_workspace_limit() { return detail::cudnn.workspace_limit; }

}  // namespace wick::cuda
