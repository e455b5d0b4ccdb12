// Recurrent layers: RNN, LSTM, GRU over sequences, and their cells for one step. The formulas are those of PyTorch's pages of the same
// names.
//
// T is the sequence's length, B the batch, D the directions (2 if bidirectional), L the layers, H the hidden size, P the size of what
// goes from step to step: proj_size if that is set, else H.
//   input   [T, B, input_size], or [B, T, input_size] with batch_first
//   output  [T, B, D P], or [B, T, D P]
//   h, c    [L D, B, P] and [L D, B, H]: the state at the beginning (zero if left out) and at the end
// All of them without B for one sequence.
#pragma once

#include <array>

#include "wick/framework/core/arg.h"
#include "wick/nn/cloneable.h"
#include "wick/nn/enum.h"
#include "wick/nn/rnn_utils.h"

namespace wick::nn {

using RNNNonlinearity = OneOf<enumtype::kTanh, enumtype::kReLU>;

namespace detail {

enum class Recurrence : uint8_t { kRnn, kLstm, kGru };

// The layers of all kinds have these options; nonlinearity is the RNN's alone, proj_size the LSTM's.
template <Recurrence>
struct RecurrentOptions {
  using nonlinearity_t = RNNNonlinearity;
  RecurrentOptions(int64_t input_size, int64_t hidden_size) : input_size_(input_size), hidden_size_(hidden_size) {}
  WICK_ARG(int64_t, input_size);
  WICK_ARG(int64_t, hidden_size);
  WICK_ARG(int64_t, num_layers) = 1;
  WICK_ARG(nonlinearity_t, nonlinearity) = kTanh;
  WICK_ARG(bool, bias) = true;
  WICK_ARG(bool, batch_first) = false;
  WICK_ARG(double, dropout) = 0.0;  // on what each layer but the last puts out, in training
  WICK_ARG(bool, bidirectional) = false;
  WICK_ARG(int64_t, proj_size) = 0;
};

template <Recurrence>
struct RecurrentCellOptions {
  using nonlinearity_t = RNNNonlinearity;
  RecurrentCellOptions(int64_t input_size, int64_t hidden_size) : input_size_(input_size), hidden_size_(hidden_size) {}
  WICK_ARG(int64_t, input_size);
  WICK_ARG(int64_t, hidden_size);
  WICK_ARG(bool, bias) = true;
  WICK_ARG(nonlinearity_t, nonlinearity) = kTanh;
};

// What goes from step to step: h, and an LSTM's c.
using RecurrentState = std::array<Tensor, 2>;

// The weights of one layer and direction, or of a cell; those left out are undefined.
struct RecurrentWeights {
  Tensor w_ih, w_hh, b_ih, b_hh, w_hr;
};

struct RecurrentResult {
  Tensor output;
  RecurrentState state;
};

// A layer of any kind.
template <class Derived, Recurrence kind>
class RecurrentBase : public Cloneable<Derived> {
 public:
  using Options = RecurrentOptions<kind>;

  explicit RecurrentBase(const Options& options_) : options(options_), options_base(options_) { RecurrentBase::reset(); }

  void reset() override;
  void reset_parameters();  // all U(-1/sqrt(H), 1/sqrt(H))
  void describe(Fields& fields) const override;
  std::vector<Tensor> all_weights() const { return this->parameters(/*recurse=*/false); }
  void flatten_parameters() {}  // there is nothing to gain: the weights are used where they are

  Options options;
  Options options_base;  // LibTorch's second name for them; the layer itself asks `options`

 protected:
  // The state may be left out by callers that do not know the types: AnyModule, Sequential.
  ForwardDefaults forward_default_args() const override;
  // Null `packed`: the input is padded. Otherwise it has the rows of that sequence.
  RecurrentResult run(const Tensor& input, const PackedSequence* packed, RecurrentState state) const;
};

// A layer whose state is h alone.
template <class Derived, Recurrence kind>
class PlainRecurrent : public RecurrentBase<Derived, kind> {
 public:
  using RecurrentBase<Derived, kind>::RecurrentBase;
  PlainRecurrent(int64_t input_size, int64_t hidden_size) : PlainRecurrent(RecurrentOptions<kind>(input_size, hidden_size)) {}

  std::tuple<Tensor, Tensor> forward(const Tensor& input, Tensor hx = {}) {
    auto [output, state] = this->run(input, nullptr, {hx, {}});
    return {output, state[0]};
  }
  std::tuple<PackedSequence, Tensor> forward_with_packed_input(const PackedSequence& input, Tensor hx = {}) {
    auto [output, state] = this->run(input.data(), &input, {hx, {}});
    return {input.with_data(output), state[0]};
  }
};

// A cell of any kind.
template <class Derived, Recurrence kind>
class CellBase : public Cloneable<Derived> {
 public:
  using Options = RecurrentCellOptions<kind>;

  explicit CellBase(const Options& options_) : options(options_) { CellBase::reset(); }
  CellBase(int64_t input_size, int64_t hidden_size) : CellBase(Options(input_size, hidden_size)) {}

  void reset() override;
  void reset_parameters();
  void describe(Fields& fields) const override;

  Options options;
  Tensor weight_ih, weight_hh;  // [gates H, input_size], [gates H, H]
  Tensor bias_ih, bias_hh;      // [gates H], or undefined

 protected:
  ForwardDefaults forward_default_args() const override;
  RecurrentState run(const Tensor& input, RecurrentState state) const;
};

}  // namespace detail

using RNNOptions = detail::RecurrentOptions<detail::Recurrence::kRnn>;
using LSTMOptions = detail::RecurrentOptions<detail::Recurrence::kLstm>;
using GRUOptions = detail::RecurrentOptions<detail::Recurrence::kGru>;
using RNNCellOptions = detail::RecurrentCellOptions<detail::Recurrence::kRnn>;
using LSTMCellOptions = detail::RecurrentCellOptions<detail::Recurrence::kLstm>;
using GRUCellOptions = detail::RecurrentCellOptions<detail::Recurrence::kGru>;

// h' = tanh(W_ih x + b_ih + W_hh h + b_hh), or relu of it.
class RNNImpl : public detail::PlainRecurrent<RNNImpl, detail::Recurrence::kRnn> {
 public:
  using PlainRecurrent::PlainRecurrent;
};

// With the gates (i, f, g, o) of W_ih x + b_ih + W_hh h + b_hh:  c' = σ(f) c + σ(i) tanh(g);  h' = σ(o) tanh(c'), times W_hr if
// proj_size is set.
class LSTMImpl : public detail::RecurrentBase<LSTMImpl, detail::Recurrence::kLstm> {
 public:
  using State = std::tuple<Tensor, Tensor>;  // h, c
  using RecurrentBase::RecurrentBase;
  LSTMImpl(int64_t input_size, int64_t hidden_size) : LSTMImpl(LSTMOptions(input_size, hidden_size)) {}

  std::tuple<Tensor, State> forward(const Tensor& input, std::optional<State> hx = {});
  std::tuple<PackedSequence, State> forward_with_packed_input(const PackedSequence& input, std::optional<State> hx = {});
};

// With a = W_ih x + b_ih and b = W_hh h + b_hh, each of three parts:  r = σ(a_r + b_r);  z = σ(a_z + b_z);  n = tanh(a_n + r b_n);
// h' = (1 - z) n + z h.
class GRUImpl : public detail::PlainRecurrent<GRUImpl, detail::Recurrence::kGru> {
 public:
  using PlainRecurrent::PlainRecurrent;
};

// One step of a layer: input [B, input_size] or [input_size], state [B, H] or [H].
class RNNCellImpl : public detail::CellBase<RNNCellImpl, detail::Recurrence::kRnn> {
 public:
  using CellBase::CellBase;
  Tensor forward(const Tensor& input, Tensor hx = {}) { return run(input, {hx, {}})[0]; }
};
class LSTMCellImpl : public detail::CellBase<LSTMCellImpl, detail::Recurrence::kLstm> {
 public:
  using CellBase::CellBase;
  std::tuple<Tensor, Tensor> forward(const Tensor& input, std::optional<std::tuple<Tensor, Tensor>> hx = {});
};
class GRUCellImpl : public detail::CellBase<GRUCellImpl, detail::Recurrence::kGru> {
 public:
  using CellBase::CellBase;
  Tensor forward(const Tensor& input, Tensor hx = {}) { return run(input, {hx, {}})[0]; }
};

WICK_LAYER(RNN);
WICK_LAYER(LSTM);
WICK_LAYER(GRU);
WICK_LAYER(RNNCell);
WICK_LAYER(LSTMCell);
WICK_LAYER(GRUCell);

}  // namespace wick::nn
