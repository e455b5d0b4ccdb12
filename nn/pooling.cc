#include "wick/nn/pooling.h"

#include <algorithm>

namespace wick::nn {
namespace {

// A number where all are the same, as Python was given it; in C++ the list where there is more than one. A pooling of Python's that
// keeps tuples (AvgPool1d) shows (2,).
void add_sizes(Fields& fields, const char* name, IntArrayRef values, bool tuple = false) {
  const bool equal = std::all_of(values.begin(), values.end(), [&](int64_t v) { return v == values[0]; });
  const std::string one = std::to_string(values[0]);
  if (fields.is_python() && tuple) fields.add_text(name, "(" + one + ",)");
  else if (fields.is_python() ? equal : values.size() == 1) fields.add_text(name, one);
  else fields.add_list(name, values);
}

template <size_t D>
void describe_max(Fields& fields, const MaxPoolOptions<D>& o) {
  add_sizes(fields, "kernel_size", o.kernel_size());
  add_sizes(fields, "stride", o.stride());
  add_sizes(fields, "padding", o.padding());
  add_sizes(fields, "dilation", o.dilation());
  fields.add("ceil_mode", o.ceil_mode());
}
template <size_t D>
void describe_avg(Fields& fields, const AvgPoolOptions<D>& o) {
  add_sizes(fields, "kernel_size", o.kernel_size(), D == 1);
  add_sizes(fields, "stride", o.stride(), D == 1);
  add_sizes(fields, "padding", o.padding(), D == 1);
}

void describe_size(Fields& fields, const AdaptiveSize1& size) { add_sizes(fields, "output_size", size); }
template <size_t D>
void describe_size(Fields& fields, const ExpandingArrayWithOptionalElem<D>& size) {
  Dims known;
  std::string text;
  for (const auto& value : *size) {
    if (value) known.push_back(*value);
    text += (text.empty() ? "" : ", ") + (value ? std::to_string(*value) : "None");
  }
  if (known.size() == D) add_sizes(fields, "output_size", known);
  else fields.add_text("output_size", fields.is_python() ? "(" + text + ")" : "[" + text + "]");
}

}  // namespace

#define WICK_POOL_LAYERS(n)                                                                                                              \
  WICK_LAYER_DEFINITION(MaxPool##n##d);                                                                                                  \
  WICK_LAYER_DEFINITION(AvgPool##n##d);                                                                                                  \
  WICK_LAYER_DEFINITION(AdaptiveAvgPool##n##d);                                                                                          \
  WICK_LAYER_DEFINITION(AdaptiveMaxPool##n##d);                                                                                          \
  void MaxPool##n##dImpl::describe(Fields& fields) const { describe_max(fields.layer("MaxPool" #n "d"), options); }                      \
  void AvgPool##n##dImpl::describe(Fields& fields) const { describe_avg(fields.layer("AvgPool" #n "d"), options); }                      \
  void AdaptiveAvgPool##n##dImpl::describe(Fields& fields) const {                                                                       \
    describe_size(fields.layer("AdaptiveAvgPool" #n "d"), options.output_size());                                                        \
  }                                                                                                                                      \
  void AdaptiveMaxPool##n##dImpl::describe(Fields& fields) const {                                                                       \
    describe_size(fields.layer("AdaptiveMaxPool" #n "d"), options.output_size());                                                        \
  }
WICK_POOL_LAYERS(1)
WICK_POOL_LAYERS(2)
WICK_POOL_LAYERS(3)
#undef WICK_POOL_LAYERS

}  // namespace wick::nn
