#include "wick/framework/ops/autocast.h"

#include <unordered_map>

namespace wick {
namespace {

struct DeviceSettings {
  bool enabled;
  ScalarType dtype;
};

struct Settings {
  DeviceSettings cpu{false, kBFloat16}, cuda{false, kHalf};
  bool cache_enabled = true;
  int nesting = 0;
  std::unordered_map<const TensorImpl*, std::pair<Tensor, Tensor>> cache;  // a leaf and what it was converted to

  DeviceSettings& of(DeviceType device) {
    WICK_CHECK(device == kCPU || device == kCUDA, "User specified an unsupported autocast device_type '", Device(device), "'");
    return device == kCPU ? cpu : cuda;
  }
};
thread_local Settings t_settings;

bool low_precision(ScalarType t) { return t == kHalf || t == kBFloat16; }

}  // namespace

namespace amp {

bool is_autocast_enabled(DeviceType device) { return t_settings.of(device).enabled; }
void set_autocast_enabled(DeviceType device, bool enabled) {
  t_settings.of(device).enabled = enabled;
  t_state.autocast = t_settings.cpu.enabled || t_settings.cuda.enabled;
}
ScalarType get_autocast_dtype(DeviceType device) { return t_settings.of(device).dtype; }
void set_autocast_dtype(DeviceType device, ScalarType dtype) {
  WICK_CHECK(low_precision(dtype), "Currently, AutocastCPU only support Bfloat16 and Half as the autocast_cpu_dtype");
  t_settings.of(device).dtype = dtype;
}
bool is_autocast_cache_enabled() { return t_settings.cache_enabled; }
void set_autocast_cache_enabled(bool enabled) { t_settings.cache_enabled = enabled; }
void clear_cache() { t_settings.cache.clear(); }
int increment_nesting() { return ++t_settings.nesting; }
int decrement_nesting() { return --t_settings.nesting; }

}  // namespace amp

autocast::autocast(DeviceType device, std::optional<ScalarType> dtype, bool enabled, bool cache_enabled)
    : device_(device), enabled_(amp::is_autocast_enabled(device)), cache_enabled_(t_settings.cache_enabled),
      dtype_(amp::get_autocast_dtype(device)) {
  if (dtype) amp::set_autocast_dtype(device, *dtype);
  amp::set_autocast_enabled(device, enabled);
  t_settings.cache_enabled = cache_enabled;
  amp::increment_nesting();
}

autocast::~autocast() {
  if (amp::decrement_nesting() == 0) amp::clear_cache();
  amp::set_autocast_enabled(device_, enabled_);
  t_settings.of(device_).dtype = dtype_;
  t_settings.cache_enabled = cache_enabled_;
}

namespace ops {

ScalarType widest_dtype(TensorList list) {
  ScalarType widest = list.empty() || !list[0].defined() ? kFloat : list[0].scalar_type();
  for (const Tensor& x : list) widest = promote_types(widest, x.scalar_type());
  return widest;
}

Tensor autocast_input(Autocast kind, ScalarType widest, const Tensor& x) {
  if (!x.defined() || !(x.scalar_type() == kFloat || low_precision(x.scalar_type()))) return x;
  if (!x.is_cpu() && !x.is_cuda()) return x;
  const DeviceSettings& settings = t_settings.of(x.device().type());
  if (!settings.enabled) return x;
  const ScalarType to = kind == Autocast::kLowPrecision ? settings.dtype : kind == Autocast::kFloat32 ? kFloat : widest;
  if (to == x.scalar_type()) return x;
  const bool weight = x.is_leaf() && x.requires_grad() && !x.is_view() && t_state.grad_enabled;
  if (!weight || kind != Autocast::kLowPrecision || !t_settings.cache_enabled) return x.to(to);
  const auto known = t_settings.cache.find(&x.impl());
  if (known != t_settings.cache.end()) return known->second.second;
  return t_settings.cache.emplace(&x.impl(), std::pair(x, x.to(to))).first->second.second;
}

}  // namespace ops
}  // namespace wick
