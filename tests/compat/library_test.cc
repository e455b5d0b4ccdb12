// Operators by name: TORCH_LIBRARY, the choice of a kernel, IValues on a stack, autograd.
#include <ATen/core/op_registration/op_registration.h>
#include <torch/library.h>
#include <torch/torch.h>

#include <numbers>

#include "gtest/gtest.h"
#include "wick/tests/compat/support.h"

namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

template <class F>
void expect_message(F f, const std::string& part) {
  const std::string message = message_of(f);
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

c10::OperatorHandle find(const char* name) { return c10::Dispatcher::singleton().findSchemaOrThrow(name, ""); }

// ---- An extension as programs write it ---------------------------------------------------------------------------------------------

int cpu_calls = 0;

Tensor cube(const Tensor& x, double factor) {
  static const auto op = find("tests::cube").typed<Tensor(const Tensor&, double)>();
  return op.call(x, factor);
}

Tensor cube_cpu(const Tensor& x, double factor) {
  ++cpu_calls;
  return x * x * x * factor;
}

struct CubeFunction : torch::autograd::Function<CubeFunction> {
  static Tensor forward(AutogradContext* ctx, const Tensor& x, double factor) {
    at::AutoDispatchBelowAutograd below;
    ctx->save_for_backward({x});
    ctx->saved_data["factor"] = factor;
    return cube(x, factor);
  }
  static variable_list backward(AutogradContext* ctx, variable_list g) {
    const Tensor x = ctx->get_saved_variables()[0];
    return {g[0] * x * x * (3 * ctx->saved_data["factor"].toDouble()), Tensor()};
  }
};
Tensor cube_autograd(const Tensor& x, double factor) { return CubeFunction::apply(x, factor); }

std::tuple<Tensor, int64_t> largest(const Tensor& x, at::IntArrayRef among, const c10::optional<std::string>& sign) {
  Tensor y = torch::zeros({}), best = x;
  int64_t place = -1;
  for (const int64_t i : among) {
    const Tensor candidate = sign ? -x[i] : x[i];
    if (place < 0 || candidate.item<float>() > best.item<float>()) best = candidate, place = i;
  }
  return {best, place};
}

TORCH_LIBRARY(tests, m) {
  m.def("cube(Tensor x, float factor=1.0) -> Tensor");
  m.def("largest(Tensor x, int[] among, *, str? sign=None) -> (Tensor, int)", &largest);
  m.def("twice", [](const Tensor& x) { return x * 2; });
}
TORCH_LIBRARY_IMPL(tests, CPU, m) { m.impl("cube", cube_cpu); }
TORCH_LIBRARY_IMPL(tests, Autograd, m) { m.impl("cube", TORCH_FN(cube_autograd)); }
TORCH_LIBRARY_FRAGMENT(tests, m) { m.def("nothing", [] { return std::numbers::pi; }); }
const auto old_registry = torch::RegisterOperators("tests::old", [](int64_t n) { return n + 1; });

TEST(Library, AnOperatorIsCalledThroughAutogradAndThenOnItsDevice) {
  const Tensor x = torch::tensor({1.0, 2.0}, torch::requires_grad());
  cpu_calls = 0;
  const Tensor y = cube(x, 0.5);
  EXPECT_EQ(cpu_calls, 1);
  y.sum().backward();
  EXPECT_TRUE(torch::equal(y.detach(), torch::tensor({0.5, 4.0})));
  EXPECT_TRUE(torch::equal(x.grad(), torch::tensor({1.5, 6.0})));
  EXPECT_EQ(y.grad_fn()->name().find("CppNode<"), std::string("torch::autograd::").size());
  const torch::InferenceMode inference;  // leaves autograd out: straight to the kernel
  EXPECT_FALSE(cube(torch::ones({1}), 1).requires_grad());
  EXPECT_EQ(cpu_calls, 2);
}

TEST(Library, AFunctionGivenToDefServesEveryDeviceAndIsRecorded) {
  const auto twice = find("tests::twice").typed<Tensor(const Tensor&)>();
  const Tensor x = torch::ones({2}, torch::requires_grad());
  twice.call(x).sum().backward();
  EXPECT_TRUE(torch::equal(x.grad(), torch::full({2}, 2.0)));
  EXPECT_TRUE(twice.call(torch::ones({2}, torch::kMeta)).is_meta());
  EXPECT_EQ(find("tests::nothing").typed<double()>().call(), std::numbers::pi);
  EXPECT_EQ(find("tests::old").typed<int64_t(int64_t)>().call(4), 5);
}

TEST(Library, CallsWithIValues) {
  torch::jit::Stack stack{torch::tensor({3.f, 1.f, 2.f}), std::vector<int64_t>{1, 2}, c10::IValue()};
  find("tests::largest").callBoxed(stack);
  ASSERT_EQ(stack.size(), 2u);
  EXPECT_EQ(stack[0].toTensor().item<float>(), 2.f);
  EXPECT_EQ(stack[1].toInt(), 2);
  stack = {torch::tensor({3.f, 1.f, 2.f}), std::vector<int64_t>{0, 1}, "-"};
  find("tests::largest").callBoxed(&stack);
  EXPECT_EQ(stack[1].toInt(), 1);
  stack = {2};
  expect_message([&] { find("tests::largest").callBoxed(stack); }, "the stack holds 1 arguments, expected 3");
}

TEST(Library, ErrorsSayWhatIsMissing) {
  expect_message([] { find("tests::unknown"); }, "Could not find schema for tests::unknown.");
  expect_message([] { find("tests::cube").typed<Tensor(const Tensor&, int64_t)>(); },
                 "Tried to access or call an operator with a wrong signature.\n  operator: tests::cube");
  expect_message([] { cube(torch::ones({1}, torch::kMeta), 1); }, "Could not run 'tests::cube' with arguments from the 'Meta' backend.");
  auto m = MAKE_TORCH_LIBRARY(tests_errors);
  m.def("sum(Tensor[] list) -> Tensor");
  auto cpu = MAKE_TORCH_LIBRARY_IMPL(tests_errors, CPU);
  cpu.impl("sum", [](at::TensorList list) { return torch::stack(list).sum(); });
  const auto sum = find("tests_errors::sum").typed<Tensor(at::TensorList)>();
  EXPECT_EQ(sum.call(std::vector<Tensor>{torch::ones({2}), torch::ones({2})}).item<float>(), 4.f);
  expect_message([&] { sum.call({}); }, "There were no tensor arguments to this function");
  expect_message([&] { m.def("sum(Tensor[] list) -> Tensor"); }, "with the same name and overload name multiple times");
  expect_message([&] { cpu.impl("sum", [](const Tensor& x) { return x; }); },
                 "Inferred operator schema for a C++ kernel function doesn't match");
  expect_message([&] { cpu.def("other(Tensor x) -> Tensor"); }, "Cannot define an operator inside of a TORCH_LIBRARY_IMPL block.");
  expect_message([&] { m.def("elsewhere::f(Tensor x) -> Tensor"); }, "Explicitly provided namespace (elsewhere)");
  const auto early = [&] { return m.def("late(Tensor x) -> Tensor"), find("tests_errors::late").typed<Tensor(at::Tensor)>(); }();
  cpu.impl("late", [](const Tensor& x) { return x; });
  expect_message([&] { early.call(torch::ones({})); }, "Tried to access or call an operator with a wrong signature.");
  expect_message([] { torch::RegisterOperators("bare", [] { return 1.0; }); }, "the name needs a namespace, as in my::bare");
  expect_message([] { MAKE_TORCH_LIBRARY(tests_errors); },
                 "Only a single TORCH_LIBRARY can be used to register the namespace tests_errors");
  expect_message([&] { m.def("f(Tensor x -> Tensor"); }, "expected ) but found '-> Tensor' here:\n  f(Tensor x -> Tensor");
}

TEST(Library, TakesBackWhatItHasRegisteredWhenItIsDestroyed) {
  {
    auto m = MAKE_TORCH_LIBRARY(tests_scope);
    m.def("one() -> int", [] { return int64_t{1}; });
    EXPECT_TRUE(c10::Dispatcher::singleton().findSchema({"tests_scope::one", ""}));
  }
  EXPECT_FALSE(c10::Dispatcher::singleton().findSchema({"tests_scope::one", ""}));
  auto again = MAKE_TORCH_LIBRARY(tests_scope);
  again.def("one() -> int");
}

std::string seen;
void log_call(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
  seen = op.schema().name() + "/" + std::to_string(stack->size());
  op.redispatchBoxed(keys & c10::after_autograd_keyset, stack);
}

TEST(Library, FallbackAndBoxedKernelsSeeTheOperator) {
  auto m = MAKE_TORCH_LIBRARY(tests_boxed);
  m.def("half(Tensor x) -> Tensor", torch::dispatch(c10::kCPU, [](const Tensor& x) { return x / 2; }));
  auto all = MAKE_TORCH_LIBRARY_IMPL(_, AutogradCPU);
  all.fallback(torch::CppFunction::makeFromBoxedFunction<&log_call>());
  EXPECT_EQ(find("tests_boxed::half").typed<Tensor(const Tensor&)>().call(torch::ones({})).item<float>(), 0.5f);
  EXPECT_EQ(seen, "tests_boxed::half/1");
  auto none = MAKE_TORCH_LIBRARY_IMPL(tests_boxed, AutogradCPU);
  none.impl("half", torch::CppFunction::makeFallthrough());
  seen.clear();
  EXPECT_EQ(find("tests_boxed::half").typed<Tensor(const Tensor&)>().call(torch::ones({})).item<float>(), 0.5f);
  EXPECT_EQ(seen, "");
}

TEST(Library, WithoutADerivativeBackwardNamesTheOperator) {
  auto m = MAKE_TORCH_LIBRARY(tests_plain);
  m.def("shift_(Tensor(a!) self, float by) -> Tensor(a!)");
  m.def("same(Tensor(a) self) -> Tensor(a)");
  auto cpu = MAKE_TORCH_LIBRARY_IMPL(tests_plain, CPU);
  cpu.impl("shift_", [](Tensor& self, double by) -> Tensor& { return self.add_(by); });
  cpu.impl("same", [](const Tensor& self) { return self.alias(); });
  auto autograd = MAKE_TORCH_LIBRARY_IMPL(tests_plain, Autograd);
  auto views = MAKE_TORCH_LIBRARY_IMPL(tests_plain, ADInplaceOrView);
  for (const char* name : {"shift_", "same"}) {
    autograd.impl(name, torch::autograd::autogradNotImplementedFallback());
    views.impl(name, torch::autograd::autogradNotImplementedInplaceOrViewFallback());
  }
  const auto shift = find("tests_plain::shift_").typed<Tensor&(Tensor&, double)>();
  Tensor x = torch::ones({2});
  const int64_t version = x._version();
  EXPECT_EQ(&shift.call(x, 1), &x);
  EXPECT_GT(x._version(), version);
  EXPECT_EQ(x.sum().item<float>(), 4.f);
  Tensor leaf = torch::ones({2}, torch::requires_grad());
  expect_message([&] { shift.call(leaf, 1); }, "a leaf Variable that requires grad is being used in an in-place operation");
  Tensor y = leaf * 1;
  shift.call(y, 1);
  expect_message([&] { y.sum().backward(); }, "derivative for tests_plain::shift_ is not implemented");
  const auto same = find("tests_plain::same").typed<Tensor(const Tensor&)>();
  const Tensor base = leaf * 1, view = same.call(base);
  EXPECT_TRUE(view.is_view());
  EXPECT_TRUE(view._base().is_same(base));
  expect_message([&] { view.mul_(2); }, "which does not have a derivative implemented is forbidden");
}

// ---- Schemas -----------------------------------------------------------------------------------------------------------------------

TEST(Schema, IsReadAndWrittenBack) {
  for (const char* text : {"a::f(Tensor self, Tensor? other) -> Tensor", "g.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)",
                           "h(int[] sizes=[1, 2], str mode=\"a,b\") -> (Tensor, int)", "v(Tensor(a)[] list) -> ()"}) {
    EXPECT_EQ(c10::toString(torch::schema(text)), text);
  }
  const c10::FunctionSchema schema =
      torch::schema(" ns::op.two ( Tensor(a!) x , int[2]? k = None, * , SymInt n) -> (Tensor(a!) y, Tensor[](b)) ");
  EXPECT_EQ(schema.name(), "ns::op");
  EXPECT_EQ(schema.overload_name(), "two");
  EXPECT_TRUE(schema.is_mutable());
  EXPECT_EQ(schema.arguments()[1].type(), "int[]?");
  EXPECT_EQ(*schema.arguments()[1].default_value(), "None");
  EXPECT_TRUE(schema.arguments()[2].kwarg_only());
  EXPECT_EQ(schema.returns()[0].name(), "y");
  EXPECT_EQ(schema.returns()[1].alias_info()->set(), "b");
  for (const char* bad : {"", "f", "f(", "f(Tensor)", "f(Tensor x)", "f(Tensor x) -> Tensor y z", "f(Tensor x=) -> Tensor",
                          "f(int[2 x) -> int"}) {
    EXPECT_THROW(torch::schema(bad), c10::Error) << bad;
  }
}

}  // namespace
