// nn::utils: gradients cut to size, and parameters as one vector.
#pragma once

#include <vector>

#include "wick/framework/tensor.h"

namespace wick::nn::utils {

// Scales all gradients by max_norm / (norm + 1e-6) where their joint norm exceeds max_norm, and returns the norm before, summed in
// double; norm_type may be infinity. A norm that is not finite makes NaN of the gradients, or is an error if that is asked for, which
// changes nothing. Parameters without a gradient do not count. Throws for a negative max_norm.
double clip_grad_norm_(const std::vector<Tensor>& parameters, double max_norm, double norm_type = 2.0, bool error_if_nonfinite = false);
double clip_grad_norm_(const Tensor& parameter, double max_norm, double norm_type = 2.0, bool error_if_nonfinite = false);

// Puts every element of every gradient into [-clip_value, clip_value].
void clip_grad_value_(const std::vector<Tensor>& parameters, double clip_value);
void clip_grad_value_(const Tensor& parameter, double clip_value);

// The elements of all parameters one after the other, differentiably; and back, as data, into parameters of the same sizes.
Tensor parameters_to_vector(const std::vector<Tensor>& parameters);
void vector_to_parameters(const Tensor& vec, const std::vector<Tensor>& parameters);

}  // namespace wick::nn::utils
