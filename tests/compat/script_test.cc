// Programs that run TorchScript networks build, and say at run time what wick does not do; in several files.
#include <torch/script.h>

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "wick/tests/compat/script_other.h"
#include "wick/tests/compat/support.h"

namespace {

template <class F>
std::string refusal(const F& f) { return message_of<c10::NotImplementedError>(f); }

TEST(Script, LoadSaysWhatToDoInstead) {
  torch::jit::script::Module module;
  const std::string text = refusal([&] { module = torch::jit::load("net.pt"); });
  EXPECT_EQ(text.find("torch::jit::load(\"net.pt\"): wick does not run TorchScript."), 0u) << text;
  EXPECT_NE(text.find("torch.save(model.state_dict(), ...)"), std::string::npos) << text;
  torch::jit::ExtraFilesMap extra{{"config.json", ""}};
  EXPECT_NE(refusal([&] { torch::jit::load("net.pt", torch::kCPU, extra); }), "");
}

// What programs do with what a network returns builds; the call before it throws.
TEST(Script, CallsThrow) {
  torch::jit::Module module;
  std::vector<torch::jit::IValue> inputs{torch::ones({1})};
  inputs.emplace_back(2.5);
  for (const std::string& text : {
           refusal([&] { module.forward(inputs).toTensor(); }),
           refusal([&] { module.forward({torch::ones({1}), 3}).toTuple()->elements()[0].toTensor(); }),
           refusal([&] { module.forward(inputs).toGenericDict().at("out").toTensor(); }),
           refusal([&] { module.forward(inputs).toTensorList().get(0); }),
           refusal([&] { torch::jit::IValue out = module.forward(inputs); }),
           refusal([&] { module.get_method("encode")(inputs).toTensor(); }),
           refusal([&] { module.run_method("encode", torch::ones({1}), 2); }),
           refusal([&] { module.attr("fc").toModule().attr("weight").toTensor(); }),
           refusal([&] { module.to(torch::kCPU, torch::kHalf); }),
           refusal([&] { module.to(torch::Device(torch::kCPU)); }),
           refusal([&] { module.eval(); }),
           refusal([&] { module.save("net.pt"); }),
           refusal([&] { torch::jit::freeze(module); }),
           refusal([&] { torch::jit::optimize_for_inference(module); }),
           refusal([&] { torch::jit::compile("def f(x): return x"); }),
       }) {
    EXPECT_NE(text.find("wick does not run TorchScript"), std::string::npos) << text;
  }
}

TEST(Script, AnEmptyModuleHasNothing) {
  const torch::jit::Module module("net");
  EXPECT_FALSE(module.hasattr("fc"));
  EXPECT_FALSE(module.find_method("forward").has_value());
  EXPECT_EQ(module.attr("scale", 2).toInt(), 2);
  for (const auto& child : module.named_children()) ADD_FAILURE() << child.name << child.value.is_training();
  for (const auto& parameter : module.named_parameters()) ADD_FAILURE() << parameter.name << parameter.value;
  for (const auto& parameter : module.parameters()) ADD_FAILURE() << parameter;
  EXPECT_EQ(module.modules().size(), 1u);
  EXPECT_EQ(module.named_modules()[0].name, "");
  EXPECT_TRUE(module.clone().children().empty());
}

TEST(Script, SwitchesOfTheExecutor) {
  torch::jit::getProfilingMode() = false;
  torch::jit::getExecutorMode() = false;
  EXPECT_FALSE(torch::jit::getProfilingMode());
  torch::jit::setGraphExecutorOptimize(false);
  {
    torch::jit::GraphOptimizerEnabledGuard guard(true);
    EXPECT_TRUE(torch::jit::getGraphExecutorOptimize());
  }
  EXPECT_FALSE(torch::jit::getGraphExecutorOptimize());
}

TEST(Script, SharesAProgramWithOtherFiles) {
  EXPECT_TRUE(torch::equal(other_file::doubled(torch::ones({2})), torch::full({2}, 2.f)));
  EXPECT_EQ(other_file::first_of(torch::ivalue::from(std::make_tuple(3, 4))), 3);
}

}  // namespace
