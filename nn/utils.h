// nn::utils: gradients cut to size, parameters as one vector, and weights computed from others.
#pragma once

#include <string>
#include <vector>

#include "wick/nn/module.h"

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

// ---- Weights that are computed anew before each call of their layer (hooks; forward() by itself runs none) -------------------------
//
//     auto conv = register_module("conv", nn::Conv2d(3, 8, 3));
//     nn::utils::weight_norm(*conv);
//
// Names, order of the state dict and random numbers are Python's (torch.nn.utils). The parameter `name` gives place to others; `weight` is
// the layer's member of that name, which is no parameter any more. An optimiser must be made afterwards.

namespace detail {
template <class M>
using Member = std::type_identity_t<Tensor M::*>;

struct WeightNorm {
  std::string name;
  int64_t dim;
  Tensor begin(Module& module, const Tensor& weight) const;
  Tensor compute(Module& module) const;
};
struct SpectralNorm {
  std::string name;
  int64_t n_power_iterations, dim;
  double eps;
  Tensor begin(Module& module, const Tensor& weight) const;
  Tensor compute(Module& module) const;
};
// Makes `weight` a parameter again, with the value that it has now.
void restore_weight(Module& module, Tensor& weight, const std::string& name);

template <class M, class Norm>
RemovableHandle compute_before_forward(M& module, Member<M> weight, const Norm& norm) {
  module.*weight = norm.begin(module, module.*weight);
  return module.register_forward_pre_hook([=](Module& m, std::vector<Tensor>&) { static_cast<M&>(m).*weight = norm.compute(m); });
}
}  // namespace detail

// weight = g v / |v|, with the parameters <name>_g and <name>_v; the norm is over all dimensions but `dim`, with -1 over all. (Salimans
// and Kingma, Weight Normalization, 2016)
template <class M>
RemovableHandle weight_norm(M& module, detail::Member<M> weight = &M::weight, const std::string& name = "weight", int64_t dim = 0) {
  return detail::compute_before_forward(module, weight, detail::WeightNorm{name, dim});
}

// weight = w / s, with the parameter <name>_orig = w, and s the largest singular value of w as a matrix of w.size(dim) rows: as
// n_power_iterations steps of the power method for each call in training find it, from the vectors in the buffers <name>_u and <name>_v. By
// default dim is 0, for transposed convolutions 1. (Miyato and others, Spectral Normalization, 2018)
template <class M>
RemovableHandle spectral_norm(M& module, detail::Member<M> weight = &M::weight, const std::string& name = "weight",
                              int64_t n_power_iterations = 1, double eps = 1e-12, std::optional<int64_t> dim = std::nullopt) {
  WICK_CHECK_VALUE(n_power_iterations > 0, "Expected n_power_iterations to be positive, but got n_power_iterations=", n_power_iterations);
  int64_t rows = dim.value_or(0);
  if constexpr (requires { module.options.transposed(); }) rows = dim.value_or(module.options.transposed());
  return detail::compute_before_forward(module, weight, detail::SpectralNorm{name, n_power_iterations, rows, eps});
}

// Ends either, with the handle that it returned: the weight stays as it is, and is a parameter again.
template <class M>
void remove_weight_norm(M& module, RemovableHandle handle, detail::Member<M> weight = &M::weight, const std::string& name = "weight") {
  handle.remove();
  detail::restore_weight(module, module.*weight, name);
}

}  // namespace wick::nn::utils
