// Modules as text: nn::repr as Python prints them, operator<< (module.h) as LibTorch does.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "wick/framework/core/array_ref.h"

namespace wick::nn {

class Module;
template <class Contained>
class ModuleHolder;

// The options of a layer, for printing: "in_features=4, out_features=10, bias=true" in C++, "..., bias=True" in Python.
class Fields {
 public:
  enum class Style { kCpp, kPython };
  explicit Fields(Style style) : style_(style) {}

  bool is_python() const { return style_ == Style::kPython; }
  const std::string& text() const { return text_; }

  // One of wick's layers: it prints as torch::nn::Linear(...) in C++. Other modules print their name alone there.
  Fields& layer(std::string name) {
    layer_ = std::move(name);
    return *this;
  }
  const std::string& layer() const { return layer_; }

  // A value without a name stands alone: Hardshrink(0.5).
  Fields& add(const char* name, bool value);
  Fields& add(const char* name, int64_t value);
  Fields& add(const char* name, double value);
  Fields& add(const char* name, std::string_view value);  // in quotes
  Fields& add(const char* name, const std::optional<double>& value);
  Fields& add_flag(const char* name, bool value) { return value ? add(name, true) : *this; }
  // What is added next shows in LibTorch's style alone.
  Fields& in_cpp_only() {
    skip_next_ = is_python();
    return *this;
  }
  // 3 where all D are 3 in Python, where D is 1 in C++; else the list. A tuple is a list in Python even so: (3,).
  Fields& add_sizes(const char* name, IntArrayRef values, bool tuple = false);
  Fields& add_list(const char* name, IntArrayRef values);  // [1, 2] in C++, (1, 2) in Python
  Fields& add_text(const char* name, std::string_view value);  // as it is

 private:
  Style style_;
  bool skip_next_ = false;
  std::string layer_;
  std::string text_;
};

// MLP(
//   (fc1): Linear(in_features=4, out_features=10, bias=True)
// )
std::string repr(const Module& module);
template <class M>
std::string repr(const std::shared_ptr<M>& module) { return repr(static_cast<const Module&>(*module)); }
template <class Contained>
std::string repr(const ModuleHolder<Contained>& module) { return repr(static_cast<const Module&>(*module)); }

}  // namespace wick::nn
