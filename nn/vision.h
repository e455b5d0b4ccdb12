// Images: resampling, sampling at given places, and blocks as columns: options, functions and modules.
#pragma once

#include <optional>
#include <vector>

#include "wick/framework/core/arg.h"
#include "wick/nn/cloneable.h"
#include "wick/nn/enum.h"
#include "wick/nn/expanding_array.h"

namespace wick::nn {

// The new size, either itself or as a multiple of the old one.
struct UpsampleOptions {
  using mode_t = OneOf<enumtype::kNearest, enumtype::kLinear, enumtype::kBilinear, enumtype::kBicubic, enumtype::kTrilinear>;
  WICK_ARG(std::optional<std::vector<int64_t>>, size) = std::nullopt;
  WICK_ARG(std::optional<std::vector<double>>, scale_factor) = std::nullopt;
  WICK_ARG(mode_t, mode) = kNearest;
  WICK_ARG(std::optional<bool>, align_corners) = std::nullopt;
};
struct UnfoldOptions {
  UnfoldOptions(ExpandingArray<2> kernel_size) : kernel_size_(kernel_size) {}
  WICK_ARG(ExpandingArray<2>, kernel_size);
  WICK_ARG(ExpandingArray<2>, dilation) = 1;
  WICK_ARG(ExpandingArray<2>, padding) = 0;
  WICK_ARG(ExpandingArray<2>, stride) = 1;
};
struct FoldOptions {
  FoldOptions(ExpandingArray<2> output_size, ExpandingArray<2> kernel_size) : output_size_(output_size), kernel_size_(kernel_size) {}
  WICK_ARG(ExpandingArray<2>, output_size);
  WICK_ARG(ExpandingArray<2>, kernel_size);
  WICK_ARG(ExpandingArray<2>, dilation) = 1;
  WICK_ARG(ExpandingArray<2>, padding) = 0;
  WICK_ARG(ExpandingArray<2>, stride) = 1;
};

namespace functional {

using FoldFuncOptions = FoldOptions;
using UnfoldFuncOptions = UnfoldOptions;
struct InterpolateFuncOptions {
  using mode_t = OneOf<enumtype::kNearest, enumtype::kLinear, enumtype::kBilinear, enumtype::kBicubic, enumtype::kTrilinear,
                       enumtype::kArea, enumtype::kNearestExact>;
  WICK_ARG(std::optional<std::vector<int64_t>>, size) = std::nullopt;
  WICK_ARG(std::optional<std::vector<double>>, scale_factor) = std::nullopt;
  WICK_ARG(mode_t, mode) = kNearest;
  WICK_ARG(std::optional<bool>, align_corners) = std::nullopt;           // the corner pixels' centres meet, not their corners
  WICK_ARG(std::optional<bool>, recompute_scale_factor) = std::nullopt;  // from the rounded size
  WICK_ARG(bool, antialias) = false;                                     // where it shrinks, averages over what it skips
};
struct GridSampleFuncOptions {
  using mode_t = OneOf<enumtype::kBilinear, enumtype::kNearest>;
  using padding_mode_t = OneOf<enumtype::kZeros, enumtype::kBorder, enumtype::kReflection>;
  WICK_ARG(mode_t, mode) = kBilinear;
  WICK_ARG(padding_mode_t, padding_mode) = kZeros;  // what lies outside
  WICK_ARG(std::optional<bool>, align_corners) = std::nullopt;
};

// [N, C, L], [N, C, H, W] or [N, C, D, H, W] at another size, one dimension after the other, the last first. Bytes are
// rounded after each dimension, halves up; other integers only by kNearest and kNearestExact.
Tensor interpolate(const Tensor& input, const InterpolateFuncOptions& options = {});
// input: [N, C, H, W], grid: [N, h, w, 2] with places (x, y) from -1 to 1 (NaN is read as -1); result: [N, C, h, w].
// Or with a depth, (x, y, z).
Tensor grid_sample(const Tensor& input, const Tensor& grid, const GridSampleFuncOptions& options = {});
// The grid, for a result of `size`, of the affine maps theta, [N, 2, 3] or [N, 3, 4].
Tensor affine_grid(const Tensor& theta, IntArrayRef size, bool align_corners = false);
// Each block of the image as a column: [N, C, H, W] to [N, C kh kw, blocks].
Tensor unfold(const Tensor& input, const UnfoldFuncOptions& options);
// Back; where blocks overlap they are added.
Tensor fold(const Tensor& input, const FoldFuncOptions& options);

}  // namespace functional

WICK_FUNCTION_LAYER(Fold, (const Tensor& input), fold(input, options));
WICK_FUNCTION_LAYER(Unfold, (const Tensor& input), unfold(input, options));
WICK_FUNCTION_LAYER(Upsample, (const Tensor& input), interpolate(input, functional::InterpolateFuncOptions().size(options.size())
    .scale_factor(options.scale_factor()).mode(options.mode()).align_corners(options.align_corners())));

}  // namespace wick::nn
