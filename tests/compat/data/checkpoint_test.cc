// A run that is interrupted, saved and continued in fresh objects is, bit for bit, the run that was not; and what does not fit changes
// nothing.
#include <torch/torch.h>

#include "wick/tests/framework/io/support.h"

namespace wick {
namespace {

using test::error_of;
using test::temporary;

// Points of two classes; each call of get() makes the same one.
struct Points : torch::data::datasets::Dataset<Points> {
  explicit Points(size_t n) : n(n) {}
  torch::data::Example<> get(size_t index) override {
    const double x = static_cast<double>(index % 17) / 17, y = static_cast<double>(index * 5 % 23) / 23;
    return {torch::tensor({x, y, x * y}, torch::kFloat), torch::tensor(static_cast<int64_t>(x > y))};
  }
  std::optional<size_t> size() const override { return n; }
  size_t n;
};

// Everything that a run consists of. Dropout and the order of the examples draw from the default generator.
template <class Optimizer, class Scheduler>
struct Training {
  using Loader = torch::data::StatelessDataLoader<
      torch::data::datasets::MapDataset<Points, torch::data::transforms::Stack<>>, torch::data::samplers::RandomSampler>;

  Training(const std::function<Optimizer(std::vector<Tensor>)>& make_optimizer,
           const std::function<Scheduler(optim::Optimizer&)>& make_scheduler, size_t workers)
      : optimizer(make_optimizer(model->parameters())), scheduler(make_scheduler(optimizer)),
        loader(torch::data::make_data_loader(Points(50).map(torch::data::transforms::Stack<>()),
                                             torch::data::DataLoaderOptions(8).workers(workers))) {}

  // Goes on to this number of steps in all; 7 batches are an epoch, after which the rate changes.
  void train_to(int64_t until) {
    while (step < until) {
      for (auto& batch : *loader) {
        optimizer.zero_grad();
        torch::cross_entropy_loss(model->forward(batch.data), batch.target).backward();
        optimizer.step();
        if (++step % 7 == 0) scheduler.step();
        if (step == until) return;
      }
    }
  }
  template <class F>
  void with_parts(const F& f) {
    f("model", model, "optimizer", static_cast<optim::Optimizer&>(optimizer), "scheduler", static_cast<optim::LRScheduler&>(scheduler),
      "loader", *loader, "step", step, "generator", at::detail::getDefaultCPUGenerator());
  }
  void save(const std::string& path) {
    with_parts([&](const auto&... parts) { torch::save_checkpoint(path, parts...); });
  }
  void load(const std::string& path) {
    with_parts([&](auto&... parts) { torch::load_checkpoint(path, parts...); });
  }
  // All bytes of the state.
  std::vector<char> bytes() {
    serialize::OutputArchive archive;
    with_parts([&](const auto&... parts) { serialize::write_parts(archive, parts...); });
    return pickle_save(archive.content());
  }

  nn::Sequential model{nn::Linear(3, 16), nn::BatchNorm1d(16), nn::Tanh(), nn::Dropout(0.3), nn::Linear(16, 2)};
  Optimizer optimizer;
  Scheduler scheduler;
  std::unique_ptr<Loader> loader;
  int64_t step = 0;
};

template <class Optimizer, class Scheduler>
void expect_goes_on(const std::function<Optimizer(std::vector<Tensor>)>& make_optimizer,
                    const std::function<Scheduler(optim::Optimizer&)>& make_scheduler, const std::vector<int64_t>& interruptions) {
  constexpr int64_t kSteps = 120;
  std::vector<char> expected;
  for (const size_t workers : {0, 1, 4}) {
    manual_seed(1);
    Training<Optimizer, Scheduler> whole(make_optimizer, make_scheduler, workers);
    whole.train_to(kSteps);
    if (expected.empty()) expected = whole.bytes();
    EXPECT_TRUE(whole.bytes() == expected) << "the run depends on the workers: " << workers;
    for (const int64_t interruption : interruptions) {
      SCOPED_TRACE(testing::Message() << workers << " workers, interrupted after " << interruption << " steps");
      const std::string path = temporary("checkpoint.pt");
      manual_seed(1);
      {
        Training<Optimizer, Scheduler> first(make_optimizer, make_scheduler, workers);
        first.train_to(interruption);
        first.save(path);
      }
      manual_seed(99);  // the second half knows nothing but the file
      Training<Optimizer, Scheduler> second(make_optimizer, make_scheduler, workers);
      second.load(path);
      EXPECT_EQ(second.step, interruption);
      second.train_to(kSteps);
      EXPECT_TRUE(second.bytes() == expected);
    }
  }
}

// Half of the run; in the middle of an epoch; at the end of one.
const std::vector<int64_t> kInterruptions{60, 3, 70};

TEST(Checkpoint, AdamWithCosineRestarts) {
  expect_goes_on<optim::Adam, optim::CosineAnnealingWarmRestarts>(
      [](std::vector<Tensor> p) { return optim::Adam(p, optim::AdamOptions(0.01).amsgrad(true)); },
      [](optim::Optimizer& o) { return optim::CosineAnnealingWarmRestarts(o, 3, 2); }, kInterruptions);
}

TEST(Checkpoint, SgdWithOneCycle) {
  expect_goes_on<optim::SGD, optim::OneCycleLR>(
      [](std::vector<Tensor> p) { return optim::SGD(p, optim::SGDOptions(0.1).momentum(0.9).nesterov(true)); },
      [](optim::Optimizer& o) { return optim::OneCycleLR(o, optim::OneCycleLROptions(0.2, 20)); }, {60, 11});
}

TEST(Checkpoint, RmspropWithASequenceOfSchedules) {
  expect_goes_on<optim::RMSprop, optim::SequentialLR>(
      [](std::vector<Tensor> p) { return optim::RMSprop(p, optim::RMSpropOptions(0.01).momentum(0.5).centered(true)); },
      [](optim::Optimizer& o) {
        return optim::SequentialLR(o, {std::make_shared<optim::LinearLR>(o, 0.25, 1, 4), std::make_shared<optim::StepLR>(o, 2, 0.5),
                                       std::make_shared<optim::ExponentialLR>(o, 0.9)}, {4, 9});
      },
      {30, 60});
}

TEST(Checkpoint, ALoadThatFailsChangesNothing) {
  using Small = Training<optim::SGD, optim::StepLR>;
  const auto make = [] {
    return Small([](std::vector<Tensor> p) { return optim::SGD(p, optim::SGDOptions(0.1).momentum(0.9)); },
                 [](optim::Optimizer& o) { return optim::StepLR(o, 2, 0.5); }, 0);
  };
  Small run = make(), other = make();
  run.train_to(10);
  other.train_to(5);
  const std::vector<char> before = other.bytes();
  // The last part does not fit; those before it do.
  const std::string path = temporary("file");
  torch::save_checkpoint(path, "model", run.model, "optimizer", run.optimizer, "scheduler", run.scheduler, "loader", *run.loader, "step",
                         run.step, "generator", torch::ones({3}));
  EXPECT_EQ(error_of([&] { other.load(path); }), "load: the file has no state of a generator");
  EXPECT_TRUE(other.bytes() == before);
  torch::save_checkpoint(path, "model", run.model);
  EXPECT_EQ(error_of([&] { other.load(path); }), "load_checkpoint: the file has no 'optimizer'; it has 'model'");
  EXPECT_TRUE(other.bytes() == before);
  torch::save(torch::ones({2}), path);
  EXPECT_EQ(error_of([&] { other.load(path); }), path + ": this is no checkpoint, which is a dict of parts");
  run.save(path);
  other.load(path);
  EXPECT_TRUE(other.bytes() == run.bytes());
}

TEST(Checkpoint, ScalerGoesOn) {
  amp::GradScaler one(amp::GradScalerOptions().init_scale(8).growth_interval(3)), other;
  const auto step = [](amp::GradScaler& scaler) {
    Tensor parameter = ones({1}).requires_grad_();
    optim::SGD optimizer({parameter}, optim::SGDOptions(0.1));
    scaler.scale(parameter.sum()).backward();
    scaler.step(optimizer);
    scaler.update();
  };
  step(one);
  torch::save_checkpoint(temporary("file"), "scaler", one);
  torch::load_checkpoint(temporary("file"), "scaler", other);
  for (const double scale : {8, 8, 16, 16}) {
    EXPECT_EQ(one.get_scale(), scale);
    EXPECT_EQ(other.get_scale(), scale);
    step(one);
    step(other);
  }
  EXPECT_THROW(other.load_state_dict({{"scale", 3}, {"growth_factor", 2}}), ValueError);
  EXPECT_EQ(other.get_scale(), one.get_scale());
}

TEST(Checkpoint, PlateauGoesOn) {
  nn::Linear one(1, 1), other(1, 1);
  optim::SGD first(one->parameters(), optim::SGDOptions(1)), second(other->parameters(), optim::SGDOptions(3));
  optim::ReduceLROnPlateau a(first, optim::ReduceLROnPlateau::min, 0.5f, 2, 1e-4, optim::ReduceLROnPlateau::rel, 1);
  optim::ReduceLROnPlateau b(second, optim::ReduceLROnPlateau::min, 0.5f, 2, 1e-4, optim::ReduceLROnPlateau::rel, 1);
  for (const float metric : {5.f, 4.f, 4.f, 4.f, 4.f, 4.f}) a.step(metric);
  std::stringstream stream;
  torch::save(a, stream);
  torch::load(b, stream);
  const auto rate = [](optim::Optimizer& optimizer) { return optimizer.param_groups()[0].options().get_lr(); };
  EXPECT_EQ(rate(second), 0.5);
  for (const float metric : {4.f, 4.f, 3.f, 3.f, 3.f, 3.f, 3.f}) {
    a.step(metric);
    b.step(metric);
    EXPECT_EQ(rate(first), rate(second));
  }
  EXPECT_EQ(rate(first), 0.25);  // as in Python
}

}  // namespace
}  // namespace wick
