// Tensors as text, as PyTorch's Python prints them:
//
//     tensor([[0.4963, 0.7682, 0.0885],
//             [0.1320, 0.3074, 0.6341]])
//
// The dtype is shown where the numbers do not give it away (int64, bool and the default dtype are not), the device where it is not the
// CPU, the shape where there are no elements, and whether a gradient is wanted or which operation the tensor came from. Numbers stand in
// columns of one width; floating-point ones all with their fraction, or all in scientific notation where the largest is over 1e8 or
// over 1000 times the smallest, or the smallest below 1e-4 (zeros aside). An undefined tensor is "[ Tensor (undefined) ]".
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "wick/framework/io/stream.h"
#include "wick/framework/tensor.h"

namespace wick {

// torch.set_printoptions.
struct PrintOptions {
  int precision = 4;              // digits behind the point
  int64_t threshold = 1000;       // of more elements only the first and last along each dimension are shown,
  int64_t edgeitems = 3;          // so many of each
  int64_t linewidth = 80;         // characters; full lines continue on the next, indented
  std::optional<bool> sci_mode;   // scientific notation always or never
};

// Those of all threads.
PrintOptions get_printoptions();
void set_printoptions(const PrintOptions& options);  // throws ValueError for negative numbers

// What operator<< (framework/tensor.h) writes. Waits for the device where the tensor is not on the CPU.
std::string to_string(const Tensor& x);
std::string to_string(const Tensor& x, const PrintOptions& options);

}  // namespace wick
