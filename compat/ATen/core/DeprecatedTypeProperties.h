// x.type(), LibTorch's old word for device, layout and dtype in one: "CPUFloatType". New programs ask x.options().
#pragma once

#include <c10/util/typeid.h>

#include <ostream>
#include <string>

#include "wick/framework/tensor.h"

namespace c10 {
enum class Backend { CPU, CUDA, SparseCPU, SparseCUDA, MPS, Meta, Undefined };
inline const char* toString(Backend backend) {
  static constexpr const char* kNames[] = {"CPU", "CUDA", "SparseCPU", "SparseCUDA", "MPS", "Meta", "UNKNOWN_BACKEND"};
  return kNames[static_cast<int>(backend)];
}
inline wick::DeviceType backendToDeviceType(Backend backend) {
  switch (backend) {
    case Backend::CPU: case Backend::SparseCPU: return wick::kCPU;
    case Backend::CUDA: case Backend::SparseCUDA: return wick::kCUDA;
    case Backend::MPS: return wick::kMPS;
    case Backend::Meta: return wick::kMeta;
    default: wick::detail::raise<wick::Error>("Undefined backend is not a valid device type");
  }
}
}  // namespace c10

namespace wick {

class DeprecatedTypeProperties {
 public:
  DeprecatedTypeProperties(c10::Backend backend, ScalarType dtype) : backend_(backend), dtype_(dtype) {}

  c10::Backend backend() const { return backend_; }
  ScalarType scalarType() const { return dtype_; }
  caffe2::TypeMeta typeMeta() const { return caffe2::TypeMeta(dtype_); }
  DeviceType device_type() const { return c10::backendToDeviceType(backend_); }
  bool is_sparse() const { return backend_ == c10::Backend::SparseCPU || backend_ == c10::Backend::SparseCUDA; }
  bool is_cuda() const { return device_type() == kCUDA; }
  Layout layout() const { return is_sparse() ? kSparse : kStrided; }
  std::string toString() const { return std::string(c10::toString(backend_)) + to_string(dtype_) + "Type"; }
  TensorOptions options(DeviceIndex index = -1) const { return TensorOptions(dtype_).device(device_type(), index).layout(layout()); }
  operator TensorOptions() const { return options(); }
  friend bool operator==(const DeprecatedTypeProperties&, const DeprecatedTypeProperties&) = default;
  friend std::ostream& operator<<(std::ostream& out, const DeprecatedTypeProperties& type) { return out << type.toString(); }

 private:
  c10::Backend backend_;
  ScalarType dtype_;
};

}  // namespace wick

namespace at {
using c10::Backend;
using wick::DeprecatedTypeProperties;

// One object for each, which lives as long as the program.
const DeprecatedTypeProperties& getDeprecatedTypeProperties(Backend backend, wick::ScalarType dtype);
inline const DeprecatedTypeProperties& CPU(wick::ScalarType dtype) { return getDeprecatedTypeProperties(Backend::CPU, dtype); }
inline const DeprecatedTypeProperties& CUDA(wick::ScalarType dtype) { return getDeprecatedTypeProperties(Backend::CUDA, dtype); }
}  // namespace at

inline const auto& wick::Tensor::type() const {
  const c10::Backend backend = is_cuda() ? c10::Backend::CUDA : is_meta() ? c10::Backend::Meta : c10::Backend::CPU;
  return at::getDeprecatedTypeProperties(backend, scalar_type());
}
