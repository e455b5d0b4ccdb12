// The enumerators that options take (kMean, kReLU, ...). As in LibTorch each is a value of a type of its own, and an option that may
// be one of several is a std::variant of their types.
#pragma once

#include <string>
#include <variant>

#include "wick/framework/tensor.h"

namespace wick {

#define WICK_ENUM(name)                \
  namespace enumtype {                 \
  struct name {                        \
    constexpr name() = default;        \
    static constexpr char kText[] = #name; \
  };                                   \
  }                                    \
  inline constexpr enumtype::name name{};

// Non-linearities and layers, for init::calculate_gain.
WICK_ENUM(kLinear)
WICK_ENUM(kConv1D)
WICK_ENUM(kConv2D)
WICK_ENUM(kConv3D)
WICK_ENUM(kConvTranspose1D)
WICK_ENUM(kConvTranspose2D)
WICK_ENUM(kConvTranspose3D)
WICK_ENUM(kSigmoid)
WICK_ENUM(kTanh)
WICK_ENUM(kReLU)
WICK_ENUM(kLeakyReLU)
WICK_ENUM(kGELU)
WICK_ENUM(kFanIn)
WICK_ENUM(kFanOut)
// What a loss does with the losses of the elements.
WICK_ENUM(kNone)
WICK_ENUM(kMean)
WICK_ENUM(kSum)
WICK_ENUM(kBatchMean)
// How tensors are padded.
WICK_ENUM(kConstant)
WICK_ENUM(kReflect)
WICK_ENUM(kReplicate)
WICK_ENUM(kCircular)
WICK_ENUM(kZeros)
WICK_ENUM(kSame)
WICK_ENUM(kValid)
// How is interpolated.
WICK_ENUM(kNearest)
WICK_ENUM(kNearestExact)
WICK_ENUM(kBilinear)
WICK_ENUM(kBicubic)
WICK_ENUM(kTrilinear)
WICK_ENUM(kArea)
WICK_ENUM(kBorder)
WICK_ENUM(kReflection)
// How a bag of embeddings becomes one.
WICK_ENUM(kMax)

#undef WICK_ENUM

namespace enumtype {

template <class Variant>
Reduction::Reduction reduction_get_enum(const Variant& reduction) {
  if (std::holds_alternative<kNone>(reduction)) return Reduction::None;
  return std::holds_alternative<kMean>(reduction) ? Reduction::Mean : Reduction::Sum;
}

// "kMean"
template <class Variant>
std::string get_enum_name(const Variant& variant) {
  return std::visit([](const auto& v) { return std::string(v.kText); }, variant);
}

}  // namespace enumtype
}  // namespace wick
