#include "wick/framework/core/device.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "wick/framework/core/error.h"

namespace wick {

namespace {
constexpr std::string_view kNames[] = {"cpu", "cuda", "mkldnn", "opengl", "opencl", "ideep", "hip", "fpga", "ort", "xla", "vulkan", "metal",
                                       "xpu", "mps", "meta", "hpu", "ve", "lazy", "ipu"};
}  // namespace

std::string DeviceTypeName(DeviceType type, bool lower_case) {
  std::string name(kNames[static_cast<size_t>(type)]);
  if (!lower_case) std::transform(name.begin(), name.end(), name.begin(), [](char c) { return static_cast<char>(c - 'a' + 'A'); });
  return name;
}

Device::Device(const std::string& text) : type_(kCPU), index_(-1) {
  WICK_CHECK(!text.empty(), "Device string must not be empty");
  const size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  const auto* known = std::find(std::begin(kNames), std::end(kNames), name);
  WICK_CHECK(known != std::end(kNames), "Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, ort, mps, xla, lazy, "
             "vulkan, meta, hpu device type at start of device string: ", name);
  type_ = static_cast<DeviceType>(known - std::begin(kNames));
  if (colon == std::string::npos) return;
  const std::string digits = text.substr(colon + 1);
  const bool valid = !digits.empty() && digits.size() <= 3 && digits.find_first_not_of("0123456789") == std::string::npos &&
                     (digits.size() == 1 || digits[0] != '0');
  WICK_CHECK(valid, "Invalid device string: '", text, "'");
  const int index = std::stoi(digits);
  WICK_CHECK(index < 128, "Invalid device string: '", text, "'");
  index_ = static_cast<DeviceIndex>(index);
  WICK_CHECK(type_ != kCPU || index_ == 0, "CPU device index must be -1 or zero, got ", index);
}

std::string Device::str() const {
  std::string text = DeviceTypeName(type_, true);
  if (has_index()) text += ':' + std::to_string(index_);
  return text;
}

void append_text(std::string& out, Device device) { out += device.str(); }
void append_text(std::string& out, DeviceType type) { out += DeviceTypeName(type, true); }

}  // namespace wick
