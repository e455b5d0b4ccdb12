// Structs whose members have names: what options and the state of a parameter have in common.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "wick/framework/autograd/ivalue.h"

// Lists the members of a struct that count; in values(), weight_decay_ is called "weight_decay". with_fields(f) is f of all of them.
#define WICK_FIELDS(...)                                   \
 public:                                                   \
  static constexpr const char* kFields = #__VA_ARGS__ ","; \
  template <class F>                                       \
  auto with_fields(const F& f) { return f(__VA_ARGS__); }  \
  template <class F>                                       \
  auto with_fields(const F& f) const { return f(__VA_ARGS__); }

namespace wick::serialize { class InputArchive; class OutputArchive; }

namespace wick::optim {

using NamedValues = std::vector<std::pair<std::string, IValue>>;

// The values of a struct by name. set_value() returns false, and changes nothing, where there is none of that name.
struct NamedStruct {
  virtual ~NamedStruct() = default;
  virtual NamedValues values() const { return {}; }
  virtual bool set_value(const std::string& /*name*/, const IValue& /*value*/) { return false; }
  // What a struct of LibTorch's overrides has in place of WICK_FIELDS. (compat/torch/optim/serialize_arg.h)
  virtual void serialize(::wick::serialize::InputArchive& /*archive*/) {}
  virtual void serialize(::wick::serialize::OutputArchive& /*archive*/) const {}
};

namespace detail {

// To an IValue and back.
IValue to_value(const std::deque<Tensor>& x);
IValue to_value(const std::tuple<double, double>& x);
template <class T>
IValue to_value(const T& x) {
  if constexpr (requires { x.has_value(); }) return x ? to_value(*x) : IValue();
  else return IValue(x);
}

void from_value(const IValue& value, double& to);
void from_value(const IValue& value, int64_t& to);
void from_value(const IValue& value, bool& to);
void from_value(const IValue& value, std::string& to);
void from_value(const IValue& value, Tensor& to);
void from_value(const IValue& value, std::tuple<double, double>& to);
void from_value(const IValue& value, std::deque<Tensor>& to);
template <class T>
void from_value(const IValue& value, std::optional<T>& to) {
  to.reset();
  if (!value.isNone()) from_value(value, to.emplace());
}

template <class T>
bool same(const T& a, const T& b) { return a == b; }
bool same(const Tensor& a, const Tensor& b);
bool same(const std::deque<Tensor>& a, const std::deque<Tensor>& b);

}  // namespace detail

// What Derived inherits to be clonable and comparable, and to have values. Without WICK_FIELDS it has no values.
template <class Derived, class Base>
class WithFields : public Base {
 public:
  std::unique_ptr<Base> clone() const override;
  NamedValues values() const override;
  bool set_value(const std::string& name, const IValue& value) override;
  friend bool operator==(const Derived& a, const Derived& b) {
    return a.with_fields([&](const auto&... x) {
      return b.with_fields([&](const auto&... y) { return (... && detail::same(x, y)); });
    });
  }

 protected:
  template <class F, class D>
  static void for_fields(const F& f, D& derived);
  Derived& self() { return static_cast<Derived&>(*this); }
  const Derived& self() const { return static_cast<const Derived&>(*this); }
};

// Outside of the class, so that `extern template` spares whoever includes this the members of the optimisers that are there.

template <class Derived, class Base>
std::unique_ptr<Base> WithFields<Derived, Base>::clone() const {
  return std::make_unique<Derived>(self());
}
template <class Derived, class Base>
NamedValues WithFields<Derived, Base>::values() const {
  if constexpr (requires { serialized_values(self()); }) return serialized_values(self());
  NamedValues result;
  for_fields([&](const std::string& name, const auto& x) { result.emplace_back(name, detail::to_value(x)); }, self());
  return result;
}
template <class Derived, class Base>
bool WithFields<Derived, Base>::set_value(const std::string& name, const IValue& value) {
  if constexpr (requires { serialized_values(self()); }) return set_serialized(self(), name, value);
  bool found = false;
  for_fields([&](const std::string& known, auto& x) { if (name == known) detail::from_value(value, x), found = true; }, self());
  return found;
}
template <class Derived, class Base>
template <class F, class D>
void WithFields<Derived, Base>::for_fields(const F& f, D& derived) {
  if constexpr (requires { Derived::kFields; }) {
    const char* end = Derived::kFields;
    const auto next = [&] {
      const char* begin = end + (*end == ' ');
      for (end = begin; *end != ','; ++end) {}
      return std::string(begin, end++ - 1);
    };
    derived.with_fields([&](auto&... x) { (f(next(), x), ...); });
  }
}

}  // namespace wick::optim
