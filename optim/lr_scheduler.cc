#include "wick/optim/lr_scheduler.h"

namespace wick::optim {

void LRScheduler::step() {
  const std::vector<double> lrs = get_lrs();
  std::vector<OptimizerParamGroup>& groups = optimizer_.param_groups();
  WICK_CHECK(lrs.size() == groups.size(), "Number of learning rates not equal to the number of param groups\n",
             "Number of learning rates given: ", lrs.size(), "\nNumber of param groups: ", groups.size());
  for (size_t i = 0; i < groups.size(); ++i) groups[i].options().set_lr(lrs[i]);
  optimizer_.refresh_options();
  ++step_count_;
}

std::vector<double> LRScheduler::get_current_lrs() const {
  std::vector<double> lrs;
  for (const OptimizerParamGroup& group : optimizer_.param_groups()) lrs.push_back(group.options().get_lr());
  return lrs;
}

StepLR::StepLR(Optimizer& optimizer, unsigned step_size, double gamma) : LRScheduler(optimizer), step_size_(step_size), gamma_(gamma) {
  WICK_CHECK_VALUE(step_size > 0, "StepLR: step_size must be at least 1, got ", step_size);
}

std::vector<double> StepLR::get_lrs() {
  std::vector<double> lrs = get_current_lrs();
  if ((step_count_ + 1) % step_size_ == 0) {
    for (double& lr : lrs) lr *= gamma_;
  }
  return lrs;
}

}  // namespace wick::optim
