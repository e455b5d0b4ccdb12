#include "wick/nn/utils.h"

#include <cmath>

namespace wick::nn::utils {
namespace {

std::vector<Tensor> gradients_of(const std::vector<Tensor>& parameters) {
  std::vector<Tensor> gradients;
  for (const Tensor& parameter : parameters) {
    if (parameter.grad().defined()) gradients.push_back(parameter.grad());
  }
  return gradients;
}

double joint_norm(const std::vector<Tensor>& gradients, double norm_type) {
  std::vector<Tensor> norms;
  for (const Tensor& g : gradients) norms.push_back(g.detach().to(kDouble).norm(norm_type));
  return norms.empty() ? 0 : stack(norms).norm(norm_type).item<double>();
}

}  // namespace

double clip_grad_norm_(const std::vector<Tensor>& parameters, double max_norm, double norm_type, bool error_if_nonfinite) {
  WICK_CHECK_VALUE(max_norm >= 0, "clip_grad_norm_: max_norm must not be negative, but got ", max_norm);
  NoGradGuard no_grad;
  const std::vector<Tensor> gradients = gradients_of(parameters);
  const double norm = joint_norm(gradients, norm_type);
  WICK_CHECK(!error_if_nonfinite || std::isfinite(norm), "The total norm of order ", norm_type, " for gradients from `parameters` is "
             "non-finite, so it cannot be clipped. To disable this error and scale the gradients with the non-finite norm anyway, set "
             "`error_if_nonfinite=false`");
  const double scale = max_norm / (norm + 1e-6);
  if (scale < 1 || std::isnan(scale)) {
    for (const Tensor& g : gradients) g.mul_(scale);
  }
  return norm;
}
double clip_grad_norm_(const Tensor& parameter, double max_norm, double norm_type, bool error_if_nonfinite) {
  return clip_grad_norm_(std::vector<Tensor>{parameter}, max_norm, norm_type, error_if_nonfinite);
}

void clip_grad_value_(const std::vector<Tensor>& parameters, double clip_value) {
  NoGradGuard no_grad;
  for (const Tensor& g : gradients_of(parameters)) g.clamp_(-clip_value, clip_value);
}
void clip_grad_value_(const Tensor& parameter, double clip_value) { clip_grad_value_(std::vector<Tensor>{parameter}, clip_value); }

Tensor parameters_to_vector(const std::vector<Tensor>& parameters) {
  std::vector<Tensor> parts;
  for (const Tensor& parameter : parameters) parts.push_back(parameter.reshape({-1}));
  return cat(parts);
}

void vector_to_parameters(const Tensor& vec, const std::vector<Tensor>& parameters) {
  int64_t total = 0;
  for (const Tensor& parameter : parameters) total += parameter.numel();
  WICK_CHECK_VALUE(vec.dim() == 1 && vec.numel() == total, "vector_to_parameters: ", total, " elements needed, got the shape ",
               vec.sizes());
  NoGradGuard no_grad;
  int64_t start = 0;
  for (const Tensor& parameter : parameters) {
    parameter.copy_(vec.narrow(0, start, parameter.numel()).view_as(parameter));
    start += parameter.numel();
  }
}

}  // namespace wick::nn::utils
