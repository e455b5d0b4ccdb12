#include "wick/nn/sequential.h"

#include <ostream>

namespace wick::nn {

template class Cloneable<SequentialImpl>;
template class ModuleHolder<SequentialImpl>;

std::shared_ptr<Module> SequentialImpl::clone(const std::optional<Device>& device) const {
  auto copy = std::make_shared<SequentialImpl>(*this);
  copy->clear_registered();
  const std::vector<std::string> names = named_children().keys();
  const detail::CloneScope scope(*this, device);
  for (size_t i = 0; i < size(); ++i) {
    std::shared_ptr<Module>& module = copy->modules_[i].module_;
    copy->register_module(names[i], module = scope.find(module.get()));
  }
  return copy;
}

void SequentialImpl::pretty_print(std::ostream& stream) const { stream << "torch::nn::Sequential"; }

void SequentialImpl::push_back(std::string name, AnyModule module) {
  register_module(std::move(name), module.ptr());
  modules_.push_back(std::move(module));
}

size_t SequentialImpl::run_tensor(Tensor& x) {
  size_t i = 0;
  for (; i < modules_.size() && modules_[i].maps_tensor(); ++i) x = modules_[i].run_tensor(true, std::move(x));
  return i;
}

AnyValue SequentialImpl::run_any(size_t first, AnyValue value) {
  for (size_t i = first; i < modules_.size(); ++i) value = modules_[i].run_any(true, std::move(value));
  return value;
}

}  // namespace wick::nn
