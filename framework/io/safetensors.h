// The safetensors format of Hugging Face: a header of JSON and the bytes of the tensors, nothing that could be executed.
#pragma once

#include <map>
#include <string>

#include "wick/framework/core/ordered_dict.h"
#include "wick/framework/tensor.h"

namespace wick {

// Each tensor is written in full, whatever memory it shares with others. The file appears whole or not at all.
void save_safetensors(const OrderedDict<std::string, Tensor>& tensors, const std::string& path,
                      const std::map<std::string, std::string>& metadata = {});

// The tensors in the order of the file, on the device; the metadata if they are wanted. Throws Error for what is wrong with a file:
// lengths beyond it, tensors that overlap or leave bytes out, names that are there twice, dtypes that wick lacks.
OrderedDict<std::string, Tensor> load_safetensors(const std::string& path, Device device = kCPU,
                                                  std::map<std::string, std::string>* metadata = nullptr);

}  // namespace wick
