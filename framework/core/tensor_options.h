// TensorOptions: what a factory function makes (`zeros({2, 3}, kDouble)`, `TensorOptions().dtype(kLong).device("cuda")`).
#pragma once

#include <optional>
#include <utility>

#include "wick/framework/core/device.h"
#include "wick/framework/core/dtype.h"

namespace wick {

enum class Layout : int8_t { Strided, Sparse };
inline constexpr Layout kStrided = Layout::Strided, kSparse = Layout::Sparse;

enum class MemoryFormat : int8_t { Contiguous, Preserve, ChannelsLast, ChannelsLast3d };

// Every property may be left open: a factory then takes the default dtype and the CPU, a *_like function those of its tensor.
class TensorOptions {
 public:
  constexpr TensorOptions() = default;
  constexpr TensorOptions(ScalarType dtype) : dtype_{dtype, true} {}
  constexpr TensorOptions(TypeMeta dtype) : dtype_{dtype, true} {}
  constexpr TensorOptions(Layout layout) : layout_{layout, true} {}
  constexpr TensorOptions(ScalarType dtype, Device device, Layout layout)
      : dtype_{dtype, true}, device_{device, true}, layout_{layout, true} {}
  constexpr TensorOptions(MemoryFormat format) : memory_format_{format, true} {}
  // From whatever a Device is made of: a Device, kCUDA, "cuda:0", {kCUDA, 1}.
  template <class... Args, class = std::enable_if_t<std::is_constructible_v<Device, Args&&...>>>
  TensorOptions(Args&&... device) : device_{Device(std::forward<Args>(device)...), true} {}

  TensorOptions dtype(std::optional<ScalarType> dtype) const { return with(&TensorOptions::dtype_, dtype); }
  TensorOptions device(std::optional<Device> device) const { return with(&TensorOptions::device_, device); }
  template <class... Args, class = std::enable_if_t<std::is_constructible_v<Device, Args&&...>>>
  TensorOptions device(Args&&... args) const { return device(std::optional<Device>(Device(std::forward<Args>(args)...))); }
  TensorOptions device_index(DeviceIndex index) const { return device(kCUDA, index); }
  TensorOptions layout(std::optional<Layout> layout) const { return with(&TensorOptions::layout_, layout); }
  TensorOptions requires_grad(std::optional<bool> on) const { return with(&TensorOptions::requires_grad_, on); }
  TensorOptions pinned_memory(std::optional<bool> on) const { return with(&TensorOptions::pinned_memory_, on); }
  TensorOptions memory_format(std::optional<MemoryFormat> format) const { return with(&TensorOptions::memory_format_, format); }

  TypeMeta dtype() const { return TypeMeta(dtype_.set ? dtype_.value : default_dtype()); }
  Device device() const { return device_.value; }
  DeviceIndex device_index() const { return device().index(); }
  Layout layout() const { return layout_.value; }
  bool requires_grad() const { return requires_grad_.value; }
  bool pinned_memory() const { return pinned_memory_.value; }

  bool has_dtype() const { return dtype_.set; }
  bool has_device() const { return device_.set; }
  bool has_layout() const { return layout_.set; }
  bool has_requires_grad() const { return requires_grad_.set; }
  bool has_pinned_memory() const { return pinned_memory_.set; }
  bool has_memory_format() const { return memory_format_.set; }

  std::optional<ScalarType> dtype_opt() const { return dtype_; }
  std::optional<Device> device_opt() const { return device_; }
  std::optional<Layout> layout_opt() const { return layout_; }
  std::optional<bool> requires_grad_opt() const { return requires_grad_; }
  std::optional<bool> pinned_memory_opt() const { return pinned_memory_; }
  std::optional<MemoryFormat> memory_format_opt() const { return memory_format_; }

  bool is_sparse() const { return layout() == kSparse; }
  bool type_equal(const TensorOptions& other) const {
    return dtype() == other.dtype() && device().type() == other.device().type() && layout() == other.layout();
  }
  // These options, with what the others set taking precedence.
  TensorOptions merge_in(const TensorOptions& other) const {
    TensorOptions o = *this;
    if (other.dtype_.set) o.dtype_ = other.dtype_;
    if (other.device_.set) o.device_ = other.device_;
    if (other.layout_.set) o.layout_ = other.layout_;
    if (other.requires_grad_.set) o.requires_grad_ = other.requires_grad_;
    if (other.pinned_memory_.set) o.pinned_memory_ = other.pinned_memory_;
    if (other.memory_format_.set) o.memory_format_ = other.memory_format_;
    return o;
  }

 private:
  // A std::optional whose value is there also where none is set, and is then the usual one: of copies without a value GCC warns.
  template <class T>
  struct Choice {
    T value;
    bool set = false;
    constexpr operator std::optional<T>() const { return set ? std::optional<T>(value) : std::nullopt; }
  };

  template <class T>
  TensorOptions with(Choice<T> TensorOptions::*property, std::optional<T> value) const {
    TensorOptions copy = *this;
    copy.*property = value ? Choice<T>{*value, true} : TensorOptions().*property;
    return copy;
  }

  Choice<ScalarType> dtype_{ScalarType::Undefined};
  Choice<Device> device_{kCPU};
  Choice<Layout> layout_{kStrided};
  Choice<bool> requires_grad_{false};
  Choice<bool> pinned_memory_{false};
  Choice<MemoryFormat> memory_format_{MemoryFormat::Contiguous};
};

inline TensorOptions dtype(ScalarType dtype) { return TensorOptions().dtype(dtype); }
inline TensorOptions device(Device device) { return TensorOptions().device(device); }
inline TensorOptions layout(Layout layout) { return TensorOptions().layout(layout); }
inline TensorOptions requires_grad(bool on = true) { return TensorOptions().requires_grad(on); }

}  // namespace wick
