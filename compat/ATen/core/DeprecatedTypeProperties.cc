#include <ATen/core/DeprecatedTypeProperties.h>

#include <map>
#include <mutex>
#include <utility>

namespace at {

const DeprecatedTypeProperties& getDeprecatedTypeProperties(Backend backend, wick::ScalarType dtype) {
  static std::mutex mutex;
  static auto& known = *new std::map<std::pair<Backend, wick::ScalarType>, DeprecatedTypeProperties>;
  const std::lock_guard lock(mutex);
  return known.try_emplace({backend, dtype}, backend, dtype).first->second;
}

}  // namespace at
