#include "wick/datasets/iris.h"

#include <iterator>

#include "wick/datasets/detail/iris_table.h"
#include "wick/datasets/detail/tensors.h"

namespace wick::datasets {

Iris Iris::load() {
  detail::Matrix data{{}, detail::kIrisRows, detail::kIrisFeatures};
  std::vector<int64_t> target;
  for (int r = 0; r < detail::kIrisRows; ++r) {
    for (const uint8_t millimetres : detail::kIrisTable[r]) data.values.push_back(millimetres / 10.0);
    target.push_back(r / detail::kIrisRowsPerClass);
  }
  return {detail::to_tensor(data), detail::to_tensor(target),
          {std::begin(detail::kIrisFeatureNames), std::end(detail::kIrisFeatureNames)},
          {std::begin(detail::kIrisClassNames), std::end(detail::kIrisClassNames)}};
}

}  // namespace wick::datasets
