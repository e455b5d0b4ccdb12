#include "wick/framework/io/safetensors.h"
#include "wick/tests/fuzz/fuzz.h"

namespace wick::fuzz {

const char* const kName = "safetensors";

std::vector<std::string> seeds() { return {golden("dtypes.safetensors"), golden("wick.safetensors")}; }

void parse(const std::string& bytes) {
  std::map<std::string, std::string> metadata;
  int64_t total = 0;
  for (const auto& item : load_safetensors(file_with(bytes), kCPU, &metadata)) total += item->nbytes();
  require(total <= static_cast<int64_t>(bytes.size()), "more elements than bytes");
}

}  // namespace wick::fuzz
