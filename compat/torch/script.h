// TorchScript's names. wick runs no TorchScript programs: what needs one throws and says what to do instead.
#pragma once

#include <torch/torch.h>

#include <istream>
#include <string>
#include <vector>

namespace torch::jit {
namespace script_detail {
[[noreturn]] inline void no_script(const std::string& what) {
  throw c10::NotImplementedError(
      what + ": wick does not run TorchScript.\n  Write the network as a torch::nn::Module, save the weights in Python with "
             "torch.save(model.state_dict(), ...) or as safetensors, and load them into the module by name.");
}
}  // namespace script_detail

using IValue = wick::IValue;

// A variable of this type may exist, as programs declare one before they load into it; it never holds a network.
struct Module {
  IValue forward(Stack) { script_detail::no_script("torch::jit::Module::forward"); }
  IValue operator()(Stack inputs) { return forward(std::move(inputs)); }
  template <class... Args>
  IValue run_method(const std::string&, Args&&...) { script_detail::no_script("torch::jit::Module::run_method"); }
  IValue attr(const std::string&) const { script_detail::no_script("torch::jit::Module::attr"); }
  bool hasattr(const std::string&) const { return false; }
  void to(at::Device, bool = false) { script_detail::no_script("torch::jit::Module::to"); }
  void to(at::ScalarType, bool = false) { script_detail::no_script("torch::jit::Module::to"); }
  void eval() { script_detail::no_script("torch::jit::Module::eval"); }
  void train(bool = true) { script_detail::no_script("torch::jit::Module::train"); }
  void save(const std::string&) const { script_detail::no_script("torch::jit::Module::save"); }
  std::vector<at::Tensor> parameters(bool = true) const { return {}; }
  std::vector<at::Tensor> buffers(bool = true) const { return {}; }
};
namespace script {
using Module = jit::Module;
}

inline Module load(const std::string& filename, at::optional<at::Device> = at::nullopt) {
  script_detail::no_script("torch::jit::load(\"" + filename + "\")");
}
inline Module load(std::istream&, at::optional<at::Device> = at::nullopt) { script_detail::no_script("torch::jit::load"); }
inline Module freeze(const Module&) { script_detail::no_script("torch::jit::freeze"); }
inline Module optimize_for_inference(const Module&) { script_detail::no_script("torch::jit::optimize_for_inference"); }

}  // namespace torch::jit
