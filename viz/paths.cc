#include "wick/viz/paths.h"

#include <cstdlib>
#include <filesystem>

namespace wick::viz {

std::string user_path(std::string_view path) {
  const char* base = std::getenv("BUILD_WORKING_DIRECTORY");
  if (base == nullptr || *base == '\0' || path.empty()) return std::string(path);
  return (std::filesystem::path(base) / path).string();  // an absolute path replaces the base
}

std::string user_path(std::string_view folder, std::string_view name) {
  return user_path(folder == "." ? std::string(name) : (std::filesystem::path(folder) / name).string());
}

}  // namespace wick::viz
