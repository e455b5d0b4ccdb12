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

// The gradient as all optimisers take it: negated to maximise, with the weight decay.
template <class T>
struct Gradient {
  using P = Pack<T>;
  P weight_decay;
  bool decays, maximize;

  Gradient(double decay, bool negate) : weight_decay(static_cast<T>(decay)), decays(decay != 0), maximize(negate) {}
  WICK_INLINE P operator()(P g, P p) const {
    if (maximize) g = -g;
    return decays ? fma(p, weight_decay, g) : g;
  }
};

// m + (1 - keep) (x - m), from the nearer end, so that keep = 0 gives x itself.
template <class T>
struct Average {
  using P = Pack<T>;
  bool from_x;
  P weight;

  explicit Average(double keep) : from_x(1 - keep >= 0.5), weight(static_cast<T>(from_x ? -keep : 1 - keep)) {}
  WICK_INLINE P operator()(P m, P x) const { return fma(weight, x - m, from_x ? x : m); }
};

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
  const Gradient<T> gradient(args.number(SgdArgs::kWeightDecay), args.maximize);
  const bool nesterov = args.nesterov;
  for_packs<T>(begin, end, [&](auto at) __attribute__((always_inline)) {
    const P p = at.load(param);
    P g = gradient(at.load(grad), p);
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
  const bool shrinks = decay != 0 && args.decoupled_decay;
  const P shrink(static_cast<T>(1 - lr * decay));
  const Gradient<T> gradient(args.decoupled_decay ? 0 : decay, args.maximize);
  const Average<T> average(beta1);
  const P keep(static_cast<T>(beta2)), share(static_cast<T>(1 - beta2));
  // step_size m / (sqrt(v) / second_root + eps) with one division, which is what this loop waits for, instead of two.
  const P minus_step(static_cast<T>(-correction.step_size * correction.second_root));
  const P eps(static_cast<T>(args.number(AdamArgs::kEps) * correction.second_root));
  for_packs<T>(begin, end, [&](auto at) __attribute__((always_inline)) {
    P p = at.load(param);
    const P g = gradient(at.load(grad), p);
    if (shrinks) p *= shrink;
    const P m = average(at.load(exp_avg), g);
    at.store(exp_avg, m);
    P v = fma(share * g, g, keep * at.load(exp_avg_sq));
    at.store(exp_avg_sq, v);
    if (largest) {
      v = max(at.load(largest), v);
      at.store(largest, v);
    }
    at.store(param, p + minus_step * m / (sqrt(v) + eps));
  });
}

// ---- Adagrad -----------------------------------------------------------------------------------------------------------------------

template <class T>
void update_adagrad(const AdagradArgs& args, int t, int64_t begin, int64_t end) {
  using P = Pack<T>;
  const Buffer* const tensor = args.tensor(t);
  T* const param = tensor[AdagradArgs::kParam].as<T>();
  const T* const grad = tensor[AdagradArgs::kGrad].as<T>();
  T* const sum = tensor[AdagradArgs::kSum].as<T>();
  const double steps = static_cast<double>(*tensor[AdagradArgs::kStep].as<int64_t>());
  const P minus_lr(static_cast<T>(-args.number(AdagradArgs::kLr) / (1 + steps * args.number(AdagradArgs::kLrDecay))));
  const P eps(static_cast<T>(args.number(AdagradArgs::kEps)));
  const Gradient<T> gradient(args.number(AdagradArgs::kWeightDecay), args.maximize);
  for_packs<T>(begin, end, [&](auto at) __attribute__((always_inline)) {
    const P p = at.load(param), g = gradient(at.load(grad), p), s = fma(g, g, at.load(sum));
    at.store(sum, s);
    at.store(param, p + minus_lr * g / (sqrt(s) + eps));
  });
}

// ---- RMSprop -----------------------------------------------------------------------------------------------------------------------

template <class T>
void update_rmsprop(const RmspropArgs& args, int t, int64_t begin, int64_t end) {
  using P = Pack<T>;
  const Buffer* const tensor = args.tensor(t);
  T* const param = tensor[RmspropArgs::kParam].as<T>();
  const T* const grad = tensor[RmspropArgs::kGrad].as<T>();
  T* const square_avg = tensor[RmspropArgs::kSquareAvg].as<T>();
  T* const grad_avg = tensor[RmspropArgs::kGradAvg].as<T>();
  T* const buffer = tensor[RmspropArgs::kMomentumBuffer].as<T>();
  const double alpha = args.number(RmspropArgs::kAlpha);
  const P keep(static_cast<T>(alpha)), share(static_cast<T>(1 - alpha)), eps(static_cast<T>(args.number(RmspropArgs::kEps)));
  const P minus_lr(static_cast<T>(-args.number(RmspropArgs::kLr))), momentum(static_cast<T>(args.number(RmspropArgs::kMomentum)));
  const Gradient<T> gradient(args.number(RmspropArgs::kWeightDecay), args.maximize);
  const Average<T> average(alpha);
  for_packs<T>(begin, end, [&](auto at) __attribute__((always_inline)) {
    const P p = at.load(param), g = gradient(at.load(grad), p);
    P v = fma(share * g, g, keep * at.load(square_avg));
    at.store(square_avg, v);
    if (grad_avg) {
      const P m = average(at.load(grad_avg), g);
      at.store(grad_avg, m);
      v = fma(-m, m, v);
    }
    const P scale = sqrt(v) + eps;
    if (buffer) {
      const P b = fma(momentum, at.load(buffer), g / scale);
      at.store(buffer, b);
      at.store(param, fma(b, minus_lr, p));
    } else {
      at.store(param, p + minus_lr * g / scale);
    }
  });
}

template <class Args, class F>
WICK_INLINE void run(const Args& args, const F& update) {
  for_tensors(args, update);
  for (int t = 0; t < args.count; ++t) {
    if (int64_t* step = args.tensor(t)[Args::kStep].template as<int64_t>()) ++*step;
  }
}

}  // namespace

#define WICK_STEP(name, Args)                                                                          \
  void name(const Args& args) {                                                                        \
    const auto update = args.dtype == kFloat ? update_##name<float> : update_##name<double>;           \
    run(args, [&](int t, int64_t begin, int64_t end) { update(args, t, begin, end); });                \
  }
WICK_STEP(sgd, SgdArgs)
WICK_STEP(adagrad, AdagradArgs)
WICK_STEP(rmsprop, RmspropArgs)

void adam(const AdamArgs& args) {
  BiasCorrection corrections[kTensorsPerCall];
  correct_bias(args, corrections);
  const auto update = args.dtype == kFloat ? update_adam<float> : update_adam<double>;
  run(args, [&](int t, int64_t begin, int64_t end) { update(args, corrections[t], t, begin, end); });
}

}  // namespace wick::cpu::WICK_ISA
