// What may stand between the braces of x.index({...}): LibTorch's spelling of Python's x[1:, None, mask].
//
//   Python              here
//   x[0, -1]            x.index({0, -1})
//   x[1:5:2], x[:]      x.index({Slice(1, 5, 2)}), x.index({Slice()})
//   x[..., None]        x.index({Ellipsis, None}) or x.index({"...", None})
//   x[True]             x.index({true})
//   x[mask], x[rows]    x.index({mask}), x.index({rows})
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>

#include "wick/framework/core/tensor_base.h"

namespace wick::indexing {

inline constexpr std::nullopt_t None = std::nullopt;  // a new dimension of size 1

struct EllipsisIndexType {};
inline constexpr EllipsisIndexType Ellipsis;  // as many whole dimensions as are left

// start, start + step, ... below stop; negative bounds count from the end.
struct Slice {
  Slice(std::optional<int64_t> start = std::nullopt, std::optional<int64_t> stop = std::nullopt, std::optional<int64_t> step = std::nullopt)
      : step_(step.value_or(1)), start_(start.value_or(step_ < 0 ? INT64_MAX : 0)),
        stop_(stop.value_or(step_ < 0 ? INT64_MIN : INT64_MAX)) {
    WICK_CHECK_VALUE(step_ != 0, "slice step cannot be zero");
  }
  int64_t start() const { return start_; }
  int64_t stop() const { return stop_; }
  int64_t step() const { return step_; }

 private:
  int64_t step_, start_, stop_;
};

class TensorIndex {
 public:
  TensorIndex(std::nullopt_t) : kind_(Kind::kNone) {}
  TensorIndex(EllipsisIndexType) : kind_(Kind::kEllipsis) {}
  TensorIndex(const char* text) : kind_(Kind::kEllipsis) {
    WICK_CHECK_VALUE(std::string_view(text) == "...", "Expected \"...\" to represent an ellipsis index, but got \"", text, "\"");
  }
  template <class T, class = std::enable_if_t<std::is_integral_v<T>>>
  TensorIndex(T value) : kind_(std::is_same_v<T, bool> ? Kind::kBoolean : Kind::kInteger), integer_(static_cast<int64_t>(value)) {}
  TensorIndex(Slice slice) : kind_(Kind::kSlice), slice_(slice) {}
  TensorIndex(TensorBase tensor) : kind_(Kind::kTensor), tensor_(std::move(tensor)) {}

  bool is_none() const { return kind_ == Kind::kNone; }
  bool is_ellipsis() const { return kind_ == Kind::kEllipsis; }
  bool is_integer() const { return kind_ == Kind::kInteger; }
  bool is_boolean() const { return kind_ == Kind::kBoolean; }
  bool is_slice() const { return kind_ == Kind::kSlice; }
  bool is_tensor() const { return kind_ == Kind::kTensor; }
  int64_t integer() const { return integer_; }
  bool boolean() const { return integer_ != 0; }
  const Slice& slice() const { return slice_; }
  const TensorBase& tensor() const { return tensor_; }

 private:
  enum class Kind : uint8_t { kNone, kEllipsis, kInteger, kBoolean, kSlice, kTensor };

  Kind kind_;
  int64_t integer_ = 0;
  Slice slice_;
  TensorBase tensor_;
};

}  // namespace wick::indexing
