// Tables of numbers from CSV files. What a file may contain, and which errors there are, is in detail/csv.h.
#pragma once

#include <string>
#include <vector>

#include "wick/datasets/detail/csv.h"
#include "wick/framework/tensor.h"

namespace wick::datasets {

struct Csv {
  Tensor data;    // [rows, columns], float64; without the label column
  Tensor target;  // [rows], int64: for each row the index of its class; undefined without a label column
  std::vector<std::string> feature_names;
  std::string label_name;
  std::vector<std::string> target_names;  // of the classes, in the order of scikit-learn's LabelEncoder
};

// read_csv("iris.csv", {.label = "species"})
Csv read_csv(const std::string& path, const CsvOptions& options = {});

}  // namespace wick::datasets
