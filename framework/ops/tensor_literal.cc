#include "wick/framework/ops/tensor_literal.h"

namespace wick {

static ScalarType inferred_dtype(ScalarType t) {
  if (t == kInt || t == kLong) return kLong;
  return t == kFloat || t == kDouble ? default_dtype() : t;
}

ScalarType TensorLiteral::first_type() const {
  if (kind_ != Kind::kList) return dtype_;
  return size_ ? elements()->first_type() : default_dtype();
}

Dims TensorLiteral::sizes() const {
  Dims sizes;
  const TensorLiteral* x = this;
  for (; x->kind_ != Kind::kNumber; x = x->elements()) {
    sizes.push_back(static_cast<int64_t>(x->size_));
    if (x->kind_ == Kind::kArray || x->size_ == 0) break;
  }
  return sizes;
}

// Inner lists first, as LibTorch comes across them.
void TensorLiteral::check() const {
  if (kind_ != Kind::kList || size_ == 0) return;
  const TensorLiteral& first = *elements();
  const Dims expected = first.sizes();
  const ScalarType type = first.first_type();
  for (size_t i = 0; i < size_; ++i) elements()[i].check();
  for (size_t i = 0; i < size_; ++i) {
    const TensorLiteral& x = elements()[i];
    WICK_CHECK(x.sizes() == expected, "Expected all sub-lists to have sizes: ", joined_text(expected, " "), " (e.g. ", first,
               "), but got sub-list ", x, " with sizes: ", joined_text(x.sizes(), " "));
    WICK_CHECK(x.first_type() == type, "Expected all elements of the tensor to have the same scalar type: ", type,
               ", but got element of scalar type: ", x.first_type());
  }
}

void TensorLiteral::append_text(std::string& out) const {
  if (kind_ == Kind::kNumber) return wick::append_text(out, number_);
  const auto append_list = [&](auto* first) {
    out += '{';
    for (size_t i = 0; i < size_; ++i) {
      if (i) out += ", ";
      if constexpr (std::is_same_v<decltype(first), const TensorLiteral*>) first[i].append_text(out);
      else wick::append_text(out, Scalar(first[i]));
    }
    out += '}';
  };
  if (kind_ == Kind::kList) return append_list(elements());
  dispatch_any_dtype(dtype_, "tensor", [&]<class T>() { append_list(static_cast<const T*>(data_)); });
}

template <class T>
void TensorLiteral::write(T*& out) const {
  switch (kind_) {
    case Kind::kNumber: *out++ = number_.to<T>(); break;
    case Kind::kList:
      for (size_t i = 0; i < size_; ++i) elements()[i].write(out);
      break;
    case Kind::kArray:
      dispatch_any_dtype(dtype_, "tensor", [&]<class From>() {
        for (size_t i = 0; i < size_; ++i) *out++ = convert<T>(static_cast<const From*>(data_)[i]);
      });
  }
}

Tensor TensorLiteral::make(const TensorOptions& options) const {
  check();
  const ScalarType dtype = options.has_dtype() ? options.dtype() : inferred_dtype(first_type());
  WICK_CHECK(kind_ != Kind::kArray || is_complex(dtype) || !is_complex(dtype_),
             "can not do torch::tensor(complex, dtype=non-complex) because complex can not be "
             "casted to real number without loss of information");
  // Written on the CPU and moved at once.
  Tensor x = empty(sizes(), TensorOptions(dtype).layout(options.layout()));
  dispatch_any_dtype(dtype, "tensor", [&]<class T>() {
    T* out = static_cast<T*>(x.data_ptr());
    write(out);
  });
  x = x.to(options.device(), dtype);
  return options.requires_grad() ? x.requires_grad_() : x;
}

}  // namespace wick
