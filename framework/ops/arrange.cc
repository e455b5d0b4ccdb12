// Elements and blocks of elements in another arrangement, written with views, joins and index operations, which carry the gradients.
#include <algorithm>

#include "wick/framework/ops/op.h"

namespace wick::ops {
namespace {

Tensor roll_one(const Tensor& x, int64_t shift, int64_t dim) {
  const int64_t n = x.size(dim);
  if (n == 0) return x;
  const int64_t start = (n - shift % n) % n;
  return start == 0 ? x : cat({x.narrow(dim, start, n - start), x.narrow(dim, 0, start)}, dim);
}

// How the shape of a tensor changes in place. No element is written, so other views of the memory keep their history.
struct Reshaped {
  static constexpr OpInfo info = make_info<Reshaped>("squeeze_", "ReshapeBackward0");
  static void backward(const Gradients& g) { g.set(0, g.output().reshape(g.dims())); }
};
struct Transposed {
  static constexpr OpInfo info = make_info<Transposed>("transpose_", "TransposeBackward0");
  static void backward(const Gradients& g) { g.set(0, g.output().transpose(g.dims()[0], g.dims()[1])); }
};

// `kept`: what the gradient needs to find back.
template <class Op>
void reshape_handle(const Tensor& self, const Tensor& shape, IntArrayRef kept) {
  const bool recording = should_record(self);
  check_inplace(self, recording);
  Ref<Node> node;
  if (recording) {
    node = detail::make_node(Op::info, self);
    node->set_extra(std::make_unique<DimsExtra>(kept));
  }
  const Dims sizes(shape.sizes()), strides(shape.strides());
  self.impl().set_shape(sizes, strides);
  self.impl().bump_version();  // an operation that saved it would compute with the new shape
  self.impl().view_version = self.impl().version();
  if (node) detail::attach(node, self);
}

void check_image(const Tensor& x, const char* function, const char* factor_name, int64_t factor) {
  WICK_CHECK(x.dim() >= 3, function, " expects input to have at least 3 dimensions, but got input with ", x.dim(), " dimension(s)");
  WICK_CHECK(factor > 0, function, " expects a positive ", factor_name, ", but got ", factor);
  WICK_CHECK(factor <= 1 << 20, "integer out of range\n  ", function, ": ", factor_name, "=", factor);
}

IntArrayRef batch_of_images(const Tensor& x) { return x.sizes().slice(0, x.sizes().size() - 3); }

}  // namespace
}  // namespace wick::ops

namespace wick {

using namespace ops;

Tensor diag(const Tensor& self, int64_t diagonal) {
  WICK_CHECK(self.dim() == 1 || self.dim() == 2, "diag(): Supports 1D or 2D tensors. Got ", self.dim(), "D");
  return self.dim() == 2 ? self.diagonal(diagonal).clone() : self.diag_embed(diagonal);
}

std::vector<Tensor> broadcast_tensors(TensorList tensors) {
  Dims shape;
  for (const Tensor& x : tensors) shape = broadcast_shapes(shape, x.sizes());
  std::vector<Tensor> results;
  for (const Tensor& x : tensors) results.push_back(x.expand(shape));
  return results;
}

std::vector<Tensor> meshgrid(TensorList tensors, std::string_view indexing) {
  WICK_CHECK(!tensors.empty(), "meshgrid expects a non-empty TensorList");
  WICK_CHECK(indexing == "ij" || indexing == "xy", "torch.meshgrid: indexing must be one of \"xy\" or \"ij\", but received: ", indexing);
  Dims shape;
  for (const Tensor& x : tensors) {
    WICK_CHECK(x.dim() <= 1, "torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: ", x.sizes());
    WICK_CHECK(x.scalar_type() == tensors[0].scalar_type(), "torch.meshgrid expects all tensors to have the same dtype");
    shape.push_back(x.numel());
  }
  const bool swap = indexing == "xy" && tensors.size() >= 2;
  std::vector<Tensor> grids;
  for (size_t i = 0; i < tensors.size(); ++i) {
    Dims own(tensors.size(), 1);
    own[i] = tensors[i].numel();
    const Tensor grid = tensors[i].reshape(own).expand(shape);
    grids.push_back(swap ? grid.transpose(0, 1) : grid);
  }
  return grids;
}

Tensor repeat_interleave(const Tensor& self, int64_t repeats, std::optional<int64_t> dim, std::optional<int64_t>) {
  WICK_CHECK(repeats >= 0, "Repeats must be non-negative");
  const Tensor x = dim && self.dim() ? self : self.reshape({-1});
  const int64_t d = dim ? wrap_dim(*dim, x.dim()) : 0;
  Dims sizes(x.sizes());
  sizes.insert(static_cast<size_t>(d) + 1, repeats);
  return x.unsqueeze(d + 1).expand(sizes).clone(MemoryFormat::Contiguous).flatten(d, d + 1);
}
Tensor repeat_interleave(const Tensor& self, const Tensor& repeats, std::optional<int64_t> dim, std::optional<int64_t> output_size) {
  const Tensor x = dim && self.dim() ? self : self.reshape({-1});
  const int64_t d = dim ? wrap_dim(*dim, x.dim()) : 0;
  WICK_CHECK(repeats.scalar_type() == kLong || repeats.scalar_type() == kInt, "repeats has to be Long or Int tensor");
  WICK_CHECK(repeats.dim() <= 1, "repeats must be 0-dim or 1-dim tensor");
  const Tensor counts = repeats.to(kLong).expand({repeats.numel() == 1 ? x.size(d) : repeats.numel()}).cpu().contiguous();
  WICK_CHECK(counts.numel() == x.size(d), "repeats must have the same size as input along dim, but got repeats.size(0) = ", counts.numel(),
             " and input.size(", d, ") = ", x.size(d));
  int64_t total = 0;
  for (int64_t i = 0; i < counts.numel(); ++i) {
    const int64_t count = counts.data_ptr<int64_t>()[i];
    WICK_CHECK(count >= 0, "repeats can not be negative");
    WICK_CHECK(!__builtin_add_overflow(total, count, &total), "repeat_interleave(): the sum of the repeats does not fit into 64 bits");
  }
  WICK_CHECK(!output_size || *output_size == total, "allocated size does not match required size");
  const Tensor places = empty({total}, TensorOptions(kLong));
  int64_t* place = places.data_ptr<int64_t>();
  for (int64_t i = 0; i < counts.numel(); ++i) place = std::fill_n(place, counts.data_ptr<int64_t>()[i], i);
  return x.index_select(d, places.to(x.device()));
}

Tensor tile(const Tensor& self, IntArrayRef dims) {
  Dims repeats(dims);
  while (static_cast<int64_t>(repeats.size()) < self.dim()) repeats.insert(0, 1);
  return self.repeat(repeats);
}

Tensor roll(const Tensor& self, IntArrayRef shifts, IntArrayRef dims) {
  WICK_CHECK(!shifts.empty(), "`shifts` required");
  if (dims.empty() && shifts.size() == 1) return roll_one(self.reshape({-1}), shifts[0], 0).reshape(self.sizes()).clone();
  WICK_CHECK(shifts.size() == dims.size(), "shifts and dimensions must align. shifts: ", shifts.size(), ", dims:", dims.size());
  Tensor y = self;
  for (size_t i = 0; i < dims.size(); ++i) y = roll_one(y, shifts[i], wrap_dim(dims[i], self.dim()));
  return y.is_same(self) ? self.clone() : y;
}

Tensor one_hot(const Tensor& self, int64_t num_classes) {
  WICK_CHECK(self.scalar_type() == kLong, "one_hot is only applicable to index tensor of type LongTensor.");
  const bool empty = self.numel() == 0;
  WICK_CHECK(!empty || num_classes > 0, "Can not infer total number of classes from empty tensor.");
  WICK_CHECK(num_classes >= -1 && num_classes != 0, "num_classes should be positive");
  WICK_CHECK(empty || self.min().item<int64_t>() >= 0, "Class values must be non-negative.");
  const int64_t classes = num_classes == -1 ? std::min(self.max().item<int64_t>(), INT64_MAX - 1) + 1 : num_classes;
  WICK_CHECK(empty || self.max().item<int64_t>() < classes, "Class values must be smaller than num_classes.\n  The largest is ",
             self.max().item<int64_t>(), ", so num_classes must be at least one more; here it is ", classes, ".");
  return zeros(joined_dims({self.sizes(), {classes}}), self.options()).scatter_(-1, self.unsqueeze(-1), 1);
}

Tensor pixel_shuffle(const Tensor& self, int64_t upscale_factor) {
  const int64_t r = upscale_factor;
  check_image(self, "pixel_shuffle", "upscale_factor", r);
  const int64_t c = self.size(-3), h = self.size(-2), w = self.size(-1);
  WICK_CHECK(c % (r * r) == 0, "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, "
             "but input.size(-3)=", c, " is not divisible by ", r * r);
  const Dims sizes = joined_dims({batch_of_images(self), {c / (r * r), h * r, w * r}});
  if (self.numel() == 0) return self.reshape(sizes);
  return self.reshape({-1, c / (r * r), r, r, h, w}).permute({0, 1, 4, 2, 5, 3}).reshape(sizes);
}
Tensor pixel_unshuffle(const Tensor& self, int64_t downscale_factor) {
  const int64_t r = downscale_factor;
  check_image(self, "pixel_unshuffle", "downscale_factor", r);
  const int64_t c = self.size(-3), h = self.size(-2), w = self.size(-1);
  WICK_CHECK(h % r == 0, "pixel_unshuffle expects height to be divisible by downscale_factor, but input.size(-2)=", h,
             " is not divisible by ", r);
  WICK_CHECK(w % r == 0, "pixel_unshuffle expects width to be divisible by downscale_factor, but input.size(-1)=", w,
             " is not divisible by ", r);
  const Dims sizes = joined_dims({batch_of_images(self), {c * r * r, h / r, w / r}});
  if (self.numel() == 0) return self.reshape(sizes);
  return self.reshape({-1, c, h / r, r, w / r, r}).permute({0, 1, 3, 5, 2, 4}).reshape(sizes);
}

void method::squeeze_(const Tensor& self) { reshape_handle<Reshaped>(self, self.detach().squeeze(), self.sizes()); }
void method::squeeze_(const Tensor& self, int64_t dim) { reshape_handle<Reshaped>(self, self.detach().squeeze(dim), self.sizes()); }
void method::unsqueeze_(const Tensor& self, int64_t dim) { reshape_handle<Reshaped>(self, self.detach().unsqueeze(dim), self.sizes()); }
void method::transpose_(const Tensor& self, int64_t dim0, int64_t dim1) {
  reshape_handle<Transposed>(self, self.detach().transpose(dim0, dim1), {dim0, dim1});
}
void method::t_(const Tensor& self) {
  WICK_CHECK(self.dim() <= 2, "t_() expects a tensor with <= 2 dimensions, but self is ", self.dim(), "D");
  if (self.dim() == 2) transpose_(self, 0, 1);
}

}  // namespace wick
