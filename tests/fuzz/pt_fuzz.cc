// Whole .pt files: the zip archive, and what is in it as far as checksums let a change through. archive_fuzz.cc goes past them.
#include <torch/serialize/pickle.h>

#include "wick/tests/fuzz/fuzz.h"

namespace wick::fuzz {

const char* const kName = "pt";

std::vector<std::string> seeds() { return {golden("values.pt"), golden("script.pt"), golden("checkpoint.pt"), golden("wick.pt")}; }

void parse(const std::string& bytes) { io::read_pt(bytes, "input"); }

}  // namespace wick::fuzz
