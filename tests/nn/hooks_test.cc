#include "wick/nn/hooks.h"

#include "wick/tests/nn/support.h"

namespace wick::test {
namespace {

using Tensors = std::vector<Tensor>;

float call(nn::Linear& layer, float x) { return layer(full({1, 1}, x)).item<float>(); }

TEST(ForwardHooks, EachSeesWhatTheLastOneLeft) {
  nn::Linear layer = scale_by(2);
  layer->register_forward_pre_hook([](nn::Module&, const Tensors& in) { return in[0] + 1; });
  std::vector<float> seen;
  layer->register_forward_hook([&](nn::Module&, const Tensors& in, const Tensors& out) {
    seen.push_back(in[0].item<float>());
    seen.push_back(out[0].item<float>());
    return out[0] * 10;
  });
  layer->register_forward_hook([&](nn::Module& module, const Tensors&, const Tensors& out) {
    EXPECT_EQ(&module, layer.get());
    seen.push_back(out[0].item<float>());
  });
  EXPECT_EQ(call(layer, 3), 80);
  EXPECT_EQ(seen, (std::vector<float>{4, 8, 80}));
  EXPECT_EQ(layer->forward(full({1, 1}, 3.f)).item<float>(), 6);  // forward() by name runs none
}

TEST(ForwardHooks, PrependedHooksRunFirst) {
  nn::Linear layer = scale_by(1);
  layer->register_forward_pre_hook([](nn::Module&, Tensors& in) { in[0] = in[0] * 10; });
  layer->register_forward_pre_hook([](nn::Module&, Tensors& in) { in[0] = in[0] + 1; }, /*prepend=*/true);
  EXPECT_EQ(call(layer, 1), 20);
}

TEST(ForwardHooks, RemovingFromInsideAHook) {
  nn::Linear layer = scale_by(1);
  std::vector<int> calls;
  nn::RemovableHandle first;
  first = layer->register_forward_hook([&](nn::Module&, auto&, auto&) {
    calls.push_back(1);
    first.remove();
  });
  layer->register_forward_hook([&](nn::Module&, auto&, auto&) { calls.push_back(2); });
  call(layer, 1);
  EXPECT_EQ(calls, (std::vector<int>{1, 2}));
  call(layer, 1);
  EXPECT_EQ(calls, (std::vector<int>{1, 2, 2}));
}

TEST(ForwardHooks, TheListIsFixedWhenTheCallStarts) {
  nn::Linear layer = scale_by(1);
  std::vector<int> calls;
  nn::RemovableHandle later;
  layer->register_forward_pre_hook([&](nn::Module& module, auto&) {
    calls.push_back(1);
    later.remove();
    if (calls.size() == 1) module.register_forward_hook([&](nn::Module&, auto&, auto&) { calls.push_back(3); });
  });
  later = layer->register_forward_pre_hook([&](nn::Module&, auto&) { calls.push_back(2); });
  call(layer, 1);
  EXPECT_EQ(calls, (std::vector<int>{1, 2}));  // the removed one still runs, the added one does not yet
  call(layer, 1);
  EXPECT_EQ(calls, (std::vector<int>{1, 2, 1, 3}));
}

TEST(ForwardHooks, HandlesMayBeUsedTwiceAndOutliveTheModule) {
  nn::RemovableHandle handle, never;
  never.remove();
  {
    nn::Linear layer = scale_by(1);
    handle = layer->register_forward_hook([](nn::Module&, auto&, auto& out) { out[0] = out[0] * 100; });
    nn::RemovableHandle other = layer->register_forward_hook([](nn::Module&, auto&, auto& out) { out[0] = out[0] + 1; });
    EXPECT_EQ(call(layer, 1), 101);
    handle.remove();
    handle.remove();
    EXPECT_EQ(call(layer, 1), 2);
    other.remove();
    EXPECT_FALSE(layer->hooks().any());
    handle = layer->register_forward_hook([](nn::Module&, auto&, auto&) {});
  }
  handle.remove();
}

TEST(ForwardHooks, AHookThatThrowsLeavesTheModuleUsable) {
  nn::Linear layer = scale_by(2);
  bool fail = true;
  layer->register_forward_hook([&](nn::Module&, auto&, auto&) { WICK_CHECK(!fail, "hook failed"); });
  EXPECT_EQ(message_of([&] { call(layer, 1); }), "hook failed\n  in module Linear");
  fail = false;
  EXPECT_EQ(call(layer, 1), 2);
}

TEST(ForwardHooks, TheNumberOfTensorsStays) {
  nn::Linear layer = scale_by(1);
  auto handle = layer->register_forward_pre_hook([](nn::Module&, Tensors& in) { in.push_back(in[0]); });
  EXPECT_EQ(message_of([&] { call(layer, 1); }),
            "A forward pre-hook must leave as many tensors as it got: got 1, left 2\n  in module Linear");
  handle.remove();
  layer->register_forward_hook([](nn::Module&, const Tensors&, Tensors& out) { return Tensors{out[0], out[0]}; });
  EXPECT_EQ(message_of([&] { call(layer, 1); }),
            "A forward hook must leave as many tensors as it got: got 1, left 2\n  in module Linear");
}

TEST(ForwardHooks, RunInContainers) {
  nn::Linear layer = scale_by(2);
  layer->register_forward_hook([](nn::Module&, auto&, auto& out) { out[0] = out[0] + 1; });
  nn::Sequential model(layer, nn::ReLU(), layer);
  nn::AnyModule any(layer);
  const Tensor x = ones({1, 1});
  EXPECT_EQ(model(x).item<float>(), 7);
  EXPECT_EQ(model->forward(x).item<float>(), 7);
  EXPECT_EQ(any(x).item<float>(), 3);
  EXPECT_EQ(any.forward(x).item<float>(), 2);
}

// ---- Backward. The expected values are PyTorch's. ----

TEST(BackwardHooks, SeeTheGradients) {
  nn::Linear layer = scale_by(2);
  std::vector<float> seen;
  layer->register_full_backward_hook([&](nn::Module& module, const Tensors& grad_input, const Tensors& grad_output) {
    EXPECT_EQ(&module, layer.get());
    seen.push_back(grad_input[0].defined() ? grad_input[0].item<float>() : -1);
    seen.push_back(grad_output[0].item<float>());
  });
  Tensor x = ones({1, 1}).requires_grad_();
  (layer(x) * 3).sum().backward();
  EXPECT_EQ(seen, (std::vector<float>{6, 3}));
  EXPECT_EQ(x.grad().item<float>(), 6);
  EXPECT_EQ(layer->weight.grad().item<float>(), 3);

  seen.clear();
  (layer(ones({1, 1})) * 3).sum().backward();  // no input needs a gradient
  EXPECT_EQ(seen, (std::vector<float>{-1, 3}));

  seen.clear();
  NoGradGuard no_grad;
  layer(x);
  EXPECT_TRUE(seen.empty());
}

TEST(BackwardHooks, MayReplaceTheGradients) {
  nn::Linear layer = scale_by(2);
  layer->register_full_backward_hook([](nn::Module&, Tensors& grad_input, const Tensors&) { grad_input[0] = grad_input[0] * 3; });
  auto handle = layer->register_full_backward_pre_hook([](nn::Module&, const Tensors& grad_output) { return grad_output[0] * 10; });
  Tensor x = ones({1, 1}).requires_grad_();
  layer(x).sum().backward();
  EXPECT_EQ(x.grad().item<float>(), 60);
  EXPECT_EQ(layer->weight.grad().item<float>(), 10);
  handle.remove();
  x.mutable_grad().reset();
  layer(x).sum().backward();
  EXPECT_EQ(x.grad().item<float>(), 6);
}

TEST(BackwardHooks, OneGradientForEachTensor) {
  struct TwoByTwo : nn::Module {
    std::tuple<Tensor, std::optional<Tensor>, Tensor> forward(Tensor a, int factor, Tensor index, Tensor b) {
      return {a * b, b * factor, index};
    }
  };
  auto module = std::make_shared<TwoByTwo>();
  Tensors inputs, outputs;
  module->register_full_backward_hook([&](nn::Module&, Tensors& grad_input, const Tensors& grad_output) {
    inputs = grad_input;
    outputs = grad_output;
  });
  Tensor a = full({1}, 2.f).requires_grad_(), b = full({1}, 3.f).requires_grad_();
  const auto result = nn::call(module, a, 5, zeros({1}, kLong), b);
  EXPECT_FALSE(std::get<2>(result).requires_grad());
  (std::get<0>(result) + *std::get<1>(result)).sum().backward();
  ASSERT_EQ(inputs.size(), 3u);
  EXPECT_EQ(inputs[0].item<float>(), 3);
  EXPECT_FALSE(inputs[1].defined());
  EXPECT_EQ(inputs[2].item<float>(), 7);
  ASSERT_EQ(outputs.size(), 3u);
  EXPECT_EQ(outputs[1].item<float>(), 1);
  EXPECT_FALSE(outputs[2].defined());
}

TEST(BackwardHooks, GoThroughTheSecondDerivative) {
  struct Cube : nn::Module {
    Tensor forward(Tensor x) { return x * x * x; }
  };
  auto cube = std::make_shared<Cube>();
  cube->register_full_backward_hook([](nn::Module&, Tensors& grad_input, const Tensors&) { grad_input[0] = grad_input[0] * 2; });
  Tensor x = full({1}, 3.f).requires_grad_();
  nn::call(cube, x).sum().backward({}, true, /*create_graph=*/true);
  EXPECT_EQ(x.grad().item<float>(), 54);  // 2 · 3x²
  const Tensor first = x.grad();
  x.mutable_grad().reset();
  first.sum().backward();
  EXPECT_EQ(x.grad().item<float>(), 36);  // 2 · 6x
}

TEST(BackwardHooks, KeepTheModuleAlive) {
  int calls = 0;
  Tensor y;
  {
    nn::Linear layer = scale_by(2);
    layer->register_full_backward_hook([&](nn::Module& module, auto&, auto&) { calls += module.is_training(); });
    y = layer(ones({1, 1}).requires_grad_());
  }
  y.sum().backward();
  EXPECT_EQ(calls, 1);
}

TEST(BackwardHooks, Errors) {
  const auto message = [](auto hook, bool input_needs_grad, bool pre = false) {
    nn::Linear layer = scale_by(2);
    if constexpr (std::is_invocable_v<decltype(hook), nn::Module&, Tensors&, const Tensors&>) layer->register_full_backward_hook(hook);
    else layer->register_full_backward_pre_hook(hook);
    EXPECT_EQ(pre, (std::is_invocable_v<decltype(hook), nn::Module&, Tensors&>));
    return message_of([&] { layer(ones({1, 1}).requires_grad_(input_needs_grad)).sum().backward(); });
  };
  EXPECT_NE(message([](nn::Module&, Tensors& gi, const Tensors&) { gi.push_back(gi[0]); }, true)
                .find("Backward hook returned an invalid number of grad_input, got 2, but expected 1"), std::string::npos);
  EXPECT_NE(message([](nn::Module&, Tensors& go) { go.push_back(go[0]); }, true, true)
                .find("Backward pre hook returned an invalid number of grad_output, got 2, but expected 1"), std::string::npos);
  EXPECT_NE(message([](nn::Module&, Tensors&, const Tensors& go) { return go[0]; }, false)
                .find("Backward hook for Modules where no input requires gradient should always return None or None for all gradients."),
            std::string::npos);
}

TEST(BackwardHooks, ForbidInPlaceWritesToTheResult) {
  nn::Sigmoid layer;
  layer->register_full_backward_hook([](nn::Module&, auto&, auto&) {});
  const Tensor x = ones({2}).requires_grad_() * 1;
  EXPECT_EQ(message_of([&] { layer(x).add_(1); }).substr(0, 94),
            "Output 0 of BackwardHookFunctionBackward is a view and is being modified inplace. This view is");
}

}  // namespace
}  // namespace wick::test
