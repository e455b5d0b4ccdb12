#include <torch/nn/fractional_pooling.h>

namespace wick::nn {
namespace functional {
namespace {

// Where the `out` windows of size k start, [N, C, out]: floor((i + u) alpha) - floor(u alpha), and at the end for the last.
Tensor window_starts(const Tensor& u, int64_t in, int64_t out, int64_t k) {
  WICK_CHECK(k <= in && out + k - 1 <= in, "fractional_max_pool: the pool size (", k, ") is too large relative to the input size (", in,
             ")");
  Tensor starts = full({u.size(0), u.size(1), out}, in - k, kLong);
  if (out == 1) return starts;
  const double alpha = static_cast<double>(in - k) / static_cast<double>(out - 1);
  const Tensor shift = u.unsqueeze(2) * alpha, i = arange(out - 1, u.options());
  starts.narrow(2, 0, out - 1).copy_(((i + u.unsqueeze(2)) * alpha).to(kLong) - shift.to(kLong));
  return starts;
}

template <size_t D>
TensorPair fractional_max_pool(const Tensor& input, const FractionalMaxPoolOptions<D>& o) {
  WICK_CHECK(o.output_size() || o.output_ratio(), "fractional_max_pool", D,
             "d requires specifying either an output_size or an output_ratio");
  WICK_CHECK(!o.output_size() || !o.output_ratio(), "only one of output_size and output_ratio may be specified");
  constexpr int64_t kDims = D;
  const bool alone = input.dim() == kDims + 1;
  const Tensor x = alone ? input.unsqueeze(0) : input;
  const int64_t n = x.size(0), c = x.size(1);
  Tensor samples = o._random_samples();
  if (!samples.defined()) samples = rand({n, c, kDims}, input.options().requires_grad(false));
  Tensor index = zeros({}, kLong);  // [N, C, out..., k...]: where each element of each window stands in its plane
  Dims shape{n, c};
  for (int64_t d = 0; d < kDims; ++d) {
    const int64_t in = x.size(2 + d), k = o.kernel_size()[d];
    const int64_t out = o.output_size() ? (*o.output_size())[d] : static_cast<int64_t>(static_cast<double>(in) * (*o.output_ratio())[d]);
    const Tensor starts = window_starts(samples.select(2, D == 2 ? 1 - d : d), in, out, k);
    Dims along(2 + 2 * kDims, 1);
    along[0] = n, along[1] = c, along[2 + d] = out, along[2 + kDims + d] = k;
    index = index * in + (starts.unsqueeze(3) + arange(k, kLong)).view(along);
    shape.push_back(out);
  }
  const Tensor windows = index.flatten(2 + kDims).flatten(2, 1 + kDims).flatten(2);
  const Tensor values = x.flatten(2).gather(2, windows).view(index.flatten(2 + kDims).sizes());
  const auto [best, at] = values.max(-1);
  const Tensor where_found = index.flatten(2 + kDims).gather(-1, at.unsqueeze(-1)).squeeze(-1);
  if (alone) return {best.squeeze(0), where_found.squeeze(0)};
  return {best, where_found};
}

}  // namespace

#define WICK_FRACTIONAL_POOLING(n)                                                                                        \
  Tensor fractional_max_pool##n##d(const Tensor& input, const FractionalMaxPool##n##dFuncOptions& o) {                    \
    return std::get<0>(fractional_max_pool(input, o));                                                                    \
  }                                                                                                                       \
  TensorPair fractional_max_pool##n##d_with_indices(const Tensor& input, const FractionalMaxPool##n##dFuncOptions& o) {   \
    return fractional_max_pool(input, o);                                                                                 \
  }
WICK_FRACTIONAL_POOLING(2)
WICK_FRACTIONAL_POOLING(3)

}  // namespace functional

#define WICK_FRACTIONAL_LAYER(Name)                                                           \
  WICK_DEFINE_LAYER(Name);                                                                    \
  Name##Impl::Name##Impl(Name##Options o) : options(std::move(o)) { Name##Impl::reset(); }    \
  void Name##Impl::reset() {                                                                  \
    WICK_CHECK(options.output_size() || options.output_ratio(),                               \
               #Name " requires specifying either an output size, or a pooling ratio");       \
    WICK_CHECK(!options.output_size() || !options.output_ratio(),                             \
               "only one of output_size and output_ratio may be specified");                  \
    _random_samples = register_buffer("_random_samples", options._random_samples());          \
  }
WICK_FRACTIONAL_LAYER(FractionalMaxPool2d)
WICK_FRACTIONAL_LAYER(FractionalMaxPool3d)

}  // namespace wick::nn
