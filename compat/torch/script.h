// TorchScript's names. wick runs no TorchScript programs: what needs one throws and says what to do instead.
#pragma once

#include <torch/torch.h>

#include <istream>
#include <optional>
#include <ostream>
#include <string>
#include <unordered_map>
#include <utility>
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
using ExtraFilesMap = std::unordered_map<std::string, std::string>;

// What a network returns; with it programs write forward(...).toGenericDict().at("out").
struct Result : IValue {
  using IValue::IValue;
  c10::impl::GenericDict toGenericDict() const { return IValue::toGenericDict(); }
};

struct Method {
  Result operator()(Stack, const std::unordered_map<std::string, IValue>& = {}) const { script_detail::no_script("torch::jit::Method"); }
  std::string name_;
  const std::string& name() const { return name_; }
};

template <class Value>
struct Named {
  std::string name;
  Value value;
};

// A variable of this type may exist, as programs declare one before they load into it; it never holds a network.
struct Module {
  Module() = default;
  explicit Module(const std::string&) {}

  Result forward(Stack, const std::unordered_map<std::string, IValue>& = {}) { script_detail::no_script("torch::jit::Module::forward"); }
  Result operator()(Stack inputs) { return forward(std::move(inputs)); }
  template <class... Args>
  Result run_method(const std::string&, Args&&...) { script_detail::no_script("torch::jit::Module::run_method"); }
  Method get_method(const std::string&) const { script_detail::no_script("torch::jit::Module::get_method"); }
  std::optional<Method> find_method(const std::string&) const { return std::nullopt; }
  std::vector<Method> get_methods() const { return {}; }
  void define(const std::string&) { script_detail::no_script("torch::jit::Module::define"); }
  Result attr(const std::string&) const { script_detail::no_script("torch::jit::Module::attr"); }
  IValue attr(const std::string&, IValue otherwise) const { return otherwise; }
  void setattr(const std::string&, const IValue&) { script_detail::no_script("torch::jit::Module::setattr"); }
  bool hasattr(const std::string&) const { return false; }
  void to(at::Device, at::ScalarType, bool = false) { script_detail::no_script("torch::jit::Module::to"); }
  void to(at::Device, bool = false) { script_detail::no_script("torch::jit::Module::to"); }
  void to(at::ScalarType, bool = false) { script_detail::no_script("torch::jit::Module::to"); }
  void eval() { script_detail::no_script("torch::jit::Module::eval"); }
  void train(bool = true) { script_detail::no_script("torch::jit::Module::train"); }
  bool is_training() const { return false; }
  Module copy() const { return {}; }
  Module clone() const { return {}; }
  Module deepcopy() const { return {}; }
  void save(const std::string&, const ExtraFilesMap& = {}) const { script_detail::no_script("torch::jit::Module::save"); }
  void save(std::ostream&, const ExtraFilesMap& = {}) const { script_detail::no_script("torch::jit::Module::save"); }
  void dump(bool, bool, bool) const { script_detail::no_script("torch::jit::Module::dump"); }
  std::vector<at::Tensor> parameters(bool = true) const { return {}; }
  std::vector<at::Tensor> buffers(bool = true) const { return {}; }
  std::vector<Named<at::Tensor>> named_parameters(bool = true) const { return {}; }
  std::vector<Named<at::Tensor>> named_buffers(bool = true) const { return {}; }
  std::vector<Named<IValue>> named_attributes(bool = true) const { return {}; }
  std::vector<Module> children() const { return {}; }
  std::vector<Module> modules() const { return {*this}; }
  inline std::vector<Named<Module>> named_children() const;
  inline std::vector<Named<Module>> named_modules() const;
};
inline std::vector<Named<Module>> Module::named_children() const { return {}; }
inline std::vector<Named<Module>> Module::named_modules() const { return {{"", *this}}; }

namespace script {
using Module = jit::Module;
using Method = jit::Method;
}  // namespace script

inline Module load(const std::string& filename, at::optional<at::Device> = at::nullopt) {
  script_detail::no_script("torch::jit::load(\"" + filename + "\")");
}
inline Module load(const std::string& filename, at::optional<at::Device>, ExtraFilesMap&) { return load(filename); }
inline Module load(std::istream&, at::optional<at::Device> = at::nullopt) { script_detail::no_script("torch::jit::load"); }
inline Module load(std::istream& stream, at::optional<at::Device>, ExtraFilesMap&) { return load(stream); }
inline Module freeze(const Module&, const at::optional<std::vector<std::string>>& = at::nullopt, bool = true) {
  script_detail::no_script("torch::jit::freeze");
}
inline Module optimize_for_inference(const Module&, const std::vector<std::string>& = {}) {
  script_detail::no_script("torch::jit::optimize_for_inference");
}
inline std::shared_ptr<CompilationUnit> compile(const std::string&) { script_detail::no_script("torch::jit::compile"); }

// Switches of the executor that is not there; a program may set them.
inline bool& getProfilingMode() {
  static bool on = true;
  return on;
}
inline bool& getExecutorMode() {
  static bool on = true;
  return on;
}
inline bool& executor_optimizes() {
  static thread_local bool on = true;
  return on;
}
inline void setGraphExecutorOptimize(bool on) { executor_optimizes() = on; }
inline bool getGraphExecutorOptimize() { return executor_optimizes(); }
struct GraphOptimizerEnabledGuard {
  explicit GraphOptimizerEnabledGuard(bool on) : before_(getGraphExecutorOptimize()) { setGraphExecutorOptimize(on); }
  GraphOptimizerEnabledGuard(const GraphOptimizerEnabledGuard&) = delete;
  GraphOptimizerEnabledGuard& operator=(const GraphOptimizerEnabledGuard&) = delete;
  ~GraphOptimizerEnabledGuard() { setGraphExecutorOptimize(before_); }

 private:
  bool before_;
};

}  // namespace torch::jit

namespace wick {
inline auto IValue::toModule() const {
  torch::jit::script_detail::no_script("c10::IValue::toModule");
  return torch::jit::Module();
}
}  // namespace wick
