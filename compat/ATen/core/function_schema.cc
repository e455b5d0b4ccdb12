#include <ATen/core/function_schema.h>

#include <algorithm>
#include <ostream>
#include <string_view>

#include "wick/framework/core/error.h"

namespace c10 {

std::string toString(const OperatorName& name) { return name.overload_name.empty() ? name.name : name.name + '.' + name.overload_name; }
std::ostream& operator<<(std::ostream& out, const OperatorName& name) { return out << toString(name); }

namespace {

void append(std::string& out, const Argument& x) {
  // The alias set stands behind the element type: Tensor(a!)[].
  const size_t element = std::min(x.type().find_first_of("[?"), x.type().size());
  out += x.type().substr(0, element);
  if (const AliasInfo* alias = x.alias_info()) out += '(' + alias->set() + (alias->isWrite() ? "!)" : ")");
  out += x.type().substr(element);
  if (!x.name().empty()) out += ' ' + x.name();
  if (x.default_value()) out += '=' + *x.default_value();
}

}  // namespace

std::string toString(const FunctionSchema& schema) {
  std::string out = toString(schema.operator_name()) + '(';
  bool kwarg_only = false;
  for (size_t i = 0; i < schema.arguments().size(); ++i) {
    const Argument& x = schema.arguments()[i];
    if (i) out += ", ";
    if (x.kwarg_only() && !std::exchange(kwarg_only, true)) out += "*, ";
    append(out, x);
  }
  out += ") -> ";
  const bool single = schema.returns().size() == 1;
  if (!single) out += '(';
  for (size_t i = 0; i < schema.returns().size(); ++i) {
    if (i) out += ", ";
    append(out, schema.returns()[i]);
  }
  return single ? out : out + ')';
}
std::ostream& operator<<(std::ostream& out, const FunctionSchema& schema) { return out << toString(schema); }

bool FunctionSchema::is_mutable() const {
  return std::ranges::any_of(arguments_, [](const Argument& x) { return x.alias_info() && x.alias_info()->isWrite(); });
}

}  // namespace c10

namespace torch::jit {
namespace {

// Reads a schema from left to right.
class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) {}

  c10::OperatorName name() {
    c10::OperatorName result{word(), ""};
    if (take("::")) result.name += "::" + word();
    if (take(".")) result.overload_name = word();
    return result;
  }

  c10::FunctionSchema schema() {
    c10::OperatorName its_name = name();
    expect("(");
    std::vector<c10::Argument> arguments = list(true);
    expect("->");
    std::vector<c10::Argument> returns;
    if (take("(")) returns = list(false);
    else returns.push_back(item(false, false));
    end();
    return {std::move(its_name), std::move(arguments), std::move(returns)};
  }

  void end() {
    skip_space();
    check(at_ == text_.size(), "the end");
  }

 private:
  // Up to the closing parenthesis.
  std::vector<c10::Argument> list(bool named) {
    std::vector<c10::Argument> items;
    bool kwarg_only = false;
    if (take(")")) return items;
    do {
      if (named && take("*")) kwarg_only = true;
      else items.push_back(item(named, kwarg_only));
    } while (take(","));
    expect(")");
    return items;
  }

  c10::Argument item(bool named, bool kwarg_only) {
    std::string type = word();
    std::optional<c10::AliasInfo> alias;
    for (;;) {
      if (take("(")) {
        const size_t from = at_;
        while (at_ < text_.size() && text_[at_] != ')') ++at_;
        const std::string inside = text_.substr(from, at_ - from);
        alias.emplace(inside.substr(0, inside.find_first_of("! ")), inside.find('!') != inside.npos);
        expect(")");
      } else if (take("[")) {
        while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]))) ++at_;
        expect("]");
        type += "[]";
      } else if (take("?")) {
        type += '?';
      } else {
        break;
      }
    }
    std::string its_name = named || is_word() ? word() : "";
    std::optional<std::string> default_value;
    if (named && take("=")) default_value = value();
    return {std::move(its_name), std::move(type), std::move(alias), std::move(default_value), kwarg_only};
  }

  // A default value: everything up to a comma or parenthesis that is not inside of brackets or quotes.
  std::string value() {
    skip_space();
    const size_t from = at_;
    char quote = 0;
    for (int depth = 0; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (quote) {
        if (c == quote) quote = 0;
        continue;
      }
      if (depth == 0 && (c == ',' || c == ')')) break;
      if (c == '"' || c == '\'') quote = c;
      depth += c == '[' || c == '(';
      depth -= c == ']' || c == ')';
    }
    check(at_ > from, "a default value");
    return text_.substr(from, at_ - from);
  }

  static bool is_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool is_word() {
    skip_space();
    return at_ < text_.size() && is_part(text_[at_]);
  }
  std::string word() {
    check(is_word(), "a name");
    const size_t from = at_;
    while (at_ < text_.size() && is_part(text_[at_])) ++at_;
    return text_.substr(from, at_ - from);
  }
  bool take(std::string_view token) {
    skip_space();
    const bool found = text_.compare(at_, token.size(), token) == 0;
    if (found) at_ += token.size();
    return found;
  }
  void expect(const char* token) { check(take(token), token); }
  void check(bool ok, const char* wanted) const {
    WICK_CHECK(ok, "expected ", wanted, " but found '", text_.substr(std::min(at_, text_.size())), "' here:\n  ", text_);
  }

  const std::string& text_;
  size_t at_ = 0;
};

}  // namespace

c10::FunctionSchema parseSchema(const std::string& text) { return Parser(text).schema(); }
c10::OperatorName parseName(const std::string& text) {
  Parser parser(text);
  c10::OperatorName name = parser.name();
  parser.end();
  return name;
}

}  // namespace torch::jit
