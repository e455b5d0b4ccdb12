// A program written for LibTorch builds against wick through this header. The namespaces are real ones, which programs may reopen, and
// hold using-directives.
#pragma once

#include <ATen/ATen.h>

// What programs find through LibTorch's headers without including it.
#include <chrono>
#include <cmath>
#include <iostream>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace torch {
using namespace at;

namespace nn {
using namespace wick::nn;
namespace functional {
using namespace wick::nn::functional;
}
namespace init {
using namespace wick::nn::init;
}
namespace utils {
using namespace wick::nn::utils;
}
}  // namespace nn

namespace optim {
using namespace wick::optim;
}
namespace autograd {
using namespace wick::autograd;
using wick::CreationMeta;
using DifferentiableViewMeta = wick::TensorImpl;
}
namespace indexing {
using namespace wick::indexing;
}
namespace cuda {
using namespace wick::cuda;
}
}  // namespace torch

#define TORCH_MODULE(Name) WICK_MODULE(Name)
#define TORCH_MODULE_IMPL(Name, Impl) WICK_MODULE_IMPL(Name, Impl)
#define TORCH_ARG(T, name) WICK_ARG(T, name)
#define FORWARD_HAS_DEFAULT_ARGS(...) WICK_FORWARD_HAS_DEFAULT_ARGS(__VA_ARGS__)

#include <torch/data.h>
#include <torch/serialize.h>
