// The enumerators that options take (kMean, kReLU, ...). As in LibTorch each is a value of a type of its own, and an option that may
// be one of several is a std::variant of their types.
#pragma once

#include <variant>

#include "wick/framework/tensor.h"

namespace wick {

#define WICK_ENUM(name)                \
  namespace enumtype {                 \
  struct name {                        \
    constexpr name() = default;        \
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

#undef WICK_ENUM

namespace enumtype {

template <class Variant>
Reduction::Reduction reduction_get_enum(const Variant& reduction) {
  if (std::holds_alternative<kNone>(reduction)) return Reduction::None;
  return std::holds_alternative<kMean>(reduction) ? Reduction::Mean : Reduction::Sum;
}

}  // namespace enumtype
}  // namespace wick
