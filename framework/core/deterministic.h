// set_deterministic: the same bits in every run, or an error.
//
//     wick::set_deterministic(true);   // torch.use_deterministic_algorithms(True)
//
// wick's own kernels, on the CPU and on CUDA, give the same bits in every run and for any number of threads without being asked: sums are
// joined in an order that depends on shapes alone, scatter_add and its like add in the order of their source, and no kernel adds floats by
// atomics. What remains, and what the switch does about it:
//
//   gradients of float32 convolution weights on the CPU   oneDNN divides the batch by the number of threads: it gets one thread
//   convolutions on CUDA                                  cuDNN may take and time only algorithms whose results are the same each time
//
// So nothing of wick's own is refused at present. Operations and kernels of users that cannot keep the promise call
// alert_not_deterministic(), which refuses.
#pragma once

#include <string_view>

namespace wick {

// For the whole process. `warn_only`: alert_not_deterministic() warns instead of throwing.
void set_deterministic(bool on, bool warn_only = false);
bool is_deterministic() noexcept;
bool is_deterministic_warn_only() noexcept;

// To be called by what may give other bits in the next run. Throws Error with PyTorch's sentence, or warns, where determinism is asked for.
void alert_not_deterministic(std::string_view caller);

}  // namespace wick
