// The names of types, as LibTorch prints them.
#pragma once

#include <string>
#include <typeinfo>

namespace wick::nn::detail {

// "my::Net"; wick's own types under LibTorch's names: "torch::nn::LinearImpl", "at::Tensor". The string lives for ever.
const std::string& type_name(const std::type_info& type);

// The last part, without "Impl", as Python prints a class: "Linear" for torch::nn::LinearImpl.
std::string short_type_name(const std::type_info& type);

}  // namespace wick::nn::detail
