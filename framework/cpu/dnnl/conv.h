// Convolutions of float by oneDNN.
#pragma once

#include "wick/framework/plan/conv.h"

namespace wick::cpu {

enum class ConvKind : int64_t { kForward, kBackwardInput, kBackwardWeight };

// Runs the kernel of that kind (see plan/conv.h) on wick::get_num_threads() threads. What oneDNN prepares for a shape is kept for the
// next call, for the last few hundred shapes. False, with nothing written, where oneDNN has no such convolution.
bool dnnl_conv(ConvKind kind, const ConvArgs& args);

}  // namespace wick::cpu
