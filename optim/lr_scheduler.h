// Learning-rate schedules.
//
//   optim::StepLR scheduler(optimizer, 30, 0.1);
//   for (epoch ...) { train(); scheduler.step(); }   // after the optimiser's steps
//
// The rates are Python's (torch.optim.lr_scheduler): after n calls of step() the optimiser uses that of epoch n. LibTorch's C++ classes
// lag one call behind.
#pragma once

#include <vector>

#include "wick/optim/optimizer.h"

namespace wick::optim {

// A schedule of one's own derives from this and defines get_lrs().
class LRScheduler {
 public:
  // The optimiser must outlive the scheduler.
  explicit LRScheduler(Optimizer& optimizer) : optimizer_(optimizer) {}
  virtual ~LRScheduler() = default;

  // Goes to the next epoch: gives each parameter group its new learning rate, where a captured step sees it, too.
  void step();
  // The rate of each group as it is now.
  std::vector<double> get_last_lr() const { return get_current_lrs(); }

 protected:
  // The rates that step() is about to set, one for each group.
  virtual std::vector<double> get_lrs() = 0;
  std::vector<double> get_current_lrs() const;

  unsigned step_count_ = 0;  // calls of step() before this one

 private:
  Optimizer& optimizer_;
};

// Multiplies the rate by gamma every step_size epochs.
class StepLR : public LRScheduler {
 public:
  StepLR(Optimizer& optimizer, unsigned step_size, double gamma = 0.1);

 private:
  std::vector<double> get_lrs() override;

  unsigned step_size_;
  double gamma_;
};

}  // namespace wick::optim
