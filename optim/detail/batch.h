// Batch: gathers the parameters that one call of an optimiser's kernel updates.
//
// An optimiser goes through a group, adds each parameter that fits the kernel and does the others by operations:
//
//   batch.begin(group.numbers());
//   for (...) if (fits_kernel(param, grad, state...)) { Buffer* tensor = batch.add(param); tensor[Args::kGrad] = grad; ... }
//   batch.finish();
#pragma once

#include <utility>

#include "wick/framework/plan/optim.h"
#include "wick/framework/tensor.h"

namespace wick::optim::detail {

bool same_dense_layout(const TensorBase& a, const TensorBase& b);

// Whether x has the dtype, the device and the order of elements of the parameter.
inline bool matches(const TensorBase& param, const TensorBase& x) {
  const TensorImpl &a = param.impl(), &b = x.impl();
  if (a.dtype != b.dtype || a.device != b.device || a.numel != b.numel) return false;
  return WICK_LIKELY(a.has(TensorImpl::kContiguous) && b.has(TensorImpl::kContiguous)) || same_dense_layout(param, x);
}

// Whether a kernel can update the parameter with these tensors, some of which may be undefined.
template <class... T>
bool fits_kernel(const Tensor& param, const T&... tensors) {
  const ScalarType dtype = param.scalar_type();
  return (dtype == kFloat || dtype == kDouble) && (... && (!tensors.defined() || matches(param, tensors)));
}

// The arguments live here and not on the stack, because clearing them for every step would take as long as a small step.
template <class Args>
class Batch {
 public:
  explicit Batch(const KernelInfo& kernel) : kernel_(&kernel) {}

  // Starts a group. The caller sets the other options in args().
  void begin(const Tensor& numbers) {
    args_.buffers[0] = numbers;
    args_.count = 0;
  }
  Args& args() { return args_; }

  // The buffers of one more parameter, of which the first is set and the others are null.
  Buffer* add(const Tensor& param) {
    const TensorImpl& impl = param.impl();
    if (WICK_UNLIKELY(args_.count > 0 && (args_.count == kTensorsPerCall || impl.dtype != args_.dtype || impl.device != device_))) run();
    args_.dtype = impl.dtype;
    device_ = impl.device;
    args_.numel[args_.count] = impl.numel;
    Buffer* const tensor = args_.tensor(args_.count++);
    tensor[0] = param;
    for (int role = 1; role < Args::kNumRoles; ++role) tensor[role] = nullptr;
    return tensor;
  }

  void finish() {
    if (args_.count > 0) run();
  }

 private:
  void run() {
    for (int t = args_.count; t < used_; ++t) {
      for (int role = 0; role < Args::kNumRoles; ++role) args_.tensor(t)[role] = nullptr;
    }
    used_ = args_.count;
    WICK_CHECK(args_.buffers[0].storage->device == device_, "the parameters of one group must be on one device");
    launch(*kernel_, device_, args_);
    args_.count = 0;
  }

  const KernelInfo* kernel_;
  Device device_{kCPU};
  int used_ = 0;  // buffers that the last call left behind
  Args args_{};
};

// While it lives, kernels of this thread run at once, past a capture: a captured step must find its state, not make it anew.
class PastCapture {
 public:
  PastCapture() : before_(std::exchange(t_state.listener, nullptr)) {}
  ~PastCapture() { t_state.listener = before_; }
  PastCapture(const PastCapture&) = delete;
  PastCapture& operator=(const PastCapture&) = delete;

 private:
  LaunchListener* before_;
};

// State of a parameter before its first step: zeros in its shape and dtype; the steps that it has seen, int64, 0-dim.
Tensor new_state(const Tensor& param);
Tensor new_step(const Tensor& param, int64_t steps);

// Number i of a group's numbers, as a tensor for use in operations.
inline Tensor number(const Tensor& numbers, int i) { return numbers.select(0, i); }

}  // namespace wick::optim::detail
