// A program written for LibTorch builds against wick through this header. torch, at and c10 are namespaces that programs may reopen.
#pragma once

#if __cplusplus < 202002L
#error "wick needs C++20, unlike LibTorch: compile with -std=c++20 or later"
#else

#include <ATen/ATen.h>
#include <c10/util/Logging.h>
#include <torch/detail/first_group.h>
#include <torch/version.h>

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

using wick::Dtype;
using wick::ExpandingArray;
using wick::ExpandingArrayWithOptionalElem;
using wick::OrderedDict;
using wick::tensor;
namespace utils = wick::utils;

namespace fft {
using namespace wick::fft;
}
// Programs reopen these. What lies below them (nn::functional, ...) is wick's namespace itself.
namespace nn {
using namespace wick::nn;
}
namespace optim {
using namespace wick::optim;
}
namespace cuda {
using namespace wick::cuda;
inline bool cudnn_is_available() { return is_available(); }
}  // namespace cuda
namespace linalg {
using namespace wick::linalg;
}
namespace autograd {
using namespace wick::autograd;
using tensor_list = std::vector<Tensor>;
using wick::AutoGradMode;
using wick::CreationMeta;
using wick::GradMode;
using wick::InferenceMode;
using DifferentiableViewMeta = wick::TensorImpl;
namespace impl {
// The node that adds gradients to a leaf's grad(); null for a tensor that needs none.
inline std::shared_ptr<Node> grad_accumulator(const Variable& x) {
  TORCH_CHECK(!x.grad_fn(), "grad_accumulator() should be only called on leaf Variables");
  return x.requires_grad() ? wick::autograd::accumulator_of(x) : nullptr;
}
// Where a gradient for x goes.
inline Edge gradient_edge(const Variable& x) {
  if (auto node = x.grad_fn()) return Edge(node, static_cast<uint32_t>(x.output_nr()));
  return x.requires_grad() ? Edge(wick::autograd::accumulator_of(x), 0) : Edge();
}
}  // namespace impl
}  // namespace autograd

using wick::kArea;
using wick::kBatchMean;
using wick::kBicubic;
using wick::kBilinear;
using wick::kBorder;
using wick::kCircular;
using wick::kConstant;
using wick::kConv1D;
using wick::kConv2D;
using wick::kConv3D;
using wick::kConvTranspose1D;
using wick::kConvTranspose2D;
using wick::kConvTranspose3D;
using wick::kFanIn;
using wick::kFanOut;
using wick::kGELU;
using wick::kLeakyReLU;
using wick::kLinear;
using wick::kMax;
using wick::kMean;
using wick::kNearest;
using wick::kNearestExact;
using wick::kNone;
using wick::kReLU;
using wick::kReflect;
using wick::kReflection;
using wick::kReplicate;
using wick::kSame;
using wick::kSigmoid;
using wick::kSum;
using wick::kTanh;
using wick::kTrilinear;
using wick::kValid;
using wick::kZeros;
namespace enumtype {
using namespace wick::enumtype;
// The kinds of recurrent layers, which wick tells apart by their types, and activations.
#define WICK_ENUMERATOR(name)        \
  struct name {                      \
    constexpr name() = default;      \
  };
WICK_ENUMERATOR(kRNN_TANH)
WICK_ENUMERATOR(kRNN_RELU)
WICK_ENUMERATOR(kLSTM)
WICK_ENUMERATOR(kGRU)
WICK_ENUMERATOR(kSiLU)
WICK_ENUMERATOR(kMish)
#undef WICK_ENUMERATOR

// "kMean" of a variant of enumerators, or of an option that is a OneOf.
template <class Variant>
std::string get_enum_name(const Variant& variant) {
  return c10::visit([](const auto& value) { return wick::nn::detail::short_type_name(typeid(value)); }, variant);
}
}  // namespace enumtype
inline constexpr enumtype::kRNN_TANH kRNN_TANH{};
inline constexpr enumtype::kRNN_RELU kRNN_RELU{};
inline constexpr enumtype::kLSTM kLSTM{};
inline constexpr enumtype::kGRU kGRU{};
inline constexpr enumtype::kSiLU kSiLU{};
inline constexpr enumtype::kMish kMish{};
}  // namespace torch

#define TORCH_MODULE(Name) WICK_MODULE(Name)
#define TORCH_MODULE_IMPL(Name, Impl) WICK_MODULE_IMPL(Name, Impl)
#define TORCH_ARG(T, name) WICK_ARG(T, name)
#define FORWARD_HAS_DEFAULT_ARGS(...) WICK_FORWARD_HAS_DEFAULT_ARGS(__VA_ARGS__)

#include <torch/csrc/autograd/autograd_not_implemented_fallback.h>
#include <torch/data.h>
#include <torch/detail/TensorDataContainer.h>
#include <torch/nn/adaptive.h>
#include <torch/nn/fractional_pooling.h>
#include <torch/nn/parallel/data_parallel.h>
#include <torch/nn/parameter_list.h>
#include <torch/optim/serialize_arg.h>
#include <torch/serialize.h>

#endif
