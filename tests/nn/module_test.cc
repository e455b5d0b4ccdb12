#include "wick/nn/module.h"

#include "wick/tests/nn/support.h"

namespace wick::test {
namespace {

struct Net : nn::Module {
  Net() { fc1 = register_module("fc1", nn::Linear(4, 10)); }
  Tensor forward(Tensor x) { return fc1(x); }
  nn::Linear fc1{nullptr};
};

struct BlockImpl : nn::Module {
  BlockImpl() {
    scale = register_parameter("scale", ones({3}));
    running = register_buffer("running", zeros({2}));
    inner = register_module("inner", nn::Linear(2, 3));
  }
  Tensor forward(Tensor x) { return inner(x) * scale; }
  Tensor scale, running;
  nn::Linear inner{nullptr};
};
WICK_MODULE(Block);

struct Tree : nn::Module {
  Block a = register_module("a", Block());
  Block b = register_module("b", Block());
};

TEST(Module, RegisteredTensorsAreTheMembers) {
  Block block;
  EXPECT_TRUE(block->named_parameters()["scale"].is_same(block->scale));
  EXPECT_TRUE(block->named_buffers()["running"].is_same(block->running));
  EXPECT_TRUE(block->scale.requires_grad());
  EXPECT_FALSE(block->running.requires_grad());
  EXPECT_TRUE(block->inner->weight.requires_grad());
}

TEST(Module, Names) {
  auto tree = std::make_shared<Tree>();
  EXPECT_EQ(tree->named_parameters().keys(),
            (std::vector<std::string>{"a.scale", "a.inner.weight", "a.inner.bias", "b.scale", "b.inner.weight", "b.inner.bias"}));
  EXPECT_TRUE(tree->named_parameters(false).is_empty());
  EXPECT_EQ(tree->named_buffers().keys(), (std::vector<std::string>{"a.running", "b.running"}));
  EXPECT_EQ(tree->named_modules("root").keys(),
            (std::vector<std::string>{"root", "root.a", "root.a.inner", "root.b", "root.b.inner"}));
  EXPECT_EQ(tree->named_modules("", false).keys(), (std::vector<std::string>{"a", "a.inner", "b", "b.inner"}));
  EXPECT_EQ(tree->named_children().keys(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(tree->parameters().size(), 6u);
  EXPECT_EQ(tree->buffers().size(), 2u);
  EXPECT_EQ(tree->modules().size(), 5u);
  EXPECT_EQ(tree->modules()[0], tree);
  EXPECT_EQ(tree->children().size(), 2u);
}

TEST(Module, AParameterMadeWithoutGradModeRequiresGrad) {
  NoGradGuard no_grad;
  nn::Linear layer(2, 2);
  EXPECT_TRUE(layer->weight.requires_grad());
  EXPECT_FALSE(layer(ones({1, 2})).requires_grad());
}

TEST(Module, AnUndefinedParameterIsLeftOut) {
  nn::Linear layer(nn::LinearOptions(2, 2).bias(false));
  EXPECT_EQ(layer->named_parameters().keys(), std::vector<std::string>{"weight"});
  layer->to(kDouble);
  EXPECT_EQ(layer->weight.scalar_type(), kDouble);
  EXPECT_FALSE(layer->bias.defined());
}

TEST(Module, ATiedParameterCountsOnce) {
  struct Tied : nn::Module {
    nn::Linear in = register_module("in", nn::Linear(3, 3));
    nn::Linear out = register_module("out", nn::Linear(3, 3));
    Tensor again = register_parameter("again", in->weight);
    Tied() { out = replace_module("out", in); }
  };
  Tied tied;
  EXPECT_EQ(tied.named_parameters().keys(), (std::vector<std::string>{"again", "in.bias"}));
}

TEST(Module, TheNameIsThatOfTheClass) {
  struct Local : nn::Module {};
  EXPECT_EQ(nn::Linear(1, 2)->name(), "torch::nn::LinearImpl");
  EXPECT_EQ(nn::Module("given").name(), "given");
  EXPECT_NE(Local().name().find("Local"), std::string::npos);
}

TEST(Module, AsGivesTheClassOrNull) {
  std::shared_ptr<nn::Module> module = nn::Linear(1, 2).ptr();
  EXPECT_EQ(module->as<nn::Linear>(), module.get());
  EXPECT_EQ(module->as<nn::LinearImpl>()->options.out_features(), 2);
  EXPECT_EQ(module->as<nn::ReLU>(), nullptr);
  const nn::Module& constant = *module;
  EXPECT_EQ(constant.as<nn::Module>(), module.get());
}

TEST(Module, ApplyVisitsParentsFirst) {
  auto tree = std::make_shared<Tree>();
  std::vector<std::string> names, kinds;
  tree->apply([&](const std::string& name, nn::Module&) { names.push_back(name); }, "t");
  EXPECT_EQ(names, (std::vector<std::string>{"t", "t.a", "t.a.inner", "t.b", "t.b.inner"}));
  tree->apply([&](nn::Module& module) {
    if (auto* linear = module.as<nn::Linear>()) nn::init::constant_(linear->weight, 0.5);
  });
  EXPECT_EQ(floats(tree->b->inner->weight), std::vector<float>(6, 0.5f));
  int count = 0;
  const Tree& constant = *tree;
  constant.apply([&](const nn::Module&) { ++count; });
  constant.apply([&](const std::string&, const nn::Module&) { ++count; });
  tree->apply([&](const std::shared_ptr<nn::Module>&) { ++count; });
  tree->apply([&](const std::string&, const std::shared_ptr<nn::Module>&) { ++count; });
  EXPECT_EQ(count, 20);
}

TEST(Module, RegistrationErrors) {
  Net net;
  EXPECT_EQ(message_of([&] { net.register_module("", nn::Linear(1, 1)); }), "Submodule name must not be empty");
  EXPECT_EQ(message_of([&] { net.register_module("a.b", nn::Linear(1, 1)); }), "Submodule name must not contain a dot (got 'a.b')");
  EXPECT_EQ(message_of([&] { net.register_module("fc1", nn::Linear(1, 1)); }), "Submodule 'fc1' already defined");
  EXPECT_EQ(message_of([&] { net.register_module("n", std::shared_ptr<Net>()); }), "Submodule 'n' must not be null");
  EXPECT_EQ(message_of([&] { net.register_parameter("", ones({1})); }), "Parameter name must not be empty");
  EXPECT_EQ(message_of([&] { net.register_parameter("a.b", ones({1})); }), "Parameter name must not contain a dot (got 'a.b')");
  net.register_parameter("p", ones({1}));
  EXPECT_EQ(message_of([&] { net.register_parameter("p", ones({1})); }), "Parameter 'p' already defined");
  EXPECT_EQ(message_of([&] { net.register_buffer("", ones({1})); }), "Buffer name must not be empty");
  EXPECT_EQ(message_of([&] { net.register_buffer("a.b", ones({1})); }), "Buffer name must not contain a dot (got 'a.b')");
  net.register_buffer("b", ones({1}));
  EXPECT_EQ(message_of([&] { net.register_buffer("b", ones({1})); }), "Buffer 'b' already defined");
  for (const char* name : {"p", "b", "fc1"}) {
    const auto tried = [&](auto f) { return message_of(f).substr(0, message_of(f).find('\n')); };
    const std::string exists = "attribute '" + std::string(name) + "' already exists";
    if (*name != 'p') { EXPECT_EQ(tried([&] { net.register_parameter(name, ones({1})); }), exists); }
    if (*name != 'b') { EXPECT_EQ(tried([&] { net.register_buffer(name, ones({1})); }), exists); }
    if (*name != 'f') { EXPECT_EQ(tried([&] { net.register_module(name, nn::Linear(1, 1)); }), exists); }
  }
  EXPECT_EQ(message_of([&] { net.unregister_module("zz"); }), "No Module with name `zz` is registered");
  EXPECT_EQ(message_of([&] { net.replace_module("zz", nn::Linear(1, 1)); }), "Submodule 'zz' is not defined");
  EXPECT_TRUE(message_of([&] { nn::Linear(nullptr)->reset(); }).starts_with("Accessing empty ModuleHolder\n"));
  EXPECT_EQ(message_of([&] { net.modules(); }).substr(0, 80),
            "It looks like you attempted to retrieve your top-level module as a shared_ptr, b");
  EXPECT_EQ(net.modules(false).size(), 1u);
  net.unregister_module("fc1");
  EXPECT_TRUE(net.children().empty());
}

TEST(Module, TrainAndEvalReachTheLeaves) {
  auto tree = std::make_shared<Tree>();
  EXPECT_TRUE(tree->b->inner->is_training());
  tree->eval();
  EXPECT_FALSE(tree->is_training());
  EXPECT_FALSE(tree->b->inner->is_training());
  tree->train();
  EXPECT_TRUE(tree->b->inner->is_training());
}

TEST(Module, ToConvertsInPlaceAndTrainingGoesOn) {
  Block block;
  nn::call(block, ones({4, 2})).sum().backward();
  const Tensor weight = block->inner->weight;
  block->to(kDouble);
  EXPECT_TRUE(weight.is_same(block->inner->weight));
  EXPECT_EQ(weight.scalar_type(), kDouble);
  EXPECT_EQ(weight.grad().scalar_type(), kDouble);
  EXPECT_EQ(block->running.scalar_type(), kDouble);
  EXPECT_TRUE(weight.requires_grad());
  nn::call(block, ones({4, 2}, kDouble)).sum().backward();
  EXPECT_EQ(weight.grad().data_ptr<double>()[0], 8.0);
  block->to(kCPU);
  block->to(kCPU, kFloat);
  EXPECT_EQ(weight.scalar_type(), kFloat);
}

TEST(Module, IntegerBuffersStayIntegers) {
  nn::BatchNorm1d norm(2);
  for (const ScalarType dtype : {kDouble, kHalf, kFloat}) {
    norm->to(dtype);
    EXPECT_EQ(norm->running_mean.scalar_type(), dtype);
    EXPECT_EQ(norm->num_batches_tracked.scalar_type(), kLong);
  }
}

TEST(Module, ZeroGrad) {
  Block block;
  nn::call(block, ones({4, 2})).sum().backward();
  const Tensor grad = block->inner->weight.grad();
  block->zero_grad(/*set_to_none=*/false);
  EXPECT_EQ(floats(block->inner->weight.grad()), std::vector<float>(6, 0.f));
  EXPECT_EQ(grad.data_ptr<float>()[0], 0.f);
  block->zero_grad();
  EXPECT_FALSE(block->inner->weight.grad().defined());
  EXPECT_FALSE(block->scale.grad().defined());
}

}  // namespace
}  // namespace wick::test
