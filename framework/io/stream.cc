#include "wick/framework/io/stream.h"

#include <ostream>

namespace wick {

std::ostream& detail::write_text(std::ostream& out, const std::string& text) { return out << text; }

std::ostream& operator<<(std::ostream& out, ScalarType t) { return out << to_string(t); }
std::ostream& operator<<(std::ostream& out, TypeMeta meta) { return out << meta.name(); }
std::ostream& operator<<(std::ostream& out, DeviceType type) { return out << DeviceTypeName(type, true); }
std::ostream& operator<<(std::ostream& out, Device device) { return out << device.str(); }
std::ostream& operator<<(std::ostream& out, Layout layout) { return out << (layout == kStrided ? "Strided" : "Sparse"); }
std::ostream& operator<<(std::ostream& out, const Scalar& s) { return out << detail::concat(s); }

std::ostream& operator<<(std::ostream& out, MemoryFormat format) {
  switch (format) {
    case MemoryFormat::Contiguous: return out << "Contiguous";
    case MemoryFormat::Preserve: return out << "Preserve";
    case MemoryFormat::ChannelsLast: return out << "ChannelsLast";
    case MemoryFormat::ChannelsLast3d: return out << "ChannelsLast3d";
  }
  return out;
}

static const char* default_mark(bool set) { return set ? "" : " (default)"; }

std::ostream& operator<<(std::ostream& out, const TensorOptions& o) {
  const auto flag = [](bool on) { return on ? "true" : "false"; };
  out << "TensorOptions(dtype=" << o.dtype() << default_mark(o.has_dtype()) << ", device=" << o.device()
      << default_mark(o.has_device()) << ", layout=" << o.layout() << default_mark(o.has_layout())
      << ", requires_grad=" << flag(o.requires_grad()) << default_mark(o.has_requires_grad())
      << ", pinned_memory=" << flag(o.pinned_memory()) << default_mark(o.has_pinned_memory()) << ", memory_format=";
  if (o.has_memory_format()) return out << *o.memory_format_opt() << ')';
  return out << "(nullopt))";
}

}  // namespace wick
