#include "wick/nn/padding.h"

namespace wick::nn {
namespace functional {

Tensor pad(const Tensor& input, const PadFuncOptions& options) {
  const auto& mode = options.mode();
  if (holds_alternative<enumtype::kConstant>(mode)) return wick::pad(input, options.pad(), "constant", options.value());
  WICK_CHECK(options.value() == 0, "Padding mode \"", mode.index() == 1 ? "reflect" : mode.index() == 2 ? "replicate" : "circular",
             "\" doesn't take in value argument");
  if (holds_alternative<enumtype::kReflect>(mode)) return wick::pad(input, options.pad(), "reflect");
  return wick::pad(input, options.pad(), holds_alternative<enumtype::kReplicate>(mode) ? "replicate" : "circular");
}

}  // namespace functional

namespace {

template <size_t D>
void describe_padding(Fields& fields, const PadOptions<D>& o) { fields.add_list(fields.is_python() ? "" : "padding", o.padding()); }
template <size_t D>
void describe_padding(Fields& fields, const ConstantPadOptions<D>& o) { fields.add_list("padding", o.padding()).add("value", o.value()); }

// By the class's name: "ZeroPad2d" pads with "constant".
template <size_t D>
Tensor padded(const Tensor& input, const PadOptions<D>& o, std::string_view layer) {
  return wick::pad(input, o.padding(), layer[0] == 'Z' ? "constant" : layer.starts_with("Refl") ? "reflect" : "replicate");
}
template <size_t D>
Tensor padded(const Tensor& input, const ConstantPadOptions<D>& o, std::string_view) {
  return constant_pad_nd(input, o.padding(), o.value());
}

}  // namespace

#define WICK_DEFINE(Name, Options)                                                                    \
  WICK_LAYER_DEFINITION(Name);                                                                        \
  void Name##Impl::describe(Fields& fields) const { describe_padding(fields.layer(#Name), options); } \
  Tensor Name##Impl::forward(const Tensor& input) { return padded(input, options, #Name); }
WICK_PAD_LAYERS(WICK_DEFINE)

}  // namespace wick::nn
