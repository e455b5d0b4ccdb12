// A table of numbers, as the data sets and scalers pass it among themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wick::datasets::detail {

// rows x cols numbers in rows, owned by someone else.
struct MatrixView {
  const double* values = nullptr;
  int64_t rows = 0, cols = 0;

  const double* row(int64_t r) const { return values + r * cols; }
};

struct Matrix {
  std::vector<double> values;
  int64_t rows = 0, cols = 0;

  operator MatrixView() const { return {values.data(), rows, cols}; }
};

}  // namespace wick::datasets::detail
