// Where a tensor lives.
#pragma once

#include <cstdint>
#include <string>

namespace wick {

// The numbers and names are PyTorch's. Tensors live on CPU, CUDA and Meta (shapes without data); the others can be named only.
enum class DeviceType : int8_t {
  CPU, CUDA, MKLDNN, OPENGL, OPENCL, IDEEP, HIP, FPGA, ORT, XLA, Vulkan, Metal, XPU, MPS, Meta, HPU, VE, Lazy, IPU
};
inline constexpr DeviceType kCPU = DeviceType::CPU, kCUDA = DeviceType::CUDA, kMeta = DeviceType::Meta, kMPS = DeviceType::MPS;

using DeviceIndex = int8_t;

class Device {
 public:
  // Without an index: the current device of that type.
  constexpr Device(DeviceType type, DeviceIndex index = -1) : type_(type), index_(index) {}
  // "cpu", "cuda", "cuda:1", "meta"; throws PyTorch's sentences for anything else.
  Device(const std::string& text);
  Device(const char* text) : Device(std::string(text)) {}

  constexpr DeviceType type() const { return type_; }
  constexpr DeviceIndex index() const { return index_; }
  constexpr bool has_index() const { return index_ >= 0; }
  constexpr bool is_cpu() const { return type_ == kCPU; }
  constexpr bool is_cuda() const { return type_ == kCUDA; }
  constexpr bool is_meta() const { return type_ == kMeta; }
  void set_index(DeviceIndex index) { index_ = index; }
  std::string str() const;

  friend constexpr bool operator==(Device a, Device b) { return a.type_ == b.type_ && a.index_ == b.index_; }

 private:
  DeviceType type_;
  DeviceIndex index_;
};

void append_text(std::string& out, Device device);
void append_text(std::string& out, DeviceType type);
// "cpu", or "CPU" as PyTorch's error sentences want it.
std::string DeviceTypeName(DeviceType type, bool lower_case = false);

}  // namespace wick
