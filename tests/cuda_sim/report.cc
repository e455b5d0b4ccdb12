#include "wick/tests/cuda_sim/report.h"

#include <dlfcn.h>
#include <link.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string_view>

namespace cuda_sim {
namespace {

cudaError_t g_fault = cudaSuccess;
std::string g_fault_text;

// Bazel compiles in a folder that is gone when the test runs.
std::string shorten(std::string_view path) {
  for (const std::string_view prefix : {"/proc/self/cwd/", "./"}) {
    if (path.starts_with(prefix)) path.remove_prefix(prefix.size());
  }
  return std::string(path);
}

// What addr2line says of an address: a line for each function that was inlined there, the innermost first.
std::vector<std::string> symbolise(const char* object, uintptr_t offset) {
  char command[4096];
  std::snprintf(command, sizeof command, "addr2line -i -e '%s' %#" PRIxPTR " 2>/dev/null", object, offset);
  std::vector<std::string> lines;
  if (FILE* pipe = popen(command, "r")) {
    char text[4096];
    while (std::fgets(text, sizeof text, pipe)) {
      std::string_view line = text;
      line = line.substr(0, line.find_first_of("\n "));
      if (!line.starts_with("??")) lines.push_back(shorten(line));
    }
    pclose(pipe);
  }
  return lines;
}

// The functions of device code that pass an access on are not where a reader looks.
bool is_ours(const std::string& line) {
  return line.find("cuda_sim/cuda_sim.h:") != std::string::npos || line.find("cuda_sim/device_math.h:") != std::string::npos;
}

}  // namespace

void set_fault(cudaError_t code, std::string text) {
  if (g_fault != cudaSuccess) return;
  g_fault = code;
  g_fault_text = std::move(text);
}

cudaError_t fault() { return g_fault; }
const std::string& fault_text() { return g_fault_text; }
void clear_fault() { g_fault = cudaSuccess, g_fault_text.clear(); }

std::string source_line(const void* return_address) {
  static std::map<const void*, std::string> known;
  if (const auto found = known.find(return_address); found != known.end()) return found->second;
  Dl_info info;
  link_map* object = nullptr;
  if (!return_address || !dladdr1(return_address, &info, reinterpret_cast<void**>(&object), RTLD_DL_LINKMAP)) return "an unknown line";
  // One byte back: the call itself, not what follows it.
  const uintptr_t offset = reinterpret_cast<uintptr_t>(return_address) - object->l_addr - 1;
  std::string text;
  for (const std::string& line : symbolise(info.dli_fname, offset)) {
    if (is_ours(line)) continue;
    text += text.empty() ? line : " (called at " + line + ")";
  }
  if (text.empty()) text = std::string(info.dli_sname ? info.dli_sname : "an unknown line") + " (no line known: compiled without -g?)";
  return known[return_address] = text;
}

std::string source_line(const std::source_location& where) { return shorten(where.file_name()) + ":" + std::to_string(where.line()); }

std::string coordinates(const uint3& at) {
  return "(" + std::to_string(at.x) + "," + std::to_string(at.y) + "," + std::to_string(at.z) + ")";
}

std::string ranges(const std::vector<unsigned>& numbers) {
  std::string text;
  for (size_t i = 0; i < numbers.size();) {
    size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (!text.empty()) text += ", ";
    text += std::to_string(numbers[i]);
    if (last > i) text += "-" + std::to_string(numbers[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace cuda_sim
