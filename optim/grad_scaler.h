// GradScaler: keeps gradients of float16 from vanishing, by scaling the loss up and the gradients back.
//
//   amp::GradScaler scaler;
//   scaler.scale(loss).backward();
//   scaler.step(optimizer);   // leaves the parameters alone where a gradient has overflowed
//   scaler.update();
#pragma once

#include "wick/optim/optimizer.h"

namespace wick::amp {

struct GradScalerOptions {
  WICK_ARG(double, init_scale) = 65536;
  WICK_ARG(double, growth_factor) = 2;
  WICK_ARG(double, backoff_factor) = 0.5;
  WICK_ARG(int64_t, growth_interval) = 2000;
  WICK_ARG(bool, enabled) = true;  // if not, scale() returns its argument, step() is that of the optimiser, and update() does nothing
};

// Micikevicius et al., Mixed precision training, 2018. The scale is a tensor, so that a captured scale() or update() goes on with it;
// step() waits for the device, to learn whether gradients have overflowed.
class GradScaler {
 public:
  explicit GradScaler(GradScalerOptions options = {}, Device device = kCPU);

  // outputs times the scale.
  Tensor scale(const Tensor& outputs) const { return options_.enabled() ? outputs * scale_.to(outputs.device()) : outputs; }
  // Divides the gradients by the scale; needed where they are looked at before step(), to clip them, say. Once between two update()s.
  void unscale_(optim::Optimizer& optimizer);
  // unscale_(), unless that has been done, and optimizer.step() if all gradients are finite. Returns what that returns, or undefined.
  Tensor step(optim::Optimizer& optimizer);
  // scale *= backoff_factor if a gradient has overflowed since the last update(), *= growth_factor after growth_interval updates without.
  void update(std::optional<double> new_scale = std::nullopt);

  bool is_enabled() const { return options_.enabled(); }
  double get_scale() const { return options_.enabled() ? scale_.item<double>() : 1.0; }
  // "scale", "growth_factor", "backoff_factor", "growth_interval", "_growth_tracker"; empty if not enabled.
  optim::StateDict state_dict() const;
  void load_state_dict(const optim::StateDict& dict);

 private:
  struct PerOptimizer {
    Tensor overflow;  // bool, 0-dim
    bool stepped = false;
  };

  GradScalerOptions options_;
  Tensor scale_, growth_tracker_;
  std::unordered_map<optim::Optimizer*, PerOptimizer> optimizers_;  // since the last update()
};

}  // namespace wick::amp
