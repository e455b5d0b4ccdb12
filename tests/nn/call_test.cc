#include "wick/nn/call.h"

#include <type_traits>

#include "wick/tests/nn/support.h"

namespace wick::test {
namespace {

struct Plain : nn::Module {
  Tensor forward(Tensor x) { return fc(x); }
  nn::Linear fc = register_module("fc", scale_by(3));
};
struct Callable : nn::Cloneable<Callable> {
  nn::Linear fc = register_module("fc", scale_by(3));
  Tensor forward(const Tensor& x) { return fc(x); }
};

static_assert(std::is_invocable_r_v<Tensor, nn::Linear&, Tensor>);
static_assert(std::is_invocable_r_v<Tensor, const nn::Linear&, const Tensor&>);
static_assert(std::is_invocable_r_v<Tensor, Callable&, Tensor>);
static_assert(!std::is_invocable_v<Callable&, int>);
static_assert(!std::is_invocable_v<Plain&, Tensor>);

TEST(Call, EveryWayToCallGivesForward) {
  const Tensor x = ones({1, 1});
  auto plain = std::make_shared<Plain>();
  Callable callable;
  EXPECT_EQ(nn::call(*plain, x).item<float>(), 3);
  EXPECT_EQ(nn::call(plain, x).item<float>(), 3);
  EXPECT_EQ(callable(x).item<float>(), 3);
  EXPECT_EQ(nn::call(callable, x).item<float>(), 3);
  EXPECT_EQ(nn::call(callable.fc, x).item<float>(), 3);
}

// Arguments and results of any kind, with and without hooks.
struct Odd : nn::Module {
  std::unique_ptr<int> last;
  int count = 0;
  std::pair<Tensor, int> forward(std::unique_ptr<int> n, int& counter, std::optional<Tensor> x, const std::vector<Tensor>& more,
                                 TensorList list) {
    counter += *n;
    return {x ? *x + more[0] + list[0] : more[0], *n};
  }
};
struct Nothing : nn::Module {
  int calls = 0;
  void forward() { ++calls; }
};
struct Reference : nn::Module {
  Tensor state = ones({1});
  Tensor& forward() { return state; }
};

TEST(Call, PassesAnyTypes) {
  for (const bool hooked : {false, true}) {
    Odd odd;
    std::vector<size_t> seen;
    if (hooked) {
      odd.register_forward_pre_hook([&](nn::Module&, std::vector<Tensor>& inputs) {
        seen.push_back(inputs.size());
        for (Tensor& x : inputs) x = x * 10;
      });
      odd.register_forward_hook([&](nn::Module&, const std::vector<Tensor>& inputs, std::vector<Tensor>& outputs) {
        seen.push_back(inputs.size());
        seen.push_back(outputs.size());
      });
    }
    int counter = 0;
    std::vector<Tensor> list{full({1}, 3.f)};
    auto [y, n] = nn::call(odd, std::make_unique<int>(5), counter, ones({1}), std::vector<Tensor>{full({1}, 2.f)}, TensorList(list));
    EXPECT_EQ(n, 5);
    EXPECT_EQ(counter, 5);
    EXPECT_EQ(y.item<float>(), hooked ? 60 : 6);
    EXPECT_EQ(list[0].item<float>(), 3);  // the caller's tensors are not replaced
    EXPECT_EQ(seen, hooked ? (std::vector<size_t>{3, 3, 1}) : std::vector<size_t>());

    Nothing nothing;
    if (hooked) nothing.register_forward_hook([&](nn::Module&, auto&, auto& outputs) { EXPECT_TRUE(outputs.empty()); });
    nn::call(nothing);
    EXPECT_EQ(nothing.calls, 1);

    Reference reference;
    if (hooked) reference.register_forward_hook([](nn::Module&, auto&, auto& outputs) { EXPECT_EQ(outputs.size(), 1u); });
    EXPECT_EQ(&nn::call(reference), &reference.state);
  }
}

TEST(Call, AnErrorNamesThePathOfTheModule) {
  struct Inner : nn::Cloneable<Inner> {
    nn::Linear fc1 = register_module("fc1", nn::Linear(4, 10));
    Tensor forward(const Tensor& x) { return fc1(x); }
  };
  struct Outer : nn::Module {
    std::shared_ptr<Inner> block = register_module("block", std::make_shared<Inner>());
    nn::Sequential tail = register_module("tail", nn::Sequential(nn::ReLU(), nn::Linear(1, 1)));
    Tensor forward(const Tensor& x) { return tail((*block)(x)); }
  };
  Outer model;
  const std::string wrong = message_of([&] { nn::call(model, ones({2, 5})); });
  EXPECT_EQ(wrong.substr(0, wrong.find('\n')), "mat1 and mat2 shapes cannot be multiplied (2x5 and 4x10)");
  const std::string path = "\n  in module fc1 (Linear)\n  in module block (Inner)\n  in module Outer";
  EXPECT_EQ(wrong.substr(wrong.size() - path.size()), path);
  const std::string later = message_of([&] { nn::call(model, ones({2, 4})); });
  EXPECT_NE(later.find("\n  in module 1 (Linear)\n  in module tail (Sequential)\n  in module Outer"), std::string::npos);
}

TEST(Call, OfNullThrows) {
  EXPECT_TRUE(message_of([] { nn::Linear(nullptr)(ones({1})); }).starts_with("Accessing empty ModuleHolder\n"));
  EXPECT_EQ(message_of([] { nn::call(std::shared_ptr<Plain>(), ones({1})); }), "nn::call: the module is null");
}

}  // namespace
}  // namespace wick::test
