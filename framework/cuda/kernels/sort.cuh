// Sorting of keys, for sort() and for index kernels that must know which of their places coincide.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace wick::cuda {

// Rows of n entries each, entry (key, place) with places 0 .. n - 1 in the order they came in; all arrays are [rows, n].
struct SortedRows {
  uint64_t* keys;
  int64_t* places;
};

// Bytes of scratch memory that sort_rows() needs.
size_t sort_scratch(int64_t rows, int64_t n);
// Sorts every row by its keys, ascending; equal keys keep their order. `keys` is overwritten, and the result lies in the scratch memory.
SortedRows sort_rows(uint64_t* keys, int64_t rows, int64_t n, void* scratch, cudaStream_t stream);

}  // namespace wick::cuda
