// Padding: options, function and modules. The numbers are (before, after) of the last dimension, then of the one before it, and so on;
// a negative one cuts off.
#pragma once

#include <array>
#include <vector>

#include "wick/framework/core/arg.h"
#include "wick/nn/cloneable.h"
#include "wick/nn/enum.h"

namespace wick::nn {

// (before, after) for each of D dimensions: one number for all of them, or the whole list.
template <size_t D>
class PaddingList {
 public:
  PaddingList(int64_t everywhere) : values_(2 * D, everywhere) {}
  PaddingList(std::initializer_list<int64_t> values) : PaddingList(IntArrayRef(values)) {}
  PaddingList(const std::vector<int64_t>& values) : PaddingList(IntArrayRef(values)) {}
  PaddingList(const std::array<int64_t, 2 * D>& values) : PaddingList(IntArrayRef(values.data(), values.size())) {}
  PaddingList(IntArrayRef values) : values_(values) {
    WICK_CHECK(values.size() == 2 * D, "Expected ", 2 * D, " values, but instead got ", values.size());
  }
  operator IntArrayRef() const { return values_; }

 private:
  Dims values_;
};

template <size_t D>
struct PadOptions {
  PadOptions(PaddingList<D> padding) : padding_(padding) {}
  WICK_ARG(PaddingList<D>, padding);
};
template <size_t D>
struct ConstantPadOptions {
  ConstantPadOptions(PaddingList<D> padding, double value) : padding_(padding), value_(value) {}
  WICK_ARG(PaddingList<D>, padding);
  WICK_ARG(double, value);
};

namespace functional {

struct PadFuncOptions {
  using mode_t = OneOf<enumtype::kConstant, enumtype::kReflect, enumtype::kReplicate, enumtype::kCircular>;
  PadFuncOptions(std::vector<int64_t> pad) : pad_(std::move(pad)) {}
  WICK_ARG(std::vector<int64_t>, pad);
  WICK_ARG(mode_t, mode) = kConstant;
  WICK_ARG(double, value) = 0;  // with kConstant
};

Tensor pad(const Tensor& input, const PadFuncOptions& options);

}  // namespace functional

// The input padded by a rule that is the class's: with zeros, a constant, its mirror image without the border element, the border
// element, or the other end.
#define WICK_PAD_LAYERS(X)                                                                                 \
  X(ZeroPad1d, PadOptions<1>) X(ZeroPad2d, PadOptions<2>) X(ZeroPad3d, PadOptions<3>)                      \
  X(ReflectionPad1d, PadOptions<1>) X(ReflectionPad2d, PadOptions<2>) X(ReflectionPad3d, PadOptions<3>)    \
  X(ReplicationPad1d, PadOptions<1>) X(ReplicationPad2d, PadOptions<2>) X(ReplicationPad3d, PadOptions<3>) \
  X(ConstantPad1d, ConstantPadOptions<1>) X(ConstantPad2d, ConstantPadOptions<2>) X(ConstantPad3d, ConstantPadOptions<3>)
#define WICK_PAD_LAYER(Name, Pad) \
  using Name##Options = Pad;      \
  WICK_OPTION_LAYER(Name, , (const Tensor& input), ;);
WICK_PAD_LAYERS(WICK_PAD_LAYER)
#undef WICK_PAD_LAYER

}  // namespace wick::nn
