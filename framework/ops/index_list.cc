// Advanced indexing, x[rows, :, columns], and masks.
#include "wick/framework/core/warning.h"
#include "wick/framework/ops/index.h"
#include "wick/framework/ops/view.h"

namespace wick::ops {
namespace {

// ---- What a list of indices means --------------------------------------------------------------------------------------------------

bool is_mask(const Tensor& index) { return index.scalar_type() == kBool || index.scalar_type() == kByte; }

// The indices by dimension, undefined where there is none, with masks replaced by the positions of what is true in them.
std::vector<Tensor> by_dimension(const Tensor& self, ArrayRef<std::optional<Tensor>> indices) {
  std::vector<Tensor> result;
  for (const std::optional<Tensor>& index : indices) {
    if (!index || !index->defined()) {
      result.emplace_back();
      continue;
    }
    const ScalarType dtype = index->scalar_type();
    WICK_CHECK_INDEX(is_mask(*index) || dtype == kLong || dtype == kInt,
                     "tensors used as indices must be long, int, byte or bool tensors\n  This one is ", dtype,
                     ": convert it with .to(kLong).");
    if (!is_mask(*index)) {
      result.push_back(index->to(self.device(), kLong));
      continue;
    }
    if (dtype == kByte) WICK_WARN("indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.");
    for (size_t d = 0; d < index->sizes().size(); ++d) {
      const size_t at = result.size() + d;
      WICK_CHECK_INDEX(at < self.sizes().size(), "too many indices for tensor of dimension ", self.dim());
      WICK_CHECK_INDEX(index->sizes()[d] == self.sizes()[at], "The shape of the mask ", index->sizes(), " at index ", d,
                       " does not match the shape of the indexed tensor ", self.sizes(), " at index ", at);
    }
    for (const Tensor& column : index->nonzero().unbind(1)) result.push_back(column.to(self.device()));
  }
  WICK_CHECK_INDEX(result.size() <= self.sizes().size(), "too many indices for tensor of dimension ", self.dim(), " (got ",
                   result.size(), ")");
  WICK_CHECK_INDEX(std::any_of(result.begin(), result.end(), [](const Tensor& x) { return x.defined(); }),
                   "at least one index must be a tensor");
  return result;
}

Dims broadcast_indices(TensorList indices) {
  Dims shape;
  std::string shapes;
  for (const Tensor& index : indices) {
    if (index.defined()) shapes += wick::detail::concat(shapes.empty() ? "" : ", ", index.sizes());
  }
  try {
    for (const Tensor& index : indices) {
      if (index.defined()) shape = broadcast_shapes(shape, index.sizes());
    }
  } catch (const Error&) {
    wick::detail::raise<IndexError>("shape mismatch: indexing tensors could not be broadcast together with shapes ", shapes);
  }
  return shape;
}

// The dimensions of the indices stand where the indexed dimensions stood if these are neighbours, else in front.
struct IndexedPlaces : Places {
  Dims shape;  // of the block
};

IndexedPlaces locate(const Tensor& self, TensorList indices) {
  size_t first = indices.size(), last = 0, count = 0;
  for (size_t d = 0; d < indices.size(); ++d) {
    if (!indices[d].defined()) continue;
    first = std::min(first, d);
    last = d;
    ++count;
  }
  const bool neighbours = last - first + 1 == count;
  const Dims index_shape = broadcast_indices(indices);
  IndexedPlaces places;
  Dims behind;
  for (size_t d = 0; d < self.sizes().size(); ++d) {
    if (d < indices.size() && indices[d].defined()) continue;
    const bool in_front = neighbours && d < first;
    (in_front ? places.plan.before : places.plan.after).append(self.sizes()[d], self.strides()[d]);
    (in_front ? places.shape : behind).push_back(self.sizes()[d]);
  }
  places.shape = joined_dims({places.shape, index_shape, behind});
  finish(places.plan, checked_numel(index_shape));

  places.offsets = empty_base(places.plan.count, kLong, self.device());
  int64_t number = 0;
  for (size_t d = 0; d < indices.size(); ++d) {
    if (!indices[d].defined()) continue;
    const int64_t size = self.sizes()[d];
    WICK_CHECK_INDEX(size > 0 || places.plan.count == 0, "index is out of bounds for dimension with size 0");
    if (places.plan.numel() > 0) {
      launch_offsets(places.offsets, indices[d].expand(index_shape), {size, self.strides()[d], number, IndexCheck::kWrap}, number > 0);
    }
    ++number;
  }
  return places;
}

void save_indices(Context& ctx, TensorList indices) {
  for (const Tensor& index : indices) ctx.save(index);
}

std::vector<std::optional<Tensor>> saved_indices(const Gradients& g) {
  std::vector<std::optional<Tensor>> indices(static_cast<size_t>(g.node().num_saved()));
  for (size_t i = 0; i < indices.size(); ++i) {
    if (g.has_saved(static_cast<int>(i))) indices[i] = g.saved(static_cast<int>(i));
  }
  return indices;
}

struct Index {
  static constexpr OpInfo info = make_info<Index>("index", "IndexBackward0");

  static Tensor forward(Context& ctx, const Tensor& self, TensorList indices) {
    const IndexedPlaces places = locate(self, indices);
    Tensor y = empty_base(places.shape, self.scalar_type(), self.device());
    launch_take(self, places, y);
    save_indices(ctx, indices);
    return y;
  }
  static void backward(const Gradients& g) {
    const Tensor gy = g.output();
    g.set(0, zeros(input_sizes(g), gy.options()).index_put_(saved_indices(g), gy, true));
  }
};

struct IndexPut {
  static constexpr OpInfo info = make_info<IndexPut>("index_put", "IndexPutBackward0");

  static void forward(Context& ctx, const Tensor& self, const Tensor& values, TensorList indices, bool accumulate) {
    const IndexedPlaces places = locate(self, indices);
    const size_t extra = places.shape.size() - std::min(places.shape.size(), values.sizes().size());
    bool fits = values.sizes().size() <= places.shape.size();
    for (size_t d = extra; fits && d < places.shape.size(); ++d) {
      fits = values.sizes()[d - extra] == places.shape[d] || values.sizes()[d - extra] == 1;
    }
    WICK_CHECK(fits, "shape mismatch: value tensor of shape ", values.sizes(), " cannot be broadcast to indexing result of shape ",
               places.shape);
    launch_put(accumulate ? put_add_kernel : put_kernel, self, places, values.numel() == 1 ? values : values.expand(places.shape));
    save_indices(ctx, indices);
    ctx.save_numbers(accumulate);
  }
  static void backward(const Gradients& g) {
    const Tensor gy = g.output();
    const auto indices = saved_indices(g);
    if (g.wants(0)) g.set(0, g.number(0) ? gy : gy.index_put(indices, zeros({}, gy.options())));
    if (g.wants(1)) g.set(1, gy.index(indices));
  }
};

// ---- Masks -------------------------------------------------------------------------------------------------------------------------

void fill_where(const Tensor& self, const Tensor& mask, const Scalar& value) {
  if (WICK_UNLIKELY(self.is_complex())) {
    const Tensor parts = parts_of(self);
    fill_where(parts.select(-1, 0), mask, value.toComplexDouble().real());
    return fill_where(parts.select(-1, 1), mask, value.toComplexDouble().imag());
  }
  check_fits(value, self.scalar_type());
  MaskedFillArgs args;
  args.buffers[0] = self;
  args.buffers[1] = mask;
  dispatch_dtype(self.scalar_type(), "masked_fill", [&]<class T>() {
    const T element = value.to<T>();
    static_assert(sizeof(T) <= sizeof args.value);
    __builtin_memcpy(args.value, &element, sizeof element);
  });
  const TensorBase* operands[] = {&self, &mask};
  make_plan(args.plan, operands, 2);
  launch(masked_fill_kernel, self.device(), args);
}

struct MaskedFill {
  static constexpr OpInfo info = make_info<MaskedFill>("masked_fill", "MaskedFillBackward0");

  static void forward(Context& ctx, const Tensor& self, const Tensor& mask, const Scalar& value) {
    fill_where(self, mask, value);
    ctx.save(mask);
  }
  static void backward(const Gradients& g) { g.set(0, g.output().masked_fill(g.saved(0), 0)); }
};

struct MaskedFillTensor {
  static constexpr OpInfo info = make_info<MaskedFillTensor>("masked_fill", "MaskedFillBackward1");

  static void forward(Context& ctx, const Tensor& self, const Tensor& mask, const Tensor& value) {
    fill_where(self, mask, value.item());
    ctx.save(mask);
  }
  static void backward(const Gradients& g) {
    const Tensor gy = g.output(), mask = g.saved(0);
    if (g.wants(0)) g.set(0, gy.masked_fill(mask, 0));
    if (g.wants(2)) g.set(2, gy.masked_fill(mask.logical_not(), 0).sum());
  }
};

// Positions of what is true in a mask without gaps: [ndim, count], a row for each dimension.
Tensor list_true(const Tensor& mask) {
  WICK_CHECK_NOT_IMPLEMENTED(!mask.is_meta(),
                             "nonzero: the shape of the result depends on data, which a tensor on the meta device has not");
  const int64_t chunks = (mask.numel() + kMaskChunk - 1) / kMaskChunk;
  const Tensor counts = empty_base(chunks, kLong, mask.device());
  launch(count_true_kernel, mask.device(), CountTrueArgs{{counts, mask}, mask.numel()});

  note_host_read("nonzero");
  // From the number in each chunk to the number before it.
  const Tensor before = counts.cpu();
  int64_t total = 0;
  for (int64_t i = 0; i < chunks; ++i) total += std::exchange(before.data_ptr<int64_t>()[i], total);

  Tensor positions = empty_base({mask.dim(), total}, kLong, mask.device());
  const Tensor starts = before.to(mask.device());
  ListTrueArgs list{{positions, starts, mask}, mask.numel(), total, static_cast<int32_t>(mask.dim()), {}};
  std::copy(mask.sizes().begin(), mask.sizes().end(), list.sizes);
  launch(list_true_kernel, mask.device(), list);
  return positions;
}

struct MaskedSelect {
  static constexpr OpInfo info = make_info<MaskedSelect>("masked_select", "MaskedSelectBackward0");

  static Tensor forward(Context& ctx, const Tensor& self, const Tensor& mask, const Dims& shape) {
    const Tensor positions = list_true(mask.expand(shape).reshape(-1).contiguous()).reshape(-1);
    ctx.save(positions);
    if (ctx.recording()) ctx.save_extra(DimsExtra(shape));
    return self.expand(shape).reshape(-1).index_select(0, positions);
  }
  static void backward(const Gradients& g) {
    const Dims& shape = g.dims();
    const Tensor flat = zeros(checked_numel(shape), g.output().options());
    g.set(0, flat.index_add_(0, g.saved(0), g.output()).reshape(shape));
  }
};

// ---- Checks ------------------------------------------------------------------------------------------------------------------------

void check_index_put(const Tensor& self, const Tensor& values) {
  WICK_CHECK(self.scalar_type() == values.scalar_type(), "Index put requires the source and destination dtypes match, got ",
             self.scalar_type(), " for the destination and ", values.scalar_type(), " for the source.");
}

void check_mask(const Tensor& self, const Tensor& mask, const Tensor* value = nullptr) {
  WICK_CHECK(mask.scalar_type() == kBool, "masked_fill_ only supports boolean masks, but got mask with dtype ",
             cpp_type_name(mask.scalar_type()));
  WICK_CHECK(!value || value->dim() == 0, "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with ",
             value ? value->dim() : 0, " dimension(s).");
  check_same_device("masked_fill", {&self, &mask});
}

void check_mask_inplace(const Tensor& self, const Tensor& mask, const Tensor* value = nullptr) {
  check_mask(self, mask, value);
  const Dims shape = broadcast_shapes(mask.sizes(), self.sizes());
  WICK_CHECK(IntArrayRef(shape) == self.sizes(), "output with shape ", self.sizes(), " doesn't match the broadcast shape ", shape);
  const TensorBase* input = &mask;
  check_no_overlap(self, &input, 1);
}

// self as large as the mask needs it.
Tensor expand_to(const Tensor& self, const Tensor& mask) {
  if (self.sizes() == mask.sizes()) return self;
  const Dims shape = broadcast_shapes(mask.sizes(), self.sizes());
  return IntArrayRef(shape) == self.sizes() ? self : self.expand(shape);
}

}  // namespace
}  // namespace wick::ops

// ---- The public functions ----------------------------------------------------------------------------------------------------------

namespace wick {

using namespace ops;

Tensor index(const Tensor& self, ArrayRef<std::optional<Tensor>> indices) {
  const std::vector<Tensor> list = by_dimension(self, indices);
  return apply<Index>(self, TensorList(list));
}

Tensor index_put(const Tensor& self, ArrayRef<std::optional<Tensor>> indices, const Tensor& values, bool accumulate) {
  check_index_put(self, values);
  const std::vector<Tensor> list = by_dimension(self, indices);
  return apply<OutOfPlace<IndexPut>>(self, values, TensorList(list), accumulate);
}
void method::index_put_(const Tensor& self, ArrayRef<std::optional<Tensor>> indices, const Tensor& values, bool accumulate) {
  check_index_put(self, values);
  const std::vector<Tensor> list = by_dimension(self, indices);
  std::vector<const TensorBase*> inputs{&values};
  for (const Tensor& index : list) inputs.push_back(&index);
  check_no_overlap(self, inputs.data(), static_cast<int>(inputs.size()), /*may_be_same=*/false);
  apply_inplace<IndexPut>(self, values, TensorList(list), accumulate);
}

Tensor masked_fill(const Tensor& self, const Tensor& mask, const Scalar& value) {
  check_mask(self, mask);
  return apply<OutOfPlace<MaskedFill>>(expand_to(self, mask), mask, value);
}
Tensor masked_fill(const Tensor& self, const Tensor& mask, const Tensor& value) {
  check_mask(self, mask, &value);
  return apply<OutOfPlace<MaskedFillTensor>>(expand_to(self, mask), mask, value);
}
void method::masked_fill_(const Tensor& self, const Tensor& mask, const Scalar& value) {
  check_mask_inplace(self, mask);
  apply_inplace<MaskedFill>(self, mask, value);
}
void method::masked_fill_(const Tensor& self, const Tensor& mask, const Tensor& value) {
  check_mask_inplace(self, mask, &value);
  apply_inplace<MaskedFillTensor>(self, mask, value);
}

Tensor masked_select(const Tensor& self, const Tensor& mask) {
  WICK_CHECK(mask.scalar_type() == kBool, "masked_select: expected BoolTensor for mask");
  check_same_device("masked_select", {&self, &mask});
  return apply<MaskedSelect>(self, mask, broadcast_shapes(mask.sizes(), self.sizes()));
}

Tensor nonzero(const Tensor& self) {
  NoGradGuard no_grad;
  const Tensor rows = list_true((self.scalar_type() == kBool ? self : self.ne(0)).contiguous());
  return alias_base(rows, {rows.size(1), rows.size(0)}, {1, rows.size(1)}, 0);
}

}  // namespace wick
