#include "wick/framework/autograd/anomaly_mode.h"

#include "wick/framework/core/call_frame.h"

namespace wick::autograd::detail {
namespace {

std::string explanation(const Node& node) {
  const std::string made_by = node.forward_call();
  std::string text = "  Error detected in " + node.name() + ". ";
  if (made_by.empty()) {
    return text + "No forward pass information available. Enable detect anomaly during forward pass for more information.";
  }
  return text + "Traceback of forward call that caused the error:\n  " + made_by;
}

bool has_nan(const Tensor& x) { return x.defined() && !is_integral(x.scalar_type(), true) && x.isnan().any().item<bool>(); }

}  // namespace

void backward_in_anomaly_mode(const BackwardCall& call) {
  Node& node = call.node;
  try {
    CallScope scope;  // for what a recorded backward pass records
    scope.enter("in the backward pass of " + node.name() + ", made by " + node.forward_call());
    node.op().backward(call);
    if (!AnomalyMode::should_check_nan()) return;
    AutoGradMode off(false);
    for (int i = 0; i < node.num_edges(); ++i) {
      WICK_CHECK(!has_nan(call.inputs[i]), "Function '", node.name(), "' returned nan values in its ", i, "th output.");
    }
  } catch (Error& error) {
    error.add_context(explanation(node));
    throw;
  }
}

}  // namespace wick::autograd::detail
