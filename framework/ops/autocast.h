// Autocast: while a guard lives, operations choose the precision of their floating-point inputs by themselves.
//
//     {
//       autocast guard(kCPU);                        // bfloat16
//       loss = F::mse_loss(model(x), target);        // products in bfloat16, the loss in float32
//     }
//     loss.backward();                               // in the precisions of the forward pass; gradients of weights in theirs
//
// Products (mm, bmm, addmm, addbmm, baddbmm, matmul, linear, convolutions) compute in the low precision; losses in float32; cat and stack
// in the widest precision of their inputs; all others take what they get. float64 and other devices' tensors are left alone.
//
// The class of an operation stands in the first line of its function, before the checks that its inputs have one dtype: WICK_AUTOCAST.
#pragma once

#include "wick/framework/tensor.h"

namespace wick {
namespace amp {

// The settings of this thread for a type of device, off at first; bfloat16 on the CPU, float16 on CUDA.
bool is_autocast_enabled(DeviceType device);
void set_autocast_enabled(DeviceType device, bool enabled);
ScalarType get_autocast_dtype(DeviceType device);
void set_autocast_dtype(DeviceType device, ScalarType dtype);
// Leaves that require a gradient are converted once, and kept so until clear_cache(), which the outermost guard calls at its end.
bool is_autocast_cache_enabled();
void set_autocast_cache_enabled(bool enabled);
void clear_cache();
// The depth of guards.
int increment_nesting();
int decrement_nesting();

}  // namespace amp

// Python's torch.autocast. dtype: float16 or bfloat16; by default that of the device.
class autocast {
 public:
  explicit autocast(DeviceType device, std::optional<ScalarType> dtype = std::nullopt, bool enabled = true, bool cache_enabled = true);
  ~autocast();
  autocast(const autocast&) = delete;
  autocast& operator=(const autocast&) = delete;

 private:
  DeviceType device_;
  bool enabled_, cache_enabled_;  // before
  ScalarType dtype_;
};

namespace ops {

enum class Autocast { kLowPrecision, kFloat32, kWidest };

Tensor autocast_input(Autocast kind, ScalarType widest, const Tensor& x);
inline std::vector<Tensor> autocast_input(Autocast kind, ScalarType widest, TensorList list) {
  std::vector<Tensor> result;
  for (const Tensor& x : list) result.push_back(autocast_input(kind, widest, x));
  return result;
}
template <class T>
const T& autocast_input(Autocast, ScalarType, const T& x) { return x; }

ScalarType widest_dtype(TensorList list);
template <class T>
ScalarType widest_dtype(const T&) { return kFloat; }

// f(args...), the tensors among them in the precision of the class, and without autocast.
template <class F, class First, class... Args>
auto in_autocast(Autocast kind, const F& f, const First& first, const Args&... args) {
  struct Pause {
    Pause() { t_state.autocast = false; }
    ~Pause() { t_state.autocast = true; }
  } pause;
  const ScalarType widest = widest_dtype(first);
  return f(autocast_input(kind, widest, first), autocast_input(kind, widest, args)...);
}

#define WICK_AUTOCAST(kind, f, ...) \
  if (WICK_UNLIKELY(t_state.autocast)) return ::wick::ops::in_autocast(::wick::ops::Autocast::kind, f, __VA_ARGS__)

}  // namespace ops
}  // namespace wick
