// The enumerators that options take (kMean, kReLU, ...). As in LibTorch each is a value of a type of its own; an option that may be one
// of several is a OneOf their types.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>

#include "wick/framework/tensor.h"

namespace wick {

// A std::variant for enumerators. It is no std::variant because those of the layers' options took a fifth of the time to compile a
// program.
template <class... Enumerators>
class OneOf {
 public:
  // The place of a type among the types; their number where it is none of them.
  template <class T>
  static constexpr size_t place() {
    size_t i = 0;
    (void)(... || (std::is_same_v<T, Enumerators> || (++i, false)));
    return i;
  }

  constexpr OneOf() = default;  // the first
  template <class T>
    requires(std::is_same_v<T, Enumerators> || ...)
  constexpr OneOf(T) : index_(place<T>()) {}
  // One of fewer.
  template <class... Some>
    requires((place<Some>() < sizeof...(Enumerators)) && ...)
  constexpr OneOf(OneOf<Some...> other) : index_(kPlaces<Some...>[other.index()]) {}

  // The place of the enumerator among the types.
  constexpr size_t index() const { return index_; }
  constexpr const char* text() const {
    constexpr const char* kTexts[] = {Enumerators::kText...};
    return kTexts[index_];
  }
  friend constexpr bool operator==(OneOf a, OneOf b) { return a.index_ == b.index_; }

 private:
  template <class... Some>
  static constexpr size_t kPlaces[] = {place<Some>()...};

  size_t index_ = 0;
};

template <class T, class... Enumerators>
constexpr bool holds_alternative(OneOf<Enumerators...> option) { return option.index() == option.template place<T>(); }

#define WICK_ENUM(name)                    \
  namespace enumtype {                     \
  struct name {                            \
    constexpr name() = default;            \
    static constexpr char kText[] = #name; \
  };                                       \
  }                                        \
  inline constexpr enumtype::name name{};

// Non-linearities and layers, for init::calculate_gain.
WICK_ENUM(kLinear) WICK_ENUM(kConv1D) WICK_ENUM(kConv2D) WICK_ENUM(kConv3D)
WICK_ENUM(kConvTranspose1D) WICK_ENUM(kConvTranspose2D) WICK_ENUM(kConvTranspose3D)
WICK_ENUM(kSigmoid) WICK_ENUM(kTanh) WICK_ENUM(kReLU) WICK_ENUM(kLeakyReLU) WICK_ENUM(kGELU)
WICK_ENUM(kFanIn) WICK_ENUM(kFanOut)
// What a loss does with the losses of the elements.
WICK_ENUM(kNone) WICK_ENUM(kMean) WICK_ENUM(kSum) WICK_ENUM(kBatchMean)
// How tensors are padded.
WICK_ENUM(kConstant) WICK_ENUM(kReflect) WICK_ENUM(kReplicate) WICK_ENUM(kCircular) WICK_ENUM(kZeros)
WICK_ENUM(kSame) WICK_ENUM(kValid)
// How is interpolated.
WICK_ENUM(kNearest) WICK_ENUM(kNearestExact)
WICK_ENUM(kBilinear) WICK_ENUM(kBicubic) WICK_ENUM(kTrilinear) WICK_ENUM(kArea)
WICK_ENUM(kBorder) WICK_ENUM(kReflection)
// How a bag of embeddings becomes one.
WICK_ENUM(kMax)

#undef WICK_ENUM

namespace enumtype {

template <class... Enumerators>
Reduction::Reduction reduction_get_enum(OneOf<Enumerators...> reduction) {
  if (holds_alternative<kNone>(reduction)) return Reduction::None;
  return holds_alternative<kMean>(reduction) ? Reduction::Mean : Reduction::Sum;
}

// "kMean"
template <class... Enumerators>
std::string get_enum_name(OneOf<Enumerators...> option) { return option.text(); }

}  // namespace enumtype
}  // namespace wick
