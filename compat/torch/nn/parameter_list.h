// ParameterList and ParameterDict: parameters under numbers or names.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "wick/nn/cloneable.h"

namespace wick::nn {

// A tensor keeps its own requires_grad.
class ParameterListImpl : public Cloneable<ParameterListImpl> {
 public:
  using Iterator = OrderedDict<std::string, Tensor>::Iterator;
  using ConstIterator = OrderedDict<std::string, Tensor>::ConstIterator;

  ParameterListImpl() = default;
  template <class... Tensors>
    requires(sizeof...(Tensors) > 0 && (... && std::is_convertible_v<Tensors, Tensor>))
  explicit ParameterListImpl(Tensors&&... parameters) {
    (append(std::forward<Tensors>(parameters)), ...);
  }
  std::shared_ptr<Module> clone(const std::optional<Device>& device = std::nullopt) const override;
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;

  void append(const Tensor& parameter) { register_parameter(std::to_string(size()), parameter, parameter.requires_grad()); }
  template <class Container>
  void extend(const Container& container) {
    for (const Tensor& parameter : container) append(parameter);
  }
  void extend(const ParameterListImpl& other) { extend(other.parameters_.values()); }
  void operator+=(const ParameterListImpl& other) { extend(other); }
  // Items: `item.key()`, `item.value()`.
  WICK_ITERATE(parameters_)
  bool is_empty() const noexcept { return parameters_.is_empty(); }
  Tensor& at(size_t index);
  const Tensor& at(size_t index) const;
  Tensor& operator[](size_t index) { return at(index); }
  const Tensor& operator[](size_t index) const { return at(index); }
};

class ParameterDictImpl : public Cloneable<ParameterDictImpl> {
 public:
  using Dict = OrderedDict<std::string, Tensor>;
  using Iterator = Dict::Iterator;
  using ConstIterator = Dict::ConstIterator;

  ParameterDictImpl() = default;
  explicit ParameterDictImpl(const Dict& parameters) {
    for (const auto& item : parameters) insert(item.key(), item.value());
  }
  std::shared_ptr<Module> clone(const std::optional<Device>& device = std::nullopt) const override;
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;

  // Throws for a name that is there already.
  Tensor& insert(const std::string& key, const Tensor& parameter) { return register_parameter(key, parameter, parameter.requires_grad()); }
  Tensor pop(const std::string& key);
  void clear() { parameters_.clear(); }
  // Puts parameters in the place of those with the same names; throws where a name is missing.
  void update(const Dict& parameters);
  void update(const ParameterDictImpl& other) { update(other.parameters_); }

  std::vector<std::string> keys() const { return parameters_.keys(); }
  std::vector<Tensor> values() const { return parameters_.values(); }
  WICK_ITERATE(parameters_)
  bool empty() const noexcept { return parameters_.is_empty(); }
  bool contains(const std::string& key) const noexcept { return parameters_.contains(key); }
  Tensor& get(const std::string& key) { return parameters_[key]; }
  const Tensor& get(const std::string& key) const { return parameters_[key]; }
  Tensor& operator[](const std::string& key) { return get(key); }
  const Tensor& operator[](const std::string& key) const { return get(key); }
};

WICK_LAYER(ParameterList);
WICK_LAYER(ParameterDict);

}  // namespace wick::nn
