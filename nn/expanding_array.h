// ExpandingArray: the sizes of D dimensions as options take them, one number for all or one for each.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "wick/framework/core/array_ref.h"

namespace wick {

template <size_t D, class T = int64_t>
class ExpandingArray {
 public:
  ExpandingArray(T everywhere) { values_.fill(everywhere); }
  ExpandingArray(const std::array<T, D>& values) : values_(values) {}
  ExpandingArray(std::initializer_list<T> values) : ExpandingArray(ArrayRef<T>(values)) {}
  ExpandingArray(const std::vector<T>& values) : ExpandingArray(ArrayRef<T>(values)) {}
  ExpandingArray(ArrayRef<T> values) {
    WICK_CHECK(values.size() == D, "Expected ", D, " values, but instead got ", values.size());
    std::copy(values.begin(), values.end(), values_.begin());
  }

  size_t size() const { return D; }
  const T* data() const { return values_.data(); }
  const T& operator[](size_t i) const { return values_[i]; }
  T& operator[](size_t i) { return values_[i]; }
  std::array<T, D>& operator*() { return values_; }
  const std::array<T, D>& operator*() const { return values_; }
  std::array<T, D>* operator->() { return &values_; }
  const std::array<T, D>* operator->() const { return &values_; }
  operator ArrayRef<T>() const { return ArrayRef<T>(values_.data(), D); }
  friend void append_text(std::string& text, const ExpandingArray& a) { append_text(text, ArrayRef<T>(a)); }
  friend bool operator==(const ExpandingArray& a, const ExpandingArray& b) { return a.values_ == b.values_; }

 private:
  std::array<T, D> values_;
};

// Where std::nullopt stands for what the layer finds.
template <size_t D, class T = int64_t>
class ExpandingArrayWithOptionalElem : public ExpandingArray<D, std::optional<T>> {
 public:
  using Base = ExpandingArray<D, std::optional<T>>;
  using Base::Base;
  ExpandingArrayWithOptionalElem(T everywhere) : Base(std::optional<T>(everywhere)) {}
  ExpandingArrayWithOptionalElem(std::initializer_list<T> values) : ExpandingArrayWithOptionalElem(std::vector<T>(values)) {}
  ExpandingArrayWithOptionalElem(const std::vector<T>& values) : Base(std::vector<std::optional<T>>(values.begin(), values.end())) {}
};

}  // namespace wick
