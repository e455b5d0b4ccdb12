// state_dict and load_state_dict: order, sharing, messages, hooks.
#include "wick/tests/nn/support.h"

namespace wick {

struct StateNet : nn::Cloneable<StateNet> {
  nn::Linear fc = register_module("fc", nn::Linear(2, 3));
  nn::BatchNorm1d bn = register_module("bn", nn::BatchNorm1d(3));
  Tensor forward(const Tensor& x) { return bn(fc(x)); }
};

namespace {

using test::message_of;
using State = OrderedDict<std::string, Tensor>;

TEST(StateDict, KeysAsPythonOrdersThemAndSharedMemory) {
  StateNet net;
  const State state = net.state_dict();
  EXPECT_EQ(state.keys(), (std::vector<std::string>{"fc.weight", "fc.bias", "bn.weight", "bn.bias", "bn.running_mean", "bn.running_var",
                                                    "bn.num_batches_tracked"}));
  EXPECT_EQ(state["fc.weight"].data_ptr(), net.fc->weight.data_ptr());
  EXPECT_FALSE(state["fc.weight"].requires_grad());
  EXPECT_EQ(net.state_dict("net.").keys()[0], "net.fc.weight");
}

TEST(StateDict, TiedTensorsHaveAnEntryEach) {
  nn::Linear a(2, 2);
  nn::Sequential tied(a, nn::ReLU(), a);
  EXPECT_EQ(tied->state_dict().keys(), (std::vector<std::string>{"0.weight", "0.bias", "2.weight", "2.bias"}));
  EXPECT_EQ(tied->parameters().size(), 2u);
}

TEST(LoadStateDict, CopiesValuesIntoTheModulesTensors) {
  StateNet from, to;
  const Tensor weight = to.fc->weight;
  const nn::IncompatibleKeys keys = to.load_state_dict(from.state_dict());
  EXPECT_TRUE(keys.missing_keys.empty() && keys.unexpected_keys.empty());
  EXPECT_TRUE(weight.equal(from.fc->weight));
  EXPECT_TRUE(weight.requires_grad() && weight.is_leaf());
  EXPECT_NE(weight.data_ptr(), from.fc->weight.data_ptr());
}

TEST(LoadStateDict, SaysAllThatIsWrongAndChangesNothing) {
  StateNet net;
  const Tensor before = net.fc->weight.detach().clone();
  State state;
  for (const auto& item : StateNet().state_dict()) {
    if (item.key() != "fc.bias") state.insert(item.key(), item.key() == "bn.weight" ? ones({2, 2}) : item.value());
  }
  state.insert("foo", ones({1}));
  const std::string message = message_of([&] { net.load_state_dict(state); });
  EXPECT_EQ(
      message.find("Error(s) in loading state_dict for StateNet:\n"
                   "\tMissing key(s) in state_dict: \"fc.bias\". \n"
                   "\tUnexpected key(s) in state_dict: \"foo\". \n"
                   "\tsize mismatch for bn.weight: copying a param with shape torch.Size([2, 2]) from checkpoint, the shape in current "
                   "model is torch.Size([3])."),
      0u)
      << message;
  EXPECT_TRUE(net.fc->weight.equal(before));
  EXPECT_NE(message_of([&] { net.load_state_dict(state, /*strict=*/false); }).find("size mismatch for bn.weight"), std::string::npos);
  EXPECT_TRUE(net.fc->weight.equal(before));
  State part;
  part.insert("fc.weight", zeros({3, 2}));
  part.insert("foo", ones({1}));
  const nn::IncompatibleKeys keys = net.load_state_dict(part, /*strict=*/false);
  EXPECT_EQ(keys.missing_keys.size(), 6u);
  EXPECT_EQ(keys.unexpected_keys, std::vector<std::string>{"foo"});
  EXPECT_TRUE(net.fc->weight.equal(zeros({3, 2})));
}

TEST(LoadStateDict, Hooks) {
  StateNet net;
  State old;
  old.insert("fc.w", zeros({3, 2}));
  auto renames = net.fc->register_load_state_dict_pre_hook([](nn::Module&, State& state, const std::string& prefix) {
    if (!state.contains(prefix + "w")) return;
    state.insert(prefix + "weight", state[prefix + "w"]);
    state.erase(prefix + "w");
  });
  auto forgives = net.register_load_state_dict_post_hook([](nn::Module&, nn::IncompatibleKeys& keys) { keys.missing_keys.clear(); });
  net.load_state_dict(old);
  EXPECT_TRUE(net.fc->weight.equal(zeros({3, 2})));
  EXPECT_TRUE(old.contains("fc.w"));
  renames.remove();
  EXPECT_NE(message_of([&] { net.load_state_dict(old); }).find("Unexpected key(s) in state_dict: \"fc.w\""), std::string::npos);
  forgives.remove();
  EXPECT_NE(message_of([&] { net.load_state_dict(old); }).find("Missing key(s)"), std::string::npos);
}

}  // namespace
}  // namespace wick
