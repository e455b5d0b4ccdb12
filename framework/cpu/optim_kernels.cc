// Optimiser steps, each in one pass over the parameters and what belongs to them.
#include "wick/framework/core/parallel.h"
#include "wick/framework/math/pack.h"
#include "wick/framework/plan/optim.h"

namespace wick::cpu::WICK_ISA {
namespace {

using math::WICK_ISA::Pack;

// Where in its array a pack stands: a whole one, or the last elements.
template <class T>
struct Whole {
  int64_t i;
  WICK_INLINE Pack<T> load(const T* p) const { return Pack<T>::loadu(p + i); }
  WICK_INLINE void store(T* p, Pack<T> x) const { x.storeu(p + i); }
};
template <class T>
struct Rest {
  int64_t i;
  int n;
  WICK_INLINE Pack<T> load(const T* p) const { return Pack<T>::load_partial(p + i, n); }
  WICK_INLINE void store(T* p, Pack<T> x) const { x.store_partial(p + i, n); }
};

template <class T, class F>
WICK_INLINE void for_packs(int64_t begin, int64_t end, const F& f) {
  int64_t i = begin;
  for (; i + Pack<T>::size <= end; i += Pack<T>::size) f(Whole<T>{i});
  if (i < end) f(Rest<T>{i, static_cast<int>(end - i)});
}

// Calls f(tensor, begin, end) until all elements of all tensors are covered. Threads share them as if the tensors were one long row, so
// that it does not matter how the elements are spread over tensors.
template <class Args, class F>
WICK_INLINE void for_tensors(const Args& args, const F& f) {
  int64_t total = 0;
  for (int t = 0; t < args.count; ++t) total += args.numel[t];
  parallel_for(0, total, kGrainSize, [&](int64_t begin, int64_t end) {
    int64_t first = 0;
    for (int t = 0; t < args.count && first < end; first += args.numel[t++]) {
      const int64_t from = begin > first ? begin - first : 0;
      const int64_t to = end - first < args.numel[t] ? end - first : args.numel[t];
      if (from < to) f(t, from, to);
    }
  });
}

// ---- SGD ---------------------------------------------------------------------------------------------------------------------------

template <class T>
void update_sgd(const SgdArgs& args, int t, int64_t begin, int64_t end) {
  using P = Pack<T>;
  const Buffer* const tensor = args.tensor(t);
  T* const param = tensor[SgdArgs::kParam].as<T>();
  const T* const grad = tensor[SgdArgs::kGrad].as<T>();
  T* const buffer = tensor[SgdArgs::kMomentumBuffer].as<T>();
  const bool first_step = buffer && *tensor[SgdArgs::kStep].as<int64_t>() == 0;
  const P minus_lr(static_cast<T>(-args.number(SgdArgs::kLr)));
  const P momentum(static_cast<T>(args.number(SgdArgs::kMomentum)));
  const P share(first_step ? T(1) : static_cast<T>(1 - args.number(SgdArgs::kDampening)));
  const P weight_decay(static_cast<T>(args.number(SgdArgs::kWeightDecay)));
  const bool decays = args.number(SgdArgs::kWeightDecay) != 0, nesterov = args.nesterov, maximize = args.maximize;
  for_packs<T>(begin, end, [&](auto at) __attribute__((always_inline)) {
    const P p = at.load(param);
    P g = at.load(grad);
    if (maximize) g = -g;
    if (decays) g = fma(p, weight_decay, g);
    if (buffer) {
      const P b = fma(g, share, momentum * at.load(buffer));
      at.store(buffer, b);
      g = nesterov ? fma(b, momentum, g) : b;
    }
    at.store(param, fma(g, minus_lr, p));
  });
}

// ---- Adam --------------------------------------------------------------------------------------------------------------------------

// What depends on the number of the step.
struct BiasCorrection {
  double step_size, second_root;
};

void correct_bias(const AdamArgs& args, BiasCorrection* corrections) {
  int64_t before = -1;
  for (int t = 0; t < args.count; ++t) {
    const int64_t step = *args.tensor(t)[AdamArgs::kStep].as<int64_t>() + 1;
    if (step == before) {
      corrections[t] = corrections[t - 1];
      continue;
    }
    before = step;
    const double n = static_cast<double>(step);
    corrections[t].step_size = args.number(AdamArgs::kLr) / (1 - __builtin_pow(args.number(AdamArgs::kBeta1), n));
    corrections[t].second_root = __builtin_sqrt(1 - __builtin_pow(args.number(AdamArgs::kBeta2), n));
  }
}

template <class T>
void update_adam(const AdamArgs& args, const BiasCorrection& correction, int t, int64_t begin, int64_t end) {
  using P = Pack<T>;
  const Buffer* const tensor = args.tensor(t);
  T* const param = tensor[AdamArgs::kParam].as<T>();
  const T* const grad = tensor[AdamArgs::kGrad].as<T>();
  T* const exp_avg = tensor[AdamArgs::kExpAvg].as<T>();
  T* const exp_avg_sq = tensor[AdamArgs::kExpAvgSq].as<T>();
  T* const largest = tensor[AdamArgs::kMaxExpAvgSq].as<T>();
  const double lr = args.number(AdamArgs::kLr), beta1 = args.number(AdamArgs::kBeta1), beta2 = args.number(AdamArgs::kBeta2);
  const double decay = args.number(AdamArgs::kWeightDecay);
  const bool shrinks = decay != 0 && args.decoupled_decay, decays = decay != 0 && !args.decoupled_decay, maximize = args.maximize;
  const P shrink(static_cast<T>(1 - lr * decay)), weight_decay(static_cast<T>(decay));
  // An interpolation from the nearer end, so that beta1 = 0 gives the gradient itself.
  const bool from_grad = 1 - beta1 >= 0.5;
  const P weight(static_cast<T>(from_grad ? -beta1 : 1 - beta1));
  const P keep(static_cast<T>(beta2)), share(static_cast<T>(1 - beta2)), eps(static_cast<T>(args.number(AdamArgs::kEps)));
  const P minus_step(static_cast<T>(-correction.step_size)), second_root(static_cast<T>(correction.second_root));
  for_packs<T>(begin, end, [&](auto at) __attribute__((always_inline)) {
    P p = at.load(param), g = at.load(grad);
    if (maximize) g = -g;
    if (decays) g = fma(p, weight_decay, g);
    if (shrinks) p *= shrink;
    P m = at.load(exp_avg);
    m = fma(weight, g - m, from_grad ? g : m);
    at.store(exp_avg, m);
    P v = fma(share * g, g, keep * at.load(exp_avg_sq));
    at.store(exp_avg_sq, v);
    if (largest) {
      v = max(at.load(largest), v);
      at.store(largest, v);
    }
    at.store(param, p + minus_step * m / (sqrt(v) / second_root + eps));
  });
}

template <class Args>
WICK_INLINE void count_steps(const Args& args) {
  for (int t = 0; t < args.count; ++t) {
    if (int64_t* step = args.tensor(t)[Args::kStep].template as<int64_t>()) ++*step;
  }
}

}  // namespace

void run_sgd(const SgdArgs& args) {
  const auto update = args.dtype == kFloat ? update_sgd<float> : update_sgd<double>;
  for_tensors(args, [&](int t, int64_t begin, int64_t end) { update(args, t, begin, end); });
  count_steps(args);
}

void run_adam(const AdamArgs& args) {
  BiasCorrection corrections[kTensorsPerCall];
  correct_bias(args, corrections);
  const auto update = args.dtype == kFloat ? update_adam<float> : update_adam<double>;
  for_tensors(args, [&](int t, int64_t begin, int64_t end) { update(args, corrections[t], t, begin, end); });
  count_steps(args);
}

}  // namespace wick::cpu::WICK_ISA
