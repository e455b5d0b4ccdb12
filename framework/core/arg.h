// WICK_ARG(T, name): one option of an option struct, as LibTorch's TORCH_ARG declares it.
//
//   struct LinearOptions { WICK_ARG(bool, bias) = true; };
//   LinearOptions().bias(false).bias()   // sets, and may be chained; gets
//
// An initialiser may follow the macro. What follows in the struct is private.
#pragma once

#include <utility>

#define WICK_ARG(T, name)                                   \
 public:                                                    \
  auto name(const T& value) -> decltype(*this) {            \
    name##_ = value;                                        \
    return *this;                                           \
  }                                                         \
  auto name(T&& value) -> decltype(*this) {                 \
    name##_ = std::move(value);                             \
    return *this;                                           \
  }                                                         \
  const T& name() const noexcept { return name##_; }        \
  T& name() noexcept { return name##_; }                    \
                                                            \
 private:                                                   \
  T name##_
