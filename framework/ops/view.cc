// Views: operations that read the same memory in another shape, and copy nothing. view_parts.cc has those that pick parts.
#include "wick/framework/ops/view.h"

#include <numeric>

#include "wick/framework/ops/copy.h"

namespace wick::ops {

// ---- Geometry ----------------------------------------------------------------------------------------------------------------------

int64_t Geometry::end() const {
  int64_t last = offset;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 0) return 0;
    last += (sizes[d] - 1) * strides[d];
  }
  return last + 1;
}

bool Geometry::is_disjoint() const {
  Dims order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return strides[a] < strides[b]; });
  int64_t reach = 0;  // of the dimensions with smaller strides
  for (int64_t d : order) {
    if (sizes[d] == 0) return true;
    if (sizes[d] == 1) continue;
    if (strides[d] <= reach) return false;
    reach += (sizes[d] - 1) * strides[d];
  }
  return true;
}

Dims infer_shape(IntArrayRef shape, int64_t numel) {
  Dims result(shape);
  int64_t known = 1, unknown = -1;
  bool overflow = false;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == -1) {
      WICK_CHECK(unknown < 0, "only one dimension can be inferred\n  shape: ", shape);
      unknown = static_cast<int64_t>(i);
      continue;
    }
    WICK_CHECK(shape[i] >= 0, "invalid shape dimension ", shape[i], " at index ", i, " of shape ", shape);
    overflow |= __builtin_mul_overflow(known, shape[i], &known);
  }
  if (unknown < 0 ? known == numel && !overflow : known > 0 && !overflow && numel % known == 0) {
    if (unknown >= 0) result[unknown] = numel / known;
    return result;
  }
  WICK_CHECK(unknown < 0 || known != 0 || numel != 0, "cannot reshape tensor of 0 elements into shape ", shape,
             " because the unspecified dimension size -1 can be any value and is ambiguous");
  wick::detail::raise<Error>("shape '", shape, "' is invalid for input of size ", numel);
}

std::optional<Dims> strides_for_view(IntArrayRef sizes, IntArrayRef strides, IntArrayRef new_sizes) {
  const bool empty = std::find(sizes.begin(), sizes.end(), 0) != sizes.end();
  if (empty) return sizes == new_sizes ? Dims(strides) : contiguous_strides(new_sizes);
  Dims result(new_sizes.size(), 1);
  // From the end: a block of old dimensions that lie in memory like one dimension must be a block of new ones.
  size_t to = new_sizes.size();
  for (size_t from = sizes.size(); from > 0;) {
    const int64_t unit = strides[from - 1];
    int64_t block = sizes[--from];
    while (from > 0 && (sizes[from - 1] == 1 || strides[from - 1] == block * unit)) block *= sizes[--from];
    int64_t filled = 1;
    while (to > 0 && (filled < block || new_sizes[to - 1] == 1)) {
      result[--to] = filled * unit;
      filled *= new_sizes[to];
    }
    if (filled != block) return std::nullopt;
  }
  return result;
}

namespace {

struct GeometryExtra : NodeExtra {
  std::array<Geometry, 2> at;
  explicit GeometryExtra(const Geometry& first, const Geometry& second = {}) : at{first, second} {}
};

struct Embed {
  static constexpr OpInfo info = make_info<Embed>("embed", "EmbedBackward0");

  static Tensor forward(Context& ctx, const Tensor& g, IntArrayRef sizes, const Geometry& part) {
    Tensor whole = zeros(sizes, g.options());
    copy_data(alias(whole, part), g);
    if (ctx.recording()) ctx.save_extra(GeometryExtra(part));
    return whole;
  }
  static void backward(const Gradients& g) {
    const Geometry& part = g.extra<GeometryExtra>().at[0];
    const Tensor whole = g.output().contiguous();
    g.set(0, whole.as_strided(part.sizes, part.strides, whole.storage_offset() + part.offset));
  }
};

}  // namespace

Tensor embed(const Tensor& g, IntArrayRef sizes, const Geometry& part) { return apply<Embed>(g, sizes, part); }

Tensor places(const Geometry& at, int64_t memory, const TensorOptions& like) {
  return arange(memory, like.dtype(kLong)).as_strided(at.sizes, at.strides, at.offset).reshape(-1);
}

namespace {

// ---- Any geometry ------------------------------------------------------------------------------------------------------------------

struct AsStrided {
  static constexpr OpInfo info = make_info<AsStrided>("as_strided", "AsStridedBackward0");

  static Tensor forward(Context& ctx, const Tensor& x, const Geometry& to) {
    if (ctx.recording()) ctx.save_extra(GeometryExtra(Geometry(x), to));
    return alias(x, to);
  }
  // The gradient of the memory that both cover, read as the input: an element of memory that the input shows several times gives each
  // of them its share.
  static void backward(const Gradients& g) {
    auto [from, to] = g.extra<GeometryExtra>().at;
    const Tensor gy = g.output();
    const int64_t begin = std::min(from.offset, to.offset);
    from.offset -= begin;
    to.offset -= begin;
    const int64_t memory = std::max(from.end(), to.end());
    Tensor gm = to.is_disjoint() ? embed(gy, memory, to)
                                 : zeros(memory, gy.options()).index_add_(0, places(to, memory, gy.options()), gy.reshape(-1));
    if (!from.is_disjoint()) {
      const Tensor at = places(from, memory, gy.options());
      gm = gm / zeros(memory, gy.options()).index_add_(0, at, ones(at.sizes(), gy.options())).clamp_min_(1);
    }
    g.set(0, gm.as_strided(from.sizes, from.strides, from.offset));
  }
};

// ---- Other shapes ------------------------------------------------------------------------------------------------------------------

struct View {
  static constexpr OpInfo info = make_info<View>("view", "ViewBackward0");

  static Tensor forward(Context&, const Tensor& x, IntArrayRef sizes, IntArrayRef strides) {
    return alias_base(x, sizes, strides, x.storage_offset());
  }
  static void backward(const Gradients& g) { g.set(0, g.output().reshape(input_sizes(g))); }
};

// What every element of the view is of the input, so is its gradient; where it was broadcast, the engine sums.
struct SameElements : View {
  static void backward(const Gradients& g) { g.set(0, g.output()); }
};

// A view of a tensor that nobody else can see: the second half of a reshape that copies.
using UnsafeView = Named<View, "_unsafe_view", "UnsafeViewBackward0">;
using Squeeze = Named<View, "squeeze", "SqueezeBackward0">;
using SqueezeDim = Named<View, "squeeze", "SqueezeBackward1">;
using Unsqueeze = Named<View, "unsqueeze", "UnsqueezeBackward0">;
using Alias = Named<SameElements, "alias", "AliasBackward0">;
using Expand = Named<SameElements, "expand", "ExpandBackward0">;

// ---- The dimensions in another order -----------------------------------------------------------------------------------------------

struct Permute {
  static constexpr OpInfo info = make_info<Permute>("permute", "PermuteBackward0");

  static Tensor forward(Context& ctx, const Tensor& x, const Dims& order) {
    if (ctx.recording()) ctx.save_extra(DimsExtra(order));
    return alias(x, Geometry(x).permuted(order));
  }
  static void backward(const Gradients& g) {
    const Dims& order = g.dims();
    Dims inverse(order.size());
    for (size_t d = 0; d < order.size(); ++d) inverse[order[d]] = static_cast<int64_t>(d);
    g.set(0, g.output().permute(inverse));
  }
};

struct Transpose {
  static constexpr OpInfo info = make_info<Transpose>("transpose", "TransposeBackward0");

  static Tensor forward(Context& ctx, const Tensor& x, int64_t dim0, int64_t dim1) {
    Geometry to(x);
    if (dim0 != dim1) {
      std::swap(to.sizes[dim0], to.sizes[dim1]);
      std::swap(to.strides[dim0], to.strides[dim1]);
    }
    ctx.save_numbers(dim0, dim1);
    return alias(x, to);
  }
  static void backward(const Gradients& g) { g.set(0, g.output().transpose(g.number(0), g.number(1))); }
};
using MatrixTranspose = Named<Transpose, "t", "TBackward0">;

// ---- Checks ------------------------------------------------------------------------------------------------------------------------

void check_numel(IntArrayRef sizes) {
  int64_t numel = 1;
  for (int64_t size : sizes) {
    const bool overflow = __builtin_mul_overflow(numel, size, &numel);
    WICK_CHECK(!overflow, "numel: integer multiplication overflow\n  sizes: ", sizes);
  }
}

}  // namespace
}  // namespace wick::ops

// ---- The public functions ----------------------------------------------------------------------------------------------------------

namespace wick {

using namespace ops;

Tensor as_strided(const Tensor& x, IntArrayRef size, IntArrayRef stride, std::optional<int64_t> storage_offset) {
  WICK_CHECK(size.size() == stride.size(), "mismatch in length of strides and shape\n  size: ", size, ", stride: ", stride);
  for (int64_t s : stride) {
    WICK_CHECK(s >= 0, "as_strided: Negative strides are not supported at the moment, got strides: ", stride);
  }
  Geometry to;
  to.sizes = size;
  to.strides = stride;
  to.offset = storage_offset.value_or(x.storage_offset());
  WICK_CHECK(to.offset >= 0, "Tensor: invalid storage offset ", to.offset);
  check_numel(size);
  int64_t end, reach;
  bool overflow = __builtin_add_overflow(to.offset, 1, &end), empty = false;
  for (size_t d = 0; d < size.size(); ++d) {
    empty |= size[d] == 0;
    overflow |= size[d] < 0 || __builtin_mul_overflow(size[d] - 1, stride[d], &reach) || __builtin_add_overflow(end, reach, &end);
  }
  WICK_CHECK(empty || !overflow, "Storage size calculation overflowed with sizes=", size, " and strides=", stride);
  const int64_t has = static_cast<int64_t>(x.storage_ref()->nbytes);
  WICK_CHECK(empty || end <= has / x.element_size(), "setStorage: sizes ", size, ", strides ", stride, ", storage offset ", to.offset,
             ", and itemsize ", x.element_size(), " requiring a storage size of ", static_cast<uint64_t>(end) * x.element_size(),
             " are out of bounds for storage of size ", has);
  return apply_view<AsStrided>(x, to);
}

Tensor alias(const Tensor& x) { return apply_view<Alias>(x, x.sizes(), x.strides()); }

Tensor method::view(const Tensor& x, IntArrayRef size) {
  const Dims shape = infer_shape(size, x.numel());
  const std::optional<Dims> strides = strides_for_view(x.sizes(), x.strides(), shape);
  WICK_CHECK(strides, "view size is not compatible with input tensor's size and stride (at least one dimension spans across two "
             "contiguous subspaces). Use .reshape(...) instead.\n  view: sizes ", x.sizes(), ", strides ", x.strides(), ", wanted ", shape);
  return apply_view<View>(x, IntArrayRef(shape), IntArrayRef(*strides));
}
Tensor method::view(const Tensor& x, ScalarType dtype) {
  const int64_t from = x.element_size(), to = element_size(dtype);
  Geometry at(x);
  const auto scale = [&](int64_t& count, const char* what) {
    WICK_CHECK(count * from % to == 0, "self.", what, " must be divisible by ", to, " / ", from, " to view ", x.scalar_type(), " as ",
               dtype, " (different element sizes), but got sizes ", x.sizes(), ", strides ", x.strides(), " and storage_offset ",
               x.storage_offset());
    count = count * from / to;
  };
  if (from != to) {
    WICK_CHECK(x.dim() > 0 && at.strides.back() == 1, "self.", x.dim() ? "stride(-1) must be 1" : "dim() cannot be 0", " to view ",
               x.scalar_type(), " as ", dtype, " (different element sizes)");
    scale(at.sizes.back(), "size(-1)");
    scale(at.offset, "storage_offset()");
    for (size_t d = 0; d + 1 < at.strides.size(); ++d) scale(at.strides[d], "stride()");
  }
  // Other elements have no gradient in common with these.
  Tensor y(alias_base(x));
  y.impl().dtype = dtype;
  return alias_base(y, at.sizes, at.strides, at.offset);
}

Tensor reshape(const Tensor& x, IntArrayRef size) {
  const Dims shape = infer_shape(size, x.numel());
  if (const std::optional<Dims> strides = strides_for_view(x.sizes(), x.strides(), shape)) {
    return apply_view<View>(x, IntArrayRef(shape), IntArrayRef(*strides));
  }
  return apply<UnsafeView>(x.clone(MemoryFormat::Contiguous), IntArrayRef(shape), IntArrayRef(contiguous_strides(shape)));
}

Tensor flatten(const Tensor& x, int64_t start_dim, int64_t end_dim) {
  const int64_t first = wrap_dim(start_dim, x.dim()), last = wrap_dim(end_dim, x.dim());
  WICK_CHECK(first <= last, "flatten() has invalid args: start_dim cannot come after end_dim");
  if (x.dim() == 0) return reshape(x, 1);
  if (first == last) return x;
  Dims shape;
  int64_t flat = 1;
  for (int64_t d = 0; d < x.dim(); ++d) {
    if (d < first || d > last) shape.push_back(x.sizes()[d]);
    else flat *= x.sizes()[d];
    if (d == last) shape.push_back(flat);
  }
  return reshape(x, shape);
}

Tensor unflatten(const Tensor& x, int64_t dim, IntArrayRef sizes) {
  WICK_CHECK(!sizes.empty(), "unflatten: sizes must be non-empty");
  const int64_t at = wrap_dim(dim, x.dim());
  const int64_t size = x.size(at);
  Dims inner;
  try {
    inner = infer_shape(sizes, size);
  } catch (const Error& error) {
    const std::string_view what = error.what();
    const bool wrong_count = what.starts_with("shape '");
    WICK_CHECK(!wrong_count, "unflatten: Provided sizes ", sizes, " don't multiply up to the size of dim ", at, " (", size,
               ") in the input tensor");
    wick::detail::raise<Error>("unflatten got an unexpected error:\n", what);
  }
  const size_t before = static_cast<size_t>(at);
  return x.view(joined_dims({x.sizes().slice(0, before), inner, x.sizes().slice(before + 1)}));
}

Tensor method::expand(const Tensor& x, IntArrayRef size, bool) {
  const IntArrayRef from = x.sizes();
  WICK_CHECK(size.size() >= from.size(), "expand(torch.", x.scalar_type(), "Tensor{", from, "}, size=", size,
             "): the number of sizes provided (", size.size(), ") must be greater or equal to the number of dimensions in the tensor (",
             from.size(), ")");
  Dims sizes(size), strides(size.size());
  const size_t leading = size.size() - from.size();
  for (size_t d = size.size(); d-- > 0;) {
    if (d < leading) {
      WICK_CHECK(size[d] >= 0, "The expanded size of the tensor (", size[d], ") isn't allowed in a leading, non-existing dimension ", d);
      const int64_t stride = d + 1 < size.size() ? sizes[d + 1] * strides[d + 1] : 1;
      strides[d] = sizes[d] == 1 ? stride : 0;
      continue;
    }
    if (size[d] == -1) sizes[d] = from[d - leading];
    const bool same = sizes[d] == from[d - leading];
    WICK_CHECK(same || (from[d - leading] == 1 && sizes[d] >= 0), "The expanded size of the tensor (", size[d],
               ") must match the existing size (", from[d - leading], ") at non-singleton dimension ", d, ".  Target sizes: ", size,
               ".  Tensor sizes: ", from);
    strides[d] = same ? x.strides()[d - leading] : 0;
  }
  check_numel(sizes);
  return apply_view<Expand>(x, IntArrayRef(sizes), IntArrayRef(strides));
}

Tensor permute(const Tensor& x, IntArrayRef dims) {
  WICK_CHECK(x.sizes().size() == dims.size(),
             "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired ordering of "
             "dimensions i.e. input.dim() = ", x.dim(), " is not equal to len(dims) = ", dims.size());
  Dims order(dims);
  uint32_t seen = 0;
  for (int64_t& d : order) {
    d = wrap_dim(d, x.dim());
    WICK_CHECK(!(seen >> d & 1), "permute(): duplicate dims are not allowed.\n  dims: ", dims);
    seen |= 1u << d;
  }
  return apply_view<Permute>(x, order);
}

Tensor transpose(const Tensor& x, int64_t dim0, int64_t dim1) {
  return apply_view<Transpose>(x, wrap_dim(dim0, x.dim()), wrap_dim(dim1, x.dim()));
}
Tensor t(const Tensor& x) {
  WICK_CHECK(x.dim() <= 2, "t() expects a tensor with <= 2 dimensions, but self is ", x.dim(), "D");
  return apply_view<MatrixTranspose>(x, int64_t{0}, int64_t{x.dim() == 2});
}
Tensor method::numpy_T(const Tensor& x) {
  Dims order;
  for (int64_t d = x.dim(); d-- > 0;) order.push_back(d);
  return x.permute(order);
}
Tensor method::mT(const Tensor& x) {
  WICK_CHECK(x.dim() != 1, "tensor.mT is only supported on matrices or batches of matrices. Got 1-D tensor.");
  return x.dim() == 0 ? x : transpose(x, -2, -1);
}

Tensor movedim(const Tensor& x, IntArrayRef source, IntArrayRef destination) {
  WICK_CHECK(source.size() == destination.size(), "movedim: Invalid source or destination dims: source (", source,
             " dims) should contain the same number of dims as destination (", destination, " dims)");
  const size_t ndim = x.sizes().size();
  Dims order(ndim, -1);
  uint32_t from = 0, to = 0;
  for (size_t i = 0; i < source.size(); ++i) {
    const int64_t s = wrap_dim(source[i], x.dim()), d = wrap_dim(destination[i], x.dim());
    WICK_CHECK(!(from >> s & 1), "movedim: repeated dim in `source` (", source, ")");
    WICK_CHECK(!(to >> d & 1), "movedim: repeated dim in `destination` (", destination, ")");
    from |= 1u << s;
    to |= 1u << d;
    if (ndim > 0) order[d] = s;
  }
  // The dimensions not named keep their order in the places that are left.
  int64_t next = 0;
  for (int64_t& place : order) {
    if (place >= 0) continue;
    while (from >> next & 1) ++next;
    place = next++;
  }
  return x.permute(order);
}

Tensor squeeze(const Tensor& x) {
  Dims sizes, strides;
  for (size_t d = 0; d < x.sizes().size(); ++d) {
    if (x.sizes()[d] == 1) continue;
    sizes.push_back(x.sizes()[d]);
    strides.push_back(x.strides()[d]);
  }
  return apply_view<Squeeze>(x, IntArrayRef(sizes), IntArrayRef(strides));
}
Tensor squeeze(const Tensor& x, int64_t dim) {
  const int64_t at = wrap_dim(dim, x.dim());
  Dims sizes(x.sizes()), strides(x.strides());
  if (x.dim() > 0 && sizes[at] == 1) {
    sizes.erase(at);
    strides.erase(at);
  }
  return apply_view<SqueezeDim>(x, IntArrayRef(sizes), IntArrayRef(strides));
}

Tensor unsqueeze(const Tensor& x, int64_t dim) {
  const int64_t at = wrap_dim(dim, x.dim() + 1);
  Dims sizes(x.sizes()), strides(x.strides());
  const int64_t stride = at < x.dim() ? x.sizes()[at] * x.strides()[at] : 1;
  sizes.insert(at, 1);
  strides.insert(at, stride);
  return apply_view<Unsqueeze>(x, IntArrayRef(sizes), IntArrayRef(strides));
}

}  // namespace wick
