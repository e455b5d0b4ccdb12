// Recurrent layers, attention and transformers against PyTorch's numbers, with packed sequences, masks, text, clones and misuse.
#include <sstream>

#include "wick/framework/autograd/gradcheck.h"
#include "wick/framework/core/launch.h"
#include "wick/framework/core/parallel.h"
#include "wick/framework/ops/tensor_literal.h"
#include "wick/framework/ops/tensor_index.h"
#include "wick/tests/nn/support.h"

namespace wick::test {
namespace {

namespace rnn = nn::utils::rnn;

void expect_about(const Tensor& x, const std::vector<float>& expected) {
  const std::vector<float> a = floats(x);
  ASSERT_EQ(a.size(), expected.size());
  for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], expected[i], 2e-6f + 1e-5f * std::fabs(expected[i])) << "at " << i;
}

// Parameter i becomes sin(0.37 k + i) / 2.
void fill(nn::Module& module) {
  NoGradGuard no_grad;
  double i = 0;
  for (Tensor& p : module.parameters()) p.copy_((arange(p.numel(), kFloat) * 0.37 + i++).sin().view(p.sizes()) * 0.5);
}

Tensor sequence() { return (arange(24, kFloat) * 0.3).cos().view({4, 2, 3}); }

template <class F>
std::string first_line(F&& f) {
  const std::string message = message_of(f);
  return message.substr(0, message.find('\n'));
}

template <class M>
std::string text_of(const M& module) {
  std::ostringstream out;
  out << module;
  return out.str();
}

TEST(Recurrent, RnnMatchesPyTorch) {
  nn::RNN layer(nn::RNNOptions(3, 2).num_layers(2).bidirectional(true));
  fill(*layer);
  const Tensor x = sequence().requires_grad_();
  const auto [y, h] = layer(x);
  (y * y).sum().backward();
  expect_about(y[-1], {-0.31215f, -0.359576f, 0.357896f, 0.72307f, -0.287989f, -0.312926f, 0.296556f, 0.701589f});
  expect_about(h, {
      0.806077f, 0.917303f, 0.881171f, 0.962197f, -0.86379f, -0.508457f, -0.741983f, -0.212414f, -0.31215f, -0.359576f,
      -0.287989f, -0.312926f, 0.693841f, 0.92356f, 0.776803f, 0.923334f});
  expect_about(x.grad()[0], {-0.211827f, -0.227246f, -0.211907f, -0.354007f, -0.417393f, -0.424287f});
  expect_about(layer->parameters()[1].grad().flatten().slice(0, 0, 4), {-0.657169f, -0.374662f, -0.37735f, -0.353633f});

  const auto packed = rnn::pack_padded_sequence(sequence(), tensor({2, 4}), false, /*enforce_sorted=*/false);
  const auto [rows, end] = layer->forward_with_packed_input(packed);
  const auto [padded, lengths] = rnn::pad_packed_sequence(rows);
  EXPECT_EQ(padded.sizes(), IntArrayRef({4, 2, 4}));
  EXPECT_TRUE(lengths.equal(tensor({2, 4})));
  expect_about(padded[1], {-0.035774f, -0.872366f, 0.687971f, 0.942593f, -0.459668f, -0.829008f, 0.913237f, 0.976561f});
  expect_about(end, {
      0.739618f, 0.28276f, 0.881171f, 0.962197f, -0.93281f, -0.627656f, -0.741983f, -0.212414f, -0.035774f, -0.872366f,
      -0.287989f, -0.312926f, 0.647234f, 0.891606f, 0.776803f, 0.923334f});
}

TEST(Recurrent, LstmWithProjectionMatchesPyTorch) {
  nn::LSTM layer(nn::LSTMOptions(3, 4).num_layers(2).bidirectional(true).proj_size(2));
  fill(*layer);
  const Tensor x = sequence().requires_grad_();
  const auto [y, state] = layer(x);
  const auto [h, c] = state;
  (y * y).sum().backward();
  expect_about(y[-1], {-0.145669f, 0.121943f, 0.0734f, 0.125473f, -0.145924f, 0.112059f, 0.073163f, 0.12568f});
  expect_about(h, {
      0.432201f, 0.240077f, 0.457153f, 0.20689f, 0.174122f, 0.617689f, 0.100836f, 0.573533f, -0.145669f, 0.121943f,
      -0.145924f, 0.112059f, 0.154609f, 0.234927f, 0.15988f, 0.228328f});
  expect_about(c[0], {-0.422058f, -0.669386f, -0.35628f, 0.169788f, -0.251075f, -0.771752f, -0.540237f, 0.163185f});
  expect_about(x.grad()[0], {-0.000203f, -0.001565f, -0.002716f, -0.004878f, -0.006456f, -0.00716f});
  expect_about(layer->parameters()[1].grad().flatten().slice(0, 0, 4), {-9.6e-05f, -0.000408f, 0.000374f, -0.000203f});

  const auto packed = rnn::pack_padded_sequence(sequence(), tensor({2, 4}), false, /*enforce_sorted=*/false);
  const auto [rows, end] = layer->forward_with_packed_input(packed);
  const auto [padded, lengths] = rnn::pad_packed_sequence(rows);
  EXPECT_EQ(padded.sizes(), IntArrayRef({4, 2, 4}));
  EXPECT_TRUE(lengths.equal(tensor({2, 4})));
  expect_about(padded[1], {-0.109764f, 0.083787f, 0.085186f, 0.124649f, -0.108127f, 0.091177f, 0.154906f, 0.206425f});
  expect_about(std::get<0>(end), {
      -0.064464f, 0.058948f, 0.457153f, 0.20689f, 0.1938f, 0.559886f, 0.100836f, 0.573533f, -0.109764f, 0.083787f, -0.145924f,
      0.112059f, 0.115497f, 0.189132f, 0.15988f, 0.228328f});
}

TEST(Recurrent, GruMatchesPyTorch) {
  nn::GRU layer(nn::GRUOptions(3, 2).num_layers(2).bidirectional(true));
  fill(*layer);
  const Tensor x = sequence().requires_grad_();
  const auto [y, h] = layer(x);
  (y * y).sum().backward();
  expect_about(y[-1], {-0.4097f, -0.367412f, 0.019437f, -0.20534f, -0.510879f, -0.38877f, 0.075559f, -0.212976f});
  expect_about(h, {
      -0.054573f, -0.671129f, -0.362453f, -0.687151f, 0.443916f, 0.549061f, 0.417238f, 0.56732f, -0.4097f, -0.367412f,
      -0.510879f, -0.38877f, 0.055743f, -0.118058f, 0.036717f, -0.087947f});
  expect_about(x.grad()[0], {0.003864f, 0.015688f, 0.025389f, 0.039018f, 0.048823f, 0.052021f});
  expect_about(layer->parameters()[1].grad().flatten().slice(0, 0, 4), {0.010645f, -0.016383f, 0.011603f, -0.011337f});

  const auto packed = rnn::pack_padded_sequence(sequence(), tensor({2, 4}), false, /*enforce_sorted=*/false);
  const auto [rows, end] = layer->forward_with_packed_input(packed);
  const auto [padded, lengths] = rnn::pad_packed_sequence(rows);
  EXPECT_EQ(padded.sizes(), IntArrayRef({4, 2, 4}));
  EXPECT_TRUE(lengths.equal(tensor({2, 4})));
  expect_about(padded[1], {-0.353282f, -0.365407f, -0.031507f, -0.121453f, -0.079215f, -0.401142f, -0.049283f, -0.028339f});
  expect_about(end, {
      0.171403f, -0.423207f, -0.362453f, -0.687151f, 0.326126f, 0.345297f, 0.417238f, 0.56732f, -0.353282f, -0.365407f,
      -0.510879f, -0.38877f, 0.072512f, -0.206293f, 0.036717f, -0.087947f});
}

TEST(Recurrent, BatchFirstOnlyTransposes) {
  nn::GRU plain(nn::GRUOptions(3, 2)), batch_first(nn::GRUOptions(3, 2).batch_first(true));
  fill(*plain);
  fill(*batch_first);
  const auto [y, h] = plain(sequence());
  const auto [yt, ht] = batch_first(sequence().transpose(0, 1));
  EXPECT_TRUE(y.equal(yt.transpose(0, 1)));
  EXPECT_TRUE(h.equal(ht));
}

TEST(Recurrent, OneSequenceIsABatchOfOne) {
  const Tensor x = sequence().select(1, 0);
  const auto expect_same = [](const Tensor& alone, const Tensor& batched, int64_t dim) {
    EXPECT_TRUE(alone.equal(batched.squeeze(dim)));
    EXPECT_EQ(alone.dim() + 1, batched.dim());
  };
  for (const bool batch_first : {false, true}) {
    const int64_t dim = batch_first ? 0 : 1;
    nn::LSTM lstm(nn::LSTMOptions(3, 4).num_layers(2).bidirectional(true).batch_first(batch_first).proj_size(2));
    const Tensor h = ones({4, 1, 2}), c = ones({4, 1, 4});
    const auto [y, state] = lstm(x, std::tuple(h.squeeze(1), c.squeeze(1)));
    const auto [batched, batched_state] = lstm(x.unsqueeze(dim), std::tuple(h, c));
    expect_same(y, batched, dim);
    expect_same(std::get<0>(state), std::get<0>(batched_state), 1);
    expect_same(std::get<1>(state), std::get<1>(batched_state), 1);
    nn::RNN rnn(nn::RNNOptions(3, 4).batch_first(batch_first));
    expect_same(std::get<0>(rnn(x)), std::get<0>(rnn(x.unsqueeze(dim))), dim);
  }
}

TEST(Attention, OneSequenceIsABatchOfOne) {
  nn::MultiheadAttention attention(nn::MultiheadAttentionOptions(4, 2).add_bias_kv(true));
  const Tensor x = (arange(12, kFloat) * 0.7).sin().view({3, 4});
  const Tensor hidden = tensor_of({1, 3}, {0, 1, 0}).to(kBool);
  const auto [y, weights] = attention(x, x, x, hidden.squeeze(0));
  const Tensor one = x.unsqueeze(1);
  const auto [batched, batched_weights] = attention(one, one, one, hidden);
  EXPECT_EQ(y.sizes().vec(), (std::vector<int64_t>{3, 4}));
  EXPECT_EQ(weights.sizes().vec(), (std::vector<int64_t>{3, 4}));
  expect_near(y, floats(batched));
  expect_near(weights, floats(batched_weights));
  EXPECT_FALSE(std::get<1>(attention(x, x, x, Tensor(), false)).defined());
}

TEST(Recurrent, CellsAreTheStepsOfALayer) {
  nn::LSTM layer(3, 2);
  nn::LSTMCell cell(3, 2);
  nn::GRU gru(3, 2);
  nn::GRUCell gru_cell(3, 2);
  nn::RNN rnn_layer(nn::RNNOptions(3, 2).nonlinearity(kReLU));
  nn::RNNCell rnn_cell(nn::RNNCellOptions(3, 2).nonlinearity(kReLU));
  for (nn::Module* m :
       std::initializer_list<nn::Module*>{layer.get(), cell.get(), gru.get(), gru_cell.get(), rnn_layer.get(), rnn_cell.get()})
    fill(*m);
  const Tensor x = sequence();
  std::tuple<Tensor, Tensor> state = cell(x[0]);
  Tensor g = gru_cell(x[0]), r = rnn_cell(x[0]);
  for (int t = 1; t < 4; ++t) {
    state = cell(x[t], state);
    g = gru_cell(x[t], g);
    r = rnn_cell(x[t], r);
  }
  const auto [h, c] = std::get<1>(layer(x));
  EXPECT_TRUE(h[0].allclose(std::get<0>(state)));
  EXPECT_TRUE(c[0].allclose(std::get<1>(state)));
  EXPECT_TRUE(std::get<1>(gru(x))[0].allclose(g));
  EXPECT_TRUE(std::get<1>(rnn_layer(x))[0].allclose(r));
}

// What a step over sequences of one length takes goes through kernels of its own; packed sequences, step by step through operations.
template <class Layer, class Options>
void expect_same_as_packed(bool bidirectional) {
  Layer layer(Options(5, 19).bidirectional(bidirectional));
  fill(*layer);
  const Tensor x = (arange(4 * 3 * 5, kFloat) * 0.3).cos().view({4, 3, 5}).requires_grad_();
  const auto gradients = [&](const Tensor& y, const Tensor& end) {
    (y * y).sum().backward({}, true);
    (end * 3).sum().backward();
    std::vector<Tensor> grads{x.grad().clone()};
    x.mutable_grad().zero_();
    for (Tensor& p : layer->parameters()) {
      grads.push_back(p.grad().clone());
      p.mutable_grad().zero_();
    }
    return grads;
  };
  const auto last = [](const auto& state) {
    if constexpr (std::is_same_v<std::decay_t<decltype(state)>, Tensor>) return state;
    else return cat({std::get<0>(state), std::get<1>(state)});
  };
  const auto [y, end] = layer(x);
  const auto fused = gradients(y, last(end));
  const auto [rows, packed_end] = layer->forward_with_packed_input(rnn::pack_padded_sequence(x, tensor({4, 4, 4})));
  const auto [padded, lengths] = rnn::pad_packed_sequence(rows);
  expect_about(y, floats(padded));
  expect_about(last(end), floats(last(packed_end)));
  const auto stepwise = gradients(padded, last(packed_end));
  for (size_t i = 0; i < fused.size(); ++i) EXPECT_TRUE(fused[i].allclose(stepwise[i], 1e-4, 1e-5)) << i;

  NoGradGuard no_grad;
  expect_about(std::get<0>(layer(x.detach())), floats(y));
  EXPECT_TRUE(std::get<0>(layer(x.transpose(0, 1).contiguous().transpose(0, 1))).equal(y));
}

TEST(Recurrent, FusedStepsAreTheComposedOnes) {
  for (const bool bidirectional : {false, true}) {
    expect_same_as_packed<nn::LSTM, nn::LSTMOptions>(bidirectional);
    expect_same_as_packed<nn::GRU, nn::GRUOptions>(bidirectional);
  }
}

TEST(Recurrent, FusedStepsHaveSecondDerivatives) {
  nn::LSTM lstm(nn::LSTMOptions(2, 3));
  nn::GRU gru(nn::GRUOptions(2, 3).bidirectional(true));
  for (nn::Module* layer : {static_cast<nn::Module*>(lstm.get()), static_cast<nn::Module*>(gru.get())}) {
    fill(*layer);
    layer->to(kDouble);
  }
  const auto state = [](double from) { return (arange(6, kDouble) * 0.7 + from).sin().view({1, 2, 3}).requires_grad_(); };
  const auto run_lstm = [&](const std::vector<Tensor>& in) {
    const auto [y, end] = lstm(in[0], nn::LSTMImpl::State(in[1], in[2]));
    return std::vector<Tensor>{y, std::get<0>(end), std::get<1>(end)};
  };
  const auto run_gru = [&](const std::vector<Tensor>& in) {
    const auto [y, end] = gru(in[0]);
    return std::vector<Tensor>{y, end};
  };
  std::vector<Tensor> inputs{(arange(12, kDouble) * 0.3).cos().view({3, 2, 2}).requires_grad_(), state(0), state(1)};
  for (const Tensor& p : lstm->parameters()) inputs.push_back(p);
  EXPECT_TRUE(autograd::gradcheck(run_lstm, inputs));
  EXPECT_TRUE(autograd::gradgradcheck(run_lstm, {inputs[0], inputs[1], inputs[2], inputs[4]}));
  inputs.resize(1);
  for (const Tensor& p : gru->parameters()) inputs.push_back(p);
  EXPECT_TRUE(autograd::gradcheck(run_gru, inputs));
  EXPECT_TRUE(autograd::gradgradcheck(run_gru, {inputs[0], inputs[2], inputs[4]}));
}

struct LaunchCounter : LaunchListener {
  LaunchCounter() { t_state.listener = this; }
  ~LaunchCounter() override { t_state.listener = nullptr; }
  void launch(const KernelInfo& kernel, Device device, const void* args) override {
    ++count;
    run_kernel(kernel, device, args);
  }
  void host_read(const char*) override {}
  int count = 0;
};

TEST(Recurrent, FusedStepsDoNotDependOnThreads) {
  nn::LSTM layer(nn::LSTMOptions(16, 96));
  fill(*layer);
  layer->to(kDouble);
  const Tensor x = (arange(3 * 200 * 16, kDouble) * 0.3).cos().view({3, 200, 16});
  const auto results = [&](int threads) {
    const int before = get_num_threads();
    set_num_threads(threads);
    layer->zero_grad();
    const Tensor y = std::get<0>(layer(x));
    (y * y).sum().backward();
    set_num_threads(before);
    std::vector<Tensor> all{y};
    for (const Tensor& p : layer->parameters()) all.push_back(p.grad().clone());
    return all;
  };
  // 200 sequences are shared among threads, which then run whole steps, and not products alone, on their own.
  const auto one = results(1), four = results(4);
  for (size_t i = 0; i < one.size(); ++i) EXPECT_TRUE(one[i].equal(four[i])) << i;

  const int before = get_num_threads();
  set_num_threads(4);
  {
    InferenceMode inference;
    const auto [y, end] = layer(x);
    EXPECT_TRUE(y.is_inference() && std::get<1>(end).is_inference());
    EXPECT_TRUE(y.equal(one[0]));
  }
  // A listener hears of every launch.
  const auto launches = [&] {
    NoGradGuard no_grad;
    LaunchCounter counter;
    layer(x);
    return counter.count;
  };
  const int on_four = launches();
  set_num_threads(1);
  EXPECT_EQ(launches(), on_four);
  set_num_threads(before);
}

TEST(Recurrent, AStepIsTwoLaunchesEachWay) {
  const auto launches = [](auto& layer, int64_t length, bool backward) {
    const Tensor x = rand({length, 2, 3});
    LaunchCounter counter;
    const Tensor y = std::get<0>(layer(x));
    if (backward) y.backward(ones_like(y));
    return counter.count;
  };
  const auto per_step = [&](auto layer, bool backward) {
    launches(layer, 4, backward);  // the first leaves gradients behind
    return launches(layer, 14, backward) - launches(layer, 13, backward);
  };
  EXPECT_EQ(per_step(nn::LSTM(3, 4), false), 2);
  EXPECT_EQ(per_step(nn::LSTM(3, 4), true), 4);
  EXPECT_EQ(per_step(nn::GRU(3, 4), false), 2);
  EXPECT_EQ(per_step(nn::GRU(3, 4), true), 4);
}

TEST(Recurrent, TextAndClone) {
  EXPECT_EQ(text_of(nn::LSTM(nn::LSTMOptions(2, 4).num_layers(3).bias(false))),
            "torch::nn::LSTM(input_size=2, hidden_size=4, num_layers=3, bias=false, batch_first=false, dropout=0, bidirectional=false)");
  EXPECT_EQ(nn::repr(nn::GRU(nn::GRUOptions(2, 4).batch_first(true))), "GRU(2, 4, batch_first=True)");
  EXPECT_EQ(text_of(nn::RNNCell(nn::RNNCellOptions(20, 10).bias(false).nonlinearity(kReLU))),
            "torch::nn::RNNCell(20, 10, bias=false, nonlinearity=kReLU)");
  nn::LSTM layer(nn::LSTMOptions(3, 2).num_layers(2));
  const auto copy = std::dynamic_pointer_cast<nn::LSTMImpl>(layer->clone());
  EXPECT_TRUE(std::get<0>(layer(sequence())).equal(std::get<0>(copy->forward(sequence()))));
  {
    NoGradGuard no_grad;
    layer->parameters()[0].zero_();
  }
  EXPECT_FALSE(copy->parameters()[0].equal(layer->parameters()[0]));
}

TEST(Recurrent, Misuse) {
  nn::GRU gru(3, 2);
  EXPECT_EQ(first_line([&] { gru(ones({4})); }), "input must have 3 dimensions, got 1");
  EXPECT_EQ(first_line([&] { gru(ones({4, 3}), zeros({1, 1, 2})); }), "For unbatched 2-D input, hx should also be 2-D but got 3-D tensor");
  EXPECT_EQ(first_line([&] { gru(ones({4, 2, 5})); }), "input.size(-1) must be equal to input_size. Expected 3, got 5");
  EXPECT_EQ(first_line([&] { gru(ones({4, 2, 3}), ones({1, 1, 2})); }), "Expected hidden size [1, 2, 2], got [1, 1, 2]");
  EXPECT_EQ(first_line([] { nn::GRU(nn::GRUOptions(3, 2).proj_size(1)); }),
            "proj_size argument is only supported for LSTM, not RNN or GRU");
  EXPECT_NE(message_of([] { rnn::pack_padded_sequence(ones({4, 2, 3}), tensor({2, 4})); }), "");
  EXPECT_NE(message_of([] { rnn::pack_padded_sequence(ones({4, 2, 3}), tensor({5, 4})); }), "");
}

TEST(Recurrent, NeedsLayersAndHiddenUnits) {
  EXPECT_EQ(first_line([] { nn::LSTM(nn::LSTMOptions(2, 3).num_layers(0))(ones({1, 1, 2})); }), "num_layers must be greater than zero");
  EXPECT_EQ(first_line([] { nn::GRU(nn::GRUOptions(2, 0)); }), "hidden_size must be greater than zero");
}

TEST(Attention, NeedsHeads) {
  for (const auto& [width, heads] : std::vector<std::pair<int64_t, int64_t>>{{4, 0}, {4, -2}, {0, 1}}) {
    EXPECT_THROW(nn::MultiheadAttention(nn::MultiheadAttentionOptions(width, heads)), Error);
    EXPECT_THROW(nn::TransformerEncoderLayer(nn::TransformerEncoderLayerOptions(width, heads)), Error);
  }
}

TEST(Attention, MatchesPyTorch) {
  const Tensor q = (arange(24, kFloat) * 0.3).cos().view({3, 2, 4}), k = (arange(40, kFloat) * 0.2).sin().view({5, 2, 4});
  nn::MultiheadAttention attention(nn::MultiheadAttentionOptions(4, 2).add_bias_kv(true).add_zero_attn(true));
  fill(*attention);
  Tensor padding = zeros({2, 5}, kBool);
  padding.index_put_({1, indexing::Slice(3)}, true);
  const auto [y, weights] = attention(q, k, k * 0.5, padding, true, ones({3, 5}).triu(1));
  expect_about(y[1], {0.306978f, -0.094067f, -0.990168f, -0.520516f, 0.214408f, -0.104532f, -0.899497f, -0.493608f});
  expect_about(weights[1], {
      0.127173f, 0.31203f, 0.332301f, 0.0f, 0.0f, 0.122063f, 0.106433f, 0.036784f, 0.056269f, 0.719797f, 0.0f, 0.0f,
      0.091756f, 0.095394f, 0.620272f, 0.20159f, 0.017132f, 0.0f, 0.0f, 0.091897f, 0.06911f});
  const auto by_head = std::get<1>(attention(q, k, k * 0.5, padding, true, ones({3, 5}).triu(1), /*average_attn_weights=*/false));
  EXPECT_TRUE(by_head.mean(1).allclose(weights));

  nn::MultiheadAttention other(nn::MultiheadAttentionOptions(4, 2).kdim(3).vdim(5).bias(false));
  fill(*other);
  const auto [z, none] = other(q, k.slice(2, 0, 3), cat({k, k.slice(2, 0, 1)}, -1), Tensor(), /*need_weights=*/false);
  EXPECT_FALSE(none.defined());
  expect_about(z[2], {-0.252735f, -0.04116f, 0.24527f, 0.085639f, -0.44878f, -0.10196f, 0.43029f, 0.17999f});
}

TEST(Transformer, MatchesPyTorch) {
  const Tensor q = (arange(24, kFloat) * 0.3).cos().view({3, 2, 4}), k = (arange(40, kFloat) * 0.2).sin().view({5, 2, 4});
  nn::TransformerEncoderLayer encoder(nn::TransformerEncoderLayerOptions(4, 2).dim_feedforward(6).dropout(0.0).activation(kGELU));
  fill(*encoder);
  expect_about(encoder(q)[0], {-0.754777f, -0.789895f, -0.284754f, 0.557446f, -0.78407f, -0.707248f, -0.346461f, 0.573012f});
  nn::TransformerDecoderLayer decoder(nn::TransformerDecoderLayerOptions(4, 2).dim_feedforward(6).dropout(0.0));
  fill(*decoder);
  expect_about(decoder(q, k, nn::TransformerImpl::generate_square_subsequent_mask(3))[2],
               {-0.6157f, -0.579146f, -0.652828f, 0.491054f, -0.570458f, -0.712529f, -0.619326f, 0.511564f});
  nn::Transformer whole(nn::TransformerOptions(4, 2, 1, 1).dim_feedforward(6).dropout(0.0));
  fill(*whole);
  expect_about(whole(k, q)[1], {0.259372f, 0.276451f, 1.189129f, 0.033472f, 0.348258f, 0.063267f, 1.164247f, 0.158308f});
  const auto copy = std::dynamic_pointer_cast<nn::TransformerImpl>(whole->clone());
  EXPECT_TRUE(copy->forward(k, q).equal(whole(k, q)));
  EXPECT_EQ(first_line([&] { whole(k, q.slice(2, 0, 3)); }),
            "src and tgt should have same feature size as d_model (at dim 2), but got 4 and 3 while d_model is 4");
}

}  // namespace
}  // namespace wick::test
