// at::autocast: LibTorch's switches for autocast. A scope is better kept by wick::autocast.
#pragma once

#include "wick/framework/ops/autocast.h"

namespace at::autocast {

using wick::amp::clear_cache;
using wick::amp::decrement_nesting;
using wick::amp::get_autocast_dtype;
using wick::amp::increment_nesting;
using wick::amp::is_autocast_cache_enabled;
using wick::amp::is_autocast_enabled;
using wick::amp::set_autocast_cache_enabled;
using wick::amp::set_autocast_dtype;
using wick::amp::set_autocast_enabled;

inline bool is_enabled() { return is_autocast_enabled(wick::kCUDA); }
inline void set_enabled(bool enabled) { set_autocast_enabled(wick::kCUDA, enabled); }
inline bool is_cpu_enabled() { return is_autocast_enabled(wick::kCPU); }
inline void set_cpu_enabled(bool enabled) { set_autocast_enabled(wick::kCPU, enabled); }
inline wick::ScalarType get_autocast_gpu_dtype() { return get_autocast_dtype(wick::kCUDA); }
inline wick::ScalarType get_autocast_cpu_dtype() { return get_autocast_dtype(wick::kCPU); }
inline void set_autocast_gpu_dtype(wick::ScalarType dtype) { set_autocast_dtype(wick::kCUDA, dtype); }
inline void set_autocast_cpu_dtype(wick::ScalarType dtype) { set_autocast_dtype(wick::kCPU, dtype); }

}  // namespace at::autocast
