// Writes what tools/make_golden.py asks PyTorch about: a line of JSON for each case of each row of the table.
#include <cmath>
#include <cstdio>

#include "wick/tests/framework/ops/op_table.h"

namespace wick::test {
namespace {

std::string describe(const Tensor& x) {
  std::string shape, values;
  for (int64_t n : x.sizes()) shape += (shape.empty() ? "" : ", ") + std::to_string(n);
  for (double v : values_of(x)) {
    char text[40];
    // JSON's reader takes "-0" for an integer without a sign.
    const char* format = std::isnan(v) ? "NaN" : std::isinf(v) ? (v > 0 ? "Infinity" : "-Infinity") : v == 0 ? "%.1f" : "%.17g";
    std::snprintf(text, sizeof text, format, v);
    values += (values.empty() ? "" : ", ") + std::string(text);
  }
  return std::string("{\"dtype\": \"") + dtype_name(x.scalar_type()) + "\", \"shape\": [" + shape + "], \"values\": [" + values + "]}";
}

void describe(const Row& row, const Case& c) {
  std::string inputs;
  for (const Tensor& x : c.inputs) inputs += (inputs.empty() ? "" : ", ") + describe(x);
  std::printf("{\"family\": \"%s\", \"row\": \"%s\", \"case\": \"%s\", \"gradients\": %s, \"python\": \"%s\", \"inputs\": [%s]}\n",
              row.family.c_str(), row.name.c_str(), c.name.c_str(), c.gradients ? "true" : "false", row.python.c_str(), inputs.c_str());
}

}  // namespace
}  // namespace wick::test

int main() {
  using namespace wick::test;
  for (const Row& row : op_table()) {
    for (const Case& c : golden_cases(row)) describe(row, c);
  }
}
