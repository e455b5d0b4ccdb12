// A second file of the program in script_test.cc.
#pragma once

#include <ATen/ATen.h>
#include <torch/types.h>

namespace other_file {

at::Tensor doubled(const at::Tensor& x);
int64_t first_of(const c10::IValue& tuple);

}  // namespace other_file
