#include "wick/framework/ops/op.h"

namespace wick::ops {

std::string describe(const char* op, std::initializer_list<const TensorBase*> tensors) {
  std::string text = wick::detail::concat(op, ":");
  for (const TensorBase* x : tensors) {
    if (!x->defined()) continue;
    text += wick::detail::concat(" ", x->sizes(), " ", dtype_name(x->scalar_type()), ",");
  }
  if (text.back() == ',') text.pop_back();
  return text;
}

void check_same_device(const char* op, std::initializer_list<const TensorBase*> tensors) {
  const TensorBase* first = nullptr;
  for (const TensorBase* x : tensors) {
    if (!x->defined()) continue;
    if (!first) first = x;
    WICK_CHECK(first->device() == x->device(), "Expected all tensors to be on the same device, but found at least two devices, ",
               first->device(), " and ", x->device(), "!\n  ", describe(op, tensors),
               "\n  Move the operands to one device with .to(device).");
  }
}

void check_floating(const char* kernel, const Tensor& x, const char* op) {
  WICK_CHECK_NOT_IMPLEMENTED(x.is_floating_point(), "\"", kernel, "\" not implemented for '", x.scalar_type(), "'\n  ",
                             describe(op ? op : kernel, {&x}), "\n  Convert it with .to(kFloat).");
}

void check_broadcasts_to(const TensorBase& self, const TensorBase& other) {
  if (self.sizes() == other.sizes()) return;
  const Dims shape = broadcast_shapes(self.sizes(), other.sizes());
  WICK_CHECK(IntArrayRef(shape) == self.sizes(), "output with shape ", self.sizes(), " doesn't match the broadcast shape ", shape);
}

Dims wrap_dims(IntArrayRef dims, int64_t ndim) {
  Dims wrapped(dims);
  for (size_t i = 0; i < wrapped.size(); ++i) {
    wrapped[i] = wrap_dim(wrapped[i], ndim);
    for (size_t j = 0; j < i; ++j) {
      WICK_CHECK(wrapped[j] != wrapped[i], "dim ", wrapped[i], " appears multiple times in the list of dims");
    }
  }
  return wrapped;
}

}  // namespace wick::ops
