#include "wick/datasets/csv.h"

#include <utility>

#include "wick/datasets/detail/tensors.h"

namespace wick::datasets {

Csv read_csv(const std::string& path, const CsvOptions& options) {
  detail::CsvTable table = detail::read_csv(path, options);
  return {detail::to_tensor(table.features), table.label_name.empty() ? Tensor() : detail::to_tensor(table.labels),
          std::move(table.feature_names), std::move(table.label_name), std::move(table.class_names)};
}

}  // namespace wick::datasets
