#include "wick/optim/grad_scaler.h"

namespace wick::amp {

GradScaler::GradScaler(GradScalerOptions options, Device device)
    : options_(std::move(options)),
      scale_(full({}, options_.init_scale(), TensorOptions(kFloat).device(device))),
      growth_tracker_(full({}, 0, TensorOptions(kInt).device(device))) {
  WICK_CHECK(options_.growth_factor() > 1, "The growth factor must be > 1.0.");
  WICK_CHECK(options_.backoff_factor() < 1, "The backoff factor must be < 1.0.");
}

void GradScaler::unscale_(optim::Optimizer& optimizer) {
  if (!options_.enabled()) return;
  PerOptimizer& state = optimizers_[&optimizer];
  WICK_CHECK(!state.stepped, "unscale_() is being called after step().");
  WICK_CHECK(!state.overflow.defined(), "unscale_() has already been called on this optimizer since the last update().");
  NoGradGuard no_grad;
  const Tensor inverse = scale_.to(kDouble).reciprocal();
  Tensor overflow = full({}, false, TensorOptions(kBool).device(scale_.device()));
  for (const optim::OptimizerParamGroup& group : optimizer.param_groups()) {
    for (const Tensor& param : group.params()) {
      const Tensor& grad = param.grad();
      if (!grad.defined()) continue;
      WICK_CHECK_VALUE(grad.scalar_type() != kHalf, "Attempting to unscale FP16 gradients.");
      overflow.logical_or_(grad.isfinite().all().logical_not().to(scale_.device()));
      Tensor(grad).mul_(inverse.to(grad.options()));
    }
  }
  state.overflow = overflow;
}

Tensor GradScaler::step(optim::Optimizer& optimizer) {
  if (!options_.enabled()) return optimizer.step();
  WICK_CHECK(!optimizers_[&optimizer].stepped, "step() has already been called since the last update().");
  if (!optimizers_[&optimizer].overflow.defined()) unscale_(optimizer);
  PerOptimizer& state = optimizers_[&optimizer];
  state.stepped = true;
  return state.overflow.item<bool>() ? Tensor() : optimizer.step();
}

void GradScaler::update(std::optional<double> new_scale) {
  if (!options_.enabled()) return;
  NoGradGuard no_grad;
  if (new_scale) {
    scale_.fill_(*new_scale);
  } else {
    Tensor overflow;
    for (auto& [optimizer, state] : optimizers_) {
      if (state.overflow.defined()) overflow = overflow.defined() ? overflow.logical_or(state.overflow) : state.overflow;
    }
    WICK_CHECK(overflow.defined(), "No inf checks were recorded prior to update.");
    const Tensor fine = overflow.logical_not();
    growth_tracker_.add_(1).mul_(fine);
    const Tensor grows = growth_tracker_.ge(options_.growth_interval()), larger = scale_ * options_.growth_factor();
    scale_.copy_(where(overflow, scale_ * options_.backoff_factor(), where(grows.logical_and(larger.isfinite()), larger, scale_)));
    growth_tracker_.mul_(grows.logical_not());
  }
  optimizers_.clear();
}

optim::StateDict GradScaler::state_dict() const {
  if (!options_.enabled()) return {};
  return {{"scale", get_scale()},
          {"growth_factor", options_.growth_factor()},
          {"backoff_factor", options_.backoff_factor()},
          {"growth_interval", options_.growth_interval()},
          {"_growth_tracker", growth_tracker_.item<int64_t>()}};
}

void GradScaler::load_state_dict(const optim::StateDict& dict) {
  if (!options_.enabled()) return;
  WICK_CHECK(!dict.empty(), "The source state dict is empty, possibly because it was saved from a disabled instance of GradScaler.");
  const auto at = [&](const char* key) {
    const auto found = dict.find(key);
    WICK_CHECK_VALUE(found != dict.end() && found->second.isScalar(), "load_state_dict: the state of the scaler has no number ", key);
    return found->second.toScalar();
  };
  const Scalar scale = at("scale"), growth = at("growth_factor"), backoff = at("backoff_factor"), interval = at("growth_interval");
  growth_tracker_.fill_(at("_growth_tracker"));
  scale_.fill_(scale);
  options_.growth_factor(growth.toDouble()).backoff_factor(backoff.toDouble()).growth_interval(interval.toLong());
}

}  // namespace wick::amp
