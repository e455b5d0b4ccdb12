// PyTorch's .pt and .pth files: a zip archive with a pickle of the values and a member for the memory of each storage.
//
// What is read is what torch.load(weights_only=True) accepts: None, bool, int, float, str, list, tuple, dict, OrderedDict, torch.Size,
// torch.device, dtypes (the last two as strings) and tensors. Nothing in a file is executed: a pickle is a program for a small stack
// machine, and of its instructions only those are known that build such values. A TorchScript archive, which LibTorch's torch::save and
// torch.jit.save write, is read as the nested dicts of its modules' attributes, without its code. Files from before PyTorch 1.6, which
// are no zip archives, are an error.
//
// Tensors that share memory share it in the file and after reading. Of a storage that no other tensor in the file uses only the elements
// of the tensor are written, in rows if there are gaps between them.
#pragma once

#include "wick/framework/autograd/ivalue.h"
#include "wick/framework/io/bytes.h"

namespace wick::io {

// Undefined tensors become None. Throws where a tensor is on the meta device.
void write_pt(const IValue& value, const Sink& sink);

// Tensors come to `device`, or to where they were saved from. Throws Error, which begins with `name`, for whatever else a file contains.
IValue read_pt(std::string_view file, const std::string& name, std::optional<Device> device = std::nullopt);

}  // namespace wick::io
