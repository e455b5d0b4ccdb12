// The parts of convolutions that are kernels of our own.
#pragma once

#include "wick/framework/plan/conv.h"

namespace wick::cuda {

// A thread for each element of the result, which it sums up by itself: for what cuDNN does not take.
void plain_conv_forward(const ConvArgs& args);
void plain_conv_backward_input(const ConvArgs& args);
void plain_conv_backward_weight(const ConvArgs& args);

}  // namespace wick::cuda
