// Small tables for classification, number for number those of scikit-learn. Embedded; nothing is read from disk.
#pragma once

#include <string>
#include <vector>

#include "wick/framework/tensor.h"

namespace wick::datasets {

struct Table {
  Tensor data;    // [samples, features], float64
  Tensor target;  // [samples], int64: the index of the class
  std::vector<std::string> feature_names, target_names;
};

// Fisher, 1936: 150 flowers, 4 measurements in centimetres; setosa, versicolor and virginica, 50 of each, one after the other.
struct Iris : Table { static Iris load(); };
// Forina et al., 1991: 178 wines from three growers, 13 measurements.
struct Wine : Table { static Wine load(); };
// Street, Wolberg and Mangasarian, 1993: 569 tumours, 30 features of their cells; malignant (0) or benign (1).
struct BreastCancer : Table { static BreastCancer load(); };
// Alpaydin and Kaynak, 1998: 1797 handwritten digits of 8 x 8 pixels, 0 to 16.
struct Digits : Table {
  Tensor images;  // [1797, 8, 8], float64: data, which it shares
  static Digits load();
};

}  // namespace wick::datasets
