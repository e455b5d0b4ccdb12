// Padding. The list names (before, after) for the last dimension, then for the one before it, and so on.
#include "wick/framework/ops/op.h"

namespace wick::ops {
namespace {

// A negative number cuts off instead.
struct ConstantPad {
  static constexpr OpInfo info = make_info<ConstantPad>("constant_pad_nd", "ConstantPadNdBackward0");

  static Tensor forward(Context& ctx, const Tensor& x, IntArrayRef pad, const Scalar& value) {
    ctx.save_extra(DimsExtra(pad));
    Dims sizes(x.sizes());
    Tensor from = x;
    Dims before(x.sizes().size());
    for (size_t i = 0; i < pad.size() / 2; ++i) {
      const int64_t d = x.dim() - 1 - static_cast<int64_t>(i), low = pad[2 * i], high = pad[2 * i + 1];
      const __int128 n = __int128{x.size(d)} + low + high;
      WICK_CHECK(n >= 0 && n <= INT64_MAX && std::min(low, high) > INT64_MIN, "The input size ", x.size(d), ", plus negative padding ", low,
                 " and ", high, " resulted in a negative output size, which is invalid. Check dimension ", d, " of your input.");
      sizes[d] = static_cast<int64_t>(n);
      const int64_t cut_low = std::max<int64_t>(0, -low), cut_high = std::max<int64_t>(0, -high);
      from = from.narrow(d, std::min(cut_low, x.size(d)), std::max<int64_t>(0, x.size(d) - cut_low - cut_high));
      before[d] = std::max<int64_t>(0, low);
    }
    Tensor y = full(sizes, value, x.options());
    Tensor part = y;
    for (int64_t d = 0; d < x.dim(); ++d) part = part.narrow(d, before[static_cast<size_t>(d)], from.size(d));
    part.copy_(from);
    return y;
  }
  static void backward(const Gradients& g) {
    Dims back = g.dims();
    for (int64_t& n : back) n = -n;
    g.set(0, constant_pad_nd(g.output(), back));
  }
};

enum class Border { kReflect, kReplicate, kCircular };

// Which elements of a dimension of n the padded one is made of.
Tensor source_of(int64_t n, int64_t before, int64_t after, Border border, Device device) {
  const Tensor place = arange(-before, n + after, TensorOptions(kLong).device(device));
  if (border == Border::kReplicate) return place.clamp(0, n - 1);
  // Of a circle, what a negative padding leaves goes round.
  const int64_t cut = std::max<int64_t>(-before, 0), left = n - cut + std::min<int64_t>(after, 0);
  if (border == Border::kCircular) return (place - cut).remainder(left) + cut;
  return (n - 1) - ((n - 1) - place.abs()).abs();
}

Tensor pad_by_index(const Tensor& x, IntArrayRef pad, Border border) {
  for (const int64_t v : pad) WICK_CHECK(std::abs(v / 4) < INT64_MAX / 16, "integer out of range\n  pad: ", pad);
  Tensor y = x;
  for (size_t i = 0; i < pad.size() / 2; ++i) {
    const int64_t d = x.dim() - 1 - static_cast<int64_t>(i), n = x.size(d), low = pad[2 * i], high = pad[2 * i + 1];
    WICK_CHECK(border != Border::kReflect || (low < n && high < n),
               "Argument #4: Padding size should be less than the corresponding input dimension, but got: padding (", low, ", ", high,
               ") at dimension ", d, " of input ", x.sizes());
    WICK_CHECK(border != Border::kCircular || (low <= n && high <= n),
               "Padding value causes wrapping around more than once.\n  pad: (", low, ", ", high, ") at dimension ", d, " of ", x.sizes());
    WICK_CHECK(n > 0 && (border != Border::kCircular || n + std::min(low, high) > 0) && n + low + high > 0,
               "pad: dimension ", d, " of ", x.sizes(), " padded by (", low, ", ", high, ") has no elements");
    if (low != 0 || high != 0) y = y.index_select(d, source_of(n, low, high, border, x.device()));
  }
  return y;
}

}  // namespace
}  // namespace wick::ops

namespace wick {

using namespace ops;

Tensor constant_pad_nd(const Tensor& self, IntArrayRef pad, const Scalar& value) {
  WICK_CHECK(pad.size() % 2 == 0, "Length of pad must be even but instead it equals ", pad.size());
  WICK_CHECK(static_cast<int64_t>(pad.size()) <= 2 * self.dim(),
               "Length of pad should be no more than twice the number of dimensions of the "
             "input. Pad length is ", pad.size(), "while the input has ", self.dim(), "dimensions.");
  for (const int64_t v : pad) WICK_CHECK(std::abs(v / 4) < INT64_MAX / 16, "integer out of range\n  pad: ", pad);
  return apply<ConstantPad>(self, pad, value);
}

Tensor pad(const Tensor& self, IntArrayRef pad, std::string_view mode, std::optional<double> value) {
  WICK_CHECK(pad.size() % 2 == 0, "Padding length must be divisible by 2");
  WICK_CHECK(static_cast<int64_t>(pad.size()) <= 2 * self.dim(), "Padding length should be less than or equal to two times the input "
             "dimension but got padding length ", pad.size(), " and input of dimension ", self.dim());
  if (mode == "constant") return constant_pad_nd(self, pad, value.value_or(0));
  WICK_CHECK(!value || *value == 0, "Padding mode \"", mode, "\" doesn't take in value argument");
  const int64_t padded = static_cast<int64_t>(pad.size()) / 2;
  WICK_CHECK_NOT_IMPLEMENTED(padded >= 1 && padded <= 3 && (self.dim() == padded + 1 || self.dim() == padded + 2),
                             "Only 2D, 3D, 4D, 5D padding with non-constant padding are supported for now\n  ", pad.size(), " numbers in "
                             "mode ", mode, " are for ", padded + 1, " or ", padded + 2, " dimensions; the input is ", self.sizes());
  if (mode == "reflect") return pad_by_index(self, pad, Border::kReflect);
  if (mode == "replicate") return pad_by_index(self, pad, Border::kReplicate);
  if (mode == "circular") return pad_by_index(self, pad, Border::kCircular);
  WICK_CHECK_NOT_IMPLEMENTED(false, "Unrecognised padding mode ", mode);
}

}  // namespace wick
