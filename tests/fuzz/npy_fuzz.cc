#include "wick/framework/io/npy.h"
#include "wick/tests/fuzz/fuzz.h"

namespace wick::fuzz {

const char* const kName = "npy";

std::vector<std::string> seeds() { return {golden("big_endian.npy"), golden("fortran.npy"), golden("wick.npy")}; }

void parse(const std::string& bytes) {
  const Tensor x = load_npy(file_with(bytes));
  require(x.nbytes() <= static_cast<int64_t>(bytes.size()), "more elements than bytes");
}

}  // namespace wick::fuzz
