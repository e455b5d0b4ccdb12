// What torch::tensor() takes, under the name that LibTorch gives it.
#pragma once

#include <ostream>
#include <string>

#include "wick/framework/ops/tensor_literal.h"

namespace torch::detail {

class TensorDataContainer : public wick::TensorLiteral {
 public:
  using TensorLiteral::TensorLiteral;

  bool is_scalar() const { return kind_ == Kind::kNumber; }
  bool is_init_list() const { return kind_ == Kind::kList; }
  bool is_tensor() const { return kind_ == Kind::kArray; }
  const wick::Scalar& scalar() const { return check(is_scalar(), "scalar"), number_; }
  wick::ArrayRef<wick::TensorLiteral> init_list() const { return check(is_init_list(), "init_list"), wick::ArrayRef(elements(), size_); }
  wick::Tensor tensor() const { return check(is_tensor(), "tensor"), make({}); }
  wick::Tensor convert_to_tensor(const wick::TensorOptions& options) const { return make(options); }

  friend std::ostream& operator<<(std::ostream& out, const TensorDataContainer& x) {
    std::string text;
    x.append_text(text);
    return out << text;
  }

 private:
  static void check(bool ok, const char* what) {
    WICK_CHECK(ok, "Can only call `", what, "()` on a TensorDataContainer that has `is_", what, "() == true`");
  }
};

}  // namespace torch::detail
