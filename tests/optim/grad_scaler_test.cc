// GradScaler: the scale's rise and fall, skipped steps, and the order of its calls.
#include "wick/optim/grad_scaler.h"

#include "wick/optim/sgd.h"
#include "wick/tests/optim/support.h"

namespace wick {
namespace {

using amp::GradScaler;
using amp::GradScalerOptions;
using optim::SGD;
using optim::SGDOptions;
using test::message_of;
using test::parameter;
using test::set_grad;

void step_with(GradScaler& scaler, SGD& optimizer, const Tensor& p, double grad) {
  set_grad(p, grad);
  scaler.step(optimizer);
  scaler.update();
}

// As torch.amp.GradScaler: falls at once, rises after growth_interval good steps in a row.
TEST(GradScaler, ScaleFollowsOverflows) {
  Tensor p = parameter({1}, kFloat);
  SGD optimizer({p}, SGDOptions(0.5));
  GradScaler scaler(GradScalerOptions().init_scale(8).growth_interval(2));
  std::vector<double> scales;
  for (const double g : {8.0, 8.0, double(INFINITY), 16.0, double(NAN), 4.0, 4.0, 4.0}) {
    step_with(scaler, optimizer, p, g);
    scales.push_back(scaler.get_scale());
  }
  EXPECT_EQ(scales, (std::vector<double>{8, 16, 8, 8, 4, 4, 8, 8}));
  EXPECT_EQ(p.item<double>(), 1 - 0.5 * (1 + 1 + 2 + 1 + 1 + 0.5));
}

TEST(GradScaler, ScalesTheLoss) {
  Tensor p = parameter({3}, kFloat);
  SGD optimizer({p}, SGDOptions(0.5));
  GradScaler scaler;
  scaler.scale(p * p).backward();
  EXPECT_EQ(p.grad().item<double>(), 6 * 65536.0);
  scaler.unscale_(optimizer);
  EXPECT_EQ(p.grad().item<double>(), 6);
  scaler.step(optimizer);
  EXPECT_EQ(p.item<double>(), 0);
}

TEST(GradScaler, SeveralOptimizers) {
  Tensor p = parameter({1}, kFloat), q = parameter({1}, kFloat);
  SGD one({p}, SGDOptions(1)), other({q}, SGDOptions(1));
  GradScaler scaler(GradScalerOptions().init_scale(2));
  set_grad(p, 2);
  set_grad(q, INFINITY);
  scaler.step(one);
  scaler.step(other);
  scaler.update();
  EXPECT_EQ(p.item<double>(), 0);
  EXPECT_EQ(q.item<double>(), 1);
  EXPECT_EQ(scaler.get_scale(), 1);
}

TEST(GradScaler, NotEnabled) {
  Tensor p = parameter({1}, kFloat);
  SGD optimizer({p}, SGDOptions(1));
  GradScaler scaler(GradScalerOptions().enabled(false));
  EXPECT_TRUE(scaler.scale(p).is_same(p));
  step_with(scaler, optimizer, p, 1);
  EXPECT_EQ(p.item<double>(), 0);
  EXPECT_TRUE(scaler.state_dict().empty());
}

TEST(GradScaler, GoesOnFromItsState) {
  Tensor p = parameter({1}, kFloat);
  SGD optimizer({p}, SGDOptions(0));
  GradScaler first(GradScalerOptions().init_scale(8).growth_interval(2)), second;
  step_with(first, optimizer, p, 1);
  second.load_state_dict(first.state_dict());
  step_with(second, optimizer, p, 1);
  EXPECT_EQ(second.get_scale(), 16);
  EXPECT_THROW(second.load_state_dict({}), Error);
}

TEST(GradScaler, Errors) {
  Tensor p = parameter({1}, kFloat), half = parameter({1}, kHalf);
  SGD optimizer({p}, SGDOptions(1)), of_half({half}, SGDOptions(1));
  GradScaler scaler;
  EXPECT_EQ(message_of<Error>([&] { scaler.update(); }), "No inf checks were recorded prior to update.");
  scaler.unscale_(optimizer);
  EXPECT_EQ(message_of<Error>([&] { scaler.unscale_(optimizer); }),
            "unscale_() has already been called on this optimizer since the last update().");
  scaler.step(optimizer);
  EXPECT_EQ(message_of<Error>([&] { scaler.unscale_(optimizer); }), "unscale_() is being called after step().");
  EXPECT_EQ(message_of<Error>([&] { scaler.step(optimizer); }), "step() has already been called since the last update().");
  set_grad(half, 1);
  EXPECT_EQ(message_of<ValueError>([&] { scaler.step(of_half); }), "Attempting to unscale FP16 gradients.");
  EXPECT_EQ(message_of<Error>([] { GradScaler(GradScalerOptions().growth_factor(1)); }), "The growth factor must be > 1.0.");
  EXPECT_EQ(message_of<Error>([] { GradScaler(GradScalerOptions().backoff_factor(1)); }), "The backoff factor must be < 1.0.");
}

}  // namespace
}  // namespace wick
