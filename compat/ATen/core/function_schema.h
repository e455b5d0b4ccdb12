// The signature of an operator as TORCH_LIBRARY declares it: "my::scale_(Tensor(a!) self, float by=1.0) -> Tensor(a!)".
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace c10 {

struct OperatorName {
  std::string name;           // "my::add"
  std::string overload_name;  // often ""
  friend bool operator==(const OperatorName&, const OperatorName&) = default;
};
std::string toString(const OperatorName& name);  // "my::add.overload"
std::ostream& operator<<(std::ostream& out, const OperatorName& name);

// The memory that a value shares with others of the same set: (a) a view of it, (a!) written to.
class AliasInfo {
 public:
  AliasInfo(std::string set, bool is_write) : set_(std::move(set)), is_write_(is_write) {}
  const std::string& set() const { return set_; }
  bool isWrite() const { return is_write_; }

 private:
  std::string set_;
  bool is_write_;
};

class Argument {
 public:
  Argument(std::string name, std::string type, std::optional<AliasInfo> alias = {}, std::optional<std::string> default_value = {},
           bool kwarg_only = false)
      : name_(std::move(name)),
        type_(std::move(type)),
        alias_(std::move(alias)),
        default_(std::move(default_value)),
        kwarg_only_(kwarg_only) {}
  const std::string& name() const { return name_; }
  // Without aliases and lengths of lists: "Tensor", "Tensor[]", "int[]?".
  const std::string& type() const { return type_; }
  const AliasInfo* alias_info() const { return alias_ ? &*alias_ : nullptr; }
  const std::optional<std::string>& default_value() const { return default_; }
  bool kwarg_only() const { return kwarg_only_; }

 private:
  std::string name_, type_;
  std::optional<AliasInfo> alias_;
  std::optional<std::string> default_;
  bool kwarg_only_;
};

class FunctionSchema {
 public:
  FunctionSchema(OperatorName name, std::vector<Argument> arguments, std::vector<Argument> returns)
      : name_(std::move(name)), arguments_(std::move(arguments)), returns_(std::move(returns)) {}
  const OperatorName& operator_name() const { return name_; }
  const std::string& name() const { return name_.name; }
  const std::string& overload_name() const { return name_.overload_name; }
  const std::vector<Argument>& arguments() const { return arguments_; }
  const std::vector<Argument>& returns() const { return returns_; }
  bool is_mutable() const;

 private:
  OperatorName name_;
  std::vector<Argument> arguments_, returns_;
};
std::string toString(const FunctionSchema& schema);
std::ostream& operator<<(std::ostream& out, const FunctionSchema& schema);

}  // namespace c10

namespace torch::jit {
// Throw for text that is no schema or no name. The name alone may stand where a schema follows from a function.
c10::FunctionSchema parseSchema(const std::string& text);
c10::OperatorName parseName(const std::string& text);
}  // namespace torch::jit
