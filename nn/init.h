// nn::init: initial values of parameters, as in torch.nn.init. Each function overwrites its tensor, out of autograd's sight, with
// numbers from the default generator, and returns it.
#pragma once

#include <tuple>

#include "wick/nn/enum.h"

namespace wick::nn::init {

using NonlinearityType = OneOf<enumtype::kLinear, enumtype::kConv1D, enumtype::kConv2D, enumtype::kConv3D, enumtype::kConvTranspose1D,
                               enumtype::kConvTranspose2D, enumtype::kConvTranspose3D, enumtype::kSigmoid, enumtype::kTanh, enumtype::kReLU,
                               enumtype::kLeakyReLU>;
using FanModeType = OneOf<enumtype::kFanIn, enumtype::kFanOut>;

Tensor constant_(Tensor tensor, Scalar value);
Tensor zeros_(Tensor tensor);
Tensor ones_(Tensor tensor);
// U(low, high)
Tensor uniform_(Tensor tensor, double low = 0, double high = 1);
// N(mean, std²)
Tensor normal_(Tensor tensor, double mean = 0, double std = 1);

// U(-b, b) with b = sqrt(3) s, and N(0, s²), where s = gain(nonlinearity, a) / sqrt(fan). He et al., "Delving deep into rectifiers",
// 2015. `a` is the negative slope where the non-linearity is kLeakyReLU.
Tensor kaiming_uniform_(Tensor tensor, double a = 0, FanModeType mode = kFanIn, NonlinearityType nonlinearity = kLeakyReLU);
Tensor kaiming_normal_(Tensor tensor, double a = 0, FanModeType mode = kFanIn, NonlinearityType nonlinearity = kLeakyReLU);

// The same with s = gain sqrt(2 / (fan_in + fan_out)). Glorot and Bengio, "Understanding the difficulty of training deep feedforward
// neural networks", 2010.
Tensor xavier_uniform_(Tensor tensor, double gain = 1.0);
Tensor xavier_normal_(Tensor tensor, double gain = 1.0);

// A matrix with ones on its diagonal.
Tensor eye_(Tensor matrix);
// A convolution's weight [out, in, kernel...] that passes its channels on as they are, as far as there are as many: 1 in the middle of
// the kernel.
Tensor dirac_(Tensor tensor);
// gain times a matrix [out, all others] with orthonormal rows or columns, whichever are fewer: the Q of a normal matrix. Saxe et al.,
// "Exact solutions to the nonlinear dynamics of learning in deep linear neural networks", 2013.
Tensor orthogonal_(Tensor tensor, double gain = 1.0);
// N(0, std²), and in each column the share `sparsity` of the elements zero. Martens, "Deep learning via Hessian-free optimization", 2010.
Tensor sparse_(Tensor tensor, double sparsity, double std = 0.01);

// By how much a layer's weights must be scaled up for the non-linearity behind it: 1 for kLinear, convolutions and kSigmoid, 5/3 for
// kTanh, sqrt(2) for kReLU, sqrt(2 / (1 + param²)) for kLeakyReLU.
double calculate_gain(NonlinearityType nonlinearity, double param = 0.01);

// (fan_in, fan_out): how many inputs an output of the layer depends on, and how many outputs an input reaches. `tensor` is the weight,
// [out, in, kernel...]; throws for fewer than two dimensions.
std::tuple<int64_t, int64_t> _calculate_fan_in_and_fan_out(const Tensor& tensor);

}  // namespace wick::nn::init
