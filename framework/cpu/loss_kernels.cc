// The losses on class indices, with their derivatives: one pass over the logits while they are in the cache.
#include "wick/framework/core/parallel.h"
#include "wick/framework/cpu/problem_lanes.h"
#include "wick/framework/plan/softmax.h"

namespace wick::cpu::WICK_ISA {
namespace {

template <class T>
struct Call {
  const ClassLossArgs& args;
  const ClassShape& shape;
  T* losses;              // null unless each is wanted
  T* slope;               // or null
  const T* x;
  const int64_t* targets;
  const T* weights;       // or null
  double divisor;         // of the sum of the losses
  double factor;          // of a problem's derivative in the slope: 1 / divisor, and 0 where nothing counts

  explicit Call(const ClassLossArgs& a)
      : args(a),
        shape(a.shape),
        losses(a.reduction == LossReduction::kNone ? a.buffers[0].as<T>() : nullptr),
        slope(a.buffers[1].as<T>()),
        x(a.buffers[2].as<T>()),
        targets(a.buffers[3].as<int64_t>()),
        weights(a.buffers[4].as<T>()) {
    const double total = total_weight();
    divisor = a.reduction == LossReduction::kMean ? total : 1;
    factor = divisor == 0 ? 0 : 1 / divisor;
  }

  WICK_INLINE T weight(int64_t target) const {
    if (target == args.ignore_index) return T(0);
    return weights ? weights[target] : T(1);
  }

 private:
  // Also checks the targets.
  double total_weight() const {
    const int64_t count = shape.problems(), ignored = args.ignore_index;
    int64_t valid = 0;
    uint64_t wrong = 0;
    for (int64_t i = 0; i < count; ++i) {
      const int64_t t = targets[i];
      valid += t != ignored;
      wrong |= (t != ignored) & (static_cast<uint64_t>(t) >= static_cast<uint64_t>(shape.n));
    }
    for (int64_t i = 0; wrong; ++i) {
      if (targets[i] != ignored && static_cast<uint64_t>(targets[i]) >= static_cast<uint64_t>(shape.n)) target_error(targets[i], shape.n);
    }
    if (!weights) return static_cast<double>(valid);
    double total = 0;
    for (int64_t i = 0; i < count; ++i) total += weight(targets[i]);
    return total;
  }
};

// ---- One problem to a lane ---------------------------------------------------------------------------------------------------------

// What the lanes of a pack aim at: lanes that are ignored or not used have weight 0.
template <class T>
struct Targets {
  static constexpr int kSize = Pack<T>::size;

  Pack<T> index, weight;

  WICK_INLINE Targets(const Call<T>& call, int64_t first, int count) {
    const T ignored = static_cast<T>(call.args.ignore_index);
    alignas(64) T values[kSize];
    if (count == kSize) for (int i = 0; i < kSize; ++i) values[i] = static_cast<T>(call.targets[first + i]);
    else for (int i = 0; i < kSize; ++i) values[i] = i < count ? static_cast<T>(call.targets[first + i]) : ignored;
    index = Pack<T>::load(values);
    weight = select(index == Pack<T>(ignored), Pack<T>(T(0)), Pack<T>(T(1)));
    if (!call.weights) return;
    for (int i = 0; i < count; ++i) values[i] = call.weight(call.targets[first + i]);
    weight = Pack<T>::load_partial(values, count);
  }
};

// A few classes, kClasses unless that is 0: the problems' elements stay in registers. Returns the losses.
template <class T, bool softmax, int kClasses>
Pack<T> loss_narrow(const Call<T>& call, int64_t first, int64_t at, const ProblemLanes<T>& lanes) {
  const int64_t n = kClasses ? kClasses : call.shape.n;
  const Targets<T> targets(call, first, lanes.count);
  const Pack<T> index = targets.index, weight = targets.weight;
  const Pack<T> scale = weight * Pack<T>(static_cast<T>(call.factor));
  Pack<T> e[kNarrow], value(T(0)), part(T(0));
  lanes.load_all(call.x + at, n, e);
  for (int64_t j = 0; j < n; ++j) value = select(index == Pack<T>(static_cast<T>(j)), e[j], value);
  if constexpr (softmax) {
    Pack<T> m(kLowest<T>), sum(T(0));
    for (int64_t j = 0; j < n; ++j) m = max(e[j], m);
    for (int64_t j = 0; j < n; ++j) sum += e[j] = exp(e[j] - m);
    value = value - m - log(sum);
    part = scale / sum;
  }
  if (call.slope) {
    for (int64_t j = 0; j < n; ++j) {
      const Pack<T> d = softmax ? e[j] * part : Pack<T>(T(0));
      e[j] = select(index == Pack<T>(static_cast<T>(j)), d - scale, d);
    }
    lanes.store_all(call.slope + at, n, e);
  }
  return select(weight == Pack<T>(T(0)), Pack<T>(T(0)), -(weight * value));
}

// Columns of more classes.
template <class T, bool softmax>
Pack<T> loss_columns(const Call<T>& call, int64_t first, int64_t at, const ProblemLanes<T>& lanes) {
  const int64_t n = call.shape.n;
  const T* const x = call.x + at;
  T* const slope = call.slope ? call.slope + at : nullptr;
  const int64_t* const targets = call.targets + first;
  const Pack<T> weight = Targets<T>(call, first, lanes.count).weight;
  const Pack<T> scale = weight * Pack<T>(static_cast<T>(call.factor));
  alignas(64) T elements[Pack<T>::size] = {};
  for (int i = 0; i < lanes.count; ++i) {
    if (targets[i] != call.args.ignore_index) elements[i] = x[i + targets[i] * lanes.step];
  }
  Pack<T> value = Pack<T>::load(elements), part(T(0));
  if constexpr (softmax) {
    Pack<T> m = lanes.load(x, 0), sum(T(0));
    for (int64_t j = 1; j < n; ++j) m = max(lanes.load(x, j), m);
    for (int64_t j = 0; j < n; ++j) {
      const Pack<T> p = exp(lanes.load(x, j) - m);
      sum += p;
      if (slope) lanes.store(slope, j, p);
    }
    value = value - m - log(sum);
    part = scale / sum;
  }
  if (slope) {
    for (int64_t j = 0; j < n; ++j) lanes.store(slope, j, softmax ? lanes.load(slope, j) * part : Pack<T>(T(0)));
    for (int i = 0; i < lanes.count; ++i) {
      if (targets[i] != call.args.ignore_index) slope[i + targets[i] * lanes.step] -= scale[i];
    }
  }
  return select(weight == Pack<T>(T(0)), Pack<T>(T(0)), -(weight * value));
}

// ---- One problem at a time ---------------------------------------------------------------------------------------------------------

template <class T, bool softmax>
T loss_row(const Call<T>& call, int64_t problem) {
  const int64_t n = call.shape.n, target = call.targets[problem];
  const T* const x = call.x + problem * n;
  T* const slope = call.slope ? call.slope + problem * n : nullptr;
  const bool counted = target != call.args.ignore_index;
  const T weight = call.weight(target), scale = weight * static_cast<T>(call.factor);
  T value = counted ? x[target] : T(0);
  if constexpr (softmax) {
    Pack<T> largest(kLowest<T>), sum(T(0));
    for_packs(x, n, kLowest<T>, [&](int64_t, Pack<T> e, int) __attribute__((always_inline)) { largest = max(e, largest); });
    const T m = reduce_max(largest);
    for_packs(x, n, kLowest<T>, [&](int64_t i, Pack<T> e, int lanes) __attribute__((always_inline)) {
      const Pack<T> p = exp(e - Pack<T>(m));
      if (slope) store(slope + i, p, lanes);
      sum += lanes == Pack<T>::size ? p : select(Mask<T>::first(lanes), p, Pack<T>(T(0)));
    });
    const T total = reduce_add(sum);
    value = value - m - math::log(total);
    const Pack<T> part(scale / total);
    if (slope) {
      for_packs(slope, n, T(0), [&](int64_t i, Pack<T> p, int lanes) __attribute__((always_inline)) { store(slope + i, p * part, lanes); });
    }
  } else if (slope) {
    for (int64_t j = 0; j < n; ++j) slope[j] = T(0);
  }
  if (slope && counted) slope[target] -= scale;
  return counted ? -(weight * value) : T(0);
}

// ---- All of them -------------------------------------------------------------------------------------------------------------------

// Tasks of one pack of problems, or of one long row: writes the losses, or adds them up.
template <class T, bool softmax>
WICK_INLINE double run_task(const Call<T>& call, int64_t task) {
  constexpr int kSize = Pack<T>::size;
  const ClassShape& shape = call.shape;
  if (shape.inner == 1 && shape.n > kNarrow) {
    const T loss = loss_row<T, softmax>(call, task);
    if (call.losses) call.losses[task] = loss;
    return static_cast<double>(loss);
  }
  const bool rows = shape.inner == 1;
  const int64_t side_by_side = rows ? shape.outer : shape.inner;
  const int64_t bands = (side_by_side + kSize - 1) / kSize;
  const int64_t begin = task % bands * kSize, outer = task / bands;
  const int64_t first = outer * side_by_side + begin;
  const int64_t at = rows ? begin * shape.n : outer * shape.n * shape.inner + begin;
  const int count = static_cast<int>(side_by_side - begin < kSize ? side_by_side - begin : kSize);
  const ProblemLanes<T> lanes{rows, shape.inner, count};
  const auto run = shape.n == 3 ? loss_narrow<T, softmax, 3> : shape.n <= kNarrow ? loss_narrow<T, softmax, 0> : loss_columns<T, softmax>;
  const Pack<T> loss = run(call, first, at, lanes);
  if (call.losses) loss.store_partial(call.losses + first, count);
  return static_cast<double>(reduce_add(loss));
}

template <class T, bool softmax>
void class_loss(const ClassLossArgs& args) {
  constexpr int64_t kMaxChunks = 64, kSize = Pack<T>::size;
  const Call<T> call(args);
  const ClassShape& shape = args.shape;
  int64_t tasks = shape.outer, per_task = shape.n;
  if (shape.inner > 1 || shape.n <= kNarrow) {
    per_task *= kSize;
    tasks = shape.inner == 1 ? (shape.outer + kSize - 1) / kSize : shape.outer * ((shape.inner + kSize - 1) / kSize);
  }
  if (shape.problems() == 0) tasks = 0;
  double partial[kMaxChunks] = {};
  int64_t grain = kGrainSize / (per_task + 1) + 1;
  if (grain * kMaxChunks < tasks) grain = (tasks + kMaxChunks - 1) / kMaxChunks;
  parallel_for(0, tasks, grain, [&](int64_t begin, int64_t end) {
    double sum = 0;
    for (int64_t task = begin; task < end; ++task) sum += run_task<T, softmax>(call, task);
    partial[begin / grain] = sum;
  });
  if (call.losses) return;
  double sum = 0;
  for (int64_t chunk = 0; chunk * grain < tasks; ++chunk) sum += partial[chunk];
  *args.buffers[0].as<T>() = static_cast<T>(sum / call.divisor);
}

}  // namespace

void cross_entropy(const ClassLossArgs& args) { args.dtype == kFloat ? class_loss<float, true>(args) : class_loss<double, true>(args); }
void nll(const ClassLossArgs& args) { args.dtype == kFloat ? class_loss<float, false>(args) : class_loss<double, false>(args); }

}  // namespace wick::cpu::WICK_ISA
