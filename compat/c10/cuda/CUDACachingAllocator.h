// The allocator of CUDA's memory under LibTorch's names.
#pragma once

#include <c10/cuda/CUDAStream.h>

namespace c10::cuda::CUDACachingAllocator {

inline void emptyCache() { wick::cuda::empty_cache(); }
inline void resetPeakStats(int device) { wick::cuda::reset_peak_memory_stats(device); }

}  // namespace c10::cuda::CUDACachingAllocator
