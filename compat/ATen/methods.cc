#include <ATen/methods.h>

#include <algorithm>
#include <iostream>
#include <vector>

#include "wick/framework/io/print.h"
#include "wick/framework/ops/reduce.h"

namespace wick::method {

namespace {

// The handle goes over to other memory or to another view of its own.
Tensor& take(const char* name, const Tensor& self, const Tensor& view) {
  WICK_CHECK(!(GradMode::is_enabled() && self.requires_grad()), name, ": self requires a gradient, and this is not recorded\n  Write x = ",
             "x.as_strided(...), or call it under a NoGradGuard.");
  self.set_data(view);
  return const_cast<Tensor&>(self);
}

}  // namespace

Tensor& as_strided_(const Tensor& self, IntArrayRef size, IntArrayRef stride, std::optional<int64_t> storage_offset) {
  return take("as_strided_", self, self.detach().as_strided(size, stride, storage_offset));
}

Tensor& fill_diagonal_(const Tensor& self, const Scalar& fill_value, bool wrap) {
  WICK_CHECK(self.dim() >= 2, "dimensions must larger than 1");
  const int64_t height = self.size(0), width = self.size(1);
  const auto sizes = self.sizes();
  WICK_CHECK(self.dim() == 2 || std::all_of(sizes.begin(), sizes.end(), [&](int64_t n) { return n == height; }),
             "all dimensions of input must be of equal length");
  int64_t step = 0;
  for (const int64_t stride : self.strides()) step += stride;
  const int64_t length = std::min(height, width), offset = self.storage_offset();
  self.as_strided({length}, {step}, offset).fill_(fill_value);
  if (wrap && self.dim() == 2 && height > width + 1) {
    const int64_t period = width + 1, rest = (height * width + width) / period - length;
    self.as_strided({rest}, {step}, offset + self.stride(0) * period).fill_(fill_value);
  }
  return const_cast<Tensor&>(self);
}

bool is_set_to(const Tensor& self, const Tensor& tensor) {
  return self.is_alias_of(tensor) && self.storage_offset() == tensor.storage_offset() && self.sizes() == tensor.sizes() &&
         self.strides() == tensor.strides();
}

Tensor new_empty_strided(const Tensor& self, IntArrayRef size, IntArrayRef stride, const TensorOptions& options) {
  return empty_strided(size, stride, self.options().merge_in(options));
}

Tensor& polygamma_(const Tensor& self, int64_t n) {
  overwrite("polygamma", self, wick::polygamma(n, source(self)));
  return const_cast<Tensor&>(self);
}

void print(const Tensor& self) {
  if (self.defined()) std::cerr << '[' << self.type() << ' ' << self.sizes() << ']' << std::endl;
  else std::cerr << "[UndefinedTensor]" << std::endl;
}

Tensor& set_(const Tensor& self) { return take("set_", self, empty({0}, self.options().requires_grad(false))); }
Tensor& set_(const Tensor& self, const Tensor& source) {
  WICK_CHECK(self.scalar_type() == source.scalar_type(), "Could not set tensor of type ", cpp_type_name(source.scalar_type()),
             " to a tensor of type ", cpp_type_name(self.scalar_type()));
  return take("set_", self, source.detach());
}
Tensor& set_(const Tensor& self, const Tensor& source, int64_t storage_offset, IntArrayRef size, IntArrayRef stride) {
  const Tensor shape = empty(size, TensorOptions(kMeta));
  return set_(self, source.detach().as_strided(size, stride.empty() ? shape.strides() : stride, storage_offset));
}

MemoryFormat suggest_memory_format(const Tensor& self) {
  if (!self.is_contiguous()) {
    for (const MemoryFormat format : {MemoryFormat::ChannelsLast, MemoryFormat::ChannelsLast3d}) {
      if (self.dim() == (format == MemoryFormat::ChannelsLast ? 4 : 5) && self.is_contiguous(format)) return format;
    }
  }
  return MemoryFormat::Contiguous;
}

Tensor sum_to_size(const Tensor& self, IntArrayRef size) {
  const IntArrayRef have = self.sizes();
  bool expands = size.size() <= have.size();
  for (size_t i = 1; expands && i <= size.size(); ++i) {
    const int64_t want = size[size.size() - i];
    expands = want == 1 || want == have[have.size() - i];
  }
  WICK_CHECK(expands, "size {", size, "} is not expandable to size {", have, "}.");
  return size.empty() ? self.sum() : ops::sum_to(self, size);
}

}  // namespace wick::method

namespace wick {

std::ostream& print(std::ostream& stream, const Tensor& tensor, int64_t linesize) {
  PrintOptions options = get_printoptions();
  options.linewidth = linesize;
  return stream << to_string(tensor, options);
}
void print(const Tensor& tensor, int64_t linesize) { print(std::cout, tensor, linesize); }

}  // namespace wick
