// Convolutions as matrix products: each image is spread out into a matrix that has a column for each place of the kernel.
#pragma once

#include "wick/framework/plan/conv.h"

namespace wick::cpu {

// T: float or double. See plan/conv.h for what they compute.
template <class T>
void conv_forward(const ConvArgs& args);
template <class T>
void conv_backward_input(const ConvArgs& args);
template <class T>
void conv_backward_weight(const ConvArgs& args);

}  // namespace wick::cpu
