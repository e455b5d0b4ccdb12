#include "wick/nn/type_name.h"

#include <cxxabi.h>

#include <cctype>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string_view>
#include <typeindex>
#include <unordered_map>

namespace wick::nn::detail {
namespace {

// Replaces `from` where it begins a qualified name.
void replace_prefix(std::string& name, std::string_view from, std::string_view to) {
  for (size_t at = name.find(from); at != std::string::npos; at = name.find(from, at)) {
    const char before = at ? name[at - 1] : ' ';
    const bool begins = !std::isalnum(static_cast<unsigned char>(before)) && before != '_' && before != ':';
    if (begins) name.replace(at, from.size(), to);
    at += begins ? to.size() : from.size();
  }
}

std::string demangle(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), std::free);
  std::string name = status == 0 ? text.get() : type.name();
  replace_prefix(name, "wick::Tensor", "at::Tensor");
  replace_prefix(name, "wick::", "torch::");
  return name;
}

}  // namespace

const std::string& type_name(const std::type_info& type) {
  struct Names {
    std::mutex mutex;
    std::unordered_map<std::type_index, std::string> by_type;  // node-based: its strings stay where they are
  };
  static Names& names = *new Names;
  std::lock_guard<std::mutex> lock(names.mutex);
  std::string& name = names.by_type[type];
  if (name.empty()) name = demangle(type);
  return name;
}

std::string short_type_name(const std::type_info& type) {
  std::string_view name = type_name(type);
  const std::string_view outside = name.substr(0, name.find('<'));
  const size_t colons = outside.rfind("::");
  if (colons != std::string_view::npos) name.remove_prefix(colons + 2);
  if (name.size() > 4 && name.substr(name.size() - 4) == "Impl") name.remove_suffix(4);
  return std::string(name);
}

}  // namespace wick::nn::detail
