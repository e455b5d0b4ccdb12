// A table of numbers.
#pragma once

#include <cstdint>
#include <vector>

namespace wick::datasets::detail {

// rows x cols numbers in rows.
struct Matrix {
  std::vector<double> values;
  int64_t rows = 0, cols = 0;
};

}  // namespace wick::datasets::detail
