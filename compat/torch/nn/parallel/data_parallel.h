// One forward pass over several devices: each takes a part of the batch through a copy of the module.
//
//     auto output = torch::nn::parallel::data_parallel(model, input);                                          // all CUDA devices
//     auto output = torch::nn::parallel::data_parallel(model, input, std::vector<torch::Device>{...}, device);
//
// The gradients of the copies end in the module itself. What a pass changes in buffers, the running mean of a BatchNorm say, it changes in
// the copies, which are gone afterwards; the module's own stay, unless there is one device only.
#pragma once

#include <ATen/Parallel.h>
#include <c10/util/Exception.h>
#include <torch/csrc/autograd/functions/comm.h>

#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "wick/framework/cuda.h"
#include "wick/nn/module.h"
#include "wick/nn/module_holder.h"

namespace torch::nn::parallel {

namespace detail {

// The copy is computed from the original from here on, and no leaf any more: what arrives at it goes on to the original.
inline void follow(const wick::Tensor& copy, const wick::Tensor& original) {
  if (!original.requires_grad()) return;
  const wick::AutoGradMode enable_grad(true);
  copy.detach_().requires_grad_(false).copy_(original);
}

inline void follow(const wick::nn::Module& copy, const wick::nn::Module& original) {
  const auto parameters = copy.named_parameters(), buffers = copy.named_buffers();
  for (const auto& parameter : original.named_parameters()) follow(parameters[parameter.key()], parameter.value());
  for (const auto& buffer : original.named_buffers()) follow(buffers[buffer.key()], buffer.value());
}

}  // namespace detail

// A copy of the module on each device. It needs a clone(): that of nn::Cloneable, or its own.
template <class M>
  requires std::is_base_of_v<wick::nn::Module, M>
std::vector<std::shared_ptr<M>> replicate(const std::shared_ptr<M>& module, const std::vector<wick::Device>& devices) {
  std::vector<std::shared_ptr<M>> replicas;
  for (const wick::Device& device : devices) {
    replicas.push_back(std::dynamic_pointer_cast<M>(module->clone(device)));
    detail::follow(*replicas.back(), *module);
  }
  return replicas;
}
template <class M>
std::vector<wick::nn::ModuleHolder<M>> replicate(const wick::nn::ModuleHolder<M>& module, const std::vector<wick::Device>& devices) {
  const auto replicas = replicate(module.ptr(), devices);
  return {replicas.begin(), replicas.end()};
}

// modules[i]->forward(inputs[i]) for all i, on several threads; results come to devices[i], or to where the input is. Of what the modules
// throw, one exception is thrown again when all have ended.
template <class M>
std::vector<wick::Tensor> parallel_apply(std::vector<M>& modules, const std::vector<wick::Tensor>& inputs,
                                         const std::optional<std::vector<wick::Device>>& devices = std::nullopt) {
  TORCH_CHECK(modules.size() == inputs.size(), "Must have as many inputs as modules");
  TORCH_CHECK(!devices || modules.size() == devices->size(), "Must have as many devices as modules");
  std::vector<wick::Tensor> outputs(modules.size());
  std::mutex mutex;
  std::exception_ptr exception;
  const bool grad = wick::GradMode::is_enabled();
  at::parallel_for(0, static_cast<int64_t>(modules.size()), 1, [&](int64_t begin, int64_t end) {
    const wick::AutoGradMode as_outside(grad);
    for (int64_t index = begin; index < end; ++index) {
      const auto i = static_cast<size_t>(index);
      try {
        outputs[i] = modules[i]->forward(inputs[i]).to(devices ? (*devices)[i] : inputs[i].device());
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!exception) exception = std::current_exception();
      }
    }
  });
  if (exception) std::rethrow_exception(exception);
  return outputs;
}

// module(input), where input is cut along `dim` into a part for each device, or for fewer where it is too short; the results are joined
// along `dim` on output_device, the first of the devices unless given. With one device the module itself moves there and is called.
template <class M>
wick::Tensor data_parallel(M module, wick::Tensor input, std::optional<std::vector<wick::Device>> devices = std::nullopt,
                           std::optional<wick::Device> output_device = std::nullopt, int64_t dim = 0) {
  if (!devices) {
    const auto count = wick::cuda::device_count();
    TORCH_CHECK(count > 0, "Expected at least one CUDA device to be available");
    devices.emplace();
    for (int i = 0; i < static_cast<int>(count); ++i) devices->emplace_back(wick::kCUDA, static_cast<wick::DeviceIndex>(i));
  }
  TORCH_CHECK(!devices->empty(), "data_parallel: the list of devices is empty");
  const wick::Device to = output_device.value_or(devices->front());
  if (devices->size() == 1) {
    module->to(devices->front());
    return module->forward(input.to(devices->front())).to(to);
  }
  const std::vector<wick::Tensor> parts = autograd::Scatter(*devices, std::nullopt, dim).apply({input});
  devices->resize(parts.size(), devices->front());
  auto replicas = replicate(module, *devices);
  return autograd::Gather(to, dim).apply(parallel_apply(replicas, parts, devices)).front();
}

}  // namespace torch::nn::parallel
