// nn::utils: gradients that are clipped, parameters as one vector. The numbers are PyTorch's.
#include <cmath>

#include "wick/tests/nn/support.h"

namespace wick::test {
namespace {

TEST(ClipGradNorm, ScalesOnlyWhatIsTooLong) {
  const auto with_grad = [](const std::vector<float>& grad) {
    Tensor p = zeros({static_cast<int64_t>(grad.size())}).requires_grad_();
    p.mutable_grad() = tensor_of({static_cast<int64_t>(grad.size())}, grad);
    return p;
  };
  const Tensor p = with_grad({3, 4});
  EXPECT_EQ(nn::utils::clip_grad_norm_(p, 1), 5);
  expect_near(p.grad(), {0.6f, 0.8f});
  const Tensor a = with_grad({3}), b = with_grad({4});
  EXPECT_EQ(nn::utils::clip_grad_norm_({a, b}, 1), 5);
  expect_near(b.grad(), {0.8f});
  const Tensor small = with_grad({0.3f, 0.4f});
  EXPECT_NEAR(nn::utils::clip_grad_norm_(small, 1), 0.5, 1e-7);
  EXPECT_EQ(floats(small.grad()), (std::vector<float>{0.3f, 0.4f}));
  EXPECT_EQ(nn::utils::clip_grad_norm_(with_grad({0, 0}), 1), 0);
  EXPECT_EQ(nn::utils::clip_grad_norm_(std::vector<Tensor>{zeros({2}).requires_grad_()}, 1), 0);
  EXPECT_EQ(nn::utils::clip_grad_norm_(std::vector<Tensor>{}, 1), 0);
  const Tensor most = with_grad({3, 4});
  EXPECT_EQ(nn::utils::clip_grad_norm_(most, 1, HUGE_VAL), 4);
  expect_near(most.grad(), {0.75f, 1});
  const Tensor infinite = with_grad({HUGE_VALF, 1});
  EXPECT_NE(message_of([&] { nn::utils::clip_grad_norm_(infinite, 1, 2, true); }).find("is non-finite, so it cannot be clipped"),
            std::string::npos);
  EXPECT_EQ(infinite.grad()[1].item<float>(), 1);
  EXPECT_EQ(nn::utils::clip_grad_norm_(infinite, 1), HUGE_VAL);
  EXPECT_TRUE(std::isnan(infinite.grad()[0].item<float>()));
  EXPECT_EQ(infinite.grad()[1].item<float>(), 0);
  EXPECT_NE(message_of([&] { nn::utils::clip_grad_norm_(p, -1); }), "");
  const Tensor huge = with_grad(std::vector<float>(100, 1e20f));
  EXPECT_NEAR(nn::utils::clip_grad_norm_(huge, 1) / 1e21, 1, 1e-6);
  EXPECT_NEAR(huge.grad()[0].item<float>(), 0.1, 1e-6);
}

TEST(Utils, ClipGradValueAndVectors) {
  nn::Linear layer(2, 1);
  layer(tensor_of({1, 2}, {5, -5})).sum().backward();
  nn::utils::clip_grad_value_(layer->parameters(), 2);
  expect_near(layer->weight.grad(), {2, -2});
  const Tensor all = nn::utils::parameters_to_vector(layer->parameters());
  EXPECT_EQ(all.numel(), 3);
  nn::utils::vector_to_parameters(all.detach() * 0 + 4, layer->parameters());
  expect_near(layer->weight, {4, 4});
  EXPECT_NE(message_of([&] { nn::utils::vector_to_parameters(ones({2}), layer->parameters()); }), "");
}

}  // namespace
}  // namespace wick::test
