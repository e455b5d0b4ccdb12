// Complex tensors: their parts as views, what is made of parts, and the absolute value.
#include "wick/framework/ops/complex.h"

#include <algorithm>
#include <cmath>

#include "wick/framework/ops/copy.h"
#include "wick/framework/ops/view.h"

namespace wick::ops {

// z's memory with elements of another type.
static Tensor with_elements(const TensorBase& z, ScalarType dtype, const Dims& sizes, const Dims& strides, int64_t offset) {
  const TensorBase y = alias_base(z);
  y.impl().dtype = dtype;
  return alias_base(y, sizes, strides, offset);
}

Tensor parts_of(const TensorBase& z) {
  Dims sizes(z.sizes()), strides(z.strides());
  for (int64_t& stride : strides) stride *= 2;
  sizes.push_back(2), strides.push_back(1);
  return with_elements(z, to_real_type(z.scalar_type()), sizes, strides, 2 * z.storage_offset());
}

Tensor joined_parts(const TensorBase& x) {
  Dims sizes(x.sizes().slice(0, x.sizes().size() - 1)), strides(x.strides().slice(0, x.sizes().size() - 1));
  for (int64_t& stride : strides) stride /= 2;
  return with_elements(x, to_complex_type(x.scalar_type()), sizes, strides, x.storage_offset() / 2);
}

namespace {

struct ViewAsReal {
  static constexpr OpInfo info = make_info<ViewAsReal>("view_as_real", "ViewAsRealBackward0");
  static Tensor forward(Context&, const Tensor& z) { return parts_of(z); }
  static void backward(const Gradients& g) { g.set(0, view_as_complex(g.output().contiguous())); }
};

struct ViewAsComplex {
  static constexpr OpInfo info = make_info<ViewAsComplex>("view_as_complex", "ViewAsComplexBackward0");
  static Tensor forward(Context&, const Tensor& x) { return joined_parts(x); }
  static void backward(const Gradients& g) { g.set(0, view_as_real(g.output())); }
};

struct FromParts {
  static constexpr OpInfo info = make_info<FromParts>("complex", "ComplexBackward0");
  static Tensor forward(Context&, const Tensor& re, const Tensor& im) {
    Tensor z = empty_base(broadcast_shapes(re.sizes(), im.sizes()), to_complex_type(re.scalar_type()), re.device());
    const Tensor parts = parts_of(z);
    copy_data(parts.select(-1, 0), re);
    copy_data(parts.select(-1, 1), im);
    return z;
  }
  static void backward(const Gradients& g) {
    if (g.wants(0)) g.set(0, real(g.output()));
    if (g.wants(1)) g.set(1, imag(g.output()));
  }
};

struct ComplexAbs {
  static constexpr OpInfo info = make_info<ComplexAbs>("abs", "AbsBackward0");
  static Tensor forward(Context& ctx, const Tensor& z) {
    ctx.save(z);
    return hypot(real(z), imag(z));
  }
  static void backward(const Gradients& g) { g.set(0, g.output() * direction(g.saved(0))); }
};

bool is_part(ScalarType t) { return t == kFloat || t == kDouble; }
void check_parts(const Tensor& re, const Tensor& im) {
  const ScalarType a = re.scalar_type(), b = im.scalar_type();
  WICK_CHECK_NOT_IMPLEMENTED(is_part(a) && is_part(b), "Expected both inputs to be Half, Float or Double tensors but got ", a, " and ", b);
  WICK_CHECK(a == b, "Expected object of scalar type ", a, " but got scalar type ", b, " for second argument");
}

}  // namespace

Tensor complex_abs(const Tensor& z) { return apply<ComplexAbs>(z); }

Tensor direction(const Tensor& z) {
  if (!z.is_complex()) return z.sign();
  const Tensor zero = z.detach().eq(0);
  return (z / z.abs().masked_fill(zero, 1)).masked_fill(zero, 0);
}

}  // namespace wick::ops

namespace wick {

using ops::apply;
using ops::apply_view;

Tensor view_as_real(const Tensor& self) {
  WICK_CHECK_TYPE(self.is_complex(), "view_as_real is only supported for complex tensors");
  return apply_view<ops::ViewAsReal>(self);
}

Tensor view_as_complex(const Tensor& self) {
  WICK_CHECK_NOT_IMPLEMENTED(ops::is_part(self.scalar_type()),
                             "view_as_complex is only supported for half, float and double tensors, but got a tensor of scalar type: ",
                             self.scalar_type());
  WICK_CHECK(self.dim() != 0, "Input tensor must have one or more dimensions");
  WICK_CHECK(self.sizes().back() == 2, "Tensor must have a last dimension of size 2");
  WICK_CHECK(self.strides().back() == 1, "Tensor must have a last dimension with stride 1");
  WICK_CHECK(std::all_of(self.strides().begin(), self.strides().end() - 1, [](int64_t n) { return n % 2 == 0; }),
             "Tensor must have a stride divisible by 2 for all but last dimension");
  WICK_CHECK(self.storage_offset() % 2 == 0, "Tensor must have a storage_offset divisible by 2");
  return apply_view<ops::ViewAsComplex>(self);
}

Tensor real(const Tensor& self) { return self.is_complex() ? view_as_real(self).select(-1, 0) : self; }
Tensor imag(const Tensor& self) {
  WICK_CHECK_TYPE(self.is_complex(), "imag is not implemented for tensors with non-complex dtypes.");
  return view_as_real(self).select(-1, 1);
}

Tensor complex(const Tensor& real, const Tensor& imag) {
  ops::check_parts(real, imag);
  ops::check_same_device("complex", {&real, &imag});
  return apply<ops::FromParts>(real, imag);
}
Tensor polar(const Tensor& abs, const Tensor& angle) {
  ops::check_parts(abs, angle);
  return complex(abs * angle.cos(), abs * angle.sin());
}

Tensor angle(const Tensor& self) {
  if (self.is_complex()) return imag(self).atan2(real(self));
  const Tensor x = self.is_floating_point() ? self : self.to(default_dtype());
  return where(x.isnan(), x, where(x.lt(0), full_like(x, M_PI), zeros_like(x)));
}

}  // namespace wick
