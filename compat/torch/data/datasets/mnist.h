// torch::data::datasets::MNIST over wick::datasets::read_mnist.
#pragma once

#include <string>

#include <torch/data/datasets/base.h>

#include "wick/datasets/images.h"

namespace torch::data::datasets {

// MNIST and data sets in its form (Fashion-MNIST): float images [1, 28, 28] from 0 to 1 and int64 labels.
class MNIST : public Dataset<MNIST> {
 public:
  enum class Mode { kTrain, kTest };

  // `root` has the files train-images-idx3-ubyte, train-labels-idx1-ubyte and so on, or the same with .gz.
  explicit MNIST(const std::string& root, Mode mode = Mode::kTrain) : is_train_(mode == Mode::kTrain) {
    const auto set = ::wick::datasets::read_mnist(root, is_train_);
    images_ = set.images.to(wick::kFloat).div_(255);
    targets_ = set.labels;
  }

  Example<> get(size_t index) override { return {images_[static_cast<int64_t>(index)], targets_[static_cast<int64_t>(index)]}; }
  std::optional<size_t> size() const override { return static_cast<size_t>(images_.size(0)); }
  bool is_train() const noexcept { return is_train_; }
  const Tensor& images() const { return images_; }
  const Tensor& targets() const { return targets_; }

 private:
  bool is_train_;
  Tensor images_, targets_;
};

}  // namespace torch::data::datasets
