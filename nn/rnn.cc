#include "wick/nn/rnn.h"

#include <algorithm>
#include <cmath>

#include "wick/framework/autograd/engine.h"
#include "wick/framework/core/parallel.h"
#include "wick/framework/ops/autocast.h"
#include "wick/framework/ops/op.h"
#include "wick/framework/plan/rnn.h"
#include "wick/nn/any_module.h"
#include "wick/nn/init.h"

namespace wick::nn {
namespace detail {
namespace {

constexpr int64_t gates_of(Recurrence kind) { return kind == Recurrence::kLstm ? 4 : kind == Recurrence::kGru ? 3 : 1; }
constexpr bool has_cell(Recurrence kind) { return kind == Recurrence::kLstm; }
constexpr size_t states_of(Recurrence kind) { return has_cell(kind) ? 2 : 1; }
bool is_relu(const RNNNonlinearity& nonlinearity) { return holds_alternative<enumtype::kReLU>(nonlinearity); }

// One step. x is W_ih x + b_ih.
RecurrentState step(Recurrence kind, bool relu, const Tensor& x, const RecurrentState& s, const RecurrentWeights& w) {
  const Tensor h = linear(s[0], w.w_hh, w.b_hh);
  if (kind == Recurrence::kRnn) return {relu ? wick::relu(x + h) : tanh(x + h), {}};
  if (kind == Recurrence::kGru) {
    const auto a = x.chunk(3, -1), b = h.chunk(3, -1);
    const Tensor r = sigmoid(a[0] + b[0]), z = sigmoid(a[1] + b[1]);
    const Tensor n = tanh(a[2] + r * b[2]);
    return {(s[0] - n) * z + n, {}};
  }
  const auto gates = (x + h).chunk(4, -1);
  const Tensor c = sigmoid(gates[1]) * s[1] + sigmoid(gates[0]) * tanh(gates[2]);
  const Tensor y = sigmoid(gates[3]) * tanh(c);
  return {w.w_hr.defined() ? linear(y, w.w_hr) : y, c};
}

RecurrentState rows(const RecurrentState& s, int64_t start, int64_t length) {
  RecurrentState part;
  for (size_t i = 0; i < s.size(); ++i) {
    if (s[i].defined()) part[i] = s[i].narrow(0, start, length);
  }
  return part;
}

// Each state under the one before.
RecurrentState join(TensorList first, TensorList second) {
  return {cat(first), second.empty() ? Tensor() : cat(second)};
}

// One layer in one direction, over steps that have the rows of ever fewer sequences: those that ended keep their state, and backwards
// those that begin later join with their initial state. Puts the output of each step into `outputs`.
RecurrentState run_steps(Recurrence kind, bool relu, const std::vector<Tensor>& steps, const RecurrentState& initial,
                         const RecurrentWeights& w, bool reverse, std::vector<Tensor>& outputs) {
  const auto count = [&](size_t t) { return steps[t].size(0); };
  outputs.resize(steps.size());
  RecurrentState s = rows(initial, 0, count(reverse ? steps.size() - 1 : 0));
  std::vector<Tensor> ended[2];
  for (size_t i = 0; i < steps.size(); ++i) {
    const size_t t = reverse ? steps.size() - 1 - i : i;
    const int64_t have = s[0].size(0), want = count(t);
    if (want < have) {
      const RecurrentState end = rows(s, want, have - want);
      for (size_t k = 0; k < 2; ++k) {
        if (end[k].defined()) ended[k].insert(ended[k].begin(), end[k]);
      }
      s = rows(s, 0, want);
    } else if (want > have) {
      const RecurrentState begin = rows(initial, have, want - have);
      s = {cat({s[0], begin[0]}), s[1].defined() ? cat({s[1], begin[1]}) : Tensor()};
    }
    s = step(kind, relu, steps[t], s, w);
    outputs[t] = s[0];
  }
  if (ended[0].empty()) return s;
  ended[0].insert(ended[0].begin(), s[0]);
  if (s[1].defined()) ended[1].insert(ended[1].begin(), s[1]);
  return join(ended[0], ended[1]);
}

// ---- One layer in one direction as one operation -----------------------------------------------------------------------------------

struct RecurrentExtra : ops::NodeExtra {
  RecurrentExtra(Recurrence k, bool r) : kind(k), reverse(r) {}
  Recurrence kind;
  bool reverse;
};

// All steps of an LSTM without projection, or of a GRU, over sequences of one length: each step is a product and one kernel, and the
// gradients of the weights are one product over all steps. x: [T, B, gates H], W_ih x + b_ih. Results: the outputs [T, B, H] and an
// LSTM's last c.
struct RecurrentSteps {
  static constexpr ops::OpInfo info = ops::make_info<RecurrentSteps>("recurrent_steps", "RecurrentStepsBackward0");

  static bool suits(Recurrence kind, const Tensor& x, const RecurrentState& s, const RecurrentWeights& w) {
    const ScalarType dtype = x.scalar_type();
    const auto same = [&](const Tensor& of) { return !of.defined() || (of.scalar_type() == dtype && of.is_cpu()); };
    return kind != Recurrence::kRnn && x.is_cpu() && (dtype == kFloat || dtype == kDouble) && !w.w_hr.defined() && same(s[0]) &&
           same(s[1]) && same(w.w_hh) && same(w.b_hh);
  }

  static std::vector<Tensor> forward(ops::Context& ctx, const Tensor& x, const Tensor& h0, const Tensor& c0, const Tensor& w,
                                     const Tensor& b, Recurrence kind, bool reverse) {
    const autocast off(kCPU, std::nullopt, false);
    const int64_t length = x.size(0), batch = x.size(1), width = h0.size(-1), kept = ctx.recording() ? length : 1;
    const bool lstm = has_cell(kind);
    const Tensor xs = x.contiguous(), out = empty({length, batch, width}, x.options()), weight = w.t().contiguous();
    const Tensor gates = empty({kept, batch, 4, width}, x.options()), cells = lstm ? empty({kept, batch, width}, x.options()) : Tensor();
    const Tensor last = lstm ? empty({batch, width}, x.options()) : Tensor();
    for_sequences(batch, length, w, [&](int64_t first, int64_t count) {
      const auto of = [&](const Tensor& all, int64_t t) { return all.select(0, t).narrow(0, first, count); };
      Tensor h = h0.narrow(0, first, count).contiguous(), c = lstm ? c0.narrow(0, first, count).contiguous() : Tensor();
      for (int64_t i = 0; i < length; ++i) {
        const int64_t t = reverse ? length - 1 - i : i, keep = kept > 1 ? t : 0;
        const Tensor part = b.defined() ? addmm(b, h, weight) : mm(h, weight), y = of(out, t), now = lstm ? of(cells, keep) : Tensor();
        RecurrentStepArgs args{{of(gates, keep), y, buffer(now), of(xs, t), part, lstm ? c : h}, x.scalar_type(), count, width};
        launch(lstm ? lstm_step_kernel : gru_step_kernel, x.device(), args);
        h = y;
        c = now;
      }
      if (lstm) last.narrow(0, first, count).copy_(c);
    });
    for (const Tensor& kept_for_backward : {x, h0, c0, w, b, gates, cells}) ctx.save(kept_for_backward);
    ctx.save_output(out);
    ctx.save_extra(RecurrentExtra(kind, reverse));
    return lstm ? std::vector<Tensor>{out, last} : std::vector<Tensor>{out};
  }

  static void backward(const ops::Gradients& g) {
    if (g.create_graph()) return compose(g);
    const autocast off(kCPU, std::nullopt, false);
    const Recurrence kind = kind_of(g).kind;
    const bool reverse = kind_of(g).reverse;
    const bool lstm = has_cell(kind);
    const Tensor x = g.saved(0), h0 = g.saved(1), w = g.saved(3), gates = g.saved(5), cells = g.saved(6), out = g.saved(7);
    const int64_t length = x.size(0), batch = x.size(1), width = out.size(2);
    const Tensor start = (lstm ? g.saved(2) : h0).contiguous(), states = lstm ? cells : out;
    const Tensor gout = g.output(0).defined() ? g.output(0).contiguous() : Tensor();
    const Tensor carried = lstm && g.output(1).defined() ? g.output(1).clone(MemoryFormat::Contiguous) : zeros({batch, width}, x.options());
    const Tensor gx = empty(x.sizes(), x.options()), gh = lstm ? gx : empty(x.sizes(), x.options());
    const Tensor gstart = empty({batch, width}, x.options());
    for_sequences(batch, length, w, [&](int64_t first, int64_t count) {
      const auto of = [&](const Tensor& all, int64_t t) { return all.select(0, t).narrow(0, first, count); };
      const Tensor some_carried = carried.narrow(0, first, count);
      Tensor next;
      for (int64_t i = length - 1; i >= 0; --i) {
        const int64_t t = reverse ? length - 1 - i : i, before = reverse ? t + 1 : t - 1;
        const Tensor part = of(gh, t);
        RecurrentStepBackwardArgs args{{of(gx, t), lstm ? Buffer(nullptr) : part, some_carried, of(gates, t),
                                        i == 0 ? start.narrow(0, first, count) : of(states, before), lstm ? of(cells, t) : Buffer(nullptr),
                                        gout.defined() ? of(gout, t) : Buffer(nullptr), buffer(next)},
                                       x.scalar_type(), count, width};
        launch(lstm ? lstm_step_backward_kernel : gru_step_backward_kernel, x.device(), args);
        if (i > 0 || g.wants(1)) next = mm(part, w);
      }
      if (g.wants(1)) gstart.narrow(0, first, count).copy_(next);
    });
    g.set(0, gx);
    if (g.wants(1)) g.set(1, lstm ? gstart : gstart + carried);
    if (lstm) g.set(2, carried);
    const Tensor rows = gh.flatten(0, 1), first = h0.unsqueeze(0);
    const auto states_before = [&] { return reverse ? cat({out.slice(0, 1), first}) : cat({first, out.slice(0, 0, length - 1)}); };
    if (g.wants(3)) g.set(3, mm(rows.t(), states_before().flatten(0, 1)));
    if (g.wants(4)) g.set(4, rows);
  }

  // The same by operations of which each has its derivative.
  static void compose(const ops::Gradients& g) {
    const Recurrence kind = kind_of(g).kind;
    const bool reverse = kind_of(g).reverse;
    const Tensor x = g.saved(0), h0 = g.saved(1), c0 = g.saved(2);
    std::vector<Tensor> steps, inputs, outputs, grads;
    const RecurrentState end = run_steps(kind, false, x.unbind(0), {h0, c0}, {{}, g.saved(3), {}, g.saved(4), {}}, reverse, steps);
    const Tensor results[] = {stack(steps), end[1]};
    for (int i = 0; i < g.node().num_results(); ++i) {
      if (!g.output(i).defined()) continue;
      outputs.push_back(results[i]);
      grads.push_back(g.output(i));
    }
    for (int i = 0; i < 5; ++i) {
      if (g.wants(i)) inputs.push_back(g.saved(i));
    }
    const std::vector<Tensor> found = autograd::grad(outputs, inputs, grads, true, true, /*allow_unused=*/true);
    size_t number = 0;
    for (int i = 0; i < 5; ++i) {
      if (g.wants(i)) g.set(i, found[number++]);
    }
  }

  // Sequences know nothing of each other: a thread takes some of them through all steps and waits for nobody in between, where it keeps
  // the weights `w` in its second-level cache. Sixteen rows are what a product needs to be fast, and tiles have eight. A capture sees the
  // launches of its own thread alone.
  template <class F>
  static void for_sequences(int64_t batch, int64_t length, const Tensor& w, const F& f) {
    constexpr int64_t kRows = 16, kTile = 8, kThreadWork = int64_t{1} << 21, kCachedWeights = int64_t{1} << 18;
    const int64_t parts = std::min(batch / kRows, batch * length * w.numel() / kThreadWork);
    if (parts < 2 || w.numel() > kCachedWeights || get_num_threads() == 1 || t_state.listener) return f(0, batch);
    const int64_t each = (batch + parts - 1) / parts;
    parallel_for(0, batch, (each + kTile - 1) / kTile * kTile, [&, inference = t_state.inference](int64_t begin, int64_t end) {
      const InferenceMode as_caller(inference);
      const NoGradGuard no_grad;
      f(begin, end - begin);
    });
  }

  static const RecurrentExtra& kind_of(const ops::Gradients& g) { return g.extra<RecurrentExtra>(); }
  static Buffer buffer(const Tensor& x) { return x.defined() ? Buffer(x) : Buffer(nullptr); }
};

template <class Options>
void check_options(const Options& o) {
  WICK_CHECK_VALUE(o.hidden_size() > 0, "hidden_size must be greater than zero");
  WICK_CHECK(0 <= o.dropout() && o.dropout() <= 1,
             "dropout should be a number in range [0, 1] representing the probability of an element being zeroed");
  WICK_CHECK(0 <= o.proj_size() && o.proj_size() < o.hidden_size(),
             "proj_size has to be a positive integer, smaller than hidden_size or zero to disable projections");
}

// The states of all layers and directions: zero where they are not given; in the order of the packed sequences.
template <Recurrence kind>
RecurrentState initial_state(const RecurrentOptions<kind>& o, RecurrentState state, const PackedSequence* packed, int64_t batch,
                             const TensorOptions& like) {
  for (size_t i = 0; i < states_of(kind); ++i) {
    const int64_t size = i == 0 && o.proj_size() > 0 ? o.proj_size() : o.hidden_size();
    const Dims expected{o.num_layers() * (o.bidirectional() ? 2 : 1), batch, size};
    if (!state[i].defined()) state[i] = zeros(expected, like);
    WICK_CHECK(state[i].sizes() == IntArrayRef(expected), "Expected hidden size ", expected, ", got ", state[i].sizes());
    if (packed && packed->sorted_indices().defined()) state[i] = state[i].index_select(1, packed->sorted_indices());
  }
  return state;
}

// Of the parameters of one layer and direction, in the order of their registration.
template <Recurrence kind>
RecurrentWeights weights_of(const RecurrentOptions<kind>& o, ArrayRef<Tensor> w) {
  RecurrentWeights of{w[0], w[1], {}, {}, {}};
  if (o.bias()) of.b_ih = w[2], of.b_hh = w[3];
  if (o.proj_size() > 0) of.w_hr = w.back();
  return of;
}

// One layer in one direction. x is W_ih input + b_ih: [T, B, gates H], or the rows of a packed sequence.
RecurrentResult run_direction(Recurrence kind, bool relu, const Tensor& x, const PackedSequence* packed, const RecurrentState& initial,
                              const RecurrentWeights& w, bool reverse) {
  if (!packed && RecurrentSteps::suits(kind, x, initial, w)) {
    const std::vector<Tensor> results = ops::apply<RecurrentSteps>(x, initial[0], initial[1], w.w_hh, w.b_hh, kind, reverse);
    return {results[0], {results[0].select(0, reverse ? 0 : -1), has_cell(kind) ? results[1] : Tensor()}};
  }
  const auto split_steps = [&] {
    const Tensor& sizes = packed->batch_sizes();
    return x.split_with_sizes({sizes.data_ptr<int64_t>(), static_cast<size_t>(sizes.numel())}, 0);
  };
  std::vector<Tensor> outputs;
  const RecurrentState end = run_steps(kind, relu, packed ? split_steps() : x.unbind(0), initial, w, reverse, outputs);
  return {packed ? cat(outputs) : stack(outputs), end};
}

}  // namespace

template <class Derived, Recurrence kind>
void RecurrentBase<Derived, kind>::reset() {
  check_options(options);
  WICK_CHECK(has_cell(kind) || options.proj_size() == 0, "proj_size argument is only supported for LSTM, not RNN or GRU");
  const int64_t gates = gates_of(kind) * options.hidden_size();
  const int64_t carried = options.proj_size() > 0 ? options.proj_size() : options.hidden_size();
  for (int64_t layer = 0; layer < options.num_layers(); ++layer) {
    for (const char* direction : {"", "_reverse"}) {
      if (*direction && !options.bidirectional()) continue;
      const std::string suffix = "_l" + std::to_string(layer) + direction;
      const int64_t inputs = layer == 0 ? options.input_size() : carried * (options.bidirectional() ? 2 : 1);
      this->register_parameter("weight_ih" + suffix, empty({gates, inputs}));
      this->register_parameter("weight_hh" + suffix, empty({gates, carried}));
      if (options.bias()) {
        this->register_parameter("bias_ih" + suffix, empty({gates}));
        this->register_parameter("bias_hh" + suffix, empty({gates}));
      }
      if (options.proj_size() > 0) this->register_parameter("weight_hr" + suffix, empty({carried, options.hidden_size()}));
    }
  }
  reset_parameters();
}

template <class Derived, Recurrence kind>
void RecurrentBase<Derived, kind>::reset_parameters() {
  const double bound = 1 / std::sqrt(static_cast<double>(options.hidden_size()));
  for (const Tensor& weight : all_weights()) init::uniform_(weight, -bound, bound);
}

template <class Derived, Recurrence kind>
void RecurrentBase<Derived, kind>::describe(Fields& fields) const {
  fields.layer(kind == Recurrence::kLstm ? "LSTM" : kind == Recurrence::kGru ? "GRU" : "RNN");
  if (fields.is_python()) {
    fields.add("", options.input_size()).add("", options.hidden_size());
    if (options.num_layers() != 1) fields.add("num_layers", options.num_layers());
    if (!options.bias()) fields.add("bias", false);
    if (options.batch_first()) fields.add("batch_first", true);
    if (options.dropout() != 0) fields.add("dropout", options.dropout());
    if (options.bidirectional()) fields.add("bidirectional", true);
  } else {
    fields.add("input_size", options.input_size()).add("hidden_size", options.hidden_size()).add("num_layers", options.num_layers())
        .add("bias", options.bias()).add("batch_first", options.batch_first()).add("dropout", options.dropout())
        .add("bidirectional", options.bidirectional());
  }
  if (options.proj_size() > 0) fields.add("proj_size", options.proj_size());
}

template <class Derived, Recurrence kind>
ForwardDefaults RecurrentBase<Derived, kind>::forward_default_args() const {
  if constexpr (has_cell(kind)) return {{1, AnyValue(std::optional<std::tuple<Tensor, Tensor>>())}};
  else return {{1, AnyValue(Tensor())}};
}

template <class Derived, Recurrence kind>
RecurrentResult RecurrentBase<Derived, kind>::run(const Tensor& input, const PackedSequence* packed, RecurrentState state) const {
  const int64_t dims = packed ? 2 : 3, directions = options.bidirectional() ? 2 : 1;
  if (!packed && input.dim() == 2) {
    for (Tensor& s : state) {
      WICK_CHECK(!s.defined() || s.dim() == 2, "For unbatched 2-D input, hx should also be 2-D but got ", s.dim(), "-D tensor");
      if (s.defined()) s = s.unsqueeze(1);
    }
    auto [output, end] = run(input.unsqueeze(options.batch_first() ? 0 : 1), nullptr, std::move(state));
    return {output.squeeze(options.batch_first() ? 0 : 1), {end[0].squeeze(1), has_cell(kind) ? end[1].squeeze(1) : Tensor()}};
  }
  WICK_CHECK_VALUE(options.num_layers() > 0, "num_layers must be greater than zero");
  WICK_CHECK(input.dim() == dims, "input must have ", dims, " dimensions, got ", input.dim());
  WICK_CHECK(input.size(-1) == options.input_size(), "input.size(-1) must be equal to input_size. Expected ", options.input_size(),
             ", got ", input.size(-1));
  const bool batch_first = options.batch_first() && !packed;
  const int64_t batch = packed ? packed->batch_sizes().data_ptr<int64_t>()[0] : input.size(batch_first ? 0 : 1);
  WICK_CHECK(packed || input.size(batch_first ? 1 : 0) > 0, "Expected sequence length to be larger than 0 in RNN");
  state = initial_state(options, std::move(state), packed, batch, input.options());

  const std::vector<Tensor> weights = all_weights();
  const size_t per_direction = weights.size() / static_cast<size_t>(options.num_layers() * directions);
  Tensor x = batch_first ? input.transpose(0, 1) : input;
  std::vector<Tensor> last[2];
  for (int64_t layer = 0; layer < options.num_layers(); ++layer) {
    std::vector<Tensor> outputs;
    for (int64_t d = 0; d < directions; ++d) {
      const int64_t number = layer * directions + d;
      const RecurrentWeights w = weights_of(options, {&weights[static_cast<size_t>(number) * per_direction], per_direction});
      const RecurrentState initial{state[0].select(0, number), has_cell(kind) ? state[1].select(0, number) : Tensor()};
      const Tensor part = linear(x, w.w_ih, w.b_ih);
      const auto [output, end] = run_direction(kind, is_relu(options.nonlinearity()), part, packed, initial, w, d == 1);
      outputs.push_back(output);
      for (size_t i = 0; i < states_of(kind); ++i) last[i].push_back(end[i]);
    }
    x = directions == 1 ? outputs[0] : cat(outputs, -1);
    if (layer + 1 < options.num_layers() && options.dropout() > 0) x = dropout(x, options.dropout(), this->is_training());
  }
  RecurrentState end;
  for (size_t i = 0; i < states_of(kind); ++i) {
    end[i] = stack(last[i]);
    if (packed && packed->unsorted_indices().defined()) end[i] = end[i].index_select(1, packed->unsorted_indices());
  }
  return {batch_first ? x.transpose(0, 1) : x, end};
}

template <class Derived, Recurrence kind>
void CellBase<Derived, kind>::reset() {
  const int64_t gates = gates_of(kind) * options.hidden_size();
  const auto bias = [&] { return options.bias() ? empty({gates}) : Tensor(); };
  weight_ih = this->register_parameter("weight_ih", empty({gates, options.input_size()}));
  weight_hh = this->register_parameter("weight_hh", empty({gates, options.hidden_size()}));
  bias_ih = this->register_parameter("bias_ih", bias(), options.bias());
  bias_hh = this->register_parameter("bias_hh", bias(), options.bias());
  reset_parameters();
}

template <class Derived, Recurrence kind>
void CellBase<Derived, kind>::reset_parameters() {
  const double bound = 1 / std::sqrt(static_cast<double>(options.hidden_size()));
  for (const Tensor& weight : this->parameters()) init::uniform_(weight, -bound, bound);
}

template <class Derived, Recurrence kind>
void CellBase<Derived, kind>::describe(Fields& fields) const {
  fields.layer(kind == Recurrence::kLstm ? "LSTMCell" : kind == Recurrence::kGru ? "GRUCell" : "RNNCell");
  fields.add("", options.input_size()).add("", options.hidden_size());
  if (!options.bias()) fields.add("bias", false);
  if (is_relu(options.nonlinearity())) fields.add_text("nonlinearity", fields.is_python() ? "relu" : "kReLU");
}

template <class Derived, Recurrence kind>
ForwardDefaults CellBase<Derived, kind>::forward_default_args() const {
  if constexpr (has_cell(kind)) return {{1, AnyValue(std::optional<std::tuple<Tensor, Tensor>>())}};
  else return {{1, AnyValue(Tensor())}};
}

template <class Derived, Recurrence kind>
RecurrentState CellBase<Derived, kind>::run(const Tensor& input, RecurrentState state) const {
  WICK_CHECK(input.dim() == 1 || input.dim() == 2, this->name(), ": Expected input to be 1D or 2D, got ", input.dim(), "D instead");
  WICK_CHECK(input.size(-1) == options.input_size(), "input has inconsistent input_size: got ", input.size(-1), " expected ", options.input_size());
  Dims expected(input.sizes());
  expected[expected.size() - 1] = options.hidden_size();
  for (size_t i = 0; i < states_of(kind); ++i) {
    if (!state[i].defined()) state[i] = zeros(expected, input.options());
    WICK_CHECK(input.dim() != state[i].dim() || input.dim() == 1 || input.size(0) == state[i].size(0), "Input batch size ", input.size(0),
               " doesn't match hidden", i, " batch size ", state[i].size(0));
    WICK_CHECK(state[i].size(-1) == options.hidden_size(), "hidden", i, " has inconsistent hidden_size: got ", state[i].size(-1),
               ", expected ", options.hidden_size());
    WICK_CHECK(state[i].dim() == input.dim(), "Expected hidden", i, " to have as many dimensions as input, got ", state[i].sizes());
  }
  return step(kind, is_relu(options.nonlinearity()), linear(input, weight_ih, bias_ih), state, {weight_ih, weight_hh, bias_ih, bias_hh, {}});
}

template class RecurrentBase<RNNImpl, Recurrence::kRnn>;
template class RecurrentBase<LSTMImpl, Recurrence::kLstm>;
template class RecurrentBase<GRUImpl, Recurrence::kGru>;
template class CellBase<RNNCellImpl, Recurrence::kRnn>;
template class CellBase<LSTMCellImpl, Recurrence::kLstm>;
template class CellBase<GRUCellImpl, Recurrence::kGru>;

}  // namespace detail

WICK_LAYER_DEFINITION(RNN);
WICK_LAYER_DEFINITION(LSTM);
WICK_LAYER_DEFINITION(GRU);
WICK_LAYER_DEFINITION(RNNCell);
WICK_LAYER_DEFINITION(LSTMCell);
WICK_LAYER_DEFINITION(GRUCell);

static detail::RecurrentState unpack(const std::optional<std::tuple<Tensor, Tensor>>& hx) {
  if (!hx) return {};
  return {std::get<0>(*hx), std::get<1>(*hx)};
}

std::tuple<Tensor, LSTMImpl::State> LSTMImpl::forward(const Tensor& input, std::optional<State> hx) {
  auto [output, state] = run(input, nullptr, unpack(hx));
  return {output, {state[0], state[1]}};
}

std::tuple<PackedSequence, LSTMImpl::State> LSTMImpl::forward_with_packed_input(const PackedSequence& input, std::optional<State> hx) {
  auto [output, state] = run(input.data(), &input, unpack(hx));
  return {input.with_data(output), {state[0], state[1]}};
}

std::tuple<Tensor, Tensor> LSTMCellImpl::forward(const Tensor& input, std::optional<std::tuple<Tensor, Tensor>> hx) {
  auto [h, c] = run(input, unpack(hx));
  return {h, c};
}

}  // namespace wick::nn
