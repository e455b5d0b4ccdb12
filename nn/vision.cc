#include "wick/nn/vision.h"

#include <algorithm>
#include <cmath>

#include "wick/framework/core/warning.h"
#include "wick/framework/ops/op.h"
#include "wick/framework/ops/tensor_literal.h"

namespace wick::nn {
namespace functional {
namespace {

using Mode = InterpolateFuncOptions::mode_t;

// ---- interpolate -------------------------------------------------------------------------------------------------------------------

// Along one dimension, element i of the result is the sum over k of weights[i, k] x[index[i, k]].
struct Taps {
  int64_t per_output;
  std::vector<int64_t> index;
  std::vector<double> weights;
};

double cubic(double x, double a) {  // Keys, "Cubic convolution interpolation for digital image processing", 1981
  x = std::abs(x);
  if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0;
}

// Linear and cubic: the kernel is centred where output i lies in the input, and covers 2 or 4 elements; those beyond the border are the
// border's. The antialiased kernel is as wide as the step between outputs, and stops at the border.
Taps taps(int64_t in, int64_t out, double scale, bool is_cubic, bool align_corners, bool antialias) {
  const double wide = antialias ? std::max(scale, 1.0) : 1.0, support = (is_cubic ? 2 : 1) * wide;
  Taps t{antialias ? 2 * static_cast<int64_t>(std::ceil(support)) + 1 : is_cubic ? 4 : 2, {}, {}};
  for (int64_t i = 0; i < out; ++i) {
    const double position = static_cast<double>(i);
    double centre = align_corners ? position * scale : (position + 0.5) * scale - 0.5;
    if (!is_cubic && !align_corners) centre = std::max(centre, antialias ? centre : 0.0);
    const int64_t first = antialias ? std::max<int64_t>(static_cast<int64_t>(centre + 0.5 - support + 0.5), 0)
                                    : static_cast<int64_t>(std::floor(centre)) - (is_cubic ? 1 : 0);
    const int64_t last = antialias ? std::min(static_cast<int64_t>(centre + 0.5 + support + 0.5), in) : first + t.per_output;
    double total = 0;
    const size_t start = t.weights.size();
    for (int64_t k = first; k < first + t.per_output; ++k) {
      const double distance = (static_cast<double>(k) - centre) / wide;
      const double weight = is_cubic ? cubic(distance, antialias ? -0.5 : -0.75) : std::max(1 - std::abs(distance), 0.0);
      t.index.push_back(std::clamp<int64_t>(k, 0, in - 1));
      t.weights.push_back(k < last ? weight : 0);
      total += t.weights.back();
    }
    for (size_t k = start; antialias && k < t.weights.size(); ++k) t.weights[k] /= total;
  }
  return t;
}

// floor(scale i) in float32, as everywhere else.
Taps nearest(int64_t in, int64_t out, double scale, float offset) {
  Taps t{1, {}, std::vector<double>(static_cast<size_t>(out), 1)};
  for (int64_t i = 0; i < out; ++i) {
    t.index.push_back(std::min(static_cast<int64_t>(std::floor((static_cast<float>(i) + offset) * static_cast<float>(scale))), in - 1));
  }
  return t;
}

// As many binary places as 16 bits hold: with PyTorch's weights bytes are PyTorch's bytes.
void round_weights(Taps& t) {
  const double largest = *std::max_element(t.weights.begin(), t.weights.end());
  double unit = 2;
  while (unit < 1 << 22 && std::floor(largest * unit * 2 + 0.5) < 1 << 15) unit *= 2;
  for (double& w : t.weights) w = std::round(w * unit) / unit;
}

Tensor resample(const Tensor& x, int64_t dim, const Taps& t) {
  const int64_t k = t.per_output, out = static_cast<int64_t>(t.index.size()) / k;
  const Tensor picked = x.index_select(dim, tensor(t.index).to(x.device()));
  if (k == 1) return picked;
  Dims shape(x.dim() - dim, 1);
  shape[0] = out;
  shape.insert(1, k);
  const Tensor weights = tensor(t.weights, kDouble).to(x.options().requires_grad(false)).view(shape);
  return (picked.unflatten(dim, {out, k}) * weights).sum({dim + 1});
}

std::vector<int64_t> output_size(const Tensor& input, const InterpolateFuncOptions& o) {
  WICK_CHECK(o.size() || o.scale_factor(), "either size or scale_factor should be defined");
  WICK_CHECK(!o.size() || !o.scale_factor(), "only one of size or scale_factor should be defined");
  const size_t dims = static_cast<size_t>(input.dim() - 2);
  if (o.size()) {
    WICK_CHECK(!o.recompute_scale_factor().value_or(false), "recompute_scale_factor is not meaningful with an explicit size.");
    WICK_CHECK(o.size()->size() == dims, "It is expected output_size equals to ", dims, ", but got size ", o.size()->size());
    return *o.size();
  }
  const std::vector<double>& factors = *o.scale_factor();
  WICK_CHECK(factors.size() == dims, "scale_factor shape must match input shape. Input is ", dims, "D, scale_factor size is ",
             ArrayRef<double>(factors));
  if (!o.recompute_scale_factor() && std::any_of(factors.begin(), factors.end(), [](double f) { return std::floor(f) != f; })) {
    WICK_WARN("The default behavior for interpolate/upsample with float scale_factor changed in 1.6.0 to align with other "
              "frameworks/libraries, and uses scale_factor directly, instead of relying on the computed output size. If you wish to keep "
              "the old behavior, please set recompute_scale_factor=True. See the documentation of nn.Upsample for details. ");
  }
  std::vector<int64_t> sizes;
  for (size_t d = 0; d < dims; ++d) {
    sizes.push_back(static_cast<int64_t>(std::floor(static_cast<double>(input.size(static_cast<int64_t>(d) + 2)) * factors[d])));
  }
  return sizes;
}

void check_mode(const Tensor& input, const Mode& mode) {
  const int64_t dim = input.dim();
  const std::string name = enumtype::get_enum_name(mode);
  const int64_t wanted = name == "kLinear" ? 3 : name == "kBilinear" ? 4 : name == "kTrilinear" ? 5 : 0;
  const bool fits = dim >= 3 && dim <= 5 && (dim == 4 || !holds_alternative<enumtype::kBicubic>(mode));
  WICK_CHECK(fits, "Input Error: Only 3D, 4D and 5D input Tensors supported (got ", dim, "D) for the modes: nearest | linear | bilinear | "
             "bicubic | trilinear (got ", name, ")");
  const char* const names[] = {"linear", "bilinear", "trilinear"};
  WICK_CHECK(!wanted || wanted == dim, "Got ", dim, "D input, but ", names[wanted ? wanted - 3 : 0], " mode needs ", wanted, "D input");
}

}  // namespace

Tensor interpolate(const Tensor& input, const InterpolateFuncOptions& o) {
  const Mode& mode = o.mode();
  const bool is_exact = holds_alternative<enumtype::kNearestExact>(mode), is_area = holds_alternative<enumtype::kArea>(mode);
  const bool is_nearest = is_exact || holds_alternative<enumtype::kNearest>(mode), is_cubic = holds_alternative<enumtype::kBicubic>(mode);
  WICK_CHECK(!o.align_corners() || is_exact || !(is_nearest || is_area), "align_corners option can only be set with the interpolating "
             "modes: linear | bilinear | bicubic | trilinear");
  if (!o.align_corners() && !is_nearest && !is_area) {
    WICK_WARN("Default upsampling behavior when mode=", enumtype::get_enum_name(mode), " is changed to align_corners=False since 0.4.0. "
              "Please specify align_corners=True if the old behavior is desired. See the documentation of nn.Upsample for details.");
  }
  WICK_CHECK(!o.antialias() || (input.dim() == 4 && (is_cubic || holds_alternative<enumtype::kBilinear>(mode))),
             "Anti-alias option is only supported for bilinear and bicubic modes");
  check_mode(input, mode);
  const std::vector<int64_t> sizes = output_size(input, o);
  if (is_area) {
    if (input.dim() == 3) return wick::adaptive_avg_pool1d(input, sizes);
    return input.dim() == 4 ? wick::adaptive_avg_pool2d(input, sizes) : wick::adaptive_avg_pool3d(input, sizes);
  }
  const bool bytes = !is_nearest && input.scalar_type() == kByte;
  WICK_CHECK_NOT_IMPLEMENTED(is_nearest || bytes || input.is_floating_point(), "\"interpolate\" not implemented for '",
                             input.scalar_type(), "'");
  const bool align = o.align_corners().value_or(false);
  Tensor y = bytes ? input.to(kFloat) : input;
  for (size_t d = sizes.size(); d-- > 0;) {
    const int64_t dim = static_cast<int64_t>(d) + 2, in = input.size(dim), out = sizes[d];
    WICK_CHECK(in > 0 && out > 0, "Input and output sizes should be greater than 0, but got input ", input.sizes(), " and output ",
               IntArrayRef(sizes));
    // Throws for a size that no memory holds, before there is a weight for each place.
    if (out > 1 << 20) empty(joined_dims({input.sizes().slice(0, 2), sizes}), y.options().requires_grad(false));
    double scale = static_cast<double>(in) / static_cast<double>(out);
    if (align) scale = out > 1 ? static_cast<double>(in - 1) / static_cast<double>(out - 1) : 0;
    else if (o.scale_factor() && !o.recompute_scale_factor().value_or(false)) scale = 1 / (*o.scale_factor())[d];
    if (in == out && scale == 1) continue;
    Taps t = is_nearest ? nearest(in, out, scale, is_exact ? 0.5f : 0.0f) : taps(in, out, scale, is_cubic, align, o.antialias());
    if (bytes) round_weights(t);
    y = resample(y, dim, t);
    if (bytes) y = (y + 0.5).floor().clamp(0, 255);
  }
  return y.is_same(input) ? y.clone() : y.to(input.scalar_type());
}

// ---- grid_sample -------------------------------------------------------------------------------------------------------------------

namespace {

// x folded at the borders low and low + span until it lies between them.
Tensor reflected(const Tensor& x, double low, double span) {
  if (span == 0) return x * 0;
  const Tensor distance = (x - low).abs(), extra = distance.remainder(span), flips = (distance.detach() / span).floor();
  return where(flips.remainder(2).eq(0), extra + low, span - extra + low);
}

// From -1 ... 1 to pixels of a dimension of n.
Tensor pixels(const Tensor& coordinate, int64_t n, bool align, const GridSampleFuncOptions::padding_mode_t& padding) {
  const double size = static_cast<double>(n);
  Tensor x = align ? (coordinate + 1) * ((size - 1) / 2) : ((coordinate + 1) * size - 1) / 2;
  if (holds_alternative<enumtype::kReflection>(padding)) x = align ? reflected(x, 0, size - 1) : reflected(x, -0.5, size);
  x = x.masked_fill(x.isnan(), align ? 0 : -0.5);  // NaN is read as -1
  return holds_alternative<enumtype::kZeros>(padding) ? x : x.clamp(0, size - 1);
}

}  // namespace

Tensor grid_sample(const Tensor& input, const Tensor& grid, const GridSampleFuncOptions& o) {
  if (!o.align_corners()) {
    WICK_WARN("Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0. Please specify "
              "align_corners=True if the old behavior is desired. See the documentation of grid_sample for details.");
  }
  const int64_t dims = input.dim() - 2;
  WICK_CHECK((dims == 2 || dims == 3) && grid.dim() == input.dim(), "grid_sampler(): expected 4D or 5D input and grid with same number of "
             "dimensions, but got input with sizes ", input.sizes(), " and grid with sizes ", grid.sizes());
  WICK_CHECK(input.size(0) == grid.size(0), "grid_sampler(): expected grid and input to have same batch size, but got input with sizes ",
             input.sizes(), " and grid with sizes ", grid.sizes());
  WICK_CHECK(grid.size(-1) == dims, "grid_sampler(): expected grid to have size ", dims, " in last dimension, but got grid with sizes ",
             grid.sizes());
  const auto empty_dim = std::find(input.sizes().begin() + 2, input.sizes().end(), 0);
  WICK_CHECK(empty_dim == input.sizes().end(), "grid_sampler(): expected input to have non-empty spatial dimensions, but input has sizes ",
             input.sizes(), " with dimension ", empty_dim - input.sizes().begin(), " being empty");
  const bool is_nearest = holds_alternative<enumtype::kNearest>(o.mode());
  const Tensor planes = input.flatten(2);
  std::vector<Tensor> at, low;  // of each dimension of the input, [N, places]
  for (int64_t d = 0; d < dims; ++d) {
    const Tensor coordinate = grid.select(-1, dims - 1 - d).flatten(1);
    at.push_back(pixels(coordinate, input.size(2 + d), o.align_corners().value_or(false), o.padding_mode()));
    low.push_back(is_nearest ? at.back().detach().round() : at.back().detach().floor());
  }
  Tensor y;
  for (int64_t corner = 0; corner < (is_nearest ? 1 : 1 << dims); ++corner) {
    Tensor weight, index, inside;
    for (int64_t d = 0; d < dims; ++d) {
      const int64_t n = input.size(2 + d), high = corner >> d & 1;
      const Tensor pixel = low[d] + high, offset = at[d] - low[d];
      const Tensor valid = pixel.ge(0).logical_and(pixel.lt(n)), row = pixel.clamp(0, n - 1).to(kLong);
      const Tensor share = is_nearest ? ones_like(pixel) : high ? offset : 1 - offset;
      weight = d ? weight * share : share;
      inside = d ? inside.logical_and(valid) : valid;
      index = d ? index * n + row : row;
    }
    const Tensor value = planes.gather(2, index.unsqueeze(1).expand({index.size(0), planes.size(1), index.size(1)}));
    const Tensor part = value * where(inside, weight, zeros({}, weight.options().requires_grad(false))).unsqueeze(1);
    y = corner ? y + part : part;
  }
  return ops::own(y.view(joined_dims({input.sizes().slice(0, 2), grid.sizes().slice(1, dims)})));
}

Tensor affine_grid(const Tensor& theta, IntArrayRef size, bool align_corners) {
  const int64_t dims = static_cast<int64_t>(size.size()) - 2;
  WICK_CHECK(dims == 2 || dims == 3, "affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, respectively. Got size ",
             size);
  WICK_CHECK(theta.is_floating_point(), "Expected theta to have floating point type, but got ", theta.dtype());
  WICK_CHECK(theta.dim() == 3 && theta.size(-2) == dims && theta.size(-1) == dims + 1, "Expected a batch of ", dims, "D affine matrices of "
             "shape Nx", dims, "x", dims + 1, " for size ", size, ". Got ", theta.sizes(), ".");
  WICK_CHECK(*std::min_element(size.begin(), size.end()) > 0, "Expected non-zero, positive output size. Got ", size);
  const IntArrayRef space = size.slice(2);
  const TensorOptions like = theta.options().requires_grad(false);
  std::vector<Tensor> coordinates;  // x first: of the last dimension
  for (int64_t d = dims - 1; d >= 0; --d) {
    const int64_t n = space[d];
    const double edge = align_corners ? (n > 1 ? 1.0 : 0.0) : 1 - 1 / static_cast<double>(n);
    Dims along(dims, 1);
    along[d] = n;
    coordinates.push_back(linspace(-edge, edge, n, like).view(along).expand(space));
  }
  coordinates.push_back(ones(space, like));
  const Tensor places = stack(coordinates, -1).view({1, -1, dims + 1}).expand({theta.size(0), -1, dims + 1});
  return ops::own(places.bmm(theta.transpose(1, 2)).view(joined_dims({{theta.size(0)}, space, {dims}})));
}

// ---- unfold and fold ---------------------------------------------------------------------------------------------------------------

namespace {

std::string pair_of(IntArrayRef values) { return wick::detail::concat('(', values[0], ", ", values[1], ')'); }

// Along each dimension of the padded image: where element k of block b stands, [kernel, blocks].
template <class Options>
std::pair<Tensor, Tensor> block_rows(const Options& o, IntArrayRef size) {
  Tensor rows[2];
  int64_t blocks[2];
  for (int64_t d = 0; d < 2; ++d) {
    const int64_t k = o.kernel_size()[d], s = o.stride()[d], dilation = o.dilation()[d], room = size[d] + 2 * o.padding()[d];
    WICK_CHECK(k > 0 && s > 0 && dilation > 0 && o.padding()[d] >= 0, "kernel size, stride and dilation should be greater than zero, and "
               "padding non-negative");
    blocks[d] = room < dilation * (k - 1) + 1 ? 0 : (room - dilation * (k - 1) - 1) / s + 1;
    rows[d] = (arange(k, kLong) * dilation).unsqueeze(1) + arange(blocks[d], kLong) * s;
  }
  WICK_CHECK(blocks[0] > 0 && blocks[1] > 0, "Given input with spatial size ", pair_of(size), ", kernel_size=", pair_of(o.kernel_size()),
             ", dilation=", pair_of(o.dilation()), ", padding=", pair_of(o.padding()),
             ", calculated shape of the array of sliding blocks as ", pair_of(blocks), ", but its components must be at least one.");
  return {rows[0], rows[1]};
}

}  // namespace

Tensor unfold(const Tensor& x, const UnfoldFuncOptions& o) {
  WICK_CHECK(x.dim() == 4, "Input Error: Only 4D input Tensors are supported (got ", x.dim(), "D)");
  const auto [rows, columns] = block_rows(o, x.sizes().slice(2));
  const Tensor padded = constant_pad_nd(x, {o.padding()[1], o.padding()[1], o.padding()[0], o.padding()[0]});
  const Tensor picked = padded.index_select(2, rows.flatten()).index_select(3, columns.flatten());
  return picked.view({x.size(0), x.size(1), rows.size(0), rows.size(1), columns.size(0), columns.size(1)})
      .permute({0, 1, 2, 4, 3, 5})
      .reshape({x.size(0), x.size(1) * rows.size(0) * columns.size(0), rows.size(1) * columns.size(1)});
}

Tensor fold(const Tensor& input, const FoldFuncOptions& o) {
  WICK_CHECK(input.dim() == 3 || input.dim() == 2, "Input Error: Only unbatched (2D) or batched (3D) input Tensors are supported (got ",
             input.dim(), "D)");
  const Tensor x = input.dim() == 2 ? input.unsqueeze(0) : input;
  const int64_t height = o.output_size()[0], width = o.output_size()[1];
  const auto [rows, columns] = block_rows(o, o.output_size());
  const int64_t kh = rows.size(0), kw = columns.size(0), n = x.size(0), c = x.size(1) / (kh * kw);
  WICK_CHECK(x.size(1) % (kh * kw) == 0, "Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got "
             "input.size(1)=", x.size(1), " and kernel_size=", pair_of(o.kernel_size()), ".");
  WICK_CHECK(x.size(2) == rows.size(1) * columns.size(1), "Given output_size=", pair_of(o.output_size()), ", kernel_size=",
             pair_of(o.kernel_size()), ", dilation=", pair_of(o.dilation()), ", padding=", pair_of(o.padding()), ", stride=",
             pair_of(o.stride()), ", expected size of input's dimension 2 to match the calculated number of sliding blocks ",
             rows.size(1), " * ", columns.size(1), " = ", rows.size(1) * columns.size(1), ", but got input.size(2)=", x.size(2), ".");
  const int64_t ph = o.padding()[0], pw = o.padding()[1];
  const Tensor blocks = x.view({n, c, kh, kw, rows.size(1), columns.size(1)}).permute({0, 1, 2, 4, 3, 5})
                            .reshape({n, c, rows.numel(), columns.numel()});
  const TensorOptions like = x.options().requires_grad(false);
  const Tensor lines = zeros({n, c, rows.numel(), width + 2 * pw}, like).index_add(3, columns.flatten(), blocks);
  const Tensor image = zeros({n, c, height + 2 * ph, width + 2 * pw}, like).index_add(2, rows.flatten(), lines);
  const Tensor y = ops::own(image.narrow(2, ph, height).narrow(3, pw, width));
  return (input.dim() == 2 ? ops::own(y.squeeze(0)) : y).contiguous();
}

}  // namespace functional

WICK_DEFINE_LAYER(Fold, .add_sizes("output_size", options.output_size()).add_sizes("kernel_size", options.kernel_size())
    .add_sizes("dilation", options.dilation()).add_sizes("padding", options.padding()).add_sizes("stride", options.stride()));
WICK_DEFINE_LAYER(Unfold, .add_sizes("kernel_size", options.kernel_size()).add_sizes("dilation", options.dilation())
    .add_sizes("padding", options.padding()).add_sizes("stride", options.stride()));
WICK_LAYER_DEFINITION(Upsample);

void UpsampleImpl::describe(Fields& fields) const {
  fields.layer("Upsample");
  if (options.scale_factor()) {
    Fields factors(fields.is_python() ? Fields::Style::kPython : Fields::Style::kCpp);
    for (double factor : *options.scale_factor()) factors.add("", factor);
    fields.add_text("scale_factor", fields.is_python() ? '(' + factors.text() + ')' : '[' + factors.text() + ']');
  } else if (options.size()) {
    fields.add_list("size", *options.size());
  }
  const std::string name = enumtype::get_enum_name(options.mode());
  if (!fields.is_python()) fields.add_text("mode", name);
  else fields.add("mode", std::string_view(std::string(1, static_cast<char>(name[1] + 'a' - 'A')) + name.substr(2)));
}

}  // namespace wick::nn
