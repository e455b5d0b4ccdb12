// Shapes, dtypes, devices and numbers on a std::ostream, as LibTorch writes them: "[2, 3]", "Float" (dtype() as "float"),
// "cuda:0".
#pragma once

#include <iosfwd>
#include <string>

#include "wick/framework/core/array_ref.h"
#include "wick/framework/core/scalar.h"
#include "wick/framework/core/tensor_options.h"

namespace wick {

namespace detail {
std::ostream& write_text(std::ostream& out, const std::string& text);
}

std::ostream& operator<<(std::ostream& out, ScalarType t);
std::ostream& operator<<(std::ostream& out, TypeMeta meta);
std::ostream& operator<<(std::ostream& out, DeviceType type);
std::ostream& operator<<(std::ostream& out, Device device);
std::ostream& operator<<(std::ostream& out, Layout layout);
std::ostream& operator<<(std::ostream& out, MemoryFormat format);
std::ostream& operator<<(std::ostream& out, const Scalar& s);
// "TensorOptions(dtype=float, device=cpu (default), layout=Strided (default), ...)"
std::ostream& operator<<(std::ostream& out, const TensorOptions& options);

template <class T>
std::ostream& operator<<(std::ostream& out, ArrayRef<T> list) {
  std::string text;
  append_text(text, list);
  return detail::write_text(out, text);
}

}  // namespace wick
