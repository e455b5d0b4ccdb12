#include "wick/nn/pooling.h"

#include <cmath>

#include "wick/nn/any_module.h"

namespace wick::nn {
namespace functional {
namespace {

// The sizes for this input: its own where none is asked for.
Dims output_size_for(const Tensor&, const AdaptiveSize1& size) { return Dims(IntArrayRef(size)); }
template <size_t D>
Dims output_size_for(const Tensor& input, const ExpandingArrayWithOptionalElem<D>& size) {
  Dims sizes;
  for (size_t d = 0; d < D; ++d) sizes.push_back(size[d] ? *size[d] : input.size(static_cast<int64_t>(d) - static_cast<int64_t>(D)));
  return sizes;
}

// From the mean of the p-th powers.
template <size_t D>
Tensor lp_norm(const Tensor& mean, const LPPoolOptions<D>& options) {
  double count = 1;
  for (int64_t k : *options.kernel_size()) count *= static_cast<double>(k);
  return (mean.sign() * mean.abs().relu() * count).pow(1 / options.norm_type());
}

template <size_t D>
Tensor max_unpool(const Tensor& input, const Tensor& indices, const MaxUnpoolFuncOptions<D>& o) {
  const int64_t planes = input.dim() - static_cast<int64_t>(D);
  WICK_CHECK(planes == 1 || planes == 2, "Input to max_unpooling", D, "d should be a ", D + 1, "d or ", D + 2, "d Tensor, but got a tensor "
             "with ", input.dim(), " dimensions");
  WICK_CHECK(indices.sizes() == input.sizes(), "Expected shape of indices to be same as that of the input tensor (", input.sizes(),
             ") but got indices tensor with shape: ", indices.sizes());
  WICK_CHECK(indices.scalar_type() == kLong, "elements in indices should be type int64 but got: ", indices.scalar_type());
  Dims sizes;
  for (size_t d = 0; d < D; ++d) {
    const int64_t stride = o.stride()[d];
    const int64_t usual = (input.size(planes + static_cast<int64_t>(d)) - 1) * stride - 2 * o.padding()[d] + o.kernel_size()[d];
    sizes.push_back(usual);
    if (!o.output_size()) continue;
    const std::vector<int64_t>& wanted = *o.output_size();
    WICK_CHECK(wanted.size() == D || wanted.size() == D + 2, "output_size should be a sequence containing ", D, " or ", D + 2,
               " elements, but it has a length of '", wanted.size(), "'");
    sizes[d] = wanted[wanted.size() - D + d];
    WICK_CHECK(sizes[d] > usual - stride && sizes[d] < usual + stride, "invalid output_size ", IntArrayRef(wanted), " (dim ", d,
               " must be between ", usual - stride, " and ", usual + stride, ")");
  }
  const int64_t plane = checked_numel(sizes);
  const Dims flat = joined_dims({input.sizes().slice(0, planes), {plane}});
  const Tensor index = indices.flatten(planes);
  WICK_CHECK(index.numel() == 0 || (index.min().item<int64_t>() >= 0 && index.max().item<int64_t>() < plane),
             "Found an invalid max index: ", index.max().item<int64_t>(), " (output volumes are of size ", IntArrayRef(sizes), ")");
  return zeros(flat, input.options().requires_grad(false)).scatter(planes, index, input.flatten(planes)).unflatten(planes, sizes);
}

}  // namespace

#define WICK_POOLING(n)                                                                                                           \
  Tensor max_pool##n##d(const Tensor& input, const MaxPool##n##dFuncOptions& o) {                                                 \
    return wick::max_pool##n##d(input, o.kernel_size(), o.stride(), o.padding(), o.dilation(), o.ceil_mode());                    \
  }                                                                                                                               \
  TensorPair max_pool##n##d_with_indices(const Tensor& input, const MaxPool##n##dFuncOptions& o) {                                \
    return wick::max_pool##n##d_with_indices(input, o.kernel_size(), o.stride(), o.padding(), o.dilation(), o.ceil_mode());       \
  }                                                                                                                               \
  Tensor adaptive_avg_pool##n##d(const Tensor& input, const AdaptiveAvgPool##n##dFuncOptions& o) {                                \
    return wick::adaptive_avg_pool##n##d(input, output_size_for(input, o.output_size()));                                         \
  }                                                                                                                               \
  TensorPair adaptive_max_pool##n##d_with_indices(const Tensor& input, const AdaptiveMaxPool##n##dFuncOptions& o) {               \
    return wick::adaptive_max_pool##n##d(input, output_size_for(input, o.output_size()));                                         \
  }                                                                                                                               \
  Tensor adaptive_max_pool##n##d(const Tensor& input, const AdaptiveMaxPool##n##dFuncOptions& o) {                                \
    return std::get<0>(adaptive_max_pool##n##d_with_indices(input, o));                                                           \
  }                                                                                                                               \
  Tensor lp_pool##n##d(const Tensor& input, const LPPool##n##dFuncOptions& o) {                                                   \
    if (o.norm_type() == HUGE_VAL) return wick::max_pool##n##d(input.abs(), o.kernel_size(), o.stride(), 0, 1, o.ceil_mode());    \
    return lp_norm(wick::avg_pool##n##d(input.pow(o.norm_type()), o.kernel_size(), o.stride(), 0, o.ceil_mode()), o);             \
  }                                                                                                                               \
  Tensor max_unpool##n##d(const Tensor& input, const Tensor& indices, const MaxUnpool##n##dFuncOptions& o) {                      \
    return max_unpool(input, indices, o);                                                                                         \
  }
WICK_POOLING(1)
WICK_POOLING(2)
WICK_POOLING(3)

Tensor avg_pool1d(const Tensor& input, const AvgPool1dFuncOptions& o) {
  return wick::avg_pool1d(input, o.kernel_size(), o.stride(), o.padding(), o.ceil_mode(), o.count_include_pad());
}
Tensor avg_pool2d(const Tensor& input, const AvgPool2dFuncOptions& o) {
  return wick::avg_pool2d(input, o.kernel_size(), o.stride(), o.padding(), o.ceil_mode(), o.count_include_pad(), o.divisor_override());
}
Tensor avg_pool3d(const Tensor& input, const AvgPool3dFuncOptions& o) {
  return wick::avg_pool3d(input, o.kernel_size(), o.stride(), o.padding(), o.ceil_mode(), o.count_include_pad(), o.divisor_override());
}

}  // namespace functional

namespace {

// A pooling of Python's that keeps tuples (AvgPool1d) shows (2,).
void describe_sizes(Fields& fields, IntArrayRef kernel, IntArrayRef stride, IntArrayRef padding, bool tuple = false) {
  fields.add_sizes("kernel_size", kernel, tuple).add_sizes("stride", stride, tuple).add_sizes("padding", padding, tuple);
}
void describe_output(Fields& fields, const AdaptiveSize1& size) { fields.add_sizes("output_size", size); }
template <size_t D>
void describe_output(Fields& fields, const ExpandingArrayWithOptionalElem<D>& size) {
  Dims known;
  std::string text;
  for (const auto& value : *size) {
    if (value) known.push_back(*value);
    text += (text.empty() ? "" : ", ") + (value ? std::to_string(*value) : "None");
  }
  if (known.size() == D) fields.add_sizes("output_size", known);
  else fields.add_text("output_size", fields.is_python() ? "(" + text + ")" : "[" + text + "]");
}

}  // namespace

#define WICK_POOL_LAYER(Name, body)   \
  WICK_LAYER_DEFINITION(Name);        \
  void Name##Impl::describe(Fields& fields) const { fields.layer(#Name); body; }
#define WICK_POOL_LAYERS(n)                                                                                                  \
  WICK_POOL_LAYER(MaxPool##n##d, describe_sizes(fields, options.kernel_size(), options.stride(), options.padding());         \
                  fields.add_sizes("dilation", options.dilation()) WICK_FIELD(ceil_mode))                                    \
  WICK_POOL_LAYER(AvgPool##n##d, describe_sizes(fields, options.kernel_size(), options.stride(), options.padding(), n == 1)) \
  WICK_POOL_LAYER(MaxUnpool##n##d, describe_sizes(fields, options.kernel_size(), options.stride(), options.padding(), true)) \
  WICK_POOL_LAYER(LPPool##n##d, fields WICK_FIELD(norm_type).add_sizes("kernel_size", options.kernel_size())                 \
                                    .add_sizes("stride", options.stride()) WICK_FIELD(ceil_mode))                            \
  WICK_POOL_LAYER(AdaptiveAvgPool##n##d, describe_output(fields, options.output_size()))                                     \
  WICK_POOL_LAYER(AdaptiveMaxPool##n##d, describe_output(fields, options.output_size()))                                     \
  ForwardDefaults MaxUnpool##n##dImpl::forward_default_args() const {                                                        \
    return {{2, AnyValue(std::optional<std::vector<int64_t>>())}};                                                           \
  }
WICK_POOL_LAYERS(1)
WICK_POOL_LAYERS(2)
WICK_POOL_LAYERS(3)

}  // namespace wick::nn
