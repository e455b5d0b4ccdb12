// LibTorch's operations that have another name in wick: what torch::nn::functional::interpolate and pad do.
#pragma once

#include <ATen/names.h>

#include <cmath>
#include <optional>
#include <vector>

namespace wick::detail {

// To the size; a scale for each dimension takes the place of what the sizes give, where all are named and lead to that size.
inline Tensor upsampled(const Tensor& self, IntArrayRef size, nn::functional::InterpolateFuncOptions options,
                        const std::vector<std::optional<double>>& scales) {
  std::vector<double> factors;
  for (size_t i = 0; i < scales.size() && i < size.size(); ++i) {
    if (scales[i] && std::floor(static_cast<double>(self.size(static_cast<int64_t>(i) + 2)) * *scales[i]) == static_cast<double>(size[i])) {
      factors.push_back(*scales[i]);
    }
  }
  if (factors.size() == size.size()) return nn::functional::interpolate(self, options.scale_factor(factors));
  return nn::functional::interpolate(self, options.size(size.vec()));
}

}  // namespace wick::detail

namespace at {

// self: [N, C, size...]
#define WICK_UPSAMPLE_NEAREST_AS(kind, name, params, ...)                                                              \
  inline Tensor name params {                                                                                          \
    return wick::detail::upsampled(self, output_size, wick::nn::functional::InterpolateFuncOptions().mode(wick::kind), \
                                   {__VA_ARGS__});                                                                     \
  }
#define WICK_UPSAMPLE_NEAREST(d, params, ...)                                  \
  WICK_UPSAMPLE_NEAREST_AS(kNearest, upsample_nearest##d, params, __VA_ARGS__) \
  WICK_UPSAMPLE_NEAREST_AS(kNearestExact, _upsample_nearest_exact##d, params, __VA_ARGS__)
#define WICK_UPSAMPLE(name, kind, params, ...)                                                                                 \
  inline Tensor name params {                                                                                                  \
    const auto options = wick::nn::functional::InterpolateFuncOptions().mode(wick::kind).align_corners(align_corners);         \
    return wick::detail::upsampled(self, output_size, options, {__VA_ARGS__});                                                 \
  }
using OptionalScale = std::optional<double>;
WICK_UPSAMPLE_NEAREST(1d, (const Tensor& self, IntArrayRef output_size, OptionalScale scales = {}), scales)
WICK_UPSAMPLE_NEAREST(2d,
                      (const Tensor& self, IntArrayRef output_size, OptionalScale scales_h = {}, OptionalScale scales_w = {}),
                      scales_h, scales_w)
WICK_UPSAMPLE_NEAREST(3d,
                      (const Tensor& self, IntArrayRef output_size, OptionalScale scales_d = {}, OptionalScale scales_h = {},
                       OptionalScale scales_w = {}),
                      scales_d, scales_h, scales_w)
WICK_UPSAMPLE(upsample_linear1d, kLinear,
              (const Tensor& self, IntArrayRef output_size, bool align_corners, OptionalScale scales = {}), scales)
WICK_UPSAMPLE(upsample_bilinear2d, kBilinear,
              (const Tensor& self, IntArrayRef output_size, bool align_corners, OptionalScale scales_h = {}, OptionalScale scales_w = {}),
              scales_h, scales_w)
WICK_UPSAMPLE(upsample_bicubic2d, kBicubic,
              (const Tensor& self, IntArrayRef output_size, bool align_corners, OptionalScale scales_h = {}, OptionalScale scales_w = {}),
              scales_h, scales_w)
WICK_UPSAMPLE(upsample_trilinear3d, kTrilinear,
              (const Tensor& self, IntArrayRef output_size, bool align_corners, OptionalScale scales_d = {}, OptionalScale scales_h = {},
               OptionalScale scales_w = {}),
              scales_d, scales_h, scales_w)
// Where the image shrinks, the mean over all that a pixel covers.
#define WICK_UPSAMPLE_SMOOTH(name, kind)                                                                                           \
  inline Tensor name(const Tensor& self, IntArrayRef output_size, bool align_corners, OptionalScale scales_h = {},                 \
                     OptionalScale scales_w = {}) {                                                                                \
    const auto options = wick::nn::functional::InterpolateFuncOptions().mode(wick::kind).align_corners(align_corners);             \
    return wick::detail::upsampled(self, output_size, wick::nn::functional::InterpolateFuncOptions(options).antialias(true),       \
                                   {scales_h, scales_w});                                                                          \
  }
WICK_UPSAMPLE_SMOOTH(_upsample_bilinear2d_aa, kBilinear)
WICK_UPSAMPLE_SMOOTH(_upsample_bicubic2d_aa, kBicubic)
#undef WICK_UPSAMPLE_SMOOTH
#undef WICK_UPSAMPLE
#undef WICK_UPSAMPLE_NEAREST
#undef WICK_UPSAMPLE_NEAREST_AS
namespace native {
using at::_upsample_bicubic2d_aa;
using at::_upsample_bilinear2d_aa;
using at::_upsample_nearest_exact1d;
using at::_upsample_nearest_exact2d;
using at::_upsample_nearest_exact3d;
}  // namespace native

// The distances between the rows of a matrix [n, m], each pair once: [n (n - 1) / 2].
inline Tensor pdist(const Tensor& self, double p = 2) {
  TORCH_CHECK(self.dim() == 2, "pdist only supports 2D tensors, got: ", self.dim(), "D");
  TORCH_CHECK(p >= 0, "pdist only supports non-negative p values");
  const Tensor pairs = triu_indices(self.size(0), self.size(0), 1);
  return (self.index_select(0, pairs[0]) - self.index_select(0, pairs[1])).norm(p, 1);
}

inline Tensor reflection_pad1d(const Tensor& self, IntArrayRef padding) { return pad(self, padding, "reflect"); }
inline Tensor reflection_pad2d(const Tensor& self, IntArrayRef padding) { return pad(self, padding, "reflect"); }
inline Tensor reflection_pad3d(const Tensor& self, IntArrayRef padding) { return pad(self, padding, "reflect"); }
inline Tensor replication_pad1d(const Tensor& self, IntArrayRef padding) { return pad(self, padding, "replicate"); }
inline Tensor replication_pad2d(const Tensor& self, IntArrayRef padding) { return pad(self, padding, "replicate"); }
inline Tensor replication_pad3d(const Tensor& self, IntArrayRef padding) { return pad(self, padding, "replicate"); }

// What view() and reshape() come to: the elements of self, which is contiguous or nearly so, under another shape.
inline Tensor _reshape_alias(const Tensor& self, IntArrayRef size, IntArrayRef stride) { return self.as_strided(size, stride); }

// self: [N, classes, H, W], target: [N, H, W]
inline Tensor nll_loss2d(const Tensor& self, const Tensor& target, const Tensor& weight = {}, int64_t reduction = Reduction::Mean,
                         int64_t ignore_index = -100) {
  return nll_loss(self, target, weight, reduction, ignore_index);
}

}  // namespace at

namespace wick::nn::functional {
using at::pdist;
}
