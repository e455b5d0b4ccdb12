// Reading, writing and adding at places that are data. Compiled once per instruction set.
//
// Several values may go to one place. Work is therefore shared out by places, never by values: every place belongs to one thread, which
// takes its values in order, and the result is the same on any number of threads.
#include <cstring>

#include "wick/framework/core/parallel.h"
#include "wick/framework/plan/index.h"

namespace wick::cpu::WICK_ISA {
namespace {

// ---- Offsets -----------------------------------------------------------------------------------------------------------------------

// n offsets of positions that lie `step` apart, from the element `first` of the indices on.
void offsets_run(const OffsetsArgs& args, int64_t first, int64_t n, int64_t place, int64_t step) {
  int64_t* const offsets = args.buffers[0].as<int64_t>() + first;
  const int64_t* const index = args.buffers[1].as<const int64_t>() + first;
  const int64_t size = args.size, stride = args.stride;
  const int64_t wrap = args.check == IndexCheck::kWrap ? size : 0, keep = args.add ? -1 : 0;
  uint64_t bad = 0;
  for (int64_t i = 0; i < n; ++i) {
    const int64_t at = index[i] + (index[i] < 0 ? wrap : 0);
    bad |= static_cast<uint64_t>(static_cast<uint64_t>(at) >= static_cast<uint64_t>(size));
    const uint64_t scaled = static_cast<uint64_t>(at) * static_cast<uint64_t>(stride);  // wraps where the index is bad
    offsets[i] = (offsets[i] & keep) + static_cast<int64_t>(scaled + static_cast<uint64_t>(place + i * step));
  }
  for (int64_t i = 0; bad && i < n; ++i) {
    if (index[i] < -wrap || index[i] >= size) index_error(args.check, index[i], args.dim, size);
  }
}

void offsets_range(const OffsetsArgs& args, int64_t begin, int64_t end) {
  const TableDims& dims = args.positions;
  if (dims.ndim == 0) return offsets_run(args, begin, end - begin, 0, 0);
  const int last = dims.ndim - 1;
  for (int64_t i = begin; i < end;) {
    const int64_t left = dims.sizes[last] - i % dims.sizes[last], n = left < end - i ? left : end - i;
    offsets_run(args, i, n, dims.offset(i), dims.strides[last]);
    i += n;
  }
}

// ---- Blocks ------------------------------------------------------------------------------------------------------------------------

// A part of a block and its places: `count` runs, of each of which the elements [begin, end) are moved.
struct Span {
  void* table;             // what the offsets are counted from
  const int64_t* offsets;
  void* block;             // the first of the runs
  int64_t count, begin, end;
  int64_t run, run_stride; // elements from run to run in the block, and from element to element in the table
  bool single;             // the block is one value
};
using SpanFn = void (*)(const Span&);

template <class T, class Move>
WICK_INLINE void for_elements(const Span& span, const Move& move) {
  T* const table = static_cast<T*>(span.table);
  T* const block = static_cast<T*>(span.block);
  const int64_t block_stride = span.single ? 0 : 1;
  if (span.run == 1) {
    for (int64_t j = 0; j < span.count; ++j) move(table[span.offsets[j]], block[j * block_stride]);
    return;
  }
  for (int64_t j = 0; j < span.count; ++j) {
    T* const place = table + span.offsets[j];
    T* const value = block + j * span.run * block_stride;
    if (span.run_stride == 1 && block_stride == 1) {
      for (int64_t r = span.begin; r < span.end; ++r) move(place[r], value[r]);
    } else {
      for (int64_t r = span.begin; r < span.end; ++r) move(place[r * span.run_stride], value[r * block_stride]);
    }
  }
}

template <class E>
void take_span(const Span& span) {
  for_elements<E>(span, [](const E& place, E& value) { value = place; });
}

template <class E>
void put_span(const Span& span) {
  for_elements<E>(span, [](E& place, const E& value) { place = value; });
}

// How a value joins the one at its place. Integers wrap; NaN stays.
struct Add {
  template <class N>
  static N join(N a, N b) { return a + b; }
};
struct Multiply {
  template <class N>
  static N join(N a, N b) { return a * b; }
};
struct Max {
  template <class N>
  static N join(N a, N b) { return b > a || b != b ? b : a; }
};
struct Min {
  template <class N>
  static N join(N a, N b) { return b < a || b != b ? b : a; }
};

template <class Op, class T>
void join_span(const Span& span) {
  for_elements<T>(span, [](T& place, const T& value) {
    using Ordered = std::conditional_t<std::is_same_v<Op, Max> || std::is_same_v<Op, Min>, int64_t, uint64_t>;
    using N = std::conditional_t<std::is_integral_v<T>, Ordered, std::conditional_t<sizeof(T) == 2, float, T>>;
    place = static_cast<T>(Op::join(static_cast<N>(place), static_cast<N>(value)));
  });
}

int log2_size(ScalarType t) { return __builtin_ctz(static_cast<unsigned>(element_size(t))); }

constexpr SpanFn kTake[5] = {take_span<uint8_t>, take_span<uint16_t>, take_span<uint32_t>, take_span<uint64_t>, take_span<Complex<double>>};
constexpr SpanFn kPut[5] = {put_span<uint8_t>, put_span<uint16_t>, put_span<uint32_t>, put_span<uint64_t>, put_span<Complex<double>>};

template <class Op>
SpanFn join_fn(ScalarType t) {
#define WICK_CASE(type, name, ...) case ScalarType::name: return join_span<Op, type>;
  if constexpr (std::is_same_v<Op, Add> || std::is_same_v<Op, Multiply>) {
    switch (t) {
      WICK_FORALL_COMPLEX_DTYPES(WICK_CASE)
      default: break;
    }
  }
  switch (t) {
    WICK_FORALL_DTYPES(WICK_CASE)
    default: return nullptr;
  }
#undef WICK_CASE
}

struct Block {
  const IndexPlan& plan;
  char* table;
  const int64_t* offsets;
  char* block;
  int64_t itemsize;
  bool single;
  SpanFn fn;

  int64_t num_runs() const { return plan.before.numel * plan.count * plan.after.numel; }

  // The elements [begin, end) of the runs [first, last).
  __attribute__((noinline)) void move(int64_t first, int64_t last, int64_t begin, int64_t end) const {
    int64_t a = first % plan.after.numel;
    int64_t j = first / plan.after.numel % plan.count;
    int64_t b = first / plan.after.numel / plan.count;
    int64_t before = plan.before.offset(b);
    for (int64_t i = first; i < last;) {
      // Without dimensions behind the index, runs follow each other as their offsets do.
      const int64_t left = plan.count - j;
      const int64_t count = plan.after.numel > 1 ? 1 : left < last - i ? left : last - i;
      const int64_t place = before + (plan.after.numel > 1 ? plan.after.offset(a) : 0);
      char* const values = single ? block : block + i * plan.run * itemsize;
      fn(Span{table + place * itemsize, offsets + j, values, count, begin, end, plan.run, plan.run_stride, single});
      i += count;
      if (plan.after.numel > 1 && ++a < plan.after.numel) continue;
      a = 0;
      j += count;
      if (j < plan.count) continue;
      j = 0;
      before = plan.before.offset(++b);
    }
  }
};

// ---- Masks -------------------------------------------------------------------------------------------------------------------------

template <class E>
void fill_masked(const MaskedFillArgs& args) {
  const ElementwisePlan& plan = args.plan;
  E value;
  std::memcpy(&value, args.value, sizeof(E));
  E* out = args.buffers[0].as<E>();
  const uint8_t* mask = args.buffers[1].as<const uint8_t>();
  const int64_t row = plan.sizes[0], rows = plan.numel / row;
  const auto fill_row = [&](E* y, const uint8_t* m, int64_t begin, int64_t end) {
    const int64_t ys = plan.strides[0][0], ms = plan.strides[1][0];
    if (ys == 1 && ms == 1) {
      // Without a branch, which would be mispredicted half the time.
      for (int64_t i = begin; i < end; ++i) y[i] = static_cast<E>(y[i] ^ ((y[i] ^ value) & -static_cast<E>(m[i])));
    } else {
      for (int64_t i = begin; i < end; ++i) {
        if (m[i * ms]) y[i * ys] = value;
      }
    }
  };
  if (rows == 1) {
    parallel_for(0, row, kGrainSize, [&](int64_t begin, int64_t end) { fill_row(out, mask, begin, end); });
    return;
  }
  parallel_for(0, rows, row >= kGrainSize ? 1 : kGrainSize / row, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      int64_t y = 0, m = 0, rest = i;
      for (int d = 1; d < plan.ndim; ++d) {
        const int64_t at = rest % plan.sizes[d];
        rest /= plan.sizes[d];
        y += at * plan.strides[0][d];
        m += at * plan.strides[1][d];
      }
      fill_row(out + y, mask + m, 0, row);
    }
  });
}

void list_chunk(const ListTrueArgs& args, int64_t chunk) {
  const int64_t* before = args.buffers[1].as<const int64_t>();
  int64_t* out = args.buffers[0].as<int64_t>() + before[chunk];
  const uint8_t* mask = args.buffers[2].as<const uint8_t>();
  const int64_t begin = chunk * kMaskChunk;
  const bool is_last = args.numel - begin <= kMaskChunk;
  int64_t left = (is_last ? args.total : before[chunk + 1]) - before[chunk];
  const int last = args.ndim - 1;
  int64_t at[kMaxDims], rest = begin;
  for (int d = last; d >= 0; --d) {
    at[d] = rest % args.sizes[d];
    rest /= args.sizes[d];
  }
  // Every position is written, and stays where the mask is true: a branch would be mispredicted half the time.
  for (int64_t i = begin; left > 0; ++i) {
    for (int d = 0; d <= last; ++d) out[d * args.total] = at[d];
    out += mask[i];
    left -= mask[i];
    for (int d = last; d >= 0 && ++at[d] == args.sizes[d]; --d) at[d] = 0;
  }
}

void put_with(const PutArgs& args, SpanFn fn) {
  constexpr int64_t kMinColumns = 64;  // several cache lines
  const IndexPlan& plan = args.plan;
  if (plan.numel() == 0) return;
  const Block block{plan, args.buffers[0].as<char>(), args.buffers[1].as<const int64_t>(), args.buffers[2].as<char>(),
                    element_size(args.dtype), args.single, fn};
  const int64_t runs = block.num_runs(), runs_each = plan.count * plan.after.numel;
  if (plan.numel() <= kGrainSize) {
    block.move(0, runs, 0, plan.run);
  } else if (plan.before.numel > 1) {
    const int64_t each = runs_each * plan.run;
    parallel_for(0, plan.before.numel, each >= kGrainSize ? 1 : kGrainSize / each, [&](int64_t begin, int64_t end) {
      block.move(begin * runs_each, end * runs_each, 0, plan.run);
    });
  } else {
    const int64_t columns = kGrainSize / runs;
    parallel_for(0, plan.run, columns > kMinColumns ? columns : kMinColumns,
                 [&](int64_t begin, int64_t end) { block.move(0, runs, begin, end); });
  }
}

}  // namespace

// ---- The kernels -------------------------------------------------------------------------------------------------------------------

void offsets(const OffsetsArgs& args) {
  parallel_for(0, args.numel, kGrainSize, [&](int64_t begin, int64_t end) { offsets_range(args, begin, end); });
}

void take(const TakeArgs& args) {
  const IndexPlan& plan = args.plan;
  if (plan.numel() == 0) return;
  const Block block{plan, args.buffers[0].as<char>(), args.buffers[1].as<const int64_t>(), args.buffers[2].as<char>(),
                    element_size(args.dtype), false, kTake[log2_size(args.dtype)]};
  parallel_for(0, block.num_runs(), plan.run >= kGrainSize ? 1 : kGrainSize / plan.run,
               [&](int64_t first, int64_t last) { block.move(first, last, 0, plan.run); });
}

void put(const PutArgs& args) { put_with(args, kPut[log2_size(args.dtype)]); }

void put_add(const PutArgs& args) { put_with(args, join_fn<Add>(args.dtype)); }
void put_multiply(const PutArgs& args) { put_with(args, join_fn<Multiply>(args.dtype)); }
void put_max(const PutArgs& args) { put_with(args, join_fn<Max>(args.dtype)); }
void put_min(const PutArgs& args) { put_with(args, join_fn<Min>(args.dtype)); }

void masked_fill(const MaskedFillArgs& args) {
  if (args.plan.numel == 0) return;
  switch (element_size(args.plan.dtype[0])) {
    case 1: return fill_masked<uint8_t>(args);
    case 2: return fill_masked<uint16_t>(args);
    case 4: return fill_masked<uint32_t>(args);
    default: return fill_masked<uint64_t>(args);
  }
}

void count_true(const CountTrueArgs& args) {
  int64_t* counts = args.buffers[0].as<int64_t>();
  const uint8_t* mask = args.buffers[1].as<const uint8_t>();
  parallel_for(0, args.numel, kMaskChunk, [&](int64_t begin, int64_t end) {
    int64_t count = 0;
    for (int64_t i = begin; i < end; ++i) count += mask[i];
    counts[begin / kMaskChunk] = count;
  });
}

void list_true(const ListTrueArgs& args) {
  parallel_for(0, args.numel, kMaskChunk, [&](int64_t begin, int64_t) { list_chunk(args, begin / kMaskChunk); });
}

}  // namespace wick::cpu::WICK_ISA
