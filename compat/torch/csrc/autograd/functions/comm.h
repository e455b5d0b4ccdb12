// A tensor to several devices and back, differentiably. Also on CPU devices, where the parts are views of the whole.
#pragma once

#include <c10/util/Exception.h>

#include <optional>
#include <utility>
#include <vector>

#include "wick/framework/tensor.h"

namespace torch::autograd {

// apply({x}): x cut along dim into chunk_sizes, or into equal parts for as many devices as there are parts; each part on its device. A
// 0-dim part becomes one of one element where unsqueeze_scalars says so.
struct Scatter {
  std::vector<wick::Device> devices_;
  std::optional<std::vector<int64_t>> chunk_sizes_;
  int64_t dim_;
  bool unsqueeze_scalars_;

  explicit Scatter(std::vector<wick::Device> devices, std::optional<std::vector<int64_t>> chunk_sizes = std::nullopt, int64_t dim = 0,
                   bool unsqueeze_scalars = false)
      : devices_(std::move(devices)), chunk_sizes_(std::move(chunk_sizes)), dim_(dim), unsqueeze_scalars_(unsqueeze_scalars) {
    TORCH_CHECK(!devices_.empty(), "Scatter: the list of devices is empty");
    TORCH_CHECK(!chunk_sizes_ || chunk_sizes_->size() == devices_.size(), "Scatter: ", devices_.size(), " devices, but ",
                chunk_sizes_->size(), " chunk sizes");
  }

  std::vector<wick::Tensor> apply(const std::vector<wick::Tensor>& inputs) const {
    TORCH_CHECK(inputs.size() == 1, "Scatter: one tensor is wanted, got ", inputs.size());
    const wick::Tensor& input = inputs.front();
    std::vector<wick::Tensor> parts =
        chunk_sizes_ ? input.split_with_sizes(*chunk_sizes_, dim_) : input.chunk(static_cast<int64_t>(devices_.size()), dim_);
    for (size_t i = 0; i < parts.size(); ++i) {
      parts[i] = parts[i].to(devices_[i]);
      if (unsqueeze_scalars_ && parts[i].dim() == 0) parts[i] = parts[i].unsqueeze(0);
    }
    return parts;
  }
};

// apply({x, y, ...}): these on one device, joined along dim; 0-dim ones as tensors of one element.
struct Gather {
  wick::Device destination_device_;
  int64_t dim_;

  explicit Gather(const wick::Device& destination_device, int64_t dim = 0) : destination_device_(destination_device), dim_(dim) {}

  std::vector<wick::Tensor> apply(std::vector<wick::Tensor> inputs) const {
    TORCH_CHECK(!inputs.empty(), "Gather: no tensor is given");
    for (wick::Tensor& x : inputs) x = (x.dim() == 0 ? x.unsqueeze(0) : x).to(destination_device_);
    return {wick::cat(inputs, dim_)};
  }
};

}  // namespace torch::autograd
