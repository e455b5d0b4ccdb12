#include "wick/nn/padding.h"

namespace wick::nn {
namespace functional {

Tensor pad(const Tensor& input, const PadFuncOptions& options) {
  const auto& mode = options.mode();
  if (std::holds_alternative<enumtype::kConstant>(mode)) return wick::pad(input, options.pad(), "constant", options.value());
  WICK_CHECK(options.value() == 0, "Padding mode \"", mode.index() == 1 ? "reflect" : mode.index() == 2 ? "replicate" : "circular",
             "\" doesn't take in value argument");
  if (std::holds_alternative<enumtype::kReflect>(mode)) return wick::pad(input, options.pad(), "reflect");
  return wick::pad(input, options.pad(), std::holds_alternative<enumtype::kReplicate>(mode) ? "replicate" : "circular");
}

}  // namespace functional

#define WICK_DEFINE(Name, D)                                                                                     \
  WICK_LAYER_DEFINITION(Name##D##d);                                                                             \
  void Name##D##dImpl::describe(Fields& fields) const {                                                          \
    fields.layer(#Name #D "d").add_list(fields.is_python() ? "" : "padding", options.padding());                 \
  }                                                                                                              \
  Tensor Name##D##dImpl::forward(const Tensor& input) { return wick::pad(input, options.padding(), k##Name); }
constexpr const char* kZeroPad = "constant";
constexpr const char* kReflectionPad = "reflect";
constexpr const char* kReplicationPad = "replicate";
WICK_PAD_LAYERS(WICK_DEFINE)

#define WICK_DEFINE_CONSTANT(D)                                                                            \
  WICK_LAYER_DEFINITION(ConstantPad##D##d);                                                                \
  void ConstantPad##D##dImpl::describe(Fields& fields) const {                                             \
    fields.layer("ConstantPad" #D "d").add_list("padding", options.padding()).add("value", options.value()); \
  }                                                                                                        \
  Tensor ConstantPad##D##dImpl::forward(const Tensor& input) { return constant_pad_nd(input, options.padding(), options.value()); }
WICK_DEFINE_CONSTANT(1)
WICK_DEFINE_CONSTANT(2)
WICK_DEFINE_CONSTANT(3)

}  // namespace wick::nn
