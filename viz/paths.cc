#include "wick/viz/paths.h"

#include <cstdlib>
#include <filesystem>

namespace wick::viz {

std::string user_path(std::string_view path) {
  const char* base = std::getenv("BUILD_WORKING_DIRECTORY");
  if (base == nullptr || *base == '\0' || path.empty()) return std::string(path);
  const std::filesystem::path given(path);
  if (given == ".") return base;
  return (std::filesystem::path(base) / given).string();  // an absolute path replaces the base
}

}  // namespace wick::viz
