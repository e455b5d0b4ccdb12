#include "wick/datasets/csv.h"
#include "wick/tests/fuzz/fuzz.h"

namespace wick::fuzz {

const char* const kName = "csv";

std::vector<std::string> seeds() {
  return {"a,b,species\n1,2.5,x\n-3e2,+4,\"y \"\"z\"\"\"\n", "\xef\xbb\xbf\"a\n1\" , b\r\n0.5,\"7\"\r\n\r\n8,9", "1,2,3\n4,5,6\n"};
}

void parse(const std::string& bytes) {
  const std::string path = file_with(bytes);
  // Which of the ways to read it is the right one depends on the file: one that works is enough.
  const datasets::CsvOptions ways[] = {{}, {.label = "species"}, {.header = false, .label = -1}};
  for (const auto& way : ways) {
    try {
      const datasets::Csv table = datasets::read_csv(path, way);
      require(table.data.dim() == 2 && table.data.isfinite().all().item<bool>(), "no table of finite numbers");
      require(!table.target.defined() || table.target.size(0) == table.data.size(0), "rows without a label");
      return;
    } catch (const Error&) {
      if (&way == std::end(ways) - 1) throw;
    }
  }
}

}  // namespace wick::fuzz
