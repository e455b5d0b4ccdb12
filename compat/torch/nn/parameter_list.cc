#include <torch/nn/parameter_list.h>

#include <ostream>

namespace wick::nn {
namespace {

Tensor copy_of(const Tensor& parameter, const std::optional<Device>& device) {
  const Tensor copy = parameter.detach().to(TensorOptions(device.value_or(parameter.device())), false, /*copy=*/true);
  return copy.requires_grad_(parameter.requires_grad());
}

// "(0): Parameter containing: [Float of size [2, 3]]" on a line of its own for each.
void print_parameters(std::ostream& stream, const char* name, const OrderedDict<std::string, Tensor>& parameters) {
  stream << "torch::nn::" << name << "(\n";
  for (const auto& item : parameters) {
    stream << wick::detail::concat('(', item.key(), "): Parameter containing: [", item.value().scalar_type(), " of size ",
                                   item.value().sizes(), "]\n");
  }
  stream << ')';
}

}  // namespace

WICK_LAYER_DEFINITION(ParameterList);
WICK_LAYER_DEFINITION(ParameterDict);

std::shared_ptr<Module> ParameterListImpl::clone(const std::optional<Device>& device) const {
  auto copy = std::make_shared<ParameterListImpl>(*this);
  copy->clear_registered();
  for (const auto& item : parameters_) copy->append(copy_of(item.value(), device));
  return copy;
}
void ParameterListImpl::pretty_print(std::ostream& stream) const { print_parameters(stream, "ParameterList", parameters_); }

Tensor& ParameterListImpl::at(size_t index) {
  WICK_CHECK(index < size(), "Index out of range");
  return parameters_[index].value();
}
const Tensor& ParameterListImpl::at(size_t index) const { return const_cast<ParameterListImpl&>(*this).at(index); }

std::shared_ptr<Module> ParameterDictImpl::clone(const std::optional<Device>& device) const {
  auto copy = std::make_shared<ParameterDictImpl>(*this);
  copy->clear_registered();
  for (const auto& item : parameters_) copy->insert(item.key(), copy_of(item.value(), device));
  return copy;
}
void ParameterDictImpl::pretty_print(std::ostream& stream) const { print_parameters(stream, "ParameterDict", parameters_); }

Tensor ParameterDictImpl::pop(const std::string& key) {
  Tensor parameter = parameters_[key];
  parameters_.erase(key);
  return parameter;
}
void ParameterDictImpl::update(const Dict& parameters) {
  for (const std::string& key : parameters.keys()) get(key);
  for (const auto& item : parameters) get(item.key()) = item.value();
}

}  // namespace wick::nn
