#include "wick/framework/io/npy.h"
#include "wick/tests/fuzz/fuzz.h"

namespace wick::fuzz {

const char* const kName = "npz";

std::vector<std::string> seeds() { return {golden("arrays.npz"), golden("wick.npz")}; }

void parse(const std::string& bytes) {
  for (const auto& item : load_npz(file_with(bytes))) require(item->defined(), "an array without data");
}

}  // namespace wick::fuzz
