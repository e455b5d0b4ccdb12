// Anomaly mode: finds the operation whose backward pass made the first NaN, or failed, and names the forward call that it belongs to.
//
//     autograd::DetectAnomalyGuard anomaly;   // around the forward and the backward pass
//     model(x).sum().backward();
//
// An error that leaves backward then says which operation it was and in the calls of which modules that operation ran, and PyTorch's
// warnings say so as well. It costs a look at every gradient, and a text for every node; it is for finding a mistake.
#pragma once

#include "wick/framework/tensor.h"

namespace wick::autograd {

// The mode of this thread.
struct AnomalyMode {
  static bool is_enabled() { return t_state.anomaly; }
  static bool should_check_nan() { return t_state.check_nan; }
  static void set_enabled(bool enabled, bool check_nan = true) {
    t_state.anomaly = enabled;
    t_state.check_nan = check_nan;
  }
};

// Turns the mode on for as long as it lives. Without check_nan only errors that are thrown are explained.
//
// backward then throws Error "Function 'LogBackward0' returned nan values in its 0th output." for the first gradient with a NaN.
class DetectAnomalyGuard {
 public:
  explicit DetectAnomalyGuard(bool check_nan = true) : enabled_(t_state.anomaly), check_nan_(t_state.check_nan) {
    AnomalyMode::set_enabled(true, check_nan);
  }
  ~DetectAnomalyGuard() { AnomalyMode::set_enabled(enabled_, check_nan_); }
  DetectAnomalyGuard(const DetectAnomalyGuard&) = delete;
  DetectAnomalyGuard& operator=(const DetectAnomalyGuard&) = delete;

 private:
  bool enabled_, check_nan_;
};

namespace detail {

// Runs the backward function of a node, looks at what it returns, and explains its errors.
void backward_in_anomaly_mode(const BackwardCall& call);

}  // namespace detail
}  // namespace wick::autograd
