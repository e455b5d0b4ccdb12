// The Iris flowers: 150 of them, four measurements each, three species (Fisher, 1936). Embedded; nothing is read from disk.
#pragma once

#include <string>
#include <vector>

#include "wick/framework/tensor.h"

namespace wick::datasets {

// The numbers are those of scikit-learn's load_iris().
struct Iris {
  Tensor data;    // [150, 4], float64, in centimetres
  Tensor target;  // [150], int64: 50 times 0, then 1, then 2
  std::vector<std::string> feature_names;  // "sepal length (cm)", ...
  std::vector<std::string> target_names;   // "setosa", "versicolor", "virginica"

  static Iris load();
};

}  // namespace wick::datasets
