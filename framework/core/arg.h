// WICK_ARG(T, name): one option of an option struct, as LibTorch's TORCH_ARG declares it.
//
//   struct LinearOptions { WICK_ARG(bool, bias) = true; };
//   LinearOptions().bias(false).bias()   // sets, and may be chained; gets
//
// An initialiser may follow the macro. What follows in the struct is private. The setter is a template so that a program compiles only
// those that it calls.
#pragma once

#include <utility>

#define WICK_ARG(T, name)                                   \
 public:                                                    \
  template <class = void>                                   \
  auto name(T value) -> decltype(*this) {                   \
    name##_ = std::move(value);                             \
    return *this;                                           \
  }                                                         \
  const T& name() const noexcept { return name##_; }        \
  T& name() noexcept { return name##_; }                    \
                                                            \
 private:                                                   \
  T name##_
