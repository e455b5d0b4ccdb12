// Walking an elementwise plan.
//
// Operands without gaps go straight to the kernel. Anything else (broadcast, transposed, of another dtype) is brought block by block
// into a buffer that stays in the first-level cache, so that a kernel sees contiguous elements of one type only.
#include "wick/framework/cpu/elementwise_run.h"

#include <algorithm>
#include <cstring>

#include "wick/framework/core/parallel.h"
#include "wick/framework/cpu/stream.h"

namespace wick::cpu::WICK_ISA {
namespace {

constexpr int64_t kBlock = 1024;       // elements a buffer holds, 8 KiB at most; half as many of complex128
constexpr int64_t kMinRow = 64;        // rows at least this long are worth a kernel call of their own
// So many elements at a time, that the queue of stores takes them up while the next ones are computed.
constexpr int64_t kStreamedBlock = 256;

// ---- Runs: elements a fixed stride apart, converted on the way ------------------------------------------------------------------

using RunFn = void (*)(void* to, int64_t to_stride, const void* from, int64_t from_stride, int64_t n);

template <class To, class From>
void convert_run(void* to_data, int64_t to_stride, const void* from_data, int64_t from_stride, int64_t n) {
  To* to = static_cast<To*>(to_data);
  // GCC converts bytes by vectors, but not bools.
  using Read = std::conditional_t<std::is_same_v<From, bool>, uint8_t, From>;
  const Read* from = static_cast<const Read*>(from_data);
  if (to_stride == 1 && from_stride == 1) {
    for (int64_t i = 0; i < n; ++i) to[i] = convert<To>(from[i]);
  } else if (to_stride == 1 && from_stride == 0) {
    const To value = convert<To>(from[0]);
    for (int64_t i = 0; i < n; ++i) to[i] = value;
  } else {
    for (int64_t i = 0; i < n; ++i) to[i * to_stride] = convert<To>(from[i * from_stride]);
  }
}

struct RunTable {
  RunFn fn[kNumDtypes][kNumDtypes];  // [to][from]
};

template <class To>
constexpr void fill_row(RunFn* row) {
#define WICK_FROM(type, name, ...) row[static_cast<int>(ScalarType::name)] = convert_run<To, type>;
  WICK_FORALL_DTYPES_AND_COMPLEX(WICK_FROM)
#undef WICK_FROM
}

constexpr RunTable make_runs() {
  RunTable table{};
#define WICK_TO(type, name, ...) fill_row<type>(table.fn[static_cast<int>(ScalarType::name)]);
  WICK_FORALL_DTYPES_AND_COMPLEX(WICK_TO)
#undef WICK_TO
  return table;
}

constinit const RunTable kRuns = make_runs();

RunFn run_fn(ScalarType to, ScalarType from) { return kRuns.fn[static_cast<int>(to)][static_cast<int>(from)]; }

// ---- Positions in a plan -----------------------------------------------------------------------------------------------------------

// Walks the runs along the innermost dimension that make up the elements [begin, begin + n) in the plan's order:
// f(position of the run's first element by dimension, its index in the range, length).
template <class F>
WICK_INLINE void for_runs(const ElementwisePlan& plan, int64_t begin, int64_t n, const F& f) {
  int64_t at[kMaxDims];
  int64_t rest = begin;
  for (int d = 0; d < plan.ndim; ++d) {
    at[d] = rest % plan.sizes[d];
    rest /= plan.sizes[d];
  }
  for (int64_t done = 0; done < n;) {
    const int64_t left = plan.sizes[0] - at[0];
    const int64_t length = left < n - done ? left : n - done;
    f(at, done, length);
    done += length;
    at[0] += length;
    for (int d = 0; d + 1 < plan.ndim && at[d] == plan.sizes[d]; ++d) {
      at[d] = 0;
      ++at[d + 1];
    }
  }
}

WICK_INLINE int64_t offset_of(const ElementwisePlan& plan, int operand, const int64_t* at) {
  int64_t offset = 0;
  for (int d = 0; d < plan.ndim; ++d) offset += at[d] * plan.strides[operand][d];
  return offset;
}

// Whether the operand's elements follow each other in the plan's order without gaps.
bool is_linear(const ElementwisePlan& plan, int operand) {
  int64_t expected = 1;
  for (int d = 0; d < plan.ndim; ++d) {
    if (plan.strides[operand][d] != expected) return false;
    expected *= plan.sizes[d];
  }
  return true;
}

bool is_number(const ElementwisePlan& plan, int operand) {
  for (int d = 0; d < plan.ndim; ++d) {
    if (plan.strides[operand][d] != 0) return false;
  }
  return true;
}

// ---- One call ----------------------------------------------------------------------------------------------------------------------

union Value {
  float f;
  double d;
  int32_t i;
  int64_t l;
  Complex<double> z;

  Value() : z() {}
};

struct Input {
  const char* data;
  int64_t itemsize;
  bool number;   // one value, converted already
  bool direct;   // linear and of the compute type
  RunFn convert;
  Value value;
};

struct Call {
  const ElementwiseArgs& args;
  const BlockTable& blocks;
  BlockFn fn;
  int num_inputs;
  uint32_t numbers = 0;      // bit i: input i is a number
  bool direct = true;        // every input that is no number, and the output, are direct
  bool output_direct;
  bool streamed = false;     // the output is written past the caches
  ScalarType result_type;    // of what the kernel writes
  Input input[kMaxOperands - 1];
};

const BlockTable& blocks_of(const KernelInfo& kernel) {
#ifdef WICK_ISA_AVX512
  return *static_cast<const ElementwiseKernel&>(kernel).blocks[static_cast<int>(Isa::kAvx512)];
#else
  return *static_cast<const ElementwiseKernel&>(kernel).blocks[static_cast<int>(Isa::kAvx2)];
#endif
}

Call prepare(const BlockTable& blocks, const ElementwiseArgs& args) {
  const ElementwisePlan& plan = args.plan;
  Call call{args, blocks, blocks.fn[compute_index(args.compute)], blocks.num_inputs, 0, true, false, false, kFloat, {}};
  call.result_type = blocks.writes_bool ? kBool : args.compute;
  call.output_direct = plan.dtype[0] == call.result_type && is_linear(plan, 0);
  call.direct = call.output_direct;
  int64_t bytes = call.output_direct ? element_size(call.result_type) : 0;  // of each element, in memory without gaps
  bool in_place = false;
  for (int k = 0; k < call.num_inputs; ++k) {
    Input& in = call.input[k];
    const Buffer& buffer = args.buffers[k + 1];
    in.number = is_number(plan, k + 1);
    if (in.number) {
      call.numbers |= 1u << k;
      if (buffer.data) {
        run_fn(args.compute, plan.dtype[k + 1])(&in.value, 1, buffer.data, 1, 1);
      } else if (args.compute == kFloat) {
        in.value.f = args.number[k + 1].as<float>();
      } else if (args.compute == kDouble) {
        in.value.d = args.number[k + 1].as<double>();
      } else if (args.compute == kInt) {
        in.value.i = args.number[k + 1].as<int32_t>();
      } else if (args.compute == kLong) {
        in.value.l = args.number[k + 1].as<int64_t>();
      } else {
        run_fn(args.compute, kDouble)(&in.value, 1, &args.number[k + 1].d, 1, 1);
      }
      in.data = reinterpret_cast<const char*>(&in.value);
      continue;
    }
    in.data = static_cast<const char*>(buffer.data);
    in.itemsize = element_size(plan.dtype[k + 1]);
    in.direct = plan.dtype[k + 1] == args.compute && is_linear(plan, k + 1);
    in.convert = run_fn(args.compute, plan.dtype[k + 1]);
    call.direct &= in.direct;
    bytes += in.direct ? in.itemsize : 0;
    in_place |= in.data == args.buffers[0].data;
  }
  // A function of one input, which may be as costly as gelu, waits for its own stores instead of the memory's.
  call.streamed = call.output_direct && !in_place && call.num_inputs > 1 && bytes * plan.numel > kStreamedBytes;
  return call;
}

// Numbers stay single values for a kernel of two inputs; other kernels get them spread over the block.
bool takes_numbers(const Call& call) { return call.num_inputs == 2 && (call.numbers == 1 || call.numbers == 2); }

// Everything direct: [begin, end) in one go.
void run_direct(const Call& call, int64_t begin, int64_t end) {
  const int64_t itemsize = element_size(call.args.compute);
  const void* in[kMaxOperands - 1];
  for (int k = 0; k < call.num_inputs; ++k) {
    in[k] = call.numbers >> k & 1 ? static_cast<const void*>(&call.input[k].value) : call.input[k].data + begin * itemsize;
  }
  char* out = static_cast<char*>(call.args.buffers[0].data) + begin * element_size(call.result_type);
  call.fn(out, in, call.numbers, end - begin, call.args.params);
}

// Block by block through buffers, for whatever is not direct.
void run_blocks(const Call& call, int64_t begin, int64_t end) {
  const ElementwisePlan& plan = call.args.plan;
  alignas(64) char buffers[kMaxOperands][kBlock * 8];
  const int64_t itemsize = element_size(call.args.compute);
  const bool keep_numbers = takes_numbers(call);
  const int64_t block = call.streamed ? kStreamedBlock : call.args.compute == kComplexDouble ? kBlock / 2 : kBlock;
  const RunFn convert_out = run_fn(plan.dtype[0], call.result_type);
  const int64_t out_itemsize = element_size(plan.dtype[0]), result_itemsize = element_size(call.result_type);
  char* const out_data = static_cast<char*>(call.args.buffers[0].data);
  const void* in[kMaxOperands - 1];
  for (int k = 0; k < call.num_inputs; ++k) {
    in[k] = buffers[k];
    if (!call.input[k].number) continue;
    if (keep_numbers) in[k] = &call.input[k].value;
    else run_fn(call.args.compute, call.args.compute)(buffers[k], 1, &call.input[k].value, 0, end - begin < block ? end - begin : block);
  }
  for (int64_t first = begin; first < end; first += block) {
    const int64_t n = end - first < block ? end - first : block;
    for (int k = 0; k < call.num_inputs; ++k) {
      const Input& source = call.input[k];
      if (source.number) continue;
      if (source.direct) {
        in[k] = source.data + first * itemsize;
        continue;
      }
      for_runs(plan, first, n, [&](const int64_t* at, int64_t done, int64_t length) {
        source.convert(buffers[k] + done * itemsize, 1, source.data + offset_of(plan, k + 1, at) * source.itemsize,
                       plan.strides[k + 1][0], length);
      });
    }
    const bool in_memory = call.output_direct && !call.streamed;
    void* out = in_memory ? out_data + first * result_itemsize : buffers[kMaxOperands - 1];
    call.fn(out, in, keep_numbers ? call.numbers : 0, n, call.args.params);
    if (call.streamed) stream(out_data + first * result_itemsize, buffers[kMaxOperands - 1], n * result_itemsize);
    if (call.output_direct) continue;
    for_runs(plan, first, n, [&](const int64_t* at, int64_t done, int64_t length) {
      convert_out(out_data + offset_of(plan, 0, at) * out_itemsize, plan.strides[0][0],
                  buffers[kMaxOperands - 1] + done * result_itemsize, 1, length);
    });
  }
  if (call.streamed) _mm_sfence();
}

// Long rows of the compute type, only broadcast or sliced: the kernel reads them where they are. One of two inputs may be a single
// value along the row; there is no kernel for both.
bool has_direct_rows(const Call& call) {
  const ElementwisePlan& plan = call.args.plan;
  int single = 0;
  if (plan.sizes[0] < kMinRow || plan.dtype[0] != call.result_type || plan.strides[0][0] != 1) return false;
  for (int k = 0; k < call.num_inputs; ++k) {
    if (call.input[k].number) {
      if (call.num_inputs != 2) return false;
      ++single;
      continue;
    }
    const int64_t stride = plan.strides[k + 1][0];
    single += stride == 0;
    if (plan.dtype[k + 1] != call.args.compute || (stride != 1 && (stride != 0 || call.num_inputs != 2))) return false;
  }
  return single < 2;
}

void run_rows(const Call& call, int64_t begin, int64_t end) {
  const ElementwisePlan& plan = call.args.plan;
  const int count = call.num_inputs + 1;  // operand 0 is the output
  uint32_t numbers = 0;
  int64_t step[kMaxOperands];  // bytes to the next row
  char* row[kMaxOperands];
  for (int k = 0; k < count; ++k) {
    if (k > 0) numbers |= uint32_t{plan.strides[k][0] == 0} << (k - 1);
    step[k] = plan.ndim > 1 ? plan.strides[k][1] * element_size(plan.dtype[k]) : 0;
  }
  bool inside = false;  // the row before this one began at its first element and was not the last along its dimension
  for_runs(plan, begin, end - begin, [&](const int64_t* at, int64_t, int64_t length) {
    for (int k = 0; k < count; ++k) {
      if (inside) row[k] += step[k];
      else if (k > 0 && call.input[k - 1].number) row[k] = const_cast<char*>(call.input[k - 1].data);
      else row[k] = static_cast<char*>(call.args.buffers[k].data) + offset_of(plan, k, at) * element_size(plan.dtype[k]);
    }
    inside = plan.ndim > 1 && at[0] == 0 && at[1] + 1 < plan.sizes[1];
    call.fn(row[0], const_cast<const void* const*>(reinterpret_cast<void**>(row + 1)), numbers, length, call.args.params);
  });
}

// Small, without gaps, of the compute type and without single values: nothing to prepare.
bool run_at_once(const BlockTable& blocks, const ElementwiseArgs& args) {
  const ElementwisePlan& plan = args.plan;
  if (!plan.flat || plan.numel > kGrainSize || plan.dtype[0] != args.compute || blocks.writes_bool) return false;
  const void* in[kMaxOperands - 1];
  for (int k = 0; k < blocks.num_inputs; ++k) {
    if (plan.strides[k + 1][0] == 0) return false;
    in[k] = args.buffers[k + 1].data;
  }
  blocks.fn[compute_index(args.compute)](args.buffers[0].data, in, 0, plan.numel, args.params);
  return true;
}

// ---- Transposed copies -------------------------------------------------------------------------------------------------------------

// The dimension along which the source has no gaps, where the destination has another such; 0 where that does not help.
int transposed_dim(const ElementwisePlan& plan) {
  constexpr int64_t kLong = 16, kNear = 4;
  if (plan.dtype[0] != plan.dtype[1] || plan.sizes[0] < kLong || plan.strides[0][0] != 1 || plan.strides[1][0] < kNear) return 0;
  for (int d = 1; d < plan.ndim; ++d) {
    if (plan.strides[1][d] == 1 && plan.sizes[d] >= kLong) return d;
  }
  return 0;
}

// A square of registers. One round moves the first bit of each element's row number behind its column number, and the first of that
// behind the row number; after as many rounds as they have bits the two are exchanged.
#if defined(WICK_ISA_AVX512)
constexpr int kRegisterBytes = 64;
#else
constexpr int kRegisterBytes = 32;
#endif
template <class T>
struct Square {
  static constexpr int kSide = kRegisterBytes / sizeof(T);
  typedef T Row __attribute__((vector_size(kRegisterBytes)));
  Row row[kSide];

  template <int... k>
  WICK_INLINE void transpose(std::integer_sequence<int, k...>) {
    for (int bits = 1; bits < kSide; bits *= 2) {
      Row moved[kSide];
      for (int i = 0; i < kSide / 2; ++i) {
        const Row a = row[i], b = row[i + kSide / 2];
        moved[2 * i] = __builtin_shufflevector(a, b, (k % 2 * kSide + k / 2)...);
        moved[2 * i + 1] = __builtin_shufflevector(a, b, (k % 2 * kSide + k / 2 + kSide / 2)...);
      }
      for (int i = 0; i < kSide; ++i) row[i] = moved[i];
    }
  }
  WICK_INLINE void copy(T* to, int64_t to_stride, const T* from, int64_t from_stride) {
    for (int i = 0; i < kSide; ++i) __builtin_memcpy(&row[i], from + i * from_stride, sizeof(Row));
    transpose(std::make_integer_sequence<int, kSide>());
    for (int i = 0; i < kSide; ++i) __builtin_memcpy(to + i * to_stride, &row[i], sizeof(Row));
  }
};

template <class T>
void copy_transposed(const ElementwiseArgs& args, int dim) {
  constexpr int64_t kRows = Square<T>::kSide, kColumns = 64;
  const ElementwisePlan& plan = args.plan;
  const int64_t rows = plan.sizes[0], columns = plan.sizes[dim];
  const int64_t across = (rows + kRows - 1) / kRows, down = (columns + kColumns - 1) / kColumns;
  const int64_t from_row = plan.strides[1][0], to_column = plan.strides[0][dim];
  parallel_for(0, plan.numel / (rows * columns) * across * down, kGrainSize / (kRows * kColumns), [&](int64_t begin, int64_t end) {
    Square<T> square;
    for (int64_t t = begin; t < end; ++t) {
      const int64_t row = t % across * kRows, column = t / across % down * kColumns;
      T* to = args.buffers[0].as<T>() + row + column * to_column;
      const T* from = args.buffers[1].as<const T>() + row * from_row + column;
      int64_t rest = t / (across * down);
      for (int d = 1; d < plan.ndim; ++d) {
        if (d == dim) continue;
        to += rest % plan.sizes[d] * plan.strides[0][d];
        from += rest % plan.sizes[d] * plan.strides[1][d];
        rest /= plan.sizes[d];
      }
      const int64_t m = rows - row < kRows ? rows - row : kRows, n = columns - column < kColumns ? columns - column : kColumns;
      if (m == kRows && n == kColumns) {
        for (int64_t j = 0; j < kColumns; j += kRows) square.copy(to + j * to_column, to_column, from + j, from_row);
      } else {
        for (int64_t j = 0; j < n; ++j) {
          for (int64_t i = 0; i < m; ++i) to[j * to_column + i] = from[i * from_row + j];
        }
      }
    }
  });
}

}  // namespace

void run_elementwise(const KernelInfo& kernel, const void* raw_args) {
  const auto& args = *static_cast<const ElementwiseArgs*>(raw_args);
  const int64_t numel = args.plan.numel;
  if (numel == 0) return;
  const BlockTable& blocks = blocks_of(kernel);
  if (WICK_LIKELY(run_at_once(blocks, args))) return;
  const Call call = prepare(blocks, args);
  // A kernel of one or three inputs has no version for single values, and one of two has none for two of them.
  const bool plain = call.numbers == 0 || takes_numbers(call);
  if (call.direct && plain && !call.streamed) {
    parallel_for(0, numel, kGrainSize, [&](int64_t begin, int64_t end) { run_direct(call, begin, end); });
  } else if (plain && has_direct_rows(call) && !call.streamed) {
    parallel_for(0, numel, kGrainSize, [&](int64_t begin, int64_t end) { run_rows(call, begin, end); });
  } else {
    parallel_for(0, numel, kGrainSize, [&](int64_t begin, int64_t end) { run_blocks(call, begin, end); });
  }
}

void run_fused_elementwise(const FusedElementwiseArgs& args) {
  alignas(Call) char memory[kMaxFused * sizeof(Call)];  // Call has no default constructor
  Call* const calls = reinterpret_cast<Call*>(memory);
  for (int i = 0; i < args.count; ++i) new (calls + i) Call(prepare(blocks_of(*args.kernels[i]), *args.calls[i]));
  parallel_for(0, args.calls[0]->plan.numel, kGrainSize, [&](int64_t begin, int64_t end) {
    for (int64_t first = begin; first < end; first += kBlock) {
      for (int i = 0; i < args.count; ++i) run_direct(calls[i], first, first + kBlock < end ? first + kBlock : end);
    }
  });
}

void run_copy(const ElementwiseArgs& args) {
  const ElementwisePlan& plan = args.plan;
  if (plan.numel == 0) return;
  const bool from_number = args.buffers[1].data == nullptr;
  if (const int dim = from_number ? 0 : transposed_dim(plan)) {
    if (element_size(plan.dtype[0]) == 4) return copy_transposed<uint32_t>(args, dim);
    if (element_size(plan.dtype[0]) == 8) return copy_transposed<uint64_t>(args, dim);
  }
  const ScalarType from_type = from_number ? args.compute : plan.dtype[1];
  const RunFn run = run_fn(plan.dtype[0], from_type);
  const char* from = from_number ? (args.compute == kLong ? reinterpret_cast<const char*>(&args.number[1].i)
                                                          : reinterpret_cast<const char*>(&args.number[1].d))
                                 : static_cast<const char*>(args.buffers[1].data);
  char* to = static_cast<char*>(args.buffers[0].data);
  const int64_t to_size = element_size(plan.dtype[0]), from_size = element_size(from_type);
  const bool streamed = plan.dtype[0] == from_type && plan.strides[0][0] == 1 && plan.strides[1][0] == 1 && plan.sizes[0] >= kBlock &&
                        plan.numel * to_size * 2 > kStreamedBytes;
  parallel_for(0, plan.numel, kGrainSize, [&](int64_t begin, int64_t end) {
    for_runs(plan, begin, end - begin, [&](const int64_t* at, int64_t, int64_t length) {
      char* const run_to = to + offset_of(plan, 0, at) * to_size;
      const char* const run_from = from + offset_of(plan, 1, at) * from_size;
      if (streamed) stream(run_to, run_from, length * to_size);
      else run(run_to, plan.strides[0][0], run_from, plan.strides[1][0], length);
    });
    if (streamed) _mm_sfence();
  });
}

}  // namespace wick::cpu::WICK_ISA
