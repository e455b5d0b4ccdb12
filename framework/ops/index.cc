// Operations that take their places from tensors, one dimension at a time.
#include "wick/framework/ops/index.h"

namespace wick::ops {

// ---- Launches ----------------------------------------------------------------------------------------------------------------------

void launch_offsets(const Tensor& offsets, const Tensor& index, const IndexedDim& indexed, bool add, const Geometry* positions) {
  const Tensor indices = index.to(kLong).contiguous();
  OffsetsArgs args;
  args.buffers[0] = offsets;
  args.buffers[1] = indices;
  args.numel = indices.numel();
  args.size = indexed.size;
  args.stride = indexed.stride;
  args.dim = indexed.dim;
  args.check = indexed.check;
  args.add = add;
  for (size_t d = 0; positions && d < positions->sizes.size(); ++d) args.positions.append(positions->sizes[d], positions->strides[d]);
  launch(offsets_kernel, offsets.device(), args);
}

void finish(IndexPlan& plan, int64_t count) {
  plan.count = count;
  plan.run = plan.run_stride = 1;
  if (plan.after.ndim == 0) return;
  const int last = --plan.after.ndim;
  plan.run = plan.after.sizes[last];
  plan.run_stride = plan.after.strides[last];
  plan.after.numel = 1;
  for (int d = 0; d < last; ++d) plan.after.numel *= plan.after.sizes[d];
}

void launch_take(const Tensor& table, const Places& places, const Tensor& block) {
  launch(take_kernel, table.device(), TakeArgs{{table, places.offsets, block}, table.scalar_type(), places.plan});
}

void launch_put(Kernel<PutArgs>& kernel, const Tensor& table, const Places& places, const Tensor& block) {
  const Tensor values = block.contiguous();
  launch(kernel, table.device(), PutArgs{{table, places.offsets, values}, table.scalar_type(), values.numel() == 1, places.plan});
}

Tensor number_like(const Scalar& value, const Tensor& x) {
  check_fits(value, x.scalar_type());
  Tensor y = empty_base({}, x.scalar_type(), x.device());
  fill_data(y, value);
  return y;
}

namespace {

void check_index_dtype(const Tensor& index, const char* text) {
  WICK_CHECK(index.scalar_type() == kLong || index.scalar_type() == kInt, text, "\n  index: ", index.sizes(), " ",
             dtype_name(index.scalar_type()));
}

// ---- Along one dimension -----------------------------------------------------------------------------------------------------------

// The slices of self along dim that a vector of indices names. A 0-dim tensor is like one of size 1.
Places slices(const Tensor& self, int64_t dim, const Tensor& index, IndexCheck check) {
  Places places;
  const IntArrayRef sizes = self.sizes(), strides = self.strides();
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (d < static_cast<size_t>(dim)) places.plan.before.append(sizes[d], strides[d]);
    if (d > static_cast<size_t>(dim)) places.plan.after.append(sizes[d], strides[d]);
  }
  finish(places.plan, index.numel());
  places.offsets = empty_base(index.numel(), kLong, self.device());
  const IndexedDim indexed = sizes.empty() ? IndexedDim{1, 1, 0, check} : IndexedDim{sizes[dim], strides[dim], dim, check};
  launch_offsets(places.offsets, index, indexed, false);
  return places;
}

struct IndexSelect {
  static constexpr OpInfo info = make_info<IndexSelect>("index_select", "IndexSelectBackward0");

  static Tensor forward(Context& ctx, const Tensor& self, int64_t dim, const Tensor& index) {
    Dims sizes(self.sizes());
    if (!sizes.empty()) sizes[dim] = index.numel();
    Tensor y = empty_base(sizes, self.scalar_type(), self.device());
    launch_take(self, slices(self, dim, index, IndexCheck::kSelf), y);
    ctx.save(index);
    ctx.save_numbers(dim);
    return y;
  }
  static void backward(const Gradients& g) {
    const Tensor gy = g.output();
    const IntArrayRef sizes = input_sizes(g);
    g.set(0, sizes.empty() ? gy : zeros(sizes, gy.options()).index_add_(g.number(0), g.saved(0), gy));
  }
};

struct IndexAdd {
  static constexpr OpInfo info = make_info<IndexAdd>("index_add", "IndexAddBackward0");

  static void forward(Context& ctx, const Tensor& self, const Tensor& source, int64_t dim, const Tensor& index, const Scalar& alpha) {
    const Scalar factor = is_integral(self.scalar_type(), true) ? Scalar(alpha.toLong()) : alpha;
    const Tensor block = factor.equal(1) ? source : (source * factor).to(self.scalar_type());
    launch_put(put_add_kernel, self, slices(self, dim, index, IndexCheck::kSelf), block);
    ctx.save(index);
    ctx.save_numbers(dim, bits_of(alpha.toDouble()));
  }
  static void backward(const Gradients& g) {
    const Tensor gy = g.output();
    g.set(0, gy);
    if (!g.wants(1)) return;
    const double alpha = double_of(g.number(1));
    const Tensor gs = gy.index_select(g.number(0), g.saved(0)).reshape(input_sizes(g, 1));
    g.set(1, alpha == 1 ? gs : gs * alpha);
  }
};

struct IndexCopy {
  static constexpr OpInfo info = make_info<IndexCopy>("index_copy", "IndexCopyBackward0");

  static void forward(Context& ctx, const Tensor& self, const Tensor& source, int64_t dim, const Tensor& index) {
    launch_put(put_kernel, self, slices(self, dim, index, IndexCheck::kDimension), source);
    ctx.save(index);
    ctx.save_numbers(dim);
  }
  static void backward(const Gradients& g) {
    const Tensor gy = g.output(), index = g.saved(0);
    if (g.wants(0)) g.set(0, gy.index_fill(g.number(0), index, 0));
    if (g.wants(1)) g.set(1, gy.index_select(g.number(0), index).reshape(input_sizes(g, 1)));
  }
};

struct IndexFill {
  static constexpr OpInfo info = make_info<IndexFill>("index_fill", "IndexFillBackward0");

  static void forward(Context& ctx, const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value) {
    launch_put(put_kernel, self, slices(self, dim, index, IndexCheck::kWrap), number_like(value, self));
    ctx.save(index);
    ctx.save_numbers(dim);
  }
  static void backward(const Gradients& g) { g.set(0, g.output().index_fill(g.number(0), g.saved(0), 0)); }
};

// ---- One index for each element ----------------------------------------------------------------------------------------------------

// self[i][index[i][j]][...]: the element of self at each position of index, with index in the place of the position's dim.
Places lines(const Tensor& self, int64_t dim, const Tensor& index) {
  Places places;
  finish(places.plan, index.numel());
  places.offsets = empty_base(index.numel(), kLong, self.device());
  if (index.numel() == 0) return places;
  if (self.dim() == 0 || index.dim() == 0) {
    const bool one = self.dim() == 0;
    launch_offsets(places.offsets, index, {one ? 1 : self.size(0), one ? 1 : self.stride(0), 0, IndexCheck::kDimension}, false);
    return places;
  }
  Geometry positions(index);
  positions.strides = self.strides();
  positions.strides[dim] = 0;
  launch_offsets(places.offsets, index, {self.size(dim), self.stride(dim), dim, IndexCheck::kDimension}, false, &positions);
  return places;
}

// src may be larger than index; only the part of index's shape is read.
Geometry corner(const Geometry& src, IntArrayRef index_sizes) {
  Geometry part = src;
  if (part.sizes.size() == index_sizes.size()) part.sizes = index_sizes;
  return part;
}

Tensor source_gradient(const Gradients& g, int i, const Tensor& index) {
  const Tensor part = g.output().gather(g.number(0), index);
  const IntArrayRef sizes = input_sizes(g, i);
  return sizes == index.sizes() ? part : embed(part, sizes, corner(Geometry(sizes), index.sizes()));
}

struct Gather {
  static constexpr OpInfo info = make_info<Gather>("gather", "GatherBackward0");

  static Tensor forward(Context& ctx, const Tensor& self, int64_t dim, const Tensor& index) {
    Tensor y = empty_base(index.sizes(), self.scalar_type(), self.device());
    launch_take(self, lines(self, dim, index), y);
    ctx.save(index);
    ctx.save_numbers(dim);
    return y;
  }
  static void backward(const Gradients& g) {
    g.set(0, zeros(input_sizes(g), g.output().options()).scatter_add_(g.number(0), g.saved(0), g.output()));
  }
};

struct Scatter {
  static constexpr OpInfo info = make_info<Scatter>("scatter", "ScatterBackward0");

  static void forward(Context& ctx, const Tensor& self, const Tensor& src, int64_t dim, const Tensor& index) {
    launch_put(put_kernel, self, lines(self, dim, index), alias(src, corner(Geometry(src), index.sizes())));
    ctx.save(index);
    ctx.save_numbers(dim);
  }
  static void backward(const Gradients& g) {
    const Tensor index = g.saved(0);
    if (g.wants(0)) g.set(0, g.output().scatter(g.number(0), index, 0));
    if (g.wants(1)) g.set(1, source_gradient(g, 1, index));
  }
};

struct ScatterNumber {
  static constexpr OpInfo info = make_info<ScatterNumber>("scatter", "ScatterBackward1");

  static void forward(Context& ctx, const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value) {
    launch_put(put_kernel, self, lines(self, dim, index), number_like(value, self));
    ctx.save(index);
    ctx.save_numbers(dim);
  }
  static void backward(const Gradients& g) { g.set(0, g.output().scatter(g.number(0), g.saved(0), 0)); }
};

struct ScatterAdd {
  static constexpr OpInfo info = make_info<ScatterAdd>("scatter_add", "ScatterAddBackward0");

  static void forward(Context& ctx, const Tensor& self, const Tensor& src, int64_t dim, const Tensor& index) {
    launch_put(put_add_kernel, self, lines(self, dim, index), alias(src, corner(Geometry(src), index.sizes())));
    ctx.save(index);
    ctx.save_numbers(dim);
  }
  static void backward(const Gradients& g) {
    g.set(0, g.output());
    if (g.wants(1)) g.set(1, source_gradient(g, 1, g.saved(0)));
  }
};

enum class Reduce { kSum, kProd, kMean, kMax, kMin };

constexpr Kernel<PutArgs>* kReduceKernels[] = {&put_add_kernel, &put_multiply_kernel, &put_add_kernel, &put_max_kernel, &put_min_kernel};

struct ScatterReduce {
  static constexpr OpInfo info = make_info<ScatterReduce>("scatter_reduce", "ScatterReduceBackward0");

  static Tensor forward(Context& ctx, const Tensor& self, const Tensor& src, int64_t dim, const Tensor& index, Reduce reduce,
                        bool include) {
    Tensor y = self.clone();
    if (!include) {
      // The first value takes the old one's place; another look at it changes no extreme.
      if (reduce == Reduce::kMax || reduce == Reduce::kMin) y.scatter_(dim, index, src);
      else y.scatter_(dim, index, reduce == Reduce::kProd ? 1 : 0);
    }
    launch_put(*kReduceKernels[static_cast<int>(reduce)], y, lines(y, dim, index), alias(src, corner(Geometry(src), index.sizes())));
    if (reduce == Reduce::kMean) {
      const Tensor count = counts(self, src, dim, index, include);
      if (is_integral(y.scalar_type(), true)) y.floor_divide_(count.to(y.scalar_type()));
      else y.div_(count);
    }
    ctx.save_output(y);
    ctx.save(self, src, index);
    ctx.save_numbers(dim, static_cast<int64_t>(reduce), include);
    return y;
  }
  // How many values come together at each place, 1 where none does.
  static Tensor counts(const Tensor& self, const Tensor& src, int64_t dim, const Tensor& index, bool include) {
    const TensorOptions number = self.options().dtype(to_real_type(self.scalar_type()));
    return full(self.sizes(), include ? 1 : 0, number).scatter_add(dim, index, ones(src.sizes(), number)).clamp_min(1);
  }
  // What each value has of the gradient at its place: the old values, and those of src that were read.
  struct Shares {
    Tensor self, src;
  };
  // Of a product that of the others: the product of all that are not 0, over the value; 0 where another one is 0.
  static Shares product_shares(const Tensor& gradient, const Tensor& old, const Tensor& read, int64_t dim, const Tensor& index) {
    const auto others = [](const Tensor& value, const Tensor& product, const Tensor& zeros) {
      return (product / value.masked_fill(value.eq(0), 1)).masked_fill(zeros.ne(value.eq(0).to(zeros.scalar_type())), 0);
    };
    const Tensor zeros = old.eq(0).to(old.scalar_type()).scatter_add(dim, index, read.eq(0).to(old.scalar_type()));
    const Tensor product = old.masked_fill(old.eq(0), 1).scatter_reduce(dim, index, read.masked_fill(read.eq(0), 1), "prod");
    return {gradient * others(old, product, zeros),
            gradient.gather(dim, index) * others(read, product.gather(dim, index), zeros.gather(dim, index))};
  }
  // Of an extreme an equal part for each value that is the extreme.
  static Shares extreme_shares(const Tensor& gradient, const Tensor& y, const Tensor& self, const Tensor& read, int64_t dim,
                               const Tensor& index, bool include) {
    const Tensor old = include ? self.eq(y).to(self.scalar_type()) : zeros_like(self);
    const Tensor won = read.eq(y.gather(dim, index)).to(self.scalar_type());
    const Tensor share = gradient / old.scatter_add(dim, index, won).clamp_min(1);
    return {include ? share * old : share, won * share.gather(dim, index)};
  }
  static void backward(const Gradients& g) {
    const Tensor y = g.saved(0), self = g.saved(1), src = g.saved(2), index = g.saved(3);
    const int64_t dim = g.number(0);
    const auto reduce = static_cast<Reduce>(g.number(1));
    const bool include = g.number(2);
    Tensor read = src;
    for (int64_t d = 0; d < src.dim() && index.dim(); ++d) read = read.slice(d, 0, index.size(d));
    Shares shares;
    if (reduce == Reduce::kSum || reduce == Reduce::kMean) {
      const Tensor share = reduce == Reduce::kMean ? g.output() / counts(self, src, dim, index, include) : g.output();
      shares = {share, share.gather(dim, index)};
    } else if (reduce == Reduce::kProd) {
      shares = product_shares(g.output(), include ? self : ones_like(self), read, dim, index);
    } else {
      shares = extreme_shares(g.output(), y, self, read, dim, index, include);
    }
    if (g.wants(0)) g.set(0, include ? shares.self : shares.self.scatter(dim, index, 0));
    if (!g.wants(1)) return;
    const bool whole = read.sizes() == src.sizes();
    g.set(1, whole ? shares.src : embed(shares.src, src.sizes(), corner(Geometry(src.sizes()), index.sizes())));
  }
};

}  // namespace
}  // namespace wick::ops

// ---- The public functions ----------------------------------------------------------------------------------------------------------

namespace wick {

using namespace ops;

namespace {

// What an in-place operation writes to must not share memory with what it reads.
void check_apart(const Tensor& self, std::initializer_list<const TensorBase*> inputs) {
  check_no_overlap(self, inputs.begin(), static_cast<int>(inputs.size()), /*may_be_same=*/false);
}

int64_t check_index_select(const Tensor& self, int64_t dim, const Tensor& index) {
  const int64_t at = wrap_dim(dim, self.dim());
  check_same_device("index_select", {&self, &index});
  WICK_CHECK_INDEX(index.dim() <= 1, "index_select(): Index is supposed to be a vector\n  index: ", index.sizes());
  check_index_dtype(index, "index_select(): Expected dtype int32 or int64 for index");
  WICK_CHECK(self.dim() > 0 || index.numel() == 1, "index_select(): Index to scalar can have only 1 value, got ", index.numel(),
             " value(s)");
  WICK_CHECK(self.dim() == 0 || index.numel() == 0 || self.size(at) > 0, "index_select(): self indexing axis dim should be positive");
  return at;
}

int64_t check_index_add(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source) {
  const int64_t at = wrap_dim(dim, self.dim());
  check_same_device("index_add_", {&self, &index, &source});
  WICK_CHECK_INDEX(index.dim() <= 1, "index_add_(): Index is supposed to be a vector, but got dim: ", index.dim(), " with type: ",
                   index.scalar_type(), " and size: ", index.sizes());
  WICK_CHECK(index.scalar_type() == kLong || index.scalar_type() == kInt,
             "index_add_(): Expected dtype int32/int64 for index but got: ", index.scalar_type());
  WICK_CHECK(self.scalar_type() == source.scalar_type(), "index_add_(): self (", self.scalar_type(), ") and source (",
             source.scalar_type(), ") must have the same scalar type");
  const int64_t available = source.dim() == 0 ? 1 : at < source.dim() ? source.size(at) : -1;
  WICK_CHECK(available < 0 || index.numel() == available, "index_add_(): Number of indices (", index.numel(),
             ") should be equal to source.size(dim): (", available, "), for dim: ", at);
  bool fits = self.dim() == source.dim();
  for (int64_t d = 0; fits && d < self.dim(); ++d) fits = d == at || self.size(d) == source.size(d);
  WICK_CHECK(fits, "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = ", self.sizes(),
             " source.shape = ", source.sizes());
  return at;
}

int64_t check_index_copy(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source) {
  const int64_t at = wrap_dim(dim, self.dim());
  check_same_device("index_copy_", {&self, &index, &source});
  WICK_CHECK_INDEX(index.dim() <= 1, "index_copy_(): Index should have dimension 1 or 0 (got ", index.dim(), ")");
  WICK_CHECK(index.scalar_type() == kLong, "index_copy_(): Expected a long tensor for index, but got ", index.scalar_type());
  WICK_CHECK(self.scalar_type() == source.scalar_type(), "index_copy_(): self and source expected to have the same dtype, but got (self) ",
             self.scalar_type(), " and (source) ", source.scalar_type());
  Dims to(self.sizes()), from(source.sizes());
  if (!to.empty()) to.erase(at);
  if (!from.empty() && static_cast<size_t>(at) < from.size()) from.erase(at);
  WICK_CHECK(to == from, "index_copy_(): Source/destination tensor must have same slice shapes. Destination slice shape: ", to,
             " at dimension ", at, " and source slice shape: ", from, " at dimension ", 0, ".");
  const int64_t available = source.dim() == 0 ? 1 : source.size(at);
  WICK_CHECK_INDEX(index.numel() == available, "index_copy_(): Number of indices (", index.numel(),
                   ") should be equal to source.size(dim) (", available, ")");
  return at;
}

int64_t check_index_fill(const Tensor& self, int64_t dim, const Tensor& index) {
  const int64_t at = wrap_dim(dim, self.dim());
  check_same_device("index_fill_", {&self, &index});
  WICK_CHECK_INDEX(index.scalar_type() == kLong, "index_fill_(): Expected dtype int64 for index.");
  WICK_CHECK(index.dim() <= 1, "Index has to be a vector/scalar");
  return at;
}

// Whether index is no larger than `sizes` in any dimension but `except`.
bool fits_into(const Tensor& index, IntArrayRef sizes, int64_t except) {
  for (int64_t d = 0; d < index.dim() && !sizes.empty(); ++d) {
    if (d != except && index.size(d) > sizes[d]) return false;
  }
  return true;
}

bool same_ndim(const Tensor& a, const Tensor& b) { return std::max<int64_t>(a.dim(), 1) == std::max<int64_t>(b.dim(), 1); }

int64_t check_gather(const Tensor& self, int64_t dim, const Tensor& index) {
  const int64_t at = wrap_dim(dim, self.dim());
  check_same_device("gather", {&self, &index});
  if (index.numel() == 0) return at;
  check_index_dtype(index, "gather(): Expected dtype int32/int64 for index");
  WICK_CHECK(same_ndim(self, index), "Index tensor must have the same number of dimensions as input tensor\n  ",
             describe("gather", {&self, &index}));
  for (int64_t d = 0; d < index.dim(); ++d) {
    WICK_CHECK(d == at || index.size(d) <= self.size(d), "Size does not match at dimension ", d, " expected index ", index.sizes(),
               " to be no larger than self ", self.sizes(), " apart from dimension ", at);
  }
  return at;
}

int64_t check_scatter(const Tensor& self, int64_t dim, const Tensor& index, const Tensor* src) {
  const int64_t at = wrap_dim(dim, self.dim());
  check_same_device("scatter", {&self, &index, src ? src : &index});
  if (index.numel() > 0) check_index_dtype(index, "scatter(): Expected dtype int32/int64 for index");
  WICK_CHECK(!src || self.scalar_type() == src->scalar_type(), "scatter(): Expected self.dtype to be equal to src.dtype\n  self: ",
             dtype_name(self.scalar_type()), ", src: ", dtype_name(src ? src->scalar_type() : kFloat));
  if (index.numel() == 0) return at;
  WICK_CHECK(same_ndim(self, index), "Index tensor must have the same number of dimensions as self tensor\n  ",
             describe("scatter", {&self, &index}));
  WICK_CHECK(!src || same_ndim(*src, index), "Index tensor must have the same number of dimensions as src tensor\n  ",
             describe("scatter", {&self, &index, src}));
  const bool fits = fits_into(index, self.sizes(), at) && (!src || fits_into(index, src->sizes(), -1));
  WICK_CHECK(fits || !src, "Expected index ", index.sizes(), " to be no larger than self ", self.sizes(), " apart from dimension ", at,
             " and to be no larger size than src ", (src ? src : &index)->sizes());
  WICK_CHECK(fits, "Expected index ", index.sizes(), " to be no larger than self ", self.sizes(), " apart from dimension ", at);
  return at;
}

}  // namespace

Tensor index_select(const Tensor& self, int64_t dim, const Tensor& index) {
  return apply<IndexSelect>(self, check_index_select(self, dim, index), index);
}

// A function and its in-place method, both of the operation Op: (the parameters), ({what may not share memory with self}), and what
// Op::forward takes.
#define WICK_PAIR(name, Op, params, inputs, ...)                      \
  Tensor name params { return apply<OutOfPlace<Op>>(__VA_ARGS__); }   \
  void method::name##_ params {                                       \
    check_apart(self, WICK_UNPAREN inputs);                           \
    apply_inplace<Op>(__VA_ARGS__);                                   \
  }
WICK_PAIR(index_add, IndexAdd, (const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source, const Scalar& alpha),
          ({&source, &index}), self, source, check_index_add(self, dim, index, source), index, alpha)
WICK_PAIR(index_copy, IndexCopy, (const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source), ({&source, &index}),
          self, source, check_index_copy(self, dim, index, source), index)
WICK_PAIR(index_fill, IndexFill, (const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value), ({&index}), self,
          check_index_fill(self, dim, index), index, value)
WICK_PAIR(scatter, Scatter, (const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src), ({&src, &index}), self, src,
          check_scatter(self, dim, index, &src), index)
WICK_PAIR(scatter, ScatterNumber, (const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value), ({&index}), self,
          check_scatter(self, dim, index, nullptr), index, value)
WICK_PAIR(scatter_add, ScatterAdd, (const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src), ({&src, &index}), self, src,
          check_scatter(self, dim, index, &src), index)

Tensor gather(const Tensor& self, int64_t dim, const Tensor& index, bool) {
  return apply<Gather>(self, check_gather(self, dim, index), index);
}

Tensor scatter_reduce(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, std::string_view reduce, bool include_self) {
  static constexpr std::string_view kNames[] = {"sum", "prod", "mean", "amax", "amin"};
  const auto* name = std::find(std::begin(kNames), std::end(kNames), reduce);
  WICK_CHECK(name != std::end(kNames), "reduce argument must be either sum, prod, mean, amax or amin, got ", reduce);
  const int64_t at = check_scatter(self, dim, index, &src);
  const bool ordered = reduce == "amax" || reduce == "amin";
  WICK_CHECK_NOT_IMPLEMENTED(!ordered || !self.is_complex(), "\"scatter_gather_tensor_cpu_reduce_", reduce, "\" not implemented for '",
                             self.scalar_type(), "'");
  return apply<ScatterReduce>(self, src, at, index, static_cast<Reduce>(name - kNames), include_self);
}

}  // namespace wick
