// Views of parts of a tensor: slices, diagonals, windows, and several parts at once.
#include "wick/framework/ops/view.h"

namespace wick::ops {

std::pair<int64_t, int64_t> slice_range(int64_t size, std::optional<int64_t> start, std::optional<int64_t> end, int64_t step) {
  WICK_CHECK(step > 0, "slice step must be positive");
  int64_t first = start.value_or(0), last = end.value_or(size);
  if (first < 0) first += size;
  if (last < 0) last += size;
  first = std::clamp<int64_t>(first, 0, size);
  last = std::clamp<int64_t>(last, first, size);
  if (step == 1) return {first, last - first};
  return {first, last > first ? (last - first - 1) / step + 1 : 0};
}

namespace {

// ---- Parts -------------------------------------------------------------------------------------------------------------------------

struct Select {
  static constexpr OpInfo info = make_info<Select>("select", "SelectBackward0");

  static Tensor forward(Context& ctx, const Tensor& x, int64_t dim, int64_t index) {
    ctx.save_numbers(dim, index);
    return alias(x, Geometry(x).select(dim, index));
  }
  static void backward(const Gradients& g) {
    const IntArrayRef sizes = input_sizes(g);
    g.set(0, embed(g.output(), sizes, Geometry(sizes).select(g.number(0), g.number(1))));
  }
};

struct Slice {
  static constexpr OpInfo info = make_info<Slice>("slice", "SliceBackward0");

  static Tensor forward(Context& ctx, const Tensor& x, int64_t dim, int64_t start, int64_t length, int64_t step) {
    ctx.save_numbers(dim, start, length, step);
    return alias(x, Geometry(x).slice(dim, start, length, step));
  }
  static void backward(const Gradients& g) {
    const IntArrayRef sizes = input_sizes(g);
    g.set(0, embed(g.output(), sizes, Geometry(sizes).slice(g.number(0), g.number(1), g.number(2), g.number(3))));
  }
};

struct Diagonal {
  static constexpr OpInfo info = make_info<Diagonal>("diagonal", "DiagonalBackward0");

  static Geometry pick(Geometry from, int64_t offset, int64_t dim1, int64_t dim2) {
    const int64_t down = std::max<int64_t>(-offset, 0), right = std::max<int64_t>(offset, 0);
    const int64_t length = std::max<int64_t>(std::min(from.sizes[dim1] - down, from.sizes[dim2] - right), 0);
    if (length > 0) from.offset += down * from.strides[dim1] + right * from.strides[dim2];
    const int64_t stride = from.strides[dim1] + from.strides[dim2];
    from.drop(std::max(dim1, dim2));
    from.drop(std::min(dim1, dim2));
    from.sizes.push_back(length);
    from.strides.push_back(stride);
    return from;
  }
  static Tensor forward(Context& ctx, const Tensor& x, int64_t offset, int64_t dim1, int64_t dim2) {
    ctx.save_numbers(offset, dim1, dim2);
    return alias(x, pick(Geometry(x), offset, dim1, dim2));
  }
  static void backward(const Gradients& g) {
    const IntArrayRef sizes = input_sizes(g);
    g.set(0, embed(g.output(), sizes, pick(Geometry(sizes), g.number(0), g.number(1), g.number(2))));
  }
};

struct Unfold {
  static constexpr OpInfo info = make_info<Unfold>("unfold", "UnfoldBackward0");

  static Geometry pick(Geometry from, int64_t dim, int64_t size, int64_t step) {
    int64_t stride = 1;
    if (!from.sizes.empty()) {
      stride = from.strides[dim];
      from.sizes[dim] = (from.sizes[dim] - size) / step + 1;
      WICK_CHECK(!__builtin_mul_overflow(stride, step, &from.strides[dim]), "unfold: the stride ", stride, " times the step ", step,
                 " overflows");
    }
    from.sizes.push_back(size);
    from.strides.push_back(stride);
    return from;
  }
  static Tensor forward(Context& ctx, const Tensor& x, int64_t dim, int64_t size, int64_t step) {
    ctx.save_numbers(dim, size, step);
    return alias(x, pick(Geometry(x), dim, size, step));
  }
  // Windows overlap, so that an element's gradient is a sum.
  static void backward(const Gradients& g) {
    const IntArrayRef sizes = input_sizes(g);
    const Tensor gy = g.output();
    const int64_t numel = checked_numel(sizes);
    const Geometry windows = pick(Geometry(sizes), g.number(0), g.number(1), g.number(2));
    g.set(0, zeros(numel, gy.options()).index_add_(0, places(windows, numel, gy.options()), gy.reshape(-1)).reshape(sizes));
  }
};

// ---- Several parts at once ---------------------------------------------------------------------------------------------------------

// The gradients of the results, zeros where there is none.
std::vector<Tensor> all_gradients(const Gradients& g) {
  std::vector<Tensor> parts;
  const auto count = static_cast<size_t>(g.node().num_results());
  parts.reserve(count);
  TensorOptions options;
  for (size_t i = 0; i < count; ++i) {
    parts.push_back(g.output(static_cast<int>(i)));
    if (parts.back().defined()) options = parts.back().options();
  }
  for (size_t i = 0; i < count; ++i) {
    if (!parts[i].defined()) parts[i] = zeros(g.node().result(static_cast<int>(i)).sizes(), options);
  }
  return parts;
}

struct SplitWithSizes {
  static constexpr OpInfo info = make_info<SplitWithSizes>("split_with_sizes", "SplitWithSizesBackward0");

  static std::vector<Tensor> forward(Context& ctx, const Tensor& x, IntArrayRef lengths, int64_t dim) {
    ctx.save_numbers(dim);
    std::vector<Tensor> parts;
    parts.reserve(lengths.size());
    int64_t start = 0;
    for (int64_t length : lengths) {
      parts.push_back(alias(x, Geometry(x).slice(dim, start, length, 1)));
      start += length;
    }
    return parts;
  }
  static void backward(const Gradients& g) { g.set(0, cat(all_gradients(g), g.number(0))); }
};

using Split = Named<SplitWithSizes, "split", "SplitBackward0">;

struct Unbind {
  static constexpr OpInfo info = make_info<Unbind>("unbind", "UnbindBackward0");

  static std::vector<Tensor> forward(Context& ctx, const Tensor& x, int64_t dim) {
    ctx.save_numbers(dim);
    std::vector<Tensor> parts;
    const int64_t count = x.sizes()[dim];
    parts.reserve(static_cast<size_t>(count));
    for (int64_t i = 0; i < count; ++i) parts.push_back(alias(x, Geometry(x).select(dim, i)));
    return parts;
  }
  static void backward(const Gradients& g) { g.set(0, stack(all_gradients(g), g.number(0))); }
};

template <class Op, class... Args>
std::vector<Tensor> apply_views(const Tensor& x, const Args&... args) {
  std::vector<Tensor> parts = apply<Op>(x, args...);
  for (const Tensor& part : parts) {
    mark_view(part, x, t_state.grad_enabled);
    part.impl().set(TensorImpl::kMultiOutputView, true);
  }
  return parts;
}

// A dimension of a tensor that must have one.
int64_t wrap_dim_of(const Tensor& x, int64_t dim) {
  WICK_CHECK_INDEX(x.dim() > 0, "Dimension specified as ", dim, " but tensor has no dimensions");
  return wrap_dim(dim, x.dim());
}

}  // namespace
}  // namespace wick::ops

// ---- The public functions ----------------------------------------------------------------------------------------------------------

namespace wick {

using namespace ops;

Tensor select(const Tensor& x, int64_t dim, int64_t index) {
  WICK_CHECK_INDEX(x.dim() > 0, "select() cannot be applied to a 0-dim tensor.");
  const int64_t at = wrap_dim(dim, x.dim()), size = x.sizes()[at];
  WICK_CHECK_INDEX(index >= -size && index < size, "select(): index ", index, " out of range for tensor of size ", x.sizes(),
                   " at dimension ", at, "\n  Valid are ", -size, " to ", size - 1, '.');
  return apply_view<Select>(x, at, index < 0 ? index + size : index);
}

Tensor slice(const Tensor& x, int64_t dim, std::optional<int64_t> start, std::optional<int64_t> end, int64_t step) {
  WICK_CHECK_INDEX(x.dim() > 0, "slice() cannot be applied to a 0-dim tensor.");
  const int64_t at = wrap_dim(dim, x.dim());
  const auto [first, length] = slice_range(x.sizes()[at], start, end, step);
  // The stride of what has one element does not matter, but is not to overflow.
  return apply_view<Slice>(x, at, first, length, length > 1 ? step : std::min<int64_t>(step, INT32_MAX));
}

Tensor narrow(const Tensor& x, int64_t dim, int64_t start, int64_t length) {
  WICK_CHECK(x.dim() > 0, "narrow() cannot be applied to a 0-dim tensor.");
  WICK_CHECK(length >= 0, "narrow(): length must be non-negative.");
  const int64_t at = wrap_dim(dim, x.dim()), size = x.sizes()[at];
  WICK_CHECK_INDEX(start >= -size && start <= size, "start out of range (expected to be in range of [", -size, ", ", size,
                   "], but got ", start, ")");
  const int64_t first = start < 0 ? start + size : start;
  WICK_CHECK(length <= size - first, "start (", first, ") + length (", length, ") exceeds dimension size (", size, ").");
  return apply_view<Slice>(x, at, first, length, int64_t{1});
}

Tensor diagonal(const Tensor& x, int64_t offset, int64_t dim1, int64_t dim2) {
  const int64_t first = wrap_dim_of(x, dim1), second = wrap_dim_of(x, dim2);
  WICK_CHECK(first != second, "diagonal dimensions cannot be identical ", dim1, ", ", dim2);
  return apply_view<Diagonal>(x, std::clamp<int64_t>(offset, -x.sizes()[first], x.sizes()[second]), first, second);
}

Tensor method::unfold(const Tensor& x, int64_t dimension, int64_t size, int64_t step) {
  const int64_t dim = wrap_dim(dimension, x.dim());
  const int64_t available = x.dim() == 0 ? 1 : x.sizes()[dim];
  WICK_CHECK(size >= 0, "size is ", size, " but must be >= 0");
  WICK_CHECK(size <= available, "maximum size for tensor at dimension ", dim, " is ", available, " but size is ", size);
  WICK_CHECK(step > 0, "step is ", step, " but must be > 0");
  return apply_view<Unfold>(x, dim, size, step);
}

std::vector<Tensor> split(const Tensor& x, int64_t split_size, int64_t dim) {
  WICK_CHECK(x.dim() > 0, "split expects at least a 1-dimensional tensor");
  WICK_CHECK(split_size >= 0, "split expects split_size be non-negative, but got split_size=", split_size);
  const int64_t at = wrap_dim(dim, x.dim()), size = x.sizes()[at];
  WICK_CHECK(split_size > 0 || size == 0, "split_size can only be 0 if dimension size is 0, but got dimension size of ", size);
  // An empty dimension has one part, an empty one.
  const int64_t count = size == 0 ? 1 : (size - 1) / split_size + 1;
  std::vector<int64_t> lengths(static_cast<size_t>(count), split_size);
  lengths.back() = size - split_size * (count - 1);
  return apply_views<Split>(x, IntArrayRef(lengths), at);
}

std::vector<Tensor> split_with_sizes(const Tensor& x, IntArrayRef split_sizes, int64_t dim) {
  WICK_CHECK(x.dim() > 0, "split expects at least a 1-dimensional tensor");
  const int64_t at = wrap_dim(dim, x.dim()), size = x.sizes()[at];
  int64_t left = size;
  for (int64_t length : split_sizes) {
    WICK_CHECK(length >= 0, "split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes=", split_sizes);
    if ((left -= std::min(length, left + 1)) < 0) break;
  }
  WICK_CHECK(left == 0, "split_with_sizes expects split_sizes to sum exactly to ", size, " (input tensor's size at dimension ", at,
             "), but got split_sizes=", split_sizes);
  return apply_views<SplitWithSizes>(x, split_sizes, at);
}

std::vector<Tensor> chunk(const Tensor& x, int64_t chunks, int64_t dim) {
  WICK_CHECK(x.dim() > 0, "chunk expects at least a 1-dimensional tensor");
  WICK_CHECK(chunks > 0, "chunk expects `chunks` to be greater than 0, got: ", chunks);
  const int64_t at = wrap_dim(dim, x.dim()), size = x.sizes()[at];
  if (size == 0) return split_with_sizes(x, std::vector<int64_t>(static_cast<size_t>(chunks), 0), at);
  return split(x, (size - 1) / chunks + 1, at);
}

std::vector<Tensor> unbind(const Tensor& x, int64_t dim) { return apply_views<Unbind>(x, wrap_dim_of(x, dim)); }

}  // namespace wick
