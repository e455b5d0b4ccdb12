#include "wick/optim/lr_scheduler.h"

#include "wick/optim/adam.h"
#include "wick/optim/sgd.h"
#include "wick/tests/optim/support.h"

namespace wick {
namespace {

using namespace optim;  // NOLINT: the names of all schedules
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

// ---- Against Python ----------------------------------------------------------------------------------------------------------------

using Scheduler = std::shared_ptr<LRScheduler>;
using Schedulers = std::vector<Scheduler>;

struct Golden {
  const char* name;
  Scheduler (*make)(SGD&);
  std::vector<double> rates, momenta;
};

// PyTorch 2.15: the rates of 31 epochs, from 0.5; the momentum, from 0.9, where the schedule changes it.
const Golden kGoldens[] = {
    {"MultiStep", [](SGD& o) -> Scheduler {
      return std::make_shared<MultiStepLR>(o, std::vector<unsigned>{3, 7, 7, 20}, 0.3);
    },
     {0.5, 0.5, 0.5, 0.15, 0.15, 0.15, 0.15, 0.0135, 0.0135, 0.0135, 0.0135, 0.0135, 0.0135, 0.0135, 0.0135, 0.0135, 0.0135, 0.0135,
      0.0135, 0.0135, 0.00405, 0.00405, 0.00405, 0.00405, 0.00405, 0.00405, 0.00405, 0.00405, 0.00405, 0.00405, 0.00405},
     {}},
    {"Exp", [](SGD& o) -> Scheduler {
      return std::make_shared<ExponentialLR>(o, 0.9);
    },
     {0.5, 0.45, 0.405, 0.36450000000000005, 0.32805000000000006, 0.2952450000000001, 0.2657205000000001, 0.23914845000000007,
      0.21523360500000008, 0.19371024450000007, 0.17433922005000008, 0.15690529804500009, 0.14121476824050008, 0.12709329141645007,
      0.11438396227480506, 0.10294556604732455, 0.0926510094425921, 0.08338590849833288, 0.0750473176484996, 0.06754258588364964,
      0.06078832729528468, 0.05470949456575622, 0.0492385451091806, 0.04431469059826254, 0.039883221538436285, 0.03589489938459266,
      0.032305409446133394, 0.029074868501520055, 0.02616738165136805, 0.023550643486231246, 0.021195579137608122},
     {}},
    {"Constant", [](SGD& o) -> Scheduler {
      return std::make_shared<ConstantLR>(o, 0.25, 6);
    },
     {0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5,
      0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5},
     {}},
    {"Linear", [](SGD& o) -> Scheduler {
      return std::make_shared<LinearLR>(o, 0.2, 0.8, 12);
    },
     {0.1, 0.125, 0.15, 0.17500000000000002, 0.2, 0.225, 0.25, 0.275, 0.3, 0.32499999999999996, 0.3499999999999999, 0.3749999999999999,
      0.39999999999999986, 0.39999999999999986, 0.39999999999999986, 0.39999999999999986, 0.39999999999999986, 0.39999999999999986,
      0.39999999999999986, 0.39999999999999986, 0.39999999999999986, 0.39999999999999986, 0.39999999999999986, 0.39999999999999986,
      0.39999999999999986, 0.39999999999999986, 0.39999999999999986, 0.39999999999999986, 0.39999999999999986, 0.39999999999999986,
      0.39999999999999986},
     {}},
    {"Poly", [](SGD& o) -> Scheduler {
      return std::make_shared<PolynomialLR>(o, 20, 1.5);
    },
     {0.5, 0.46297273137842576, 0.4269074841227312, 0.3918306394349477, 0.3577708763999664, 0.32475952641916456, 0.29283100928692646,
      0.26202337681970295, 0.23237900077244508, 0.2039454583951308, 0.17677669529663695, 0.15093458848123584, 0.12649110640673522,
      0.1035313962042433, 0.08215838362577496, 0.06250000000000003, 0.0447213595499958, 0.029047375096555653, 0.015811388300841903,
      0.0055901699437494855, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
     {}},
    {"Cosine", [](SGD& o) -> Scheduler {
      return std::make_shared<CosineAnnealingLR>(o, 8, 0.05);
    },
     {0.5, 0.48287289481503953, 0.4340990257669732, 0.36110377228214524, 0.275, 0.18889622771785486, 0.11590097423302685,
      0.0671271051849605, 0.05, 0.06712710518496048, 0.11590097423302687, 0.18889622771785486, 0.27500000000000024, 0.36110377228214563,
      0.4340990257669736, 0.4828728948150399, 0.5000000000000004, 0.4828728948150399, 0.43409902576697357, 0.36110377228214563,
      0.27500000000000024, 0.18889622771785491, 0.11590097423302706, 0.06712710518496058, 0.05, 0.06712710518496048, 0.1159009742330269,
      0.18889622771785464, 0.2749999999999999, 0.36110377228214524, 0.434099025766973},
     {}},
    {"Warm", [](SGD& o) -> Scheduler {
      return std::make_shared<CosineAnnealingWarmRestarts>(o, 4, 2, 0.05);
    },
     {0.5, 0.4340990257669732, 0.275, 0.11590097423302682, 0.5, 0.48287289481503953, 0.4340990257669732, 0.3611037722821452, 0.275,
      0.1888962277178548, 0.11590097423302682, 0.06712710518496048, 0.5, 0.49567668809072685, 0.48287289481503953, 0.4620806627680727,
      0.4340990257669732, 0.4000033024294105, 0.3611037722821452, 0.3188953224536289, 0.275, 0.23110467754637115, 0.1888962277178548,
      0.14999669757058956, 0.11590097423302682, 0.0879193372319273, 0.06712710518496048, 0.054323311909273156, 0.5, 0.4989165635012443,
      0.49567668809072685},
     {}},
    {"Lambda", [](SGD& o) -> Scheduler {
      return std::make_shared<LambdaLR>(o, [](unsigned e) { return 1.0 / (1 + e); });
    },
     {0.5, 0.25, 0.16666666666666666, 0.125, 0.1, 0.08333333333333333, 0.07142857142857142, 0.0625, 0.05555555555555555, 0.05,
      0.045454545454545456, 0.041666666666666664, 0.038461538461538464, 0.03571428571428571, 0.03333333333333333, 0.03125,
      0.029411764705882353, 0.027777777777777776, 0.02631578947368421, 0.025, 0.023809523809523808, 0.022727272727272728,
      0.021739130434782608, 0.020833333333333332, 0.02, 0.019230769230769232, 0.018518518518518517, 0.017857142857142856,
      0.017241379310344827, 0.016666666666666666, 0.016129032258064516},
     {}},
    {"OneCycle", [](SGD& o) -> Scheduler {
      return std::make_shared<OneCycleLR>(o, OneCycleLROptions(2.0, 30));
    },
     {0.08000000000000007, 0.1530756487891649, 0.3611774900609146, 0.6726239049295137, 1.04, 1.407376095070486, 1.7188225099390855,
      1.9269243512108352, 2.0, 1.9888308709018234, 1.9555729834949176, 1.9009692640269473, 1.8262394693608976, 1.7330529396223389,
      1.6234913078995261, 1.500002, 1.3653435630022979, 1.2225240438725786, 1.07473379466605, 0.9252742053339501, 0.7774839561274215,
      0.6346644369977025, 0.5000060000000002, 0.37651669210047395, 0.2669550603776612, 0.17376853063910258, 0.09903873597305257,
      0.04443501650508236, 0.011177129098176376, 8e-06, 0.011177129098176376},
     {0.95, 0.9461939766255643, 0.9353553390593273, 0.9191341716182544, 0.8999999999999999, 0.8808658283817454, 0.8646446609406726,
      0.8538060233744357, 0.85, 0.8505584586887436, 0.8522213597106929, 0.854951556604879, 0.8586880612842003, 0.8633474064085087,
      0.8688255099070633, 0.875, 0.8817329487816802, 0.8888739533021842, 0.8962634953206787, 0.9037365046793212, 0.9111260466978157,
      0.9182670512183198, 0.9249999999999999, 0.9311744900929366, 0.9366525935914912, 0.9413119387157997, 0.945048443395121,
      0.947778640289307, 0.9494415413112564, 0.95, 0.9494415413112564}},
    {"OneCycle3lin", [](SGD& o) -> Scheduler {
      return std::make_shared<OneCycleLR>(
          o, OneCycleLROptions(2.0, 30).pct_start(0.4).anneal_strategy("linear").three_phase(true).div_factor(10).final_div_factor(100));
    },
     {0.2, 0.36363636363636365, 0.5272727272727273, 0.6909090909090909, 0.8545454545454545, 1.018181818181818, 1.1818181818181819,
      1.3454545454545455, 1.509090909090909, 1.6727272727272728, 1.8363636363636362, 2.0, 1.8363636363636364, 1.6727272727272728,
      1.509090909090909, 1.3454545454545455, 1.1818181818181819, 1.018181818181818, 0.8545454545454545, 0.6909090909090909,
      0.5272727272727271, 0.36363636363636376, 0.19999999999999996, 0.17171428571428574, 0.14342857142857143, 0.11514285714285716,
      0.08685714285714287, 0.05857142857142858, 0.030285714285714305, 0.0020000000000000018, -0.026285714285714273},
     {0.95, 0.9409090909090909, 0.9318181818181818, 0.9227272727272727, 0.9136363636363636, 0.9045454545454545, 0.8954545454545454,
      0.8863636363636364, 0.8772727272727272, 0.8681818181818182, 0.8590909090909091, 0.85, 0.859090909090909, 0.8681818181818182,
      0.8772727272727272, 0.8863636363636364, 0.8954545454545454, 0.9045454545454545, 0.9136363636363636, 0.9227272727272727,
      0.9318181818181818, 0.9409090909090909, 0.95, 0.95, 0.95, 0.95, 0.95, 0.95, 0.95, 0.95, 0.95}},
    {"Seq", [](SGD& o) -> Scheduler {
      return std::make_shared<SequentialLR>(
          o, Schedulers{std::make_shared<LinearLR>(o, 0.1, 1, 5), std::make_shared<ExponentialLR>(o, 0.9),
                        std::make_shared<CosineAnnealingLR>(o, 10)}, std::vector<unsigned>{5, 15});
    },
     {0.05, 0.13999999999999999, 0.22999999999999995, 0.31999999999999995, 0.4099999999999999, 0.5, 0.45, 0.405, 0.36450000000000005,
      0.32805000000000006, 0.2952450000000001, 0.2657205000000001, 0.23914845000000007, 0.21523360500000008, 0.19371024450000007, 0.5,
      0.4877641290737884, 0.45225424859373686, 0.3969463130731183, 0.32725424859373686, 0.25, 0.17274575140626316, 0.10305368692688174,
      0.047745751406263165, 0.012235870926211617, 0.0, 0.012235870926211617, 0.047745751406263325, 0.10305368692688215,
      0.1727457514062639, 0.25000000000000105},
     {}},
};

TEST(LrScheduler, HasPythonsRates) {
  for (const Golden& golden : kGoldens) {
    SCOPED_TRACE(golden.name);
    SGD optimizer({parameter({1})}, SGDOptions(0.5).momentum(0.9));
    const Scheduler scheduler = golden.make(optimizer);
    const auto& options = static_cast<const SGDOptions&>(optimizer.param_groups()[0].options());
    for (size_t epoch = 0; epoch < golden.rates.size(); ++epoch) {
      if (epoch > 0) scheduler->step();
      EXPECT_EQ(scheduler->last_epoch(), epoch);
      EXPECT_NEAR(options.lr(), golden.rates[epoch], 1e-14) << "epoch " << epoch;
      EXPECT_NEAR(options.momentum(), golden.momenta.empty() ? 0.9 : golden.momenta[epoch], 1e-14) << "epoch " << epoch;
    }
  }
}

// Eleven epochs, and the rest by another optimiser and scheduler that were given the state of the first.
TEST(LrScheduler, GoesOnFromItsState) {
  for (const Golden& golden : kGoldens) {
    SCOPED_TRACE(golden.name);
    SGD first({parameter({1})}, SGDOptions(0.5).momentum(0.9)), second({parameter({1})}, SGDOptions(3).momentum(0.5));
    const Scheduler before = golden.make(first), after = golden.make(second);
    for (int epoch = 0; epoch < 11; ++epoch) before->step();
    second.load_state_dict(first.state_dict());
    after->load_state_dict(before->state_dict());
    const auto& options = static_cast<const SGDOptions&>(second.param_groups()[0].options());
    for (size_t epoch = 11; epoch < golden.rates.size(); ++epoch) {
      if (epoch > 11) after->step();
      EXPECT_EQ(after->last_epoch(), epoch);
      EXPECT_NEAR(options.lr(), golden.rates[epoch], 1e-14) << "epoch " << epoch;
      EXPECT_NEAR(options.momentum(), golden.momenta.empty() ? 0.9 : golden.momenta[epoch], 1e-14) << "epoch " << epoch;
    }
  }
}

TEST(LrScheduler, TakesPythonsState) {
  SGD optimizer({parameter({1})}, SGDOptions(3));
  SequentialLR scheduler(optimizer, {std::make_shared<ConstantLR>(optimizer), std::make_shared<ExponentialLR>(optimizer, 0.5)}, {2});
  // After one step; the second schedule has not begun.
  scheduler.load_state_dict({{"last_epoch", 1},
                             {"_last_lr", std::vector<double>{0.1}},
                             {"_schedulers.0.base_lrs", std::vector<double>{0.3}},
                             {"_schedulers.0.last_epoch", 1},
                             {"_schedulers.1.base_lrs", std::vector<double>{0.3}},
                             {"_schedulers.1.last_epoch", -1},
                             {"_milestones", std::vector<int64_t>{2}}});
  EXPECT_EQ(scheduler.get_last_lr(), std::vector<double>{0.1});
  for (const double rate : {0.3, 0.15, 0.075}) {
    scheduler.step();
    EXPECT_NEAR(scheduler.get_last_lr()[0], rate, 1e-15);
  }
}

TEST(LrScheduler, StatesThatDoNotFitChangeNothing) {
  SGD optimizer({parameter({1})}, SGDOptions(3));
  SequentialLR scheduler(optimizer, {std::make_shared<ConstantLR>(optimizer), std::make_shared<ExponentialLR>(optimizer, 0.5)}, {2});
  ReduceLROnPlateau plateau(optimizer);
  const StateDict good = scheduler.state_dict(), of_plateau = plateau.state_dict();
  const auto with = [](StateDict dict, const char* key, IValue value) { return dict[key] = std::move(value), dict; };
  for (const StateDict& bad : {StateDict(), of_plateau, with(good, "last_epoch", 2.5), with(good, "last_epoch", int64_t{1} << 40),
                               with(good, "_last_lr", std::vector<double>{1, 2}), with(good, "base_lrs", std::vector<const char*>{"a"}),
                               with(good, "_schedulers.1.last_epoch", IValue())}) {
    EXPECT_THROW(scheduler.load_state_dict(bad), ValueError);
    EXPECT_EQ(scheduler.last_epoch(), 0u);
    EXPECT_EQ(scheduler.get_last_lr(), std::vector<double>{1});
  }
  EXPECT_THROW(plateau.load_state_dict(good), ValueError);
  EXPECT_THROW(plateau.load_state_dict(with(of_plateau, "_last_lr", IValue(1))), ValueError);
  EXPECT_EQ(optimizer.param_groups()[0].options().get_lr(), 1);
}

TEST(LrScheduler, TwoActTogether) {
  const std::vector<double> rates =
      {0.05, 0.13999999999999999, 0.22999999999999995, 0.31999999999999995, 0.20499999999999996, 0.24999999999999994, 0.24999999999999994,
       0.24999999999999994, 0.12499999999999997, 0.12499999999999997, 0.12499999999999997, 0.12499999999999997, 0.062499999999999986,
       0.062499999999999986, 0.062499999999999986, 0.062499999999999986, 0.031249999999999993, 0.031249999999999993, 0.031249999999999993,
       0.031249999999999993, 0.015624999999999997, 0.015624999999999997, 0.015624999999999997, 0.015624999999999997, 0.007812499999999998,
       0.007812499999999998, 0.007812499999999998, 0.007812499999999998, 0.003906249999999999, 0.003906249999999999, 0.003906249999999999};
  SGD optimizer({parameter({1})}, SGDOptions(0.5));
  LinearLR warm_up(optimizer, 0.1, 1, 5);
  StepLR steps(optimizer, 4, 0.5);
  for (const double rate : rates) {
    EXPECT_NEAR(warm_up.get_last_lr()[0], rate, 1e-14);
    warm_up.step();
    steps.step();
  }
}

// base cos: the first schedule has no epoch.
TEST(SequentialLr, MayBeginWithTheSecond) {
  SGD optimizer({parameter({1})}, SGDOptions(0.5));
  SequentialLR scheduler(optimizer, {std::make_shared<LinearLR>(optimizer, 0.25), std::make_shared<CosineAnnealingLR>(optimizer, 4)}, {0});
  for (int epoch = 0; epoch <= 4; ++epoch) {
    EXPECT_NEAR(scheduler.get_last_lr()[0], 0.25 * (1 + std::cos(M_PI * epoch / 4)), 1e-12) << epoch;
    scheduler.step();
  }
}

TEST(OneCycleLr, MovesTheFirstBeta) {
  Adam optimizer({parameter({1})}, AdamOptions(0.5));
  OneCycleLR scheduler(optimizer, OneCycleLROptions(1, 10).pct_start(0.5));
  const auto& options = static_cast<const AdamOptions&>(optimizer.param_groups()[0].options());
  EXPECT_EQ(options.betas(), std::make_tuple(0.95, 0.999));
  for (int step = 0; step < 4; ++step) scheduler.step();
  EXPECT_NEAR(std::get<0>(options.betas()), 0.85, 1e-14);
  EXPECT_NEAR(options.lr(), 1, 1e-14);
}

TEST(LambdaLr, HasAFunctionForEachGroup) {
  SGD optimizer({OptimizerParamGroup({parameter({1})}), OptimizerParamGroup({parameter({1})})}, SGDOptions(8));
  const LambdaLR::Lambda up = [](unsigned epoch) { return 1.0 + epoch; }, down = [](unsigned epoch) { return 1.0 / (1 + epoch); };
  LambdaLR scheduler(optimizer, std::vector<LambdaLR::Lambda>{up, down});
  scheduler.step();
  EXPECT_EQ(scheduler.get_last_lr(), (std::vector<double>{16, 4}));
  EXPECT_EQ(test::message_of<ValueError>([&] { LambdaLR(optimizer, std::vector<LambdaLR::Lambda>{up}); }),
            "Expected 2 lr_lambdas, but got 1");
}

// ---- ReduceLROnPlateau -------------------------------------------------------------------------------------------------------------

TEST(ReduceLrOnPlateau, HasPythonsRates) {
  const auto rates = [](ReduceLROnPlateau& scheduler, SGD& optimizer, bool falling) {
    std::vector<double> seen;
    for (int epoch = 0; epoch < 31; ++epoch) {
      seen.push_back(optimizer.param_groups()[0].options().get_lr());
      scheduler.step(static_cast<float>((7 * epoch % 5 - 2) / 4.0 + (falling ? 1.0 / (1 + epoch) : 0.001 * epoch)));
    }
    return seen;
  };
  SGD one({parameter({1})}, SGDOptions(0.5)), other({parameter({1})}, SGDOptions(0.5));
  ReduceLROnPlateauScheduler by_share(one, ReduceLROnPlateauScheduler::min, 0.5, 2);
  ReduceLROnPlateauScheduler by_amount(other, ReduceLROnPlateauScheduler::max, 0.5, 2, 0.1, ReduceLROnPlateauScheduler::abs, 2, {0.1f});
  EXPECT_EQ(rates(by_share, one, true),
            (std::vector<double>{0.5,    0.5,    0.5,    0.5,    0.5,    0.5,     0.5,     0.5,     0.5,     0.25,    0.25,
                                 0.25,   0.25,   0.25,   0.125,  0.125,  0.125,   0.125,   0.125,   0.0625,  0.0625,  0.0625,
                                 0.0625, 0.0625, 0.03125, 0.03125, 0.03125, 0.03125, 0.03125, 0.015625, 0.015625}));
  const std::vector<double> seen = rates(by_amount, other, false);
  const double lowest = 0.1f;
  EXPECT_EQ(seen, (std::vector<double>{0.5,   0.5,   0.5,   0.5,   0.5,    0.5,    0.25,   0.25,   0.25,   0.25,   0.25,
                                       0.125, 0.125, 0.125, 0.125, 0.125,  lowest, lowest, lowest, lowest, lowest, lowest,
                                       lowest, lowest, lowest, lowest, lowest, lowest, lowest, lowest, lowest}));
}

// ---- Errors ------------------------------------------------------------------------------------------------------------------------

TEST(LrScheduler, ErrorsChangeNothing) {
  SGD optimizer({parameter({1})}, SGDOptions(0.5)), other({parameter({1})}, SGDOptions(0.5));
  const auto error = [](const auto& make) { return test::message_of<ValueError>(make); };
  EXPECT_EQ(error([&] { ConstantLR(optimizer, 2); }), "Constant multiplicative factor expected to be between 0 and 1.");
  EXPECT_EQ(error([&] { LinearLR(optimizer, 0); }),
            "Starting multiplicative factor expected to be greater than 0 and less or equal to 1.");
  EXPECT_EQ(error([&] { LinearLR(optimizer, 1, 2); }), "Ending multiplicative factor expected to be between 0 and 1.");
  EXPECT_EQ(error([&] { CosineAnnealingWarmRestarts(optimizer, 0); }), "Expected positive integer T_0, but got 0");
  EXPECT_EQ(error([&] { CosineAnnealingWarmRestarts(optimizer, 1, 0); }), "Expected integer T_mult >= 1, but got 0");
  EXPECT_EQ(error([&] { CosineAnnealingLR(optimizer, 0); }), "CosineAnnealingLR: T_max must be at least 1, got 0");
  EXPECT_EQ(error([&] { OneCycleLR(optimizer, OneCycleLROptions(1, 0)); }), "Expected positive integer total_steps, but got 0");
  EXPECT_EQ(error([&] { OneCycleLR(optimizer, OneCycleLROptions(1, 9).pct_start(2)); }),
            "Expected float between 0 and 1 pct_start, but got 2");
  EXPECT_EQ(error([&] { OneCycleLR(optimizer, OneCycleLROptions(1, 9).anneal_strategy("sine")); }),
            "anneal_strategy must be one of 'cos' or 'linear', instead got sine");
  EXPECT_EQ(error([&] { ReduceLROnPlateau(optimizer, ReduceLROnPlateau::min, 1); }), "Factor should be < 1.0.");
  EXPECT_EQ(error([&] { SequentialLR(optimizer, {}, {}); }), "SequentialLR expects at least one scheduler, but got no scheduler.");
  const Scheduler mine = std::make_shared<ExponentialLR>(optimizer, 0.5), of_other = std::make_shared<ExponentialLR>(other, 0.5);
  EXPECT_EQ(error([&] { SequentialLR(optimizer, {mine}, {1}); }),
            "Sequential Schedulers expects number of schedulers provided to be one more than the number of milestone points, but got "
            "number of schedulers 1 and the number of milestones to be equal to 1");
  EXPECT_EQ(error([&] { SequentialLR(optimizer, {of_other}, {}); })
                .find("SequentialLR expects all schedulers to belong to the same optimizer"), 0u);
  EXPECT_EQ(optimizer.param_groups()[0].options().get_lr(), 0.5);
  OneCycleLR short_one(optimizer, OneCycleLROptions(1, 1).pct_start(1));
  short_one.step();
  EXPECT_EQ(error([&] { short_one.step(); }), "Tried to step 2 times. The specified number of total steps is 1");
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
