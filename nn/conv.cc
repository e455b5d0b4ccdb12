#include "wick/nn/conv.h"

#include <cmath>

#include "wick/nn/any_module.h"
#include "wick/nn/init.h"

namespace wick::nn {
namespace {

// 3 where there is one in C++, [3, 3] for more; (3,) and (3, 3) in Python.
void add_sizes(Fields& fields, const char* name, IntArrayRef values) { fields.add_sizes(name, values, /*tuple=*/true); }

bool all_are(IntArrayRef values, int64_t value) {
  return std::all_of(values.begin(), values.end(), [value](int64_t v) { return v == value; });
}

// As pad() calls it.
const char* mode_name(const ConvPaddingMode& mode) {
  if (holds_alternative<enumtype::kReflect>(mode)) return "reflect";
  return holds_alternative<enumtype::kReplicate>(mode) ? "replicate" : "circular";
}

}  // namespace

template <size_t D, class Derived>
ConvNdImpl<D, Derived>::ConvNdImpl(detail::ConvNdOptions<D> options_) : options(std::move(options_)) {
  ConvNdImpl::reset();
}

template <size_t D, class Derived>
void ConvNdImpl<D, Derived>::reset() {
  const int64_t in = options.in_channels(), out = options.out_channels(), groups = options.groups();
  WICK_CHECK(groups > 0, "groups must be a positive integer");
  WICK_CHECK(in > 0 && out > 0, "in_channels and out_channels must be positive, got ", in, " and ", out);
  WICK_CHECK(in % groups == 0, "in_channels must be divisible by groups\n  got in_channels=", in, " and groups=", groups);
  WICK_CHECK(out % groups == 0, "out_channels must be divisible by groups\n  got out_channels=", out, " and groups=", groups);
  if (std::holds_alternative<enumtype::kSame>(options.padding())) {
    WICK_CHECK(all_are(options.stride(), 1), "padding='same' is not supported for strided convolutions");
  }
  Dims sizes = options.transposed() ? Dims{in, out / groups} : Dims{out, in / groups};
  for (int64_t k : *options.kernel_size()) sizes.push_back(k);
  weight = this->register_parameter("weight", empty(sizes));
  bias = this->register_parameter("bias", options.bias() ? empty({out}) : Tensor(), options.bias());
  reset_parameters();
}

template <size_t D, class Derived>
void ConvNdImpl<D, Derived>::reset_parameters() {
  init::kaiming_uniform_(weight, std::sqrt(5.0));
  if (!bias.defined()) return;
  const int64_t fan_in = std::get<0>(init::_calculate_fan_in_and_fan_out(weight));
  const double bound = fan_in > 0 ? 1 / std::sqrt(static_cast<double>(fan_in)) : 0;
  init::uniform_(bias, -bound, bound);
}

template <size_t D, class Derived>
ForwardDefaults ConvNdImpl<D, Derived>::forward_default_args() const {
  if (!options.transposed()) return {};
  return {{1, AnyValue(OptionalIntArrayRef())}};
}

template <size_t D, class Derived>
void ConvNdImpl<D, Derived>::describe(Fields& fields) const {
  fields.layer(wick::detail::concat(options.transposed() ? "ConvTranspose" : "Conv", D, "d"));
  fields.add("", options.in_channels()).add("", options.out_channels());
  add_sizes(fields, "kernel_size", options.kernel_size());
  add_sizes(fields, "stride", options.stride());
  if (const auto* padding = std::get_if<ExpandingArray<D>>(&options.padding())) {
    if (!all_are(*padding, 0)) add_sizes(fields, "padding", *padding);
  } else {
    const char* const name = std::holds_alternative<enumtype::kSame>(options.padding()) ? "same" : "valid";
    if (fields.is_python()) fields.add_text("padding", name);
    else fields.add("padding", std::string_view(name));
  }
  if (!all_are(options.dilation(), 1)) add_sizes(fields, "dilation", options.dilation());
  if (!all_are(options.output_padding(), 0)) add_sizes(fields, "output_padding", options.output_padding());
  if (options.groups() != 1) fields.add("groups", options.groups());
  if (!options.bias()) fields.add("bias", false);
  if (!holds_alternative<enumtype::kZeros>(options.padding_mode())) {
    fields.add_text("padding_mode",
                    fields.is_python() ? mode_name(options.padding_mode()) : enumtype::get_enum_name(options.padding_mode()));
  }
}

template <size_t D, class Derived>
Tensor ConvNdImpl<D, Derived>::padded(const Tensor& input) const {
  Dims both;  // from the last dimension
  for (size_t d = D; d-- > 0;) {
    int64_t low = 0, high = 0;
    if (const auto* padding = std::get_if<ExpandingArray<D>>(&options.padding())) {
      low = high = (*padding)[d];
    } else if (std::holds_alternative<enumtype::kSame>(options.padding())) {
      const int64_t total = options.dilation()[d] * (options.kernel_size()[d] - 1);
      low = total / 2;
      high = total - low;
    }
    both.push_back(low);
    both.push_back(high);
  }
  return wick::pad(input, both, mode_name(options.padding_mode()));
}

template <size_t D, class Derived>
ExpandingArray<D> ConvNdImpl<D, Derived>::output_padding_for(const Tensor& input, OptionalIntArrayRef output_size) const {
  WICK_CHECK(holds_alternative<enumtype::kZeros>(options.padding_mode()), "Only `zeros` padding mode is supported for ConvTranspose", D,
             "d");
  if (!output_size.has_value()) return options.output_padding();
  IntArrayRef wanted = *output_size;
  const size_t rank = static_cast<size_t>(input.dim());
  if (wanted.size() == rank) wanted = wanted.slice(rank - D);
  WICK_CHECK(wanted.size() == D, "output_size must have ", D, " or ", rank, " elements (got ", wanted.size(), ")");
  const auto& padding = std::get<ExpandingArray<D>>(options.padding());
  ExpandingArray<D> extra(0);
  for (size_t d = 0; d < D; ++d) {
    const int64_t stride = options.stride()[d];
    const int64_t least =
        (input.sizes()[rank - D + d] - 1) * stride - 2 * padding[d] + options.dilation()[d] * (options.kernel_size()[d] - 1) + 1;
    WICK_CHECK_VALUE(wanted[d] >= least && wanted[d] < least + stride, "requested an output size of ", wanted,
                     ", but valid sizes range from ", least, " to ", least + stride - 1, " in dimension ", d, " (for an input of ",
                     input.sizes(), ")");
    extra[d] = wanted[d] - least;
  }
  return extra;
}

namespace {

template <size_t D>
detail::ConvNdOptions<D> transposed(detail::ConvNdOptions<D> options) {
  WICK_CHECK_VALUE(std::holds_alternative<ExpandingArray<D>>(options.padding()), "ConvTranspose", D, "d: the padding must be numbers");
  return options.transposed(true);
}

// conv1d, conv2d or conv3d, which take the padding as numbers or by name.
template <size_t D, class Function>
Tensor with_padding(const ConvPadding<D>& padding, const Function& function) {
  if (const auto* numbers = std::get_if<ExpandingArray<D>>(&padding)) return function(IntArrayRef(*numbers));
  return function(std::holds_alternative<enumtype::kSame>(padding) ? "same" : "valid");
}

}  // namespace

#define WICK_CONV_LAYER(n)                                                                                                             \
  template class ConvNdImpl<n, Conv##n##dImpl>;                                                                                        \
  template class ConvNdImpl<n, ConvTranspose##n##dImpl>;                                                                               \
  WICK_LAYER_DEFINITION(Conv##n##d);                                                                                                   \
  WICK_LAYER_DEFINITION(ConvTranspose##n##d);                                                                                          \
  Conv##n##dImpl::Conv##n##dImpl(int64_t in_channels, int64_t out_channels, ExpandingArray<n> kernel_size)                             \
      : Conv##n##dImpl(Conv##n##dOptions(in_channels, out_channels, kernel_size)) {}                                                   \
  ConvTranspose##n##dImpl::ConvTranspose##n##dImpl(int64_t in_channels, int64_t out_channels, ExpandingArray<n> kernel_size)           \
      : ConvTranspose##n##dImpl(ConvTranspose##n##dOptions(in_channels, out_channels, kernel_size)) {}                                 \
  Conv##n##dImpl::Conv##n##dImpl(const Conv##n##dOptions& options_) : ConvNdImpl(options_) {}                                          \
  ConvTranspose##n##dImpl::ConvTranspose##n##dImpl(const ConvTranspose##n##dOptions& options_) : ConvNdImpl(transposed(options_)) {}   \
  Tensor Conv##n##dImpl::forward(const Tensor& input) {                                                                                \
    const bool zeros = holds_alternative<enumtype::kZeros>(options.padding_mode());                                                    \
    const Tensor& x = zeros ? input : padded(input);                                                                                   \
    return with_padding<n>(zeros ? options.padding() : ConvPadding<n>(kValid), [&](const auto& padding) {                              \
      return wick::conv##n##d(x, weight, bias, options.stride(), padding, options.dilation(), options.groups());                       \
    });                                                                                                                                \
  }                                                                                                                                    \
  Tensor ConvTranspose##n##dImpl::forward(const Tensor& input, OptionalIntArrayRef output_size) {                                      \
    return wick::conv_transpose##n##d(input, weight, bias, options.stride(), std::get<ExpandingArray<n>>(options.padding()),           \
                                      output_padding_for(input, output_size), options.groups(), options.dilation());                   \
  }                                                                                                                                    \
  namespace functional {                                                                                                               \
  Tensor conv##n##d(const Tensor& input, const Tensor& weight, const Conv##n##dFuncOptions& o) {                                       \
    return with_padding<n>(o.padding(), [&](const auto& padding) {                                                                     \
      return wick::conv##n##d(input, weight, o.bias(), o.stride(), padding, o.dilation(), o.groups());                                 \
    });                                                                                                                                \
  }                                                                                                                                    \
  Tensor conv_transpose##n##d(const Tensor& input, const Tensor& weight, const ConvTranspose##n##dFuncOptions& o) {                    \
    return wick::conv_transpose##n##d(input, weight, o.bias(), o.stride(), o.padding(), o.output_padding(), o.groups(), o.dilation()); \
  }                                                                                                                                    \
  }
WICK_CONV_LAYER(1)
WICK_CONV_LAYER(2)
WICK_CONV_LAYER(3)

}  // namespace wick::nn
