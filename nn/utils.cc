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

}  // namespace

double clip_grad_norm_(const std::vector<Tensor>& parameters, double max_norm, double norm_type, bool error_if_nonfinite) {
  WICK_CHECK_VALUE(max_norm >= 0, "clip_grad_norm_: max_norm must not be negative, but got ", max_norm);
  NoGradGuard no_grad;
  const std::vector<Tensor> gradients = gradients_of(parameters);
  std::vector<Tensor> norms;
  for (const Tensor& g : gradients) norms.push_back(g.detach().to(kDouble).norm(norm_type));
  const double norm = norms.empty() ? 0 : stack(norms).norm(norm_type).item<double>();
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

// ---- Computed weights --------------------------------------------------------------------------------------------------------------

namespace detail {
namespace {

// Protected, for LibTorch has nothing that takes a parameter or a buffer away.
struct Registered : Module {
  static OrderedDict<std::string, Tensor>& parameters_of(Module& module) { return module.*(&Registered::parameters_); }
};

Tensor parameter_of(Module& module, const std::string& name) { return Registered::parameters_of(module)[name]; }

// The matrix whose rows belong to the indices of `dim`.
Tensor rows_of(const Tensor& weight, int64_t dim) { return weight.movedim(dim, 0).reshape({weight.size(dim), -1}); }

Tensor unit(const Tensor& x, double eps) { return x / x.norm().clamp_min(eps); }

Tensor take_parameter(Module& module, const Tensor& weight, const std::string& name) {
  auto& parameters = Registered::parameters_of(module);
  const Tensor* registered = parameters.find(name);
  WICK_CHECK_VALUE(registered && registered->is_same(weight), module.name(), " has no parameter ", name, " that is the given member");
  parameters.erase(name);
  return weight.detach();
}

}  // namespace

Tensor WeightNorm::begin(Module& module, const Tensor& weight) const {
  const Tensor v = take_parameter(module, weight, name);
  Tensor g = v.norm();
  if (dim != -1) {
    Dims shape(static_cast<size_t>(v.dim()), 1);
    shape[static_cast<size_t>(dim)] = v.size(dim);
    g = rows_of(v, dim).norm(2, {1}).view(shape);
  }
  module.register_parameter(name + "_g", g);
  module.register_parameter(name + "_v", v.clone());
  return v;
}

Tensor WeightNorm::compute(Module& module) const {
  const Tensor g = parameter_of(module, name + "_g"), v = parameter_of(module, name + "_v");
  return v * (g / (dim == -1 ? v.norm() : rows_of(v, dim).norm(2, {1}).view_as(g)));
}

Tensor SpectralNorm::begin(Module& module, const Tensor& weight) const {
  const Tensor w = take_parameter(module, weight, name), matrix = rows_of(w, dim);
  const Tensor u = unit(empty({matrix.size(0)}, w.options()).normal_(), eps), v = unit(empty({matrix.size(1)}, w.options()).normal_(), eps);
  module.register_parameter(name + "_orig", w.clone());
  module.register_buffer(name + "_u", u);
  module.register_buffer(name + "_v", v);
  return w;
}

Tensor SpectralNorm::compute(Module& module) const {
  const Tensor w = parameter_of(module, name + "_orig"), matrix = rows_of(w, dim);
  const auto buffers = module.named_buffers(/*recurse=*/false);
  Tensor u = buffers[name + "_u"], v = buffers[name + "_v"];
  if (module.is_training()) {
    NoGradGuard no_grad;
    for (int64_t i = 0; i < n_power_iterations; ++i) {
      v.copy_(unit(matrix.t().mv(u), eps));
      u.copy_(unit(matrix.mv(v), eps));
    }
  }
  // The next call may change them before this one's gradient is computed.
  return w / u.clone().dot(matrix.mv(v.clone()));
}

void restore_weight(Module& module, Tensor& weight, const std::string& name) {
  auto& parameters = Registered::parameters_of(module);
  for (const char* suffix : {"_g", "_v", "_orig"}) {
    if (parameters.contains(name + suffix)) parameters.erase(name + suffix);
  }
  weight = module.register_parameter(name, weight.detach().clone());
}

}  // namespace detail
}  // namespace wick::nn::utils
