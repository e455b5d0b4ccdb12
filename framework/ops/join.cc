// Tensors made of others: joined, repeated, turned round.
#include "wick/framework/ops/autocast.h"
#include "wick/framework/ops/copy.h"
#include "wick/framework/ops/view.h"
#include "wick/framework/plan/join.h"

namespace wick::ops {
namespace {

int64_t product(IntArrayRef sizes) {
  int64_t result = 1;
  for (int64_t size : sizes) result *= size;
  return result;
}

// ---- cat ---------------------------------------------------------------------------------------------------------------------------

// y's parts along dim, one after the other, become the tensors. Those that need conversion or have gaps take the general copy, all
// others go fifteen at a time.
void fill_parts(const Tensor& y, TensorList tensors, int64_t dim) {
  const Geometry whole(y);
  const int64_t inner = product(y.sizes().slice(static_cast<size_t>(dim) + 1)) * y.element_size();
  CatArgs args;
  args.buffers[0] = Buffer(y);
  args.rows = product(y.sizes().slice(0, static_cast<size_t>(dim)));
  args.row_bytes = y.size(dim) * inner;
  args.num_parts = 0;
  args.begin[0] = 0;
  const auto flush = [&](int64_t next) {
    for (int i = args.num_parts; i < kMaxParts; ++i) args.buffers[i + 1] = Buffer(nullptr);
    if (args.num_parts > 0) launch(cat_kernel, y.device(), args);
    args.num_parts = 0;
    args.begin[0] = next;
  };
  int64_t start = 0;
  for (const Tensor& x : tensors) {
    if (x.numel() == 0) continue;
    const int64_t length = x.size(dim), end = (start + length) * inner;
    if (x.scalar_type() == y.scalar_type() && x.is_contiguous()) {
      args.buffers[++args.num_parts] = Buffer(x);
      args.begin[args.num_parts] = end;
      if (args.num_parts == kMaxParts) flush(end);
    } else {
      flush(end);
      copy_data(alias(y, Geometry(whole).slice(dim, start, length, 1)), x);
    }
    start += length;
  }
  flush(0);
}

// PyTorch lets a tensor of shape [0] join any others, as an empty list would.
bool is_skipped(const Tensor& x) { return x.dim() == 1 && x.numel() == 0; }

ScalarType common_dtype(TensorList tensors) {
  ScalarType dtype = ScalarType::Undefined;
  for (const Tensor& x : tensors) dtype = promote_types(dtype, x.scalar_type());
  return dtype;
}

// The memory format that all of them have, if it is not the usual one.
MemoryFormat common_format(TensorList tensors) {
  for (MemoryFormat format : {MemoryFormat::ChannelsLast, MemoryFormat::ChannelsLast3d}) {
    bool all = true;
    for (const Tensor& x : tensors) all = all && !x.is_contiguous() && x.is_contiguous(format);
    if (all) return format;
  }
  return MemoryFormat::Contiguous;
}

// The result's dimensions in the order of its memory: what is channels last is row-major with the channels behind.
Tensor by_memory(const Tensor& x, MemoryFormat format) {
  if (format == MemoryFormat::Contiguous) return x;
  Dims order{0};
  for (int64_t d = 2; d < x.dim(); ++d) order.push_back(d);
  order.push_back(1);
  return alias(x, Geometry(x).permuted(order));
}

struct Lengths : NodeExtra {
  std::vector<int64_t> list;
};

struct Cat {
  static constexpr OpInfo info = make_info<Cat>("cat", "CatBackward0");

  static Tensor forward(Context& ctx, TensorList tensors, int64_t dim, const Dims& shape) {
    const ScalarType dtype = common_dtype(tensors);
    const MemoryFormat format = common_format(tensors);
    Lengths lengths;
    if (ctx.recording()) {
      for (const Tensor& x : tensors) lengths.list.push_back(is_skipped(x) && shape.size() != 1 ? 0 : x.size(dim));
      ctx.save_extra(std::move(lengths));
    }
    ctx.save_numbers(dim);
    if (format == MemoryFormat::Contiguous) {
      Tensor y = empty_base(shape, dtype, tensors[0].device());
      fill_parts(y, tensors, dim);
      return y;
    }
    Tensor y = alias_base(empty_base(shape, dtype, tensors[0].device()));
    y.impl().set_shape(shape, strides_for(format, y));
    std::vector<Tensor> parts;
    for (const Tensor& x : tensors) parts.push_back(by_memory(x, format));
    fill_parts(by_memory(y, format), parts, dim == 0 ? 0 : dim == 1 ? y.dim() - 1 : dim - 1);
    return y;
  }
  static void backward(const Gradients& g) {
    const std::vector<int64_t>& lengths = g.extra<Lengths>().list;
    const Tensor gy = g.output();
    int64_t start = 0;
    for (int i = 0; i < g.num_inputs(); ++i) {
      const int64_t length = lengths[static_cast<size_t>(i)];
      if (g.wants(i)) g.set(i, length > 0 ? gy.narrow(g.number(0), start, length) : zeros(input_sizes(g, i), gy.options()));
      start += length;
    }
  }
};

struct Stack {
  static constexpr OpInfo info = make_info<Stack>("stack", "StackBackward0");

  static Tensor forward(Context& ctx, TensorList tensors, int64_t dim) {
    Dims shape(tensors[0].sizes());
    shape.insert(static_cast<size_t>(dim), static_cast<int64_t>(tensors.size()));
    Tensor y = empty_base(shape, common_dtype(tensors), tensors[0].device());
    std::vector<Tensor> parts;
    parts.reserve(tensors.size());
    for (const Tensor& x : tensors) {
      Geometry part(x);
      part.sizes.insert(static_cast<size_t>(dim), 1);
      part.strides.insert(static_cast<size_t>(dim), 0);
      parts.push_back(alias(x, part));
    }
    fill_parts(y, parts, dim);
    ctx.save_numbers(dim);
    return y;
  }
  static void backward(const Gradients& g) {
    for (int i = 0; i < g.num_inputs(); ++i) {
      if (g.wants(i)) g.set(i, g.output().select(g.number(0), i));
    }
  }
};

// ---- repeat, flip ------------------------------------------------------------------------------------------------------------------

// The shape of the result of repeat with each dimension that is repeated split in two: how often, and what.
struct Tiling {
  Dims sizes;
  Dims repeated;  // which of them say how often

  Tiling(IntArrayRef input, IntArrayRef repeats) {
    const size_t leading = repeats.size() - input.size();
    for (size_t d = 0; d < repeats.size(); ++d) {
      if (repeats[d] != 1) {
        repeated.push_back(static_cast<int64_t>(sizes.size()));
        sizes.push_back(repeats[d]);
      }
      if (d >= leading) sizes.push_back(input[d - leading]);
    }
  }
};

struct Repeat {
  static constexpr OpInfo info = make_info<Repeat>("repeat", "RepeatBackward0");

  static Tensor forward(Context& ctx, const Tensor& x, IntArrayRef repeats) {
    Dims shape(repeats);
    const size_t leading = repeats.size() - x.sizes().size();
    for (size_t d = leading; d < shape.size(); ++d) {
      WICK_CHECK(!__builtin_mul_overflow(repeats[d], x.sizes()[d - leading], &shape[d]), "numel: integer multiplication overflow\n  of ",
                 x.sizes(), " repeated ", repeats);
    }
    Tensor y = empty_base(shape, x.scalar_type(), x.device());
    const Tiling tiling(x.sizes(), repeats);
    Geometry tiles(x);
    tiles.sizes = tiling.sizes;
    tiles.strides = Dims(tiling.sizes.size());
    size_t d = 0;
    for (size_t i = 0; i < tiling.sizes.size(); ++i) {
      const bool repeated = std::find(tiling.repeated.begin(), tiling.repeated.end(), static_cast<int64_t>(i)) != tiling.repeated.end();
      if (!repeated) tiles.strides[i] = x.strides()[d++];
    }
    copy_data(alias(y, Geometry(tiling.sizes)), alias(x, tiles));
    if (ctx.recording()) ctx.save_extra(DimsExtra(Dims(repeats)));
    return y;
  }
  static void backward(const Gradients& g) {
    const IntArrayRef sizes = input_sizes(g);
    const Tiling tiling(sizes, g.dims());
    const Tensor tiles = g.output().reshape(tiling.sizes);
    g.set(0, tiling.repeated.empty() ? tiles : tiles.sum(IntArrayRef(tiling.repeated)).reshape(sizes));
  }
};

struct Flip {
  static constexpr OpInfo info = make_info<Flip>("flip", "FlipBackward0");

  // A copy from the last element on, backwards.
  static Tensor forward(Context& ctx, const Tensor& x, const Dims& dims) {
    Tensor y = allocate_like(x, x.scalar_type(), x.device());
    Geometry from(x);
    for (int64_t d : dims) {
      if (x.numel() == 0 || x.dim() == 0) break;
      from.offset += (from.sizes[d] - 1) * from.strides[d];
      from.strides[d] = -from.strides[d];
    }
    copy_data(y, alias(x, from));
    if (ctx.recording()) ctx.save_extra(DimsExtra(dims));
    return y;
  }
  static void backward(const Gradients& g) { g.set(0, g.output().flip(g.dims())); }
};

}  // namespace
}  // namespace wick::ops

// ---- The public functions ----------------------------------------------------------------------------------------------------------

namespace wick {

using ops::apply;

Tensor cat(TensorList tensors, int64_t dim) {
  WICK_AUTOCAST(kWidest, cat, tensors, dim);
  WICK_CHECK_VALUE(!tensors.empty(), "torch.cat(): expected a non-empty list of Tensors");
  const Tensor* model = &tensors[0];
  for (size_t i = 0; i < tensors.size(); ++i) {
    WICK_CHECK(tensors[i].dim() > 0, "zero-dimensional tensor (at position ", i, ") cannot be concatenated");
    if (ops::is_skipped(*model)) model = &tensors[i];
    ops::check_same_device("cat", {&tensors[0], &tensors[i]});
  }
  const bool all_skipped = ops::is_skipped(*model);
  const int64_t at = all_skipped ? 0 : wrap_dim(dim, model->dim());
  Dims shape(model->sizes());
  shape[at] = 0;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Tensor& x = tensors[i];
    if (ops::is_skipped(x)) continue;
    WICK_CHECK(x.dim() == model->dim(), "Tensors must have same number of dimensions: got ", model->dim(), " and ", x.dim());
    for (int64_t d = 0; d < x.dim(); ++d) {
      WICK_CHECK(d == at || x.size(d) == shape[d], "Sizes of tensors must match except in dimension ", at, ". Expected size ", shape[d],
                 " but got size ", x.size(d), " for tensor number ", i, " in the list.");
    }
    WICK_CHECK(!__builtin_add_overflow(shape[at], x.size(at), &shape[at]), "cat: dimension ", at, " becomes too large");
  }
  return apply<ops::Cat>(tensors, at, shape);
}

Tensor stack(TensorList tensors, int64_t dim) {
  WICK_AUTOCAST(kWidest, stack, tensors, dim);
  WICK_CHECK(!tensors.empty(), "stack expects a non-empty TensorList");
  const int64_t at = wrap_dim(dim, tensors[0].dim() + 1);
  for (size_t i = 1; i < tensors.size(); ++i) {
    WICK_CHECK(tensors[i].sizes() == tensors[0].sizes(), "stack expects each tensor to be equal size, but got ", tensors[0].sizes(),
               " at entry 0 and ", tensors[i].sizes(), " at entry ", i);
    ops::check_same_device("stack", {&tensors[0], &tensors[i]});
  }
  return apply<ops::Stack>(tensors, at);
}

Tensor method::repeat(const Tensor& x, IntArrayRef repeats) {
  WICK_CHECK(repeats.size() >= x.sizes().size(),
             "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor\n  repeats: ", repeats,
             ", tensor: ", x.sizes());
  return apply<ops::Repeat>(x, repeats);
}

Tensor flip(const Tensor& x, IntArrayRef dims) { return apply<ops::Flip>(x, ops::wrap_dims(dims, x.dim())); }

}  // namespace wick
