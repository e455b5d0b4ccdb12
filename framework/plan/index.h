// Reading and writing elements whose places are data: gather, scatter, index_select, index_add, advanced indexing, masks.
//
// All of them come down to one picture. A list of offsets into the memory of a tensor, the table, is made of the index tensors and
// their bounds are checked; then a block of elements without gaps is read from the table at these offsets, or written or added to it.
// Nothing is written to the table before every index has been checked.
#pragma once

#include "wick/framework/plan/elementwise.h"

namespace wick {

// Which of PyTorch's sentences a bad index gets.
enum class IndexCheck : uint8_t {
  kDimension,  // gather, scatter: "index 5 is out of bounds for dimension 0 with size 3"
  kWrap,       // indexing: the same, as an IndexError; negative indices count from the end
  kSelf,       // index_select, index_add: "index out of range in self"
};

// A few dimensions of a table, outermost first.
struct TableDims {
  int64_t numel = 1;
  int32_t ndim = 0;
  int64_t sizes[kMaxDims], strides[kMaxDims];

  // Adds a dimension inside the others, joining it to its neighbour where memory allows.
  void append(int64_t size, int64_t stride);
  // The place of element i, in elements.
  WICK_HD int64_t offset(int64_t i) const {
    int64_t sum = 0;
    for (int d = ndim - 1; d >= 0; --d) {
      sum += i % sizes[d] * strides[d];
      i /= sizes[d];
    }
    return sum;
  }
};

// offsets[i] = (add ? offsets[i] : 0) + index[i] * stride + positions.offset(i).
struct OffsetsArgs {
  static constexpr Access access[2] = {Access::kReadWrite, Access::kRead};

  Buffer buffers[2];  // int64 offsets; int64 indices without gaps
  int64_t numel;
  int64_t size, stride;  // of the dimension that is indexed
  int64_t dim;           // its number in an error's text
  IndexCheck check;
  bool add;
  TableDims positions;   // none where they do not matter
};

// The block has the shape [before, count, after, run]: its element (b, j, a, r) belongs to the table's element at
// before.offset(b) + offsets[j] + after.offset(a) + r * run_stride.
struct IndexPlan {
  TableDims before, after;
  int64_t count;
  int64_t run, run_stride;

  int64_t numel() const { return before.numel * count * after.numel * run; }
};

struct TakeArgs {
  static constexpr Access access[3] = {Access::kRead, Access::kRead, Access::kWrite};

  Buffer buffers[3];  // table, int64 offsets, block
  ScalarType dtype;
  IndexPlan plan;
};

struct PutArgs {
  static constexpr Access access[3] = {Access::kReadWrite, Access::kRead, Access::kRead};

  Buffer buffers[3];  // table, int64 offsets, block
  ScalarType dtype;
  bool single;        // the block is one value for all
  IndexPlan plan;
};

// y = value where the mask is true. The plan's operands: y, mask.
struct MaskedFillArgs {
  static constexpr Access access[2] = {Access::kReadWrite, Access::kRead};

  Buffer buffers[2];
  char value[8];      // as an element of y
  ElementwisePlan plan;
};

// Finding what is true in a mask without gaps: first how many there are in each chunk, then their positions.
inline constexpr int64_t kMaskChunk = 16384;

struct CountTrueArgs {
  static constexpr Access access[2] = {Access::kWrite, Access::kRead};

  Buffer buffers[2];  // int64 counts; mask
  int64_t numel;
};

struct ListTrueArgs {
  static constexpr Access access[3] = {Access::kWrite, Access::kRead, Access::kRead};

  Buffer buffers[3];  // int64 positions, one row of `total` for each dimension; int64 number of those before each chunk; mask
  int64_t numel, total;
  int32_t ndim;
  int64_t sizes[kMaxDims];
};

extern constinit Kernel<OffsetsArgs> offsets_kernel;
extern constinit Kernel<TakeArgs> take_kernel;
extern constinit Kernel<PutArgs> put_kernel;            // table[...] = block; of several values for one place the last one stays
extern constinit Kernel<PutArgs> put_add_kernel;        // table[...] += block, in the block's order
extern constinit Kernel<PutArgs> put_multiply_kernel, put_max_kernel, put_min_kernel;  // table[...] = join(table[...], block)
extern constinit Kernel<MaskedFillArgs> masked_fill_kernel;
extern constinit Kernel<CountTrueArgs> count_true_kernel;
extern constinit Kernel<ListTrueArgs> list_true_kernel;

// Throws the error of an index outside [0, size), or [-size, size) where negative indices wrap.
[[noreturn]] WICK_COLD void index_error(IndexCheck check, int64_t index, int64_t dim, int64_t size);

}  // namespace wick
