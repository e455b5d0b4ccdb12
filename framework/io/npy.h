// NumPy's .npy and .npz files (NumPy enhancement proposal 1): arrays of bool, int8 to int64, uint8 and float16 to float64, in either byte
// and either memory order. bfloat16, which NumPy lacks, cannot be written; arrays of other types, pickled objects among them, cannot be
// read.
#pragma once

#include <string>

#include "wick/framework/core/ordered_dict.h"
#include "wick/framework/tensor.h"

namespace wick {

// Files appear whole or not at all. Reading gives contiguous tensors on the CPU, and throws Error for what is wrong with a file.
void save_npy(const Tensor& x, const std::string& path);
Tensor load_npy(const std::string& path);
// What numpy.savez(path, **arrays) writes; numpy.savez_compressed's files are read as well.
void save_npz(const OrderedDict<std::string, Tensor>& arrays, const std::string& path);
OrderedDict<std::string, Tensor> load_npz(const std::string& path);

}  // namespace wick
