// x.index({...}) and x.index_put_({...}): numbers, slices and new dimensions make a view first, tensors then pick from it.
#include "wick/framework/ops/tensor_index.h"

#include "wick/framework/ops/view.h"

namespace wick {
namespace {

using indexing::TensorIndex;
using TensorIndices = ArrayRef<TensorIndex>;

// How many dimensions of the tensor the indices name.
int64_t count_named(TensorIndices indices) {
  int64_t count = 0;
  for (const TensorIndex& index : indices) {
    if (index.is_integer() || index.is_slice()) ++count;
    if (!index.is_tensor()) continue;
    const ScalarType t = index.tensor().scalar_type();
    count += t == kBool || t == kByte ? index.tensor().dim() : 1;
  }
  return count;
}

// The tensor after all but the tensor indices, and those at the dimensions that they index.
class Picked {
 public:
  Picked(const Tensor& self, TensorIndices indices) : view(self), self_(self) {
    const int64_t named = count_named(indices);
    const bool one_number = indices.size() == 1 && indices[0].is_integer();
    WICK_CHECK_INDEX(named <= self.dim() || one_number, "too many indices for tensor of dimension ", self.dim());
    int64_t dim = 0, place = 0;  // in the view, and among the indices for errors
    for (const TensorIndex& index : indices) {
      if (index.is_ellipsis()) dim += self.dim() - named;
      else if (index.is_integer()) select(dim, index.integer(), place);
      else if (index.is_slice()) slice(dim++, index.slice());
      else if (index.is_none()) view = view.unsqueeze(dim++);
      else if (index.is_boolean()) pick_all_or_none(dim++, index.boolean());
      else pick(dim, index.tensor(), place);
      ++place;
    }
  }

  Tensor view;
  std::vector<std::optional<Tensor>> tensors;

 private:
  void select(int64_t dim, int64_t index, int64_t place) {
    WICK_CHECK_INDEX(self_.dim() > 0, "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to "
                     "convert a 0-dim tensor to a number");
    const int64_t size = view.size(dim);
    WICK_CHECK_INDEX(index >= -size && index < size, "index ", index, " is out of bounds for dimension ", place, " with size ", size);
    view = view.select(dim, index);
  }
  void slice(int64_t dim, const indexing::Slice& s) {
    WICK_CHECK_VALUE(s.step() > 0, "step must be greater than zero");
    const auto [start, length] = ops::slice_range(view.size(dim), s.start(), s.stop(), s.step());
    if (s.step() != 1 || length != view.size(dim)) view = view.slice(dim, s.start(), s.stop(), s.step());
  }
  void pick_all_or_none(int64_t dim, bool all) {
    view = view.unsqueeze(dim);
    record(dim, zeros(all ? 1 : 0, TensorOptions(kLong).device(view.device())));
  }
  void pick(int64_t& dim, const Tensor& index, int64_t place) {
    const bool mask = index.scalar_type() == kBool || index.scalar_type() == kByte;
    if (index.dim() > 0 || !is_integral(index.scalar_type(), true)) {
      record(dim, index);
      dim += mask ? index.dim() : 1;
      if (mask) behind_masks_ += index.dim() - 1;
    } else if (mask) {
      pick_all_or_none(dim++, index.item().toBool());
    } else {
      select(dim, index.item().toLong(), place);
    }
  }
  void record(int64_t dim, const Tensor& index) {
    tensors.resize(static_cast<size_t>(dim - behind_masks_));
    tensors.push_back(index);
  }

  const Tensor& self_;
  int64_t behind_masks_ = 0;  // a mask is one entry of `tensors`, whatever its dimensions
};

// Leading dimensions of size 1 of what is assigned do not matter.
Tensor without_leading_ones(const Tensor& value) {
  size_t extra = 0;
  while (extra < value.sizes().size() && value.sizes()[extra] == 1) ++extra;
  return extra == 0 ? value : value.view(value.sizes().slice(extra));
}

// The mask with dimensions behind its own, where the indices are nothing but a mask of the first dimensions; else undefined.
Tensor as_mask(const Picked& picked) {
  if (picked.tensors.size() != 1 || picked.tensors[0]->scalar_type() != kBool) return {};
  const Tensor& mask = *picked.tensors[0];
  const IntArrayRef sizes = picked.view.sizes();
  if (mask.sizes().size() > sizes.size() || mask.sizes() != sizes.slice(0, mask.sizes().size())) return {};
  Dims shape(mask.sizes());
  while (shape.size() < sizes.size()) shape.push_back(1);
  return mask.view(shape);
}

void check_not_empty(TensorIndices indices, const char* method) {
  WICK_CHECK_INDEX(!indices.empty(), "Passing an empty index list to Tensor::", method, "() is not valid syntax");
}

}  // namespace

Tensor Tensor::index(TensorIndices indices) const {
  check_not_empty(indices, "index");
  const Picked picked(*this, indices);
  if (!picked.tensors.empty()) return picked.view.index(ArrayRef<std::optional<Tensor>>(picked.tensors));
  return picked.view.is_same(*this) ? alias() : picked.view;
}

Tensor& Tensor::index_put_(TensorIndices indices, const Tensor& rhs) const {
  check_not_empty(indices, "index_put_");
  const Picked picked(*this, indices);
  Tensor value = without_leading_ones(rhs);
  if (value.numel() == 1 && as_mask(picked).defined()) value = value.to(scalar_type());  // a number, of whatever dtype
  if (picked.tensors.empty()) picked.view.copy_(value.expand(picked.view.sizes()));
  else picked.view.index_put_(ArrayRef<std::optional<Tensor>>(picked.tensors), value);
  return const_cast<Tensor&>(*this);
}

Tensor& Tensor::index_put_(TensorIndices indices, const Scalar& value) const {
  check_not_empty(indices, "index_put_");
  const Picked picked(*this, indices);
  if (picked.tensors.empty()) picked.view.fill_(value);
  else if (const Tensor mask = as_mask(picked); mask.defined()) picked.view.masked_fill_(mask, value);
  else picked.view.index_put_(ArrayRef<std::optional<Tensor>>(picked.tensors), full({}, value, options()));
  return const_cast<Tensor&>(*this);
}

Tensor Tensor::operator[](const Scalar& index) const {
  WICK_CHECK_INDEX(index.isIntegral(), "Can only index tensors with integral scalars");
  return (*this)[index.toLong()];
}

Tensor Tensor::operator[](const Tensor& index) const {
  WICK_CHECK_INDEX(index.defined(), "Can only index with tensors that are defined");
  WICK_CHECK_INDEX(index.dim() == 0, "Can only index with tensors that are scalars (zero-dim)");
  return (*this)[index.item()];
}

}  // namespace wick
