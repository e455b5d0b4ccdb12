// Padding: options, function and modules. The numbers are (before, after) of the last dimension, then of the one before it, and so on;
// a negative one cuts off.
#pragma once

#include <variant>

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
  using mode_t = std::variant<enumtype::kConstant, enumtype::kReflect, enumtype::kReplicate, enumtype::kCircular>;
  PadFuncOptions(std::vector<int64_t> pad) : pad_(std::move(pad)) {}
  WICK_ARG(std::vector<int64_t>, pad);
  WICK_ARG(mode_t, mode) = kConstant;
  WICK_ARG(double, value) = 0;  // with kConstant
};

Tensor pad(const Tensor& input, const PadFuncOptions& options);

}  // namespace functional

// The input padded by a rule that is the class's: with zeros, a constant, its mirror image without the border element, the border
// element, or the other end.
#define WICK_PAD_LAYER(Name, D)                                            \
  using Name##D##dOptions = PadOptions<D>;                                 \
  class Name##D##dImpl : public Cloneable<Name##D##dImpl> {                \
   public:                                                                 \
    Name##D##dImpl(PaddingList<D> padding) : options(padding) {}           \
    explicit Name##D##dImpl(const PadOptions<D>& options_) : options(options_) {} \
    void describe(Fields& fields) const override;                          \
    Tensor forward(const Tensor& input);                                   \
                                                                           \
    PadOptions<D> options;                                                 \
  };                                                                       \
  WICK_LAYER(Name##D##d)
#define WICK_PAD_LAYERS(X) \
  X(ZeroPad, 1)            \
  X(ZeroPad, 2)            \
  X(ZeroPad, 3)            \
  X(ReflectionPad, 1)      \
  X(ReflectionPad, 2)      \
  X(ReflectionPad, 3)      \
  X(ReplicationPad, 1)     \
  X(ReplicationPad, 2)     \
  X(ReplicationPad, 3)
#define WICK_DECLARE(Name, D) WICK_PAD_LAYER(Name, D);
WICK_PAD_LAYERS(WICK_DECLARE)
#undef WICK_DECLARE
#undef WICK_PAD_LAYER

#define WICK_CONSTANT_PAD_LAYER(D)                                              \
  using ConstantPad##D##dOptions = ConstantPadOptions<D>;                       \
  class ConstantPad##D##dImpl : public Cloneable<ConstantPad##D##dImpl> {       \
   public:                                                                      \
    ConstantPad##D##dImpl(PaddingList<D> padding, double value) : options(padding, value) {} \
    explicit ConstantPad##D##dImpl(const ConstantPadOptions<D>& options_) : options(options_) {} \
    void describe(Fields& fields) const override;                               \
    Tensor forward(const Tensor& input);                                        \
                                                                                \
    ConstantPadOptions<D> options;                                              \
  };                                                                            \
  WICK_LAYER(ConstantPad##D##d)
WICK_CONSTANT_PAD_LAYER(1);
WICK_CONSTANT_PAD_LAYER(2);
WICK_CONSTANT_PAD_LAYER(3);
#undef WICK_CONSTANT_PAD_LAYER

}  // namespace wick::nn
