// WICK_ARG: a field of an option struct, as LibTorch's TORCH_ARG declares it.
#pragma once

#include <utility>

#include "wick/nn/enum.h"

// `WICK_ARG(bool, bias) = true;` declares a private bias_ with setters that return the options, so that calls can be chained, and
// getters: LinearOptions(4, 10).bias(false), options.bias(). What follows in the class is private.
#define WICK_ARG(T, name)                   \
 public:                                    \
  auto name(const T& value) -> decltype(*this) { \
    name##_ = value;                        \
    return *this;                           \
  }                                         \
  auto name(T&& value) -> decltype(*this) { \
    name##_ = std::move(value);             \
    return *this;                           \
  }                                         \
  const T& name() const noexcept { return name##_; } \
  T& name() noexcept { return name##_; }    \
                                            \
 private:                                   \
  T name##_
