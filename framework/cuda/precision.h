// How float32 products may be rounded.
#pragma once

#include <atomic>

namespace wick::cuda {

namespace detail {
inline constinit std::atomic<bool> tf32_allowed{false};
}

// Lets products of float32 matrices use the tensor cores' TF32: the factors are rounded to 10 bits of fraction, sums stay float32. Off at
// first, as torch.backends.cuda.matmul.allow_tf32 is.
inline void set_allow_tf32(bool allow) { detail::tf32_allowed.store(allow, std::memory_order_relaxed); }
inline bool allow_tf32() { return detail::tf32_allowed.load(std::memory_order_relaxed); }

}  // namespace wick::cuda
