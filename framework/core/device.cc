#include "wick/framework/core/device.h"

#include "wick/framework/core/error.h"

namespace wick {

std::string DeviceTypeName(DeviceType type, bool lower_case) {
  switch (type) {
    case kCPU: return lower_case ? "cpu" : "CPU";
    case kCUDA: return lower_case ? "cuda" : "CUDA";
    case kMeta: return lower_case ? "meta" : "META";
  }
  return "unknown";
}

Device::Device(const std::string& text) : type_(kCPU), index_(-1) {
  WICK_CHECK(!text.empty(), "Device string must not be empty");
  const size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  if (name == "cpu") type_ = kCPU;
  else if (name == "cuda") type_ = kCUDA;
  else if (name == "meta") type_ = kMeta;
  else detail::raise<Error>("Expected one of cpu, cuda, meta device type at start of device string: ", name);
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
