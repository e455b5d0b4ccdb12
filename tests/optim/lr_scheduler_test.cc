#include "wick/optim/lr_scheduler.h"

#include "wick/optim/sgd.h"
#include "wick/tests/optim/support.h"

namespace wick {
namespace {

using optim::LRScheduler;
using optim::OptimizerParamGroup;
using optim::SGD;
using optim::SGDOptions;
using optim::StepLR;
using test::parameter;

void expect_rates(SGD& optimizer, LRScheduler& scheduler, const std::vector<double>& wanted) {
  for (const double rate : wanted) {
    EXPECT_NEAR(optimizer.param_groups()[0].options().get_lr(), rate, 1e-12);
    optimizer.step();
    scheduler.step();
  }
}

TEST(StepLr, HasPythonsTiming) {
  SGD optimizer({parameter({1})}, SGDOptions(0.5));
  StepLR scheduler(optimizer, 2, 0.1);
  expect_rates(optimizer, scheduler, {0.5, 0.5, 0.05, 0.05, 0.005});
}

TEST(StepLr, EachGroupHasItsOwnRate) {
  std::vector<OptimizerParamGroup> groups;
  groups.emplace_back(std::vector<Tensor>{parameter({1})}, std::make_unique<SGDOptions>(8));
  groups.emplace_back(std::vector<Tensor>{parameter({1})});
  SGD optimizer(groups, SGDOptions(1));
  StepLR scheduler(optimizer, 1, 0.5);
  scheduler.step();
  EXPECT_EQ(scheduler.get_last_lr(), (std::vector<double>{4, 0.5}));
}

// What a captured step reads is up to date without a step in between.
TEST(StepLr, WritesTheRateWhereKernelsReadIt) {
  SGD optimizer({parameter({1})}, SGDOptions(1));
  const Tensor numbers = optimizer.param_groups()[0].numbers();
  StepLR scheduler(optimizer, 1, 0.5);
  scheduler.step();
  EXPECT_EQ(numbers.data_ptr<double>()[SgdArgs::kLr], 0.5);
}

TEST(StepLr, StepsOfNothingAreAnError) {
  SGD optimizer({parameter({1})}, SGDOptions(1));
  EXPECT_THROW(StepLR(optimizer, 0), ValueError);
}

// A schedule of one's own, as a LibTorch program writes it.
struct Halving : LRScheduler {
  using LRScheduler::LRScheduler;
  int groups = 1;
  std::vector<double> get_lrs() override { return std::vector<double>(groups, 1.0 / (1u << step_count_)); }
};

TEST(LrScheduler, OfOnesOwn) {
  SGD optimizer({parameter({1})}, SGDOptions(3));
  Halving scheduler(optimizer);
  expect_rates(optimizer, scheduler, {3, 1, 0.5, 0.25});
  scheduler.groups = 2;
  EXPECT_EQ(test::message_of<Error>([&] { scheduler.step(); }),
            "Number of learning rates not equal to the number of param groups\nNumber of learning rates given: 2\n"
            "Number of param groups: 1");
}

}  // namespace
}  // namespace wick
