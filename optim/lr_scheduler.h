// Learning-rate schedules.
//
//   optim::StepLR scheduler(optimizer, 30, 0.1);
//   for (epoch ...) { train(); scheduler.step(); }   // after the optimiser's steps
//
// The rates are Python's (torch.optim.lr_scheduler): a schedule sets the rate of epoch 0 when it is made, and after n calls of step() the
// optimiser uses that of epoch n. LibTorch's C++ classes lag one call behind. Below, `base` is the rate that a group had when the first
// schedule was made for its optimiser. Most schedules multiply the rate that is there, so that several may act together.
#pragma once

#include "wick/optim/optimizer.h"

namespace wick::optim {

// A schedule of one's own derives from this and defines get_lrs().
class LRScheduler {
 public:
  // The optimiser must outlive the scheduler.
  explicit LRScheduler(Optimizer& optimizer) : optimizer_(optimizer) {}
  virtual ~LRScheduler() = default;

  // Goes to the next epoch: gives each parameter group its new learning rate, where a captured step sees it, too.
  virtual void step();
  // The rate of each group as it is now.
  std::vector<double> get_last_lr() const { return get_current_lrs(); }
  unsigned last_epoch() const { return step_count_; }

  // Where the schedule is, under Python's keys: "last_epoch", "base_lrs", "_last_lr"; those of schedules inside a SequentialLR as
  // "_schedulers.0.last_epoch" and so on. What the constructor was given is no part of it.
  virtual StateDict state_dict() const;
  // Goes on from there, and gives the optimiser the rates that it had. Takes Python's as well. Throws ValueError, before anything is
  // changed, for the state of another kind of schedule, or of another number of groups.
  void load_state_dict(const StateDict& dict);

 protected:
  // What load_state_dict() does: checks that the keys below the prefix suit, or takes their values.
  virtual void check_state(const StateDict& dict, const std::string& prefix) const;
  virtual void take_state(const StateDict& dict, const std::string& prefix);

  // What the new rate of a group depends on: the rate that it has, its base, the number of the epoch, and that of the group.
  struct Epoch {
    double lr, base;
    unsigned number;
    size_t group;
  };
  using Rule = std::function<double(const Epoch&)>;
  LRScheduler(Optimizer& optimizer, Rule rule) : optimizer_(optimizer), rule_(std::move(rule)) { set_lrs(follow_rule(0)); }

  // The rates that step() is about to set, one for each group. By default those of the rule.
  virtual std::vector<double> get_lrs() { return follow_rule(step_count_ + 1); }
  std::vector<double> get_current_lrs() const;
  // Begins anew with epoch 0 and the base rates.
  virtual void restart();

  unsigned step_count_ = 0;  // calls of step() before this one

 private:
  friend class SequentialLR;
  void set_lrs(const std::vector<double>& lrs);
  std::vector<double> follow_rule(unsigned epoch);

  Optimizer& optimizer_;
  Rule rule_;
};

// Multiplies the rate by gamma every step_size epochs.
struct StepLR : LRScheduler {
  StepLR(Optimizer& optimizer, unsigned step_size, double gamma = 0.1);
};

// Multiplies the rate by gamma at each milestone.
struct MultiStepLR : LRScheduler {
  MultiStepLR(Optimizer& optimizer, std::vector<unsigned> milestones, double gamma = 0.1);
};

// Multiplies the rate by gamma in every epoch.
struct ExponentialLR : LRScheduler {
  ExponentialLR(Optimizer& optimizer, double gamma)
      : LRScheduler(optimizer, [=](const Epoch& at) { return at.number > 0 ? at.lr * gamma : at.lr; }) {}
};

// factor base until epoch total_iters, base from there on.
struct ConstantLR : LRScheduler {
  explicit ConstantLR(Optimizer& optimizer, double factor = 1.0 / 3, unsigned total_iters = 5);
};

// From start_factor base in epoch 0 to end_factor base in epoch total_iters, in equal steps.
struct LinearLR : LRScheduler {
  explicit LinearLR(Optimizer& optimizer, double start_factor = 1.0 / 3, double end_factor = 1, unsigned total_iters = 5);
};

// base (1 - epoch / total_iters)^power, and 0 from total_iters on.
struct PolynomialLR : LRScheduler {
  explicit PolynomialLR(Optimizer& optimizer, unsigned total_iters = 5, double power = 1);
};

// eta_min + (base - eta_min) (1 + cos(pi epoch / T_max)) / 2. (Loshchilov and Hutter, SGDR, 2017)
struct CosineAnnealingLR : LRScheduler {
  CosineAnnealingLR(Optimizer& optimizer, unsigned T_max, double eta_min = 0);
};

// As CosineAnnealingLR, but after T_0 epochs it begins anew, after T_0 T_mult more again, and so on.
struct CosineAnnealingWarmRestarts : LRScheduler {
  CosineAnnealingWarmRestarts(Optimizer& optimizer, unsigned T_0, unsigned T_mult = 1, double eta_min = 0);
};

// base f(epoch), with one function for all groups or one for each.
struct LambdaLR : LRScheduler {
  using Lambda = std::function<double(unsigned epoch)>;
  LambdaLR(Optimizer& optimizer, Lambda lambda);
  LambdaLR(Optimizer& optimizer, std::vector<Lambda> lambdas);
};

struct OneCycleLROptions {
  // total_steps: epochs times steps in an epoch; step() is called after every step of the optimiser.
  OneCycleLROptions(double max_lr, unsigned total_steps) : max_lr_(max_lr), total_steps_(total_steps) {}
  WICK_ARG(double, max_lr);
  WICK_ARG(unsigned, total_steps);
  WICK_ARG(double, pct_start) = 0.3;                // the share of the steps in which the rate rises
  WICK_ARG(std::string, anneal_strategy) = "cos";   // or "linear"
  WICK_ARG(bool, cycle_momentum) = true;            // momentum (or beta1) falls while the rate rises, and the other way round
  WICK_ARG(double, base_momentum) = 0.85;
  WICK_ARG(double, max_momentum) = 0.95;
  WICK_ARG(double, div_factor) = 25;                // the rate begins at max_lr / div_factor,
  WICK_ARG(double, final_div_factor) = 1e4;         // and ends at that divided by final_div_factor
  WICK_ARG(bool, three_phase) = false;              // falls as long as it has risen, then to the end
};

// Smith and Topin, Super-convergence, 2018. Throws ValueError where step() is called more than total_steps times.
struct OneCycleLR : LRScheduler {
  OneCycleLR(Optimizer& optimizer, const OneCycleLROptions& options);
};

// Follows one schedule up to a milestone, then the next, which begins with its epoch 0 and the base rates. The schedulers are those of
// the same optimiser, one more than milestones.
class SequentialLR : public LRScheduler {
 public:
  SequentialLR(Optimizer& optimizer, std::vector<std::shared_ptr<LRScheduler>> schedulers, std::vector<unsigned> milestones);
  void step() override;
  StateDict state_dict() const override;

 private:
  void restart() override;
  void check_state(const StateDict& dict, const std::string& prefix) const override;
  void take_state(const StateDict& dict, const std::string& prefix) override;

  std::vector<std::shared_ptr<LRScheduler>> schedulers_;
  std::vector<unsigned> milestones_;
};

// Multiplies the rates by `factor` when a measured value has not become better for more than `patience` epochs. Better: by more than the
// share `threshold` of the best one (rel), or by more than `threshold` (abs). min_lr: one bound for each group, or none.
class ReduceLROnPlateauScheduler {
 public:
  enum SchedulerMode { min, max };
  enum ThresholdMode { rel, abs };

  explicit ReduceLROnPlateauScheduler(Optimizer& optimizer, SchedulerMode mode = min, float factor = 0.1f, int patience = 10,
                                      double threshold = 1e-4, ThresholdMode threshold_mode = rel, int cooldown = 0,
                                      const std::vector<float>& min_lr = {}, double eps = 1e-8, bool verbose = false);
  void step(float metric);

  // As LRScheduler's: "best", "num_bad_epochs", "cooldown_counter", "last_epoch", "_last_lr".
  StateDict state_dict() const;
  void load_state_dict(const StateDict& dict);

 private:
  Optimizer& optimizer_;
  double sign_, factor_, threshold_, eps_, best_;  // sign_: 1 where larger is better, -1 where smaller is
  int patience_, cooldown_, bad_epochs_ = 0, cooldown_left_ = 0, last_epoch_ = 0;
  bool relative_, verbose_;
  std::vector<float> min_lrs_;
};
using ReduceLROnPlateau = ReduceLROnPlateauScheduler;

}  // namespace wick::optim
