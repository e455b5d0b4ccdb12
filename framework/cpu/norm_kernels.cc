// Normalisation. A group is worked on by one thread; sums are taken pack by pack over short pieces, which are joined in double.
#include "wick/framework/core/parallel.h"
#include "wick/framework/cpu/packs.h"
#include "wick/framework/plan/norm.h"

namespace wick::cpu::WICK_ISA {
namespace {

constexpr int64_t kPiece = 1024;

// Two sums over [0, n) of the packs that term(i, lanes, a, b) adds to.
struct Sums {
  double a = 0, b = 0;
};
template <class T, class F>
WICK_INLINE void add_sums(Sums& total, int64_t n, const F& term) {
  for (int64_t first = 0; first < n; first += kPiece) {
    Pack<T> a(T(0)), b(T(0));
    for_packs<T>(smaller(kPiece, n - first), [&](int64_t i, int lanes) __attribute__((always_inline)) { term(first + i, lanes, a, b); });
    total.a += static_cast<double>(reduce_add(a));
    total.b += static_cast<double>(reduce_add(b));
  }
}

template <class F>
void for_groups(const NormShape& s, const F& f) {
  parallel_for(0, s.groups, larger(1, kGrainSize / larger(1, s.count())), [&](int64_t begin, int64_t end) {
    for (int64_t g = begin; g < end; ++g) f(g);
  });
}

// Calls f(first, n, weight number of the first, whether each element has the next weight) for the runs of a row of group g.
template <class F>
WICK_INLINE void for_runs(const NormShape& s, int64_t g, const F& f) {
  const int64_t start = g * s.inner;
  if (s.spatial == 1) {
    for (int64_t i = 0; i < s.inner;) {
      const int64_t channel = (start + i) % s.channels, n = smaller(s.inner - i, s.channels - channel);
      f(i, n, channel, true);
      i += n;
    }
    return;
  }
  for (int64_t i = 0; i < s.inner;) {
    const int64_t at = start + i, n = smaller(s.inner - i, s.spatial - at % s.spatial);
    f(i, n, at / s.spatial % s.channels, false);
    i += n;
  }
}

// Weight number `channel` and those that follow, for the elements from i of a run.
template <class T>
struct Weights {
  const T* at;
  bool each;
  T otherwise;
  Weights(const T* weights, int64_t channel, bool each_has_one, T without)
      : at(weights ? weights + channel : nullptr), each(each_has_one), otherwise(without) {}
  WICK_INLINE Pack<T> load(int64_t i, int lanes) const {
    if (!at) return Pack<T>(otherwise);
    return each ? WICK_ISA::load(at + i, lanes) : Pack<T>(*at);
  }
};

// ---- Forward -----------------------------------------------------------------------------------------------------------------------

template <class T>
void statistics(const NormArgs& args, int64_t g) {
  const NormShape& s = args.shape;
  const T* const x = args.buffers[3].as<const T>() + g * s.inner;
  const double count = static_cast<double>(s.count());
  Sums sums;
  for (int64_t o = 0; o < s.outer; ++o) {
    const T* const row = x + o * s.stride();
    add_sums<T>(sums, s.inner, [&](int64_t i, int lanes, Pack<T>& a, Pack<T>&) __attribute__((always_inline)) { a += load(row + i, lanes); });
  }
  const T centre = static_cast<T>(sums.a / count);
  // What the centre lacks shows in the sum of the deviations: it mends the mean, and is taken out of the squares.
  Sums deviations;
  for (int64_t o = 0; o < s.outer; ++o) {
    const T* const row = x + o * s.stride();
    add_sums<T>(deviations, s.inner, [&](int64_t i, int lanes, Pack<T>& a, Pack<T>& b) __attribute__((always_inline)) {
      const Pack<T> d = load(row + i, lanes, centre) - centre;
      a += d;
      b += d * d;
    });
  }
  const double mean = static_cast<double>(centre) + deviations.a / count;
  const double squares = deviations.b - deviations.a * deviations.a / count;
  const double variance = squares < 0 ? 0 : squares / count;
  args.buffers[1].as<T>()[g] = static_cast<T>(mean);
  args.buffers[2].as<T>()[g] = static_cast<T>(1 / math::sqrt(variance + args.eps));
  const auto update = [&](T* running, double now) {
    if (running) running[g] = static_cast<T>(args.momentum * now + (1 - args.momentum) * static_cast<double>(running[g]));
  };
  update(args.buffers[6].as<T>(), mean);
  update(args.buffers[7].as<T>(), variance * (count / (count - 1)));
}

template <class T>
void run_norm(const NormArgs& args) {
  const NormShape& s = args.shape;
  for_groups(s, [&](int64_t g) {
    if (!args.fixed) statistics<T>(args, g);
    const Pack<T> mean(args.buffers[1].as<T>()[g]), rstd(args.buffers[2].as<T>()[g]);
    for (int64_t o = 0; o < s.outer; ++o) {
      const int64_t row = o * s.stride() + g * s.inner;
      T* const y = args.buffers[0].as<T>() + row;
      const T* const x = args.buffers[3].as<const T>() + row;
      for_runs(s, g, [&](int64_t first, int64_t n, int64_t channel, bool each) __attribute__((always_inline)) {
        const Weights<T> w(args.buffers[4].as<const T>(), channel, each, 1), b(args.buffers[5].as<const T>(), channel, each, 0);
        for_packs<T>(n, [&](int64_t i, int lanes) __attribute__((always_inline)) {
          store(y + first + i, fma((load(x + first + i, lanes) - mean) * rstd, w.load(i, lanes), b.load(i, lanes)), lanes);
        });
      });
    }
  });
}

// ---- Backward ----------------------------------------------------------------------------------------------------------------------

// With h = (x - mean) rstd and e = gy weight: gx = rstd (e - mean of e - h mean of e h).
template <class T>
void input_gradient(const NormBackwardArgs& args, int64_t g) {
  const NormShape& s = args.shape;
  const Pack<T> mean(args.buffers[5].as<const T>()[g]), rstd(args.buffers[6].as<const T>()[g]);
  const T* const weights = args.buffers[7].as<const T>();
  Sums sums;
  for (int64_t o = 0; o < s.outer && !args.fixed; ++o) {
    const int64_t row = o * s.stride() + g * s.inner;
    const T *const gy = args.buffers[3].as<const T>() + row, *const x = args.buffers[4].as<const T>() + row;
    for_runs(s, g, [&](int64_t first, int64_t n, int64_t channel, bool each) __attribute__((always_inline)) {
      const Weights<T> w(weights, channel, each, 1);
      add_sums<T>(sums, n, [&](int64_t i, int lanes, Pack<T>& a, Pack<T>& b) __attribute__((always_inline)) {
        const Pack<T> e = load(gy + first + i, lanes) * w.load(i, lanes);
        a += e;
        b += e * (load(x + first + i, lanes, mean[0]) - mean) * rstd;
      });
    });
  }
  const double count = static_cast<double>(s.count());
  const Pack<T> mean_e(static_cast<T>(sums.a / count)), mean_eh(static_cast<T>(sums.b / count));
  for (int64_t o = 0; o < s.outer; ++o) {
    const int64_t row = o * s.stride() + g * s.inner;
    T* const gx = args.buffers[0].as<T>() + row;
    const T *const gy = args.buffers[3].as<const T>() + row, *const x = args.buffers[4].as<const T>() + row;
    for_runs(s, g, [&](int64_t first, int64_t n, int64_t channel, bool each) __attribute__((always_inline)) {
      const Weights<T> w(weights, channel, each, 1);
      for_packs<T>(n, [&](int64_t i, int lanes) __attribute__((always_inline)) {
        const Pack<T> e = load(gy + first + i, lanes) * w.load(i, lanes);
        const Pack<T> h = (load(x + first + i, lanes) - mean) * rstd;
        store(gx + first + i, args.fixed ? e * rstd : (e - mean_e - h * mean_eh) * rstd, lanes);
      });
    });
  }
}

// Sums over all elements with the same weight. All rows are spatial long and belong to one group each, if spatial is not 1.
template <class T>
void weight_gradients_by_channel(const NormBackwardArgs& args) {
  const NormShape& s = args.shape;
  const int64_t rows = s.outer * s.stride() / (s.spatial * s.channels);
  parallel_for(0, s.channels, larger(1, kGrainSize / larger(1, rows * s.spatial)), [&](int64_t begin, int64_t end) {
    for (int64_t c = begin; c < end; ++c) {
      Sums sums;
      for (int64_t r = 0; r < rows; ++r) {
        const int64_t row = (r * s.channels + c) * s.spatial, g = row / s.inner % s.groups;
        const T *const gy = args.buffers[3].as<const T>() + row, *const x = args.buffers[4].as<const T>() + row;
        const Pack<T> mean(args.buffers[5].as<const T>()[g]), rstd(args.buffers[6].as<const T>()[g]);
        add_sums<T>(sums, s.spatial, [&](int64_t i, int lanes, Pack<T>& a, Pack<T>& b) __attribute__((always_inline)) {
          const Pack<T> e = load(gy + i, lanes);
          a += e;
          b += e * (load(x + i, lanes, mean[0]) - mean) * rstd;
        });
      }
      if (args.buffers[1].data) args.buffers[1].as<T>()[c] = static_cast<T>(sums.b);
      if (args.buffers[2].data) args.buffers[2].as<T>()[c] = static_cast<T>(sums.a);
    }
  });
}

// A weight for each element of a row: columns side by side in packs, over all rows.
template <class T>
void weight_gradients_by_column(const NormBackwardArgs& args) {
  const NormShape& s = args.shape;
  const int64_t rows = s.outer * s.stride() / s.channels;
  constexpr int64_t kColumns = 4 * Pack<T>::size;
  parallel_for(0, s.channels, kColumns * larger(1, kGrainSize / larger(1, rows * kColumns)), [&](int64_t begin, int64_t end) {
    for_packs<T>(end - begin, [&](int64_t i, int lanes) {
      const int64_t c = begin + i;
      Pack<T> gw(T(0)), gb(T(0));
      for (int64_t r = 0; r < rows; ++r) {
        const int64_t at = r * s.channels + c;
        Pack<T> mean, rstd;
        if (s.inner % s.channels == 0) {  // the whole row in one group
          const int64_t g = at / s.inner % s.groups;
          mean = Pack<T>(args.buffers[5].as<const T>()[g]);
          rstd = Pack<T>(args.buffers[6].as<const T>()[g]);
        } else {
          T m[Pack<T>::size] = {}, q[Pack<T>::size] = {};
          for (int lane = 0; lane < lanes; ++lane) {
            const int64_t g = (at + lane) / s.inner % s.groups;
            m[lane] = args.buffers[5].as<const T>()[g];
            q[lane] = args.buffers[6].as<const T>()[g];
          }
          mean = Pack<T>::loadu(m);
          rstd = Pack<T>::loadu(q);
        }
        const Pack<T> e = load(args.buffers[3].as<const T>() + at, lanes);
        gb += e;
        gw += e * (load(args.buffers[4].as<const T>() + at, lanes) - mean) * rstd;
      }
      if (args.buffers[1].data) store(args.buffers[1].as<T>() + c, gw, lanes);
      if (args.buffers[2].data) store(args.buffers[2].as<T>() + c, gb, lanes);
    });
  });
}

template <class T>
void run_backward(const NormBackwardArgs& args) {
  if (args.buffers[0].data) for_groups(args.shape, [&](int64_t g) { input_gradient<T>(args, g); });
  if (!args.buffers[1].data && !args.buffers[2].data) return;
  if (args.shape.spatial == 1) weight_gradients_by_column<T>(args);
  else weight_gradients_by_channel<T>(args);
}

}  // namespace

void norm(const NormArgs& args) { args.dtype == kFloat ? run_norm<float>(args) : run_norm<double>(args); }
void norm_backward(const NormBackwardArgs& args) { args.dtype == kFloat ? run_backward<float>(args) : run_backward<double>(args); }

}  // namespace wick::cpu::WICK_ISA
