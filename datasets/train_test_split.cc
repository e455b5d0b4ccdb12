#include "wick/datasets/train_test_split.h"

#include <vector>

#include "wick/datasets/detail/tensors.h"
#include "wick/framework/core/error.h"

namespace wick::datasets {

static std::vector<int64_t> classes_of(const Tensor& stratify, int64_t rows) {
  WICK_CHECK_VALUE(stratify.dim() == 1 && stratify.size(0) == rows, "train_test_split: stratify must be a class for each of the ", rows,
                   " rows, got shape ", stratify.sizes());
  WICK_CHECK_TYPE(!stratify.is_floating_point() && !stratify.is_complex(), "train_test_split: stratify must have an integer dtype, got ",
                  stratify.scalar_type());
  const Tensor classes = stratify.to(kCPU, kLong).contiguous();
  const int64_t* first = classes.const_data_ptr<int64_t>();
  return std::vector<int64_t>(first, first + rows);
}

TrainTestSplit train_test_split(const Tensor& x, const Tensor& y, const SplitOptions& options, const Tensor& stratify) {
  WICK_CHECK_VALUE(x.dim() > 0 && y.dim() > 0, "train_test_split: x and y must have a dimension of samples, got shapes ", x.sizes(),
                   " and ", y.sizes());
  const int64_t rows = x.size(0);
  WICK_CHECK_VALUE(y.size(0) == rows, "Found input variables with inconsistent numbers of samples: [", rows, ", ", y.size(0), "]");
  const detail::SplitIndices indices = stratify.defined() ? detail::stratified_split_indices(classes_of(stratify, rows), options)
                                                          : detail::split_indices(rows, options);
  const Tensor train = detail::to_tensor(indices.train), test = detail::to_tensor(indices.test);
  const auto rows_of = [](const Tensor& t, const Tensor& index) { return t.index_select(0, index.to(t.device(), kLong)); };
  return {rows_of(x, train), rows_of(x, test), rows_of(y, train), rows_of(y, test)};
}

}  // namespace wick::datasets
