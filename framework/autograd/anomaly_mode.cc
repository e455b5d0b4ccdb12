#include "wick/framework/autograd/anomaly_mode.h"

#include "wick/framework/core/call_frame.h"
#include "wick/framework/core/warning.h"

namespace wick::autograd::detail {
namespace {

// PyTorch's warnings: one for the operation, and one for each backward pass that recorded it, the innermost first.
void warn(const std::string& explanation) {
  static constexpr std::string_view kInduced = "\n  in the backward pass of ", kMadeBy = ", made by ";
  size_t end = explanation.find(kInduced);
  WICK_WARN(explanation.substr(2, end - 2));
  while (end != explanation.npos) {
    const size_t begin = end + kInduced.size();
    end = explanation.find(kInduced, begin);
    const std::string rest = explanation.substr(begin, end - begin);
    const size_t made_by = rest.find(kMadeBy);
    WICK_WARN("\n\nPrevious calculation was induced by ", rest.substr(0, made_by), ". Traceback of forward call that induced the previous "
              "calculation:\n  ", rest.substr(made_by + kMadeBy.size()));
  }
}

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
    const std::string text = explanation(node);
    warn(text);
    error.add_context(text);
    throw;
  }
}

}  // namespace wick::autograd::detail
