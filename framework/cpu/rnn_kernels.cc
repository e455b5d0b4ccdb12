// The steps of recurrent layers: all gates of some hidden units at a time, in registers.
#include "wick/framework/core/parallel.h"
#include "wick/framework/cpu/packs.h"
#include "wick/framework/plan/rnn.h"

namespace wick::cpu::WICK_ISA {
namespace {

// A pack of hidden units of one row, or the row's last ones. Operand p has a block of `width` elements for each of `parts` of each row.
template <class T>
struct Units {
  int64_t row, width, unit;
  int lanes;

  int64_t at(int64_t parts, int64_t part) const { return (row * parts + part) * width + unit; }
  WICK_INLINE Pack<T> load(const T* p, int64_t parts = 1, int64_t part = 0) const {
    return WICK_ISA::load(p + at(parts, part), lanes);
  }
  WICK_INLINE void store(T* p, Pack<T> x, int64_t parts = 1, int64_t part = 0) const {
    WICK_ISA::store(p + at(parts, part), x, lanes);
  }
  // What may be left out is zero.
  WICK_INLINE Pack<T> load_or_zero(const T* p) const { return p ? load(p) : Pack<T>(T(0)); }
};

template <class T, class Args, class F>
WICK_INLINE void for_units(const Args& args, const F& f) {
  // An element costs some ten functions of the usual ones.
  const int64_t width = args.width, grain = kGrainSize / 8 / (width > 0 ? width : 1);
  parallel_for(0, args.rows, grain, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      for_packs<T>(width, [&](int64_t unit, int lanes) __attribute__((always_inline)) { f(Units<T>{row, width, unit, lanes}); });
    }
  });
}

template <class T>
void run_lstm(const RecurrentStepArgs& args) {
  using P = Pack<T>;
  T *const gates = args.buffers[0].as<T>(), *const h = args.buffers[1].as<T>(), *const c = args.buffers[2].as<T>();
  const T *const x = args.buffers[3].as<const T>(), *const y = args.buffers[4].as<const T>(), *const before = args.buffers[5].as<const T>();
  for_units<T>(args, [&](const Units<T>& u) __attribute__((always_inline)) {
    const auto sum = [&](int64_t part) __attribute__((always_inline)) { return u.load(x, 4, part) + u.load(y, 4, part); };
    const P i = sigmoid(sum(0)), f = sigmoid(sum(1)), g = tanh(sum(2)), o = sigmoid(sum(3));
    const P now = fma(f, u.load(before), i * g);
    u.store(gates, i, 4, 0);
    u.store(gates, f, 4, 1);
    u.store(gates, g, 4, 2);
    u.store(gates, o, 4, 3);
    u.store(c, now);
    u.store(h, o * tanh(now));
  });
}

template <class T>
void run_lstm_backward(const RecurrentStepBackwardArgs& args) {
  using P = Pack<T>;
  T *const gx = args.buffers[0].as<T>(), *const carried = args.buffers[2].as<T>();
  const T *const gates = args.buffers[3].as<const T>(), *const before = args.buffers[4].as<const T>();
  const T* const c = args.buffers[5].as<const T>();
  const T *const out = args.buffers[6].as<const T>(), *const next = args.buffers[7].as<const T>();
  for_units<T>(args, [&](const Units<T>& u) __attribute__((always_inline)) {
    const P one(T(1)), i = u.load(gates, 4, 0), f = u.load(gates, 4, 1), g = u.load(gates, 4, 2), o = u.load(gates, 4, 3);
    const P gh = u.load_or_zero(out) + u.load_or_zero(next), t = tanh(u.load(c));
    const P gc = u.load(carried) + gh * o * (one - t * t);
    u.store(gx, gc * g * i * (one - i), 4, 0);
    u.store(gx, gc * u.load(before) * f * (one - f), 4, 1);
    u.store(gx, gc * i * (one - g * g), 4, 2);
    u.store(gx, gh * t * o * (one - o), 4, 3);
    u.store(carried, gc * f);
  });
}

template <class T>
void run_gru(const RecurrentStepArgs& args) {
  using P = Pack<T>;
  T *const gates = args.buffers[0].as<T>(), *const h = args.buffers[1].as<T>();
  const T *const x = args.buffers[3].as<const T>(), *const y = args.buffers[4].as<const T>(), *const before = args.buffers[5].as<const T>();
  for_units<T>(args, [&](const Units<T>& u) __attribute__((always_inline)) {
    const P r = sigmoid(u.load(x, 3, 0) + u.load(y, 3, 0)), z = sigmoid(u.load(x, 3, 1) + u.load(y, 3, 1));
    const P part = u.load(y, 3, 2), n = tanh(fma(r, part, u.load(x, 3, 2)));
    u.store(gates, r, 4, 0);
    u.store(gates, z, 4, 1);
    u.store(gates, n, 4, 2);
    u.store(gates, part, 4, 3);
    u.store(h, fma(u.load(before) - n, z, n));
  });
}

template <class T>
void run_gru_backward(const RecurrentStepBackwardArgs& args) {
  using P = Pack<T>;
  T *const gx = args.buffers[0].as<T>(), *const gh = args.buffers[1].as<T>(), *const carried = args.buffers[2].as<T>();
  const T *const gates = args.buffers[3].as<const T>(), *const before = args.buffers[4].as<const T>();
  const T *const out = args.buffers[6].as<const T>(), *const next = args.buffers[7].as<const T>();
  for_units<T>(args, [&](const Units<T>& u) __attribute__((always_inline)) {
    const P one(T(1)), r = u.load(gates, 4, 0), z = u.load(gates, 4, 1), n = u.load(gates, 4, 2), part = u.load(gates, 4, 3);
    const P g = u.load(carried) + u.load_or_zero(out) + u.load_or_zero(next);
    const P gn = g * (one - z) * (one - n * n), gr = gn * part * r * (one - r), gz = g * (u.load(before) - n) * z * (one - z);
    u.store(gx, gr, 3, 0);
    u.store(gh, gr, 3, 0);
    u.store(gx, gz, 3, 1);
    u.store(gh, gz, 3, 1);
    u.store(gx, gn, 3, 2);
    u.store(gh, gn * r, 3, 2);
    u.store(carried, g * z);
  });
}

}  // namespace

#define WICK_STEP(name, Args, run) \
  void name(const Args& args) { args.dtype == kFloat ? run<float>(args) : run<double>(args); }
WICK_STEP(lstm_step, RecurrentStepArgs, run_lstm)
WICK_STEP(gru_step, RecurrentStepArgs, run_gru)
WICK_STEP(lstm_step_backward, RecurrentStepBackwardArgs, run_lstm_backward)
WICK_STEP(gru_step_backward, RecurrentStepBackwardArgs, run_gru_backward)

}  // namespace wick::cpu::WICK_ISA
