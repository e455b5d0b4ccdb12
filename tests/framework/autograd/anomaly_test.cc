// Anomaly mode: the first NaN of a backward pass, and errors in it, with the forward call that they belong to.
#include "wick/framework/autograd/anomaly_mode.h"

#include <gtest/gtest.h>

#include "wick/framework/autograd/engine.h"
#include "wick/framework/core/warning.h"
#include "wick/nn/nn.h"
#include "wick/tests/framework/core/support.h"
#include "wick/tests/framework/ops/checks.h"

namespace wick::test {
namespace {

using autograd::AnomalyMode;
using autograd::DetectAnomalyGuard;

TEST(Anomaly, IsAModeOfTheThread) {
  EXPECT_FALSE(AnomalyMode::is_enabled());
  EXPECT_TRUE(AnomalyMode::should_check_nan());
  {
    DetectAnomalyGuard outer(false);
    EXPECT_TRUE(AnomalyMode::is_enabled());
    EXPECT_FALSE(AnomalyMode::should_check_nan());
    {
      DetectAnomalyGuard inner;
      EXPECT_TRUE(AnomalyMode::should_check_nan());
    }
    EXPECT_FALSE(AnomalyMode::should_check_nan());
  }
  EXPECT_FALSE(AnomalyMode::is_enabled());
  EXPECT_TRUE(AnomalyMode::should_check_nan());
}

TEST(Anomaly, NamesTheOperationThatMadeANan) {
  DetectAnomalyGuard anomaly;
  const Tensor x = tensor({0.0, 1.0}).requires_grad_();
  const Tensor y = (x.sqrt() * 0).sum();
  EXPECT_EQ(message_of([&] { y.backward(); }),
            "Function 'SqrtBackward0' returned nan values in its 0th output.\n"
            "  Error detected in SqrtBackward0. Traceback of forward call that caused the error:\n"
            "  sqrt");
  EXPECT_FALSE(x.grad().defined());
}

TEST(Anomaly, SaysWhereItKnowsNoForwardCall) {
  const Tensor x = tensor({0.0}).requires_grad_();
  const Tensor y = x.sqrt() * 0;
  DetectAnomalyGuard anomaly;
  EXPECT_EQ(message_of([&] { y.backward(); }),
            "Function 'SqrtBackward0' returned nan values in its 0th output.\n"
            "  Error detected in SqrtBackward0. No forward pass information available. Enable detect anomaly during forward pass for more "
            "information.");
}

struct Root : nn::Cloneable<Root> {
  Tensor forward(const Tensor& x) { return x.sqrt(); }
};
struct Net : nn::Cloneable<Net> {
  std::shared_ptr<Root> root = register_module("root", std::make_shared<Root>());
  Tensor forward(const Tensor& x) { return nn::call(root, x + 0) * 0; }
};

TEST(Anomaly, NamesTheModules) {
  DetectAnomalyGuard anomaly;
  Net net;
  const Tensor x = tensor({0.0}).requires_grad_();
  const Tensor y = net(x);
  EXPECT_EQ(message_of([&] { y.backward(); }),
            "Function 'SqrtBackward0' returned nan values in its 0th output.\n"
            "  Error detected in SqrtBackward0. Traceback of forward call that caused the error:\n"
            "  sqrt\n"
            "  in module root (Root)\n"
            "  in module Net");
  EXPECT_EQ((x + 1).grad_fn()->forward_call(), "add");  // the calls are over
}

TEST(Anomaly, ExplainsOtherErrors) {
  DetectAnomalyGuard anomaly(false);
  const Tensor x = tensor({5.0}).requires_grad_();
  const Tensor y = x * x, z = y * y;
  y.add_(1);
  const std::string text = message_of([&] { z.backward(); });
  EXPECT_EQ(text.find("one of the variables needed for gradient computation has been modified by an inplace operation"), 0u);
  EXPECT_NE(text.find("\n  Error detected in MulBackward0. Traceback of forward call that caused the error:\n  mul"), std::string::npos);
}

TEST(Anomaly, LetsNanPassWithoutTheCheck) {
  DetectAnomalyGuard anomaly(false);
  const Tensor x = tensor({0.0}).requires_grad_();
  (x.sqrt() * 0).backward();
  EXPECT_TRUE(x.grad().isnan().item<bool>());
}

TEST(Anomaly, FollowsARecordedBackwardPass) {
  DetectAnomalyGuard anomaly;
  const Tensor x = tensor({0.0}).requires_grad_();
  const Tensor slope = autograd::grad({x.pow(1.5)}, {x}, {}, true, true)[0];
  const std::string text = message_of([&] { autograd::grad({slope}, {x}, {tensor({0.0})}); });
  EXPECT_EQ(text,
            "Function 'SqrtBackward0' returned nan values in its 0th output.\n"
            "  Error detected in SqrtBackward0. Traceback of forward call that caused the error:\n"
            "  sqrt\n"
            "  in the backward pass of PowBackward0, made by pow");
}

TEST(Anomaly, WarnsAsPyTorch) {
  struct Handler : WarningHandler {
    void process(const SourceLocation&, const std::string& message, bool) override { messages.push_back(message); }
    std::vector<std::string> messages;
  } handler;
  Warning::set_warning_handler(&handler);
  {
    DetectAnomalyGuard anomaly;
    const Tensor x = tensor({0.0}).requires_grad_();
    const Tensor slope = autograd::grad({x.pow(1.5)}, {x}, {}, true, true)[0];
    EXPECT_TRUE(handler.messages.empty());
    EXPECT_THROW(autograd::grad({slope}, {x}, {tensor({0.0})}), Error);
  }
  Warning::set_warning_handler(nullptr);
  EXPECT_EQ(handler.messages,
            (std::vector<std::string>{
                "Error detected in SqrtBackward0. Traceback of forward call that caused the error:\n  sqrt",
                "\n\nPrevious calculation was induced by PowBackward0. Traceback of forward call that induced the previous calculation:\n"
                "  pow"}));
}

}  // namespace
}  // namespace wick::test
