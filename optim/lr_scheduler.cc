#include "wick/optim/lr_scheduler.h"

#include <algorithm>
#include <cmath>
#include <iostream>

namespace wick::optim {

// ---- LRScheduler -------------------------------------------------------------------------------------------------------------------

void LRScheduler::step() {
  set_lrs(get_lrs());
  ++step_count_;
}

void LRScheduler::restart() {
  step_count_ = 0;
  for (OptimizerParamGroup& group : optimizer_.param_groups()) {
    if (group.initial_lr) group.options().set_lr(*group.initial_lr);
  }
  if (rule_) set_lrs(follow_rule(0));
}

std::vector<double> LRScheduler::follow_rule(unsigned epoch) {
  std::vector<double> lrs;
  for (OptimizerParamGroup& group : optimizer_.param_groups()) {
    const double lr = group.options().get_lr();
    if (!group.initial_lr) group.initial_lr = lr;
    lrs.push_back(rule_({lr, *group.initial_lr, epoch, lrs.size()}));
  }
  return lrs;
}

void LRScheduler::set_lrs(const std::vector<double>& lrs) {
  std::vector<OptimizerParamGroup>& groups = optimizer_.param_groups();
  WICK_CHECK(lrs.size() == groups.size(), "Number of learning rates not equal to the number of param groups\n",
             "Number of learning rates given: ", lrs.size(), "\nNumber of param groups: ", groups.size());
  for (size_t i = 0; i < groups.size(); ++i) groups[i].options().set_lr(lrs[i]);
  optimizer_.refresh_options();
}

std::vector<double> LRScheduler::get_current_lrs() const {
  std::vector<double> lrs;
  for (const OptimizerParamGroup& group : optimizer_.param_groups()) lrs.push_back(group.options().get_lr());
  return lrs;
}

// ---- State -------------------------------------------------------------------------------------------------------------------------

namespace {

// Throws ValueError where the key is missing or has the value of another type.
const IValue& state_at(const StateDict& dict, const std::string& key, bool (IValue::*is)() const) {
  const auto found = dict.find(key);
  WICK_CHECK_VALUE(found != dict.end() && (found->second.*is)(), "load_state_dict: the state of the scheduler has no ", key,
                   " that fits; it may be that of another kind of scheduler");
  return found->second;
}

int64_t count_at(const StateDict& dict, const std::string& key) {
  const int64_t count = state_at(dict, key, &IValue::isInt).toInt();
  WICK_CHECK_VALUE(count >= -1 && count <= INT32_MAX, "load_state_dict: ", key, " is ", count);
  return std::max<int64_t>(count, 0);  // -1: Python's SequentialLR has not come to this one yet
}

std::vector<double> rates_at(const StateDict& dict, const std::string& key, size_t groups) {
  std::vector<double> rates;
  for (const IValue& rate : state_at(dict, key, &IValue::isList).toList()) {
    WICK_CHECK_VALUE(rate.isScalar(), "load_state_dict: ", key, " has something else than numbers");
    rates.push_back(rate.toScalar().toDouble());
  }
  WICK_CHECK_VALUE(rates.size() == groups, "load_state_dict: ", key, " has ", rates.size(), " rates for ", groups, " parameter groups");
  return rates;
}

IValue::List as_list(const std::vector<double>& numbers) { return {numbers.begin(), numbers.end()}; }

}  // namespace

StateDict LRScheduler::state_dict() const {
  std::vector<double> base_lrs;
  for (const OptimizerParamGroup& group : optimizer_.param_groups()) {
    base_lrs.push_back(group.initial_lr.value_or(group.options().get_lr()));
  }
  return {{"last_epoch", int64_t{step_count_}}, {"base_lrs", as_list(base_lrs)}, {"_last_lr", as_list(get_current_lrs())}};
}

void LRScheduler::load_state_dict(const StateDict& dict) {
  check_state(dict, "");
  take_state(dict, "");
  set_lrs(rates_at(dict, "_last_lr", optimizer_.param_groups().size()));
}

void LRScheduler::check_state(const StateDict& dict, const std::string& prefix) const {
  count_at(dict, prefix + "last_epoch");
  if (!prefix.empty()) return;  // the rates are the optimiser's, once for all schedules
  rates_at(dict, "_last_lr", optimizer_.param_groups().size());
  if (dict.contains("base_lrs")) rates_at(dict, "base_lrs", optimizer_.param_groups().size());
}

void LRScheduler::take_state(const StateDict& dict, const std::string& prefix) {
  step_count_ = static_cast<unsigned>(count_at(dict, prefix + "last_epoch"));
  const std::string base = prefix + "base_lrs";
  if (!dict.contains(base)) return;  // Python's SequentialLR leaves them to its schedulers
  const std::vector<double> rates = rates_at(dict, base, optimizer_.param_groups().size());
  for (size_t g = 0; g < rates.size(); ++g) optimizer_.param_groups()[g].initial_lr = rates[g];
}

StateDict SequentialLR::state_dict() const {
  StateDict dict = LRScheduler::state_dict();
  for (size_t i = 0; i < schedulers_.size(); ++i) {
    for (const auto& [key, value] : schedulers_[i]->state_dict()) dict[wick::detail::concat("_schedulers.", i, ".", key)] = value;
  }
  return dict;
}

void SequentialLR::check_state(const StateDict& dict, const std::string& prefix) const {
  LRScheduler::check_state(dict, prefix);
  for (size_t i = 0; i < schedulers_.size(); ++i) schedulers_[i]->check_state(dict, wick::detail::concat(prefix, "_schedulers.", i, "."));
}

void SequentialLR::take_state(const StateDict& dict, const std::string& prefix) {
  for (size_t i = 0; i < schedulers_.size(); ++i) schedulers_[i]->take_state(dict, wick::detail::concat(prefix, "_schedulers.", i, "."));
  LRScheduler::take_state(dict, prefix);
}

// ---- The rules ---------------------------------------------------------------------------------------------------------------------

// From `from` to `to` along half a cosine wave, at the share x of the way.
static double along_cosine(double from, double to, double x) { return to + (from - to) / 2 * (1 + std::cos(M_PI * x)); }

StepLR::StepLR(Optimizer& optimizer, unsigned step_size, double gamma)
    : LRScheduler(optimizer, [=](const Epoch& at) { return at.number > 0 && at.number % step_size == 0 ? at.lr * gamma : at.lr; }) {
  WICK_CHECK_VALUE(step_size > 0, "StepLR: step_size must be at least 1, got ", step_size);
}

MultiStepLR::MultiStepLR(Optimizer& optimizer, std::vector<unsigned> milestones, double gamma)
    : LRScheduler(optimizer, [milestones = std::move(milestones), gamma](const Epoch& at) {
        return at.lr * std::pow(gamma, std::count(milestones.begin(), milestones.end(), at.number));
      }) {}

ConstantLR::ConstantLR(Optimizer& optimizer, double factor, unsigned total_iters)
    : LRScheduler(optimizer, [=](const Epoch& at) {
        WICK_CHECK_VALUE(factor >= 0 && factor <= 1, "Constant multiplicative factor expected to be between 0 and 1.");
        return at.number == 0 ? at.lr * factor : at.number == total_iters ? at.lr * (1 / factor) : at.lr;
      }) {}

LinearLR::LinearLR(Optimizer& optimizer, double start_factor, double end_factor, unsigned total_iters)
    : LRScheduler(optimizer, [=](const Epoch& at) {
        WICK_CHECK_VALUE(start_factor > 0 && start_factor <= 1,
                         "Starting multiplicative factor expected to be greater than 0 and less or equal to 1.");
        WICK_CHECK_VALUE(end_factor >= 0 && end_factor <= 1, "Ending multiplicative factor expected to be between 0 and 1.");
        const double change = end_factor - start_factor;
        if (at.number == 0) return at.lr * start_factor;
        return at.number > total_iters ? at.lr : at.lr * (1 + change / (total_iters * start_factor + (at.number - 1) * change));
      }) {}

PolynomialLR::PolynomialLR(Optimizer& optimizer, unsigned total_iters, double power)
    : LRScheduler(optimizer, [=](const Epoch& at) {
        if (at.number == 0 || at.number > total_iters) return at.lr;
        return at.lr * std::pow((1 - 1.0 * at.number / total_iters) / (1 - (at.number - 1.0) / total_iters), power);
      }) {}

CosineAnnealingLR::CosineAnnealingLR(Optimizer& optimizer, unsigned T_max, double eta_min)
    : LRScheduler(optimizer, [=](const Epoch& at) {
        WICK_CHECK_VALUE(T_max > 0, "CosineAnnealingLR: T_max must be at least 1, got ", T_max);
        const auto wave = [&](double epoch) { return 1 + std::cos(M_PI * epoch / T_max); };
        if (at.number == 0) return at.lr;
        if ((at.number + T_max - 1) % (2 * T_max) == 0) return at.lr + (at.base - eta_min) * (1 - std::cos(M_PI / T_max)) / 2;
        return wave(at.number) / wave(at.number - 1.0) * (at.lr - eta_min) + eta_min;
      }) {}

CosineAnnealingWarmRestarts::CosineAnnealingWarmRestarts(Optimizer& optimizer, unsigned T_0, unsigned T_mult, double eta_min)
    : LRScheduler(optimizer, [=](const Epoch& at) {
        WICK_CHECK_VALUE(T_0 > 0, "Expected positive integer T_0, but got ", T_0);
        WICK_CHECK_VALUE(T_mult > 0, "Expected integer T_mult >= 1, but got ", T_mult);
        unsigned period = T_0, epoch = at.number;
        for (; epoch >= period; period *= T_mult) epoch -= period;
        return along_cosine(at.base, eta_min, 1.0 * epoch / period);
      }) {}

LambdaLR::LambdaLR(Optimizer& optimizer, Lambda lambda)
    : LambdaLR(optimizer, std::vector<Lambda>(optimizer.param_groups().size(), std::move(lambda))) {}

LambdaLR::LambdaLR(Optimizer& optimizer, std::vector<Lambda> lambdas)
    : LRScheduler(optimizer, [lambdas = std::move(lambdas), &groups = optimizer.param_groups()](const Epoch& at) {
        WICK_CHECK_VALUE(lambdas.size() == groups.size(), "Expected ", groups.size(), " lr_lambdas, but got ", lambdas.size());
        return at.base * lambdas[at.group](at.number);
      }) {}

// ---- OneCycleLR --------------------------------------------------------------------------------------------------------------------

namespace {

// Sets "momentum", or the first of "betas"; false where there is neither.
bool set_momentum(OptimizerOptions& options, double momentum) {
  for (auto& [name, value] : options.values()) {
    if (name == "momentum") return options.set_value(name, momentum);
    if (name == "betas") return options.set_value(name, std::vector<double>{momentum, value.toDoubleVector()[1]});
  }
  return false;
}

// What OneCycleLR does in a step: the rate as a multiple of max_lr, and the momentum.
std::pair<double, double> one_cycle(const OneCycleLROptions& o, unsigned step) {
  struct Phase {
    double end, lr, momentum;  // where it ends, and with what
  };
  const double first = 1 / o.div_factor(), peak = o.pct_start() * o.total_steps() - 1;
  std::vector<Phase> phases{{0, first, o.max_momentum()}, {peak, 1, o.base_momentum()}};
  if (o.three_phase()) phases.push_back({2 * peak, first, o.max_momentum()});
  phases.push_back({o.total_steps() - 1.0, first / o.final_div_factor(), o.max_momentum()});
  size_t i = 1;
  while (i + 1 < phases.size() && step > phases[i].end) ++i;
  const Phase &from = phases[i - 1], &to = phases[i];
  const double x = (step - from.end) / (to.end - from.end);
  if (o.anneal_strategy() == "cos") return {along_cosine(from.lr, to.lr, x), along_cosine(from.momentum, to.momentum, x)};
  return {(to.lr - from.lr) * x + from.lr, (to.momentum - from.momentum) * x + from.momentum};
}

}  // namespace

OneCycleLR::OneCycleLR(Optimizer& optimizer, const OneCycleLROptions& options)
    : LRScheduler(optimizer, [options, &groups = optimizer.param_groups()](const Epoch& at) {
        const unsigned total = options.total_steps();
        const std::string& strategy = options.anneal_strategy();
        const double rise = options.pct_start();
        WICK_CHECK_VALUE(total > 0, "Expected positive integer total_steps, but got ", total);
        WICK_CHECK_VALUE(rise >= 0 && rise <= 1, "Expected float between 0 and 1 pct_start, but got ", rise);
        WICK_CHECK_VALUE(strategy == "cos" || strategy == "linear",
                         "anneal_strategy must be one of 'cos' or 'linear', instead got ", strategy);
        WICK_CHECK_VALUE(at.number <= total, "Tried to step ", at.number, " times. The specified number of total steps is ", total);
        const auto [share, momentum] = one_cycle(options, at.number);
        WICK_CHECK_VALUE(!options.cycle_momentum() || set_momentum(groups[at.group].options(), momentum),
                         "optimizer must support momentum or beta1 with `cycle_momentum` option enabled");
        if (at.number == 0) groups[at.group].initial_lr = options.max_lr() * share;
        return options.max_lr() * share;
      }) {}

// ---- SequentialLR ------------------------------------------------------------------------------------------------------------------

SequentialLR::SequentialLR(Optimizer& optimizer, std::vector<std::shared_ptr<LRScheduler>> schedulers, std::vector<unsigned> milestones)
    : LRScheduler(optimizer), schedulers_(std::move(schedulers)), milestones_(std::move(milestones)) {
  WICK_CHECK_VALUE(!schedulers_.empty(), "SequentialLR expects at least one scheduler, but got no scheduler.");
  WICK_CHECK_VALUE(milestones_.size() == schedulers_.size() - 1,
                   "Sequential Schedulers expects number of schedulers provided to be one more than the number of milestone points, but "
                   "got number of schedulers ", schedulers_.size(), " and the number of milestones to be equal to ", milestones_.size());
  for (size_t i = 0; i < schedulers_.size(); ++i) {
    WICK_CHECK_VALUE(&schedulers_[i]->optimizer_ == &optimizer,
                     "SequentialLR expects all schedulers to belong to the same optimizer, but the one at index ", i, " has another");
  }
  restart();
}

void SequentialLR::restart() {
  step_count_ = 0;
  const auto first = std::upper_bound(milestones_.begin(), milestones_.end(), 0u);
  schedulers_[static_cast<size_t>(first - milestones_.begin())]->restart();
}

void SequentialLR::step() {
  ++step_count_;
  const auto next = std::upper_bound(milestones_.begin(), milestones_.end(), step_count_);
  LRScheduler& scheduler = *schedulers_[static_cast<size_t>(next - milestones_.begin())];
  if (next != milestones_.begin() && next[-1] == step_count_) scheduler.restart();
  else scheduler.step();
}

// ---- ReduceLROnPlateau -------------------------------------------------------------------------------------------------------------

ReduceLROnPlateauScheduler::ReduceLROnPlateauScheduler(Optimizer& optimizer, SchedulerMode mode, float factor, int patience,
                                                       double threshold, ThresholdMode threshold_mode, int cooldown,
                                                       const std::vector<float>& min_lr, double eps, bool verbose)
    : optimizer_(optimizer), sign_(mode == max ? 1 : -1), factor_(factor), threshold_(threshold), eps_(eps), best_(-sign_ * INFINITY),
      patience_(patience), cooldown_(cooldown), relative_(threshold_mode == rel), verbose_(verbose), min_lrs_(min_lr) {
  WICK_CHECK_VALUE(factor < 1, "Factor should be < 1.0.");
  const size_t groups = optimizer.param_groups().size();
  WICK_CHECK_VALUE(min_lr.empty() || min_lr.size() == groups, "Number of learning rates not equal to the number of param groups\n",
                   "Number of learning rates given: ", min_lr.size(), "\nNumber of param groups: ", groups);
}

void ReduceLROnPlateauScheduler::step(float metric) {
  ++last_epoch_;
  const bool better = sign_ * metric > sign_ * best_ * (relative_ ? 1 + sign_ * threshold_ : 1) + (relative_ ? 0 : threshold_);
  if (better) best_ = metric;
  bad_epochs_ = better || cooldown_left_ > 0 ? 0 : bad_epochs_ + 1;
  if (cooldown_left_ > 0) --cooldown_left_;
  if (bad_epochs_ <= patience_) return;
  cooldown_left_ = cooldown_;
  bad_epochs_ = 0;
  std::vector<OptimizerParamGroup>& groups = optimizer_.param_groups();
  for (size_t i = 0; i < groups.size(); ++i) {
    const double lr = groups[i].options().get_lr(), lower = std::max(lr * factor_, i < min_lrs_.size() ? double{min_lrs_[i]} : 0.0);
    if (lr - lower <= eps_) continue;
    groups[i].options().set_lr(lower);
    if (verbose_) std::cout << "Epoch " << last_epoch_ << ": reducing learning rate of group " << i << " to " << lower << std::endl;
  }
  optimizer_.refresh_options();
}

StateDict ReduceLROnPlateauScheduler::state_dict() const {
  IValue::List lrs;
  for (const OptimizerParamGroup& group : optimizer_.param_groups()) lrs.emplace_back(group.options().get_lr());
  return {{"best", best_}, {"num_bad_epochs", int64_t{bad_epochs_}}, {"cooldown_counter", int64_t{cooldown_left_}},
          {"last_epoch", int64_t{last_epoch_}}, {"_last_lr", lrs}};
}

void ReduceLROnPlateauScheduler::load_state_dict(const StateDict& dict) {
  std::vector<OptimizerParamGroup>& groups = optimizer_.param_groups();
  const std::vector<double> lrs = rates_at(dict, "_last_lr", groups.size());
  const double best = state_at(dict, "best", &IValue::isScalar).toScalar().toDouble();
  const auto count = [&](const char* key) { return static_cast<int>(count_at(dict, key)); };
  std::tie(bad_epochs_, cooldown_left_, last_epoch_, best_) =
      std::tuple(count("num_bad_epochs"), count("cooldown_counter"), count("last_epoch"), best);
  for (size_t g = 0; g < groups.size(); ++g) groups[g].options().set_lr(lrs[g]);
  optimizer_.refresh_options();
}

}  // namespace wick::optim
