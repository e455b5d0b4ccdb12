// Pooling. Plain loops along the last dimension, which the compiler turns into packs; 2x2 windows side by side, of float and double, have
// packs of their own.
#include "wick/framework/core/parallel.h"
#include "wick/framework/cpu/packs.h"
#include "wick/framework/plan/pool.h"

namespace wick::cpu::WICK_ISA {
namespace {

constexpr int64_t kBlock = 256;  // outputs of a row at a time

// Whether v takes the place of m.
template <class T>
WICK_INLINE bool beats(T v, T m) { return v > m || v != v; }

template <class T>
inline constexpr bool kIsFloating = static_cast<T>(0.5) != T(0);

template <class T>
constexpr T lowest() {
  if constexpr (kIsFloating<T>) return static_cast<T>(-__builtin_huge_val());
  else return static_cast<T>(T(1) << (8 * sizeof(T) - 1));
}

template <class F>
void for_planes(const PoolShape& s, const F& f) {
  parallel_for(0, s.planes, larger(1, kGrainSize / larger(1, s.input_size())), [&](int64_t begin, int64_t end) {
    for (int64_t p = begin; p < end; ++p) f(p);
  });
}

// ---- The largest element -----------------------------------------------------------------------------------------------------------

// Outputs [first, first + n) of row (o0, o1): values and places. n <= kBlock.
template <class T>
void max_block(const PoolShape& s, const T* x, int64_t o0, int64_t o1, int64_t first, int64_t n, T* value, int64_t* place) {
  for (int64_t o = 0; o < n; ++o) {
    value[o] = lowest<T>();
    place[o] = -1;
  }
  for (int64_t k0 = 0; k0 < s.kernel[0]; ++k0) {
    const int64_t i0 = o0 * s.stride[0] - s.padding[0] + k0 * s.dilation[0];
    if (i0 >= s.input[0]) break;
    if (i0 < 0) continue;
    for (int64_t k1 = 0; k1 < s.kernel[1]; ++k1) {
      const int64_t i1 = o1 * s.stride[1] - s.padding[1] + k1 * s.dilation[1];
      if (i1 >= s.input[1]) break;
      if (i1 < 0) continue;
      const int64_t row = (i0 * s.input[1] + i1) * s.input[2];
      for (int64_t k2 = 0; k2 < s.kernel[2]; ++k2) {
        const int64_t stride = s.stride[2], start = first * stride - s.padding[2] + k2 * s.dilation[2];
        if (start >= s.input[2]) break;
        const int64_t begin = start >= 0 ? 0 : (-start + stride - 1) / stride, end = smaller(n, (s.input[2] - start - 1) / stride + 1);
        for (int64_t o = begin; o < end; ++o) {
          const int64_t at = row + start + o * stride;
          const bool take = beats(x[at], value[o]) || place[o] < 0;
          value[o] = take ? x[at] : value[o];
          place[o] = take ? at : place[o];
        }
      }
    }
  }
}

// The place of a window of an adaptive pooling: its values are those of one output.
template <class T>
void max_window(const PoolShape& s, const T* x, const int64_t (&o)[kPoolDims], T* value, int64_t* place) {
  int64_t begin[kPoolDims], end[kPoolDims];
  for (int d = 0; d < kPoolDims; ++d) {
    begin[d] = o[d] * s.input[d] / s.output[d];
    end[d] = ((o[d] + 1) * s.input[d] + s.output[d] - 1) / s.output[d];
  }
  *value = lowest<T>();
  *place = -1;
  for (int64_t i0 = begin[0]; i0 < end[0]; ++i0) {
    for (int64_t i1 = begin[1]; i1 < end[1]; ++i1) {
      for (int64_t i2 = begin[2]; i2 < end[2]; ++i2) {
        const int64_t at = (i0 * s.input[1] + i1) * s.input[2] + i2;
        if (!beats(x[at], *value) && *place >= 0) continue;
        *value = x[at];
        *place = at;
      }
    }
  }
}

// Calls f(output, n, values, places) for all outputs of a plane, block by block.
template <class T, class F>
void for_blocks(const PoolShape& s, const T* x, const F& f) {
  T value[kBlock];
  int64_t place[kBlock];
  for (int64_t row = 0; row < s.output[0] * s.output[1]; ++row) {
    const int64_t o0 = row / s.output[1], o1 = row % s.output[1];
    for (int64_t first = 0; first < s.output[2]; first += kBlock) {
      const int64_t n = smaller(kBlock, s.output[2] - first);
      if (s.adaptive) {
        for (int64_t o = 0; o < n; ++o) max_window(s, x, {o0, o1, first + o}, value + o, place + o);
      } else {
        max_block(s, x, o0, o1, first, n, value, place);
      }
      f(row * s.output[2] + first, n, value, place);
    }
  }
}

// Windows of 2x2 that do not overlap, without padding: an output for each four inputs.
bool is_halving(const PoolShape& s) {
  bool yes = !s.adaptive && s.kernel[0] == 1 && s.stride[0] == 1 && s.padding[0] == 0 && s.input[0] == s.output[0];
  for (int d = 1; d < kPoolDims; ++d) {
    yes = yes && s.kernel[d] == 2 && s.stride[d] == 2 && s.padding[d] == 0 && s.dilation[d] == 1 && 2 * s.output[d] <= s.input[d];
  }
  return yes;
}

// Elements 2 i and 2 i + 1 of a row, for as many i as there are lanes.
template <class T>
struct Pairs {
  Pack<T> even, odd;
  template <int... lane>
  static WICK_INLINE Pairs split(Pack<T> a, Pack<T> b, std::integer_sequence<int, lane...>) {
    return {Pack<T>(__builtin_shufflevector(a.v, b.v, (2 * lane)...)), Pack<T>(__builtin_shufflevector(a.v, b.v, (2 * lane + 1)...))};
  }
  template <int... lane>
  WICK_INLINE void join(Pack<T>& a, Pack<T>& b, std::integer_sequence<int, lane...>) const {
    constexpr int kSize = Pack<T>::size;
    a = Pack<T>(__builtin_shufflevector(even.v, odd.v, (lane / 2 + lane % 2 * kSize)...));
    b = Pack<T>(__builtin_shufflevector(even.v, odd.v, (kSize / 2 + lane / 2 + lane % 2 * kSize)...));
  }
  static WICK_INLINE Pairs load(const T* p, int lanes) {
    constexpr int kSize = Pack<T>::size;
    const int n = 2 * lanes, rest = n > kSize ? n - kSize : 0;
    const Pack<T> a = n >= kSize ? Pack<T>::loadu(p) : Pack<T>::load_partial(p, n);
    const Pack<T> b = rest == kSize ? Pack<T>::loadu(p + kSize) : rest ? Pack<T>::load_partial(p + kSize, rest) : a;
    return split(a, b, std::make_integer_sequence<int, kSize>());
  }
  WICK_INLINE void store(T* p, int lanes) const {
    constexpr int kSize = Pack<T>::size;
    const int n = 2 * lanes, rest = n > kSize ? n - kSize : 0;
    Pack<T> a, b;
    join(a, b, std::make_integer_sequence<int, kSize>());
    if (n >= kSize) a.storeu(p);
    else a.store_partial(p, n);
    if (rest == kSize) b.storeu(p + kSize);
    else if (rest) b.store_partial(p + kSize, rest);
  }
};

template <class T>
WICK_INLINE Mask<T> pack_beats(Pack<T> v, Pack<T> m) { return (v > m) | is_nan(v); }

template <class T>
WICK_INLINE void halve_row(T* y, const T* x0, const T* x1, int64_t n) {
  for_packs<T>(n, [&](int64_t o, int lanes) __attribute__((always_inline)) {
    const Pairs<T> top = Pairs<T>::load(x0 + 2 * o, lanes), bottom = Pairs<T>::load(x1 + 2 * o, lanes);
    store(y + o, max(max(top.even, top.odd), max(bottom.even, bottom.odd)), lanes);
  });
}

template <class T>
void halve(const PoolShape& s, T* y, const T* x) {
  for (int64_t o0 = 0; o0 < s.output[0]; ++o0, x += s.input[1] * s.input[2]) {
    for (int64_t o1 = 0; o1 < s.output[1]; ++o1, y += s.output[2]) {
      halve_row(y, x + 2 * o1 * s.input[2], x + (2 * o1 + 1) * s.input[2], s.output[2]);
    }
  }
}

template <class T>
WICK_INLINE void halve_row_backward(T* g0, T* g1, const T* gy, const T* x0, const T* x1, int64_t n) {
  for_packs<T>(n, [&](int64_t o, int lanes) __attribute__((always_inline)) {
    const Pairs<T> top = Pairs<T>::load(x0 + 2 * o, lanes), bottom = Pairs<T>::load(x1 + 2 * o, lanes);
    const Pack<T> g = load(gy + o, lanes), zero(T(0));
    const Mask<T> right0 = pack_beats(top.odd, top.even), right1 = pack_beats(bottom.odd, bottom.even);
    const Mask<T> low = pack_beats(select(right1, bottom.odd, bottom.even), select(right0, top.odd, top.even));
    const Pack<T> above = select(low, zero, g), below = select(low, g, zero);
    Pairs<T>{select(right0, zero, above), select(right0, above, zero)}.store(g0 + 2 * o, lanes);
    Pairs<T>{select(right1, zero, below), select(right1, below, zero)}.store(g1 + 2 * o, lanes);
  });
}

template <class T>
void halve_backward(const PoolShape& s, T* gx, const T* gy, const T* x) {
  const int64_t width = s.input[2], plane = s.input[1] * width;
  for (int64_t o0 = 0; o0 < s.output[0]; ++o0, x += plane, gx += plane) {
    for (int64_t o1 = 0; o1 < s.output[1]; ++o1, gy += s.output[2]) {
      const int64_t row = 2 * o1 * width;
      halve_row_backward(gx + row, gx + row + width, gy, x + row, x + row + width, s.output[2]);
      for (int64_t i = 2 * s.output[2]; i < width; ++i) gx[row + i] = gx[row + width + i] = T(0);
    }
    for (int64_t i = 2 * s.output[1] * width; i < plane; ++i) gx[i] = T(0);
  }
}

template <class T>
void run_max(const MaxPoolArgs& args) {
  const PoolShape& s = args.shape;
  int64_t* const places = args.buffers[1].as<int64_t>();
  const bool halving = !places && is_halving(s);
  for_planes(s, [&](int64_t p) {
    T* const y = args.buffers[0].as<T>() + p * s.output_size();
    const T* const x = args.buffers[2].as<const T>() + p * s.input_size();
    if constexpr (kIsFloating<T>) {
      if (halving) return halve(s, y, x);
    }
    for_blocks(s, x, [&](int64_t at, int64_t n, const T* value, const int64_t* place) {
      for (int64_t o = 0; o < n; ++o) y[at + o] = value[o];
      for (int64_t o = 0; places && o < n; ++o) places[p * s.output_size() + at + o] = place[o];
    });
  });
}

template <class T>
void run_max_backward(const MaxPoolBackwardArgs& args) {
  const PoolShape& s = args.shape;
  const bool halving = is_halving(s);
  for_planes(s, [&](int64_t p) {
    T* const gx = args.buffers[0].as<T>() + p * s.input_size();
    const T* const gy = args.buffers[1].as<const T>() + p * s.output_size();
    const T* const x = args.buffers[2].as<const T>() + p * s.input_size();
    if (halving) return halve_backward(s, gx, gy, x);
    for (int64_t i = 0; i < s.input_size(); ++i) gx[i] = T(0);
    for_blocks(s, x, [&](int64_t at, int64_t n, const T*, const int64_t* place) {
      for (int64_t o = 0; o < n; ++o) gx[place[o]] += gy[at + o];
    });
  });
}

// ---- The mean ----------------------------------------------------------------------------------------------------------------------

// What window o of dimension d has of the input, and how many elements count.
struct Window {
  int64_t begin, end, count;
  Window(const AvgPoolArgs& args, int d, int64_t o) {
    const PoolShape& s = args.shape;
    if (s.adaptive) {
      begin = o * s.input[d] / s.output[d];
      end = ((o + 1) * s.input[d] + s.output[d] - 1) / s.output[d];
      count = end - begin;
      return;
    }
    const int64_t start = o * s.stride[d] - s.padding[d], stop = smaller(start + s.kernel[d], s.input[d] + s.padding[d]);
    begin = larger(start, 0);
    end = larger(begin, smaller(stop, s.input[d]));
    count = args.count_include_pad ? stop - start : end - begin;
  }
};

// Calls f(output, windows, 1 / divisor) for each output of a plane.
template <class T, class F>
void for_windows(const AvgPoolArgs& args, const F& f) {
  const PoolShape& s = args.shape;
  int64_t at = 0;
  for (int64_t o0 = 0; o0 < s.output[0]; ++o0) {
    const Window w0(args, 0, o0);
    for (int64_t o1 = 0; o1 < s.output[1]; ++o1) {
      const Window w1(args, 1, o1);
      for (int64_t o2 = 0; o2 < s.output[2]; ++o2, ++at) {
        const Window w2(args, 2, o2);
        const int64_t divisor = args.divisor_override ? args.divisor_override : w0.count * w1.count * w2.count;
        // A window without elements has the mean 0.
        f(at, w0, w1, w2, static_cast<T>(divisor ? divisor : 1));
      }
    }
  }
}

template <class T>
void run_avg(const AvgPoolArgs& args) {
  const PoolShape& s = args.shape;
  for_planes(s, [&](int64_t p) {
    T* const y = args.buffers[0].as<T>() + p * s.output_size();
    const T* const x = args.buffers[1].as<const T>() + p * s.input_size();
    for_windows<T>(args, [&](int64_t at, const Window& w0, const Window& w1, const Window& w2, T divisor) {
      T sum = 0;
      for (int64_t i0 = w0.begin; i0 < w0.end; ++i0) {
        for (int64_t i1 = w1.begin; i1 < w1.end; ++i1) {
          const T* const row = x + (i0 * s.input[1] + i1) * s.input[2];
          for (int64_t i2 = w2.begin; i2 < w2.end; ++i2) sum += row[i2];
        }
      }
      y[at] = sum / divisor;
    });
  });
}

template <class T>
void run_avg_backward(const AvgPoolArgs& args) {
  const PoolShape& s = args.shape;
  for_planes(s, [&](int64_t p) {
    T* const gx = args.buffers[0].as<T>() + p * s.input_size();
    const T* const gy = args.buffers[1].as<const T>() + p * s.output_size();
    for (int64_t i = 0; i < s.input_size(); ++i) gx[i] = T(0);
    for_windows<T>(args, [&](int64_t at, const Window& w0, const Window& w1, const Window& w2, T divisor) {
      const T share = gy[at] / divisor;
      for (int64_t i0 = w0.begin; i0 < w0.end; ++i0) {
        for (int64_t i1 = w1.begin; i1 < w1.end; ++i1) {
          T* const row = gx + (i0 * s.input[1] + i1) * s.input[2];
          for (int64_t i2 = w2.begin; i2 < w2.end; ++i2) row[i2] += share;
        }
      }
    });
  });
}

}  // namespace

void max_pool(const MaxPoolArgs& args) {
  switch (args.dtype) {
    case kFloat: return run_max<float>(args);
    case kDouble: return run_max<double>(args);
    case kInt: return run_max<int32_t>(args);
    default: return run_max<int64_t>(args);
  }
}
void max_pool_backward(const MaxPoolBackwardArgs& args) {
  args.dtype == kFloat ? run_max_backward<float>(args) : run_max_backward<double>(args);
}
void avg_pool(const AvgPoolArgs& args) { args.dtype == kFloat ? run_avg<float>(args) : run_avg<double>(args); }
void avg_pool_backward(const AvgPoolArgs& args) { args.dtype == kFloat ? run_avg_backward<float>(args) : run_avg_backward<double>(args); }

}  // namespace wick::cpu::WICK_ISA
