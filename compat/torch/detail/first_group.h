// What an Optimizer keeps from before there were groups, and warns of: parameters() and add_parameters() mean the first group, size() is
// the number of parameters in all of them.
#pragma once

#include "wick/framework/core/warning.h"
#include "wick/optim/optimizer.h"

namespace wick::optim {
namespace detail {
inline void warn_removed(const char* what) { WICK_WARN("Optimizer::", what, " will be removed in PyTorch 1.6"); }
}  // namespace detail

inline auto Optimizer::add_parameters(const std::vector<Tensor>& parameters) {
  detail::warn_removed("add_parameters()");
  add_param_group(OptimizerParamGroup(parameters));
  if (param_groups_.size() == 1) return;
  std::vector<Tensor>& first = param_groups_[0].params();
  first.insert(first.end(), parameters.begin(), parameters.end());
  param_groups_.pop_back();
}

inline decltype(auto) Optimizer::parameters() const noexcept {
  detail::warn_removed("parameters()");
  return param_groups_.at(0).params();
}
inline decltype(auto) Optimizer::parameters() noexcept { return const_cast<std::vector<Tensor>&>(std::as_const(*this).parameters()); }

inline auto Optimizer::size() const noexcept {
  detail::warn_removed("size()");
  size_t count = 0;
  for (const OptimizerParamGroup& group : param_groups_) count += group.params().size();
  return count;
}

}  // namespace wick::optim
