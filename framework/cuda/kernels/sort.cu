// Sorting of rows, and searching in sorted ones. Tiles are sorted in shared memory by a bitonic network (Batcher, "Sorting networks and
// their applications", 1968); then neighbouring runs are merged, each element finding its place in the other run by bisection.
#include "wick/framework/cuda/kernels/sort.cuh"

#include "wick/framework/cuda/install.h"
#include "wick/framework/cuda/kernels/convert.cuh"
#include "wick/framework/cuda/kernels/launch.h"
#include "wick/framework/cuda/runtime/scratch.h"
#include "wick/framework/cuda/stream.h"
#include "wick/framework/plan/sort.h"

namespace wick::cuda {
namespace {

constexpr int kTile = 1024, kTileThreads = kTile / 2, kThreads = 256;

Grid grid_of(int64_t threads, cudaStream_t stream) {
  return {dim3(static_cast<unsigned>((threads + kThreads - 1) / kThreads)), dim3(kThreads), 0, stream};
}

__device__ inline bool before(uint64_t key_a, int64_t place_a, uint64_t key_b, int64_t place_b) {
  return key_a != key_b ? key_a < key_b : place_a < place_b;
}

__global__ void __launch_bounds__(kTileThreads) sort_tiles(uint64_t* keys, int64_t* places, int64_t n) {
  __shared__ uint64_t key[kTile];
  __shared__ int32_t place[kTile];
  const int64_t tiles = (n + kTile - 1) / kTile, row = blockIdx.x / tiles, first = blockIdx.x % tiles * kTile;
  const int count = static_cast<int>(n - first < kTile ? n - first : kTile);
  keys += row * n + first;
  places += row * n + first;
  for (int i = static_cast<int>(threadIdx.x); i < kTile; i += kTileThreads) {
    key[i] = i < count ? keys[i] : UINT64_MAX;
    place[i] = i;  // of equal keys those that only fill up come last
  }
  for (int size = 2; size <= kTile; size *= 2) {
    for (int distance = size / 2; distance > 0; distance /= 2) {
      __syncthreads();
      const int t = static_cast<int>(threadIdx.x), a = 2 * t - (t & (distance - 1)), b = a + distance;
      const bool ascending = (a & size) == 0;
      if (before(key[b], place[b], key[a], place[a]) == ascending) {
        const uint64_t k = key[a];
        const int32_t p = place[a];
        key[a] = key[b], place[a] = place[b];
        key[b] = k, place[b] = p;
      }
    }
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < count; i += kTileThreads) {
    keys[i] = key[i];
    places[i] = first + place[i];
  }
}

// Runs of `length` become runs of twice that.
__global__ void __launch_bounds__(kThreads) merge_runs(SortedRows to, SortedRows from, int64_t rows, int64_t n, int64_t length) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= rows * n) return;
  const int64_t row = i / n, at = i % n, pair = at / (2 * length) * 2 * length;
  const bool second = at - pair >= length;
  const uint64_t key = from.keys[i];
  const int64_t place = from.places[i];
  int64_t low = second ? pair : pair + length, high = low + length;
  if (low > n) low = n;
  if (high > n) high = n;
  const int64_t other = low;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (before(from.keys[row * n + middle], from.places[row * n + middle], key, place)) low = middle + 1;
    else high = middle;
  }
  const int64_t rank = at - pair - (second ? length : 0) + (low - other);
  to.keys[row * n + pair + rank] = key;
  to.places[row * n + pair + rank] = place;
}

// ---- The slots -----------------------------------------------------------------------------------------------------------------------

// Numbers that compare as the elements do: NaN the largest, both zeros equal. All of them inverted for descending order.
template <class T>
__global__ void __launch_bounds__(kThreads) make_keys(uint64_t* keys, const void* x, ScalarType dtype, bool descending, int64_t numel) {
  constexpr uint64_t kSign = uint64_t{1} << 63;
  const int64_t i = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= numel) return;
  const T element = load_as<T>(x, dtype, i);
  uint64_t key;
  if constexpr (std::is_integral_v<T>) {
    key = static_cast<uint64_t>(element) ^ kSign;
  } else {
    const auto bits = static_cast<uint64_t>(__double_as_longlong(element == 0 ? T(0) : element));
    key = element != element ? UINT64_MAX : bits & kSign ? ~bits : bits | kSign;
  }
  keys[i] = descending ? ~key : key;
}

template <class Raw>
__global__ void __launch_bounds__(kThreads) write_sorted(SortArgs args, const int64_t* places) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= args.rows * args.k) return;
  const int64_t row = i / args.k, place = places[row * args.n + i % args.k];
  static_cast<int64_t*>(args.buffers[1].data)[i] = place;
  static_cast<Raw*>(args.buffers[0].data)[i] = static_cast<const Raw*>(args.buffers[2].data)[row * args.n + place];
}

void run_sort(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const SortArgs*>(raw_args);
  const int64_t numel = args.rows * args.n, results = args.rows * args.k;
  if (numel == 0 || results == 0) return;
  const cudaStream_t stream = current_stream();
  const Scratch keys(static_cast<size_t>(numel) * 8, stream), scratch(sort_scratch(args.rows, args.n), stream);
  const void* const x = args.buffers[2].data;
  const Grid grid = grid_of(numel, stream);
  if (is_floating(args.dtype)) launch<make_keys<double>>(grid, keys.as<uint64_t>(), x, args.dtype, args.descending, numel);
  else launch<make_keys<int64_t>>(grid, keys.as<uint64_t>(), x, args.dtype, args.descending, numel);
  const SortedRows sorted = sort_rows(keys.as<uint64_t>(), args.rows, args.n, scratch.as<void>(), stream);
  switch (element_size(args.dtype)) {
    case 1: return launch<write_sorted<uint8_t>>(grid_of(results, stream), args, sorted.places);
    case 2: return launch<write_sorted<uint16_t>>(grid_of(results, stream), args, sorted.places);
    case 4: return launch<write_sorted<uint32_t>>(grid_of(results, stream), args, sorted.places);
    default: return launch<write_sorted<uint64_t>>(grid_of(results, stream), args, sorted.places);
  }
}

template <class T>
__global__ void __launch_bounds__(kThreads) search(SearchArgs args) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= args.rows * args.m) return;
  const int64_t row = i / args.m * args.n;
  const T value = load_as<T>(args.buffers[2].data, args.dtype, i);
  int64_t low = 0, high = args.n;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    const T x = load_as<T>(args.buffers[1].data, args.dtype, row + middle);
    if (args.right ? !(x > value) : !(x >= value)) low = middle + 1;
    else high = middle;
  }
  static_cast<int64_t*>(args.buffers[0].data)[i] = low;
}

void run_search(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const SearchArgs*>(raw_args);
  const Grid grid = grid_of(args.rows * args.m, current_stream());
  if (args.dtype == kDouble) launch<search<double>>(grid, args);
  else if (is_floating(args.dtype)) launch<search<float>>(grid, args);
  else launch<search<int64_t>>(grid, args);
}

}  // namespace

size_t sort_scratch(int64_t rows, int64_t n) { return static_cast<size_t>(rows * n) * 8 * 3; }

SortedRows sort_rows(uint64_t* keys, int64_t rows, int64_t n, void* scratch, cudaStream_t stream) {
  int64_t* const memory = static_cast<int64_t*>(scratch);
  SortedRows now{keys, memory}, next{reinterpret_cast<uint64_t*>(memory + rows * n), memory + 2 * rows * n};
  const int64_t tiles = (n + kTile - 1) / kTile;
  launch<sort_tiles>({dim3(static_cast<unsigned>(rows * tiles)), dim3(kTileThreads), 0, stream}, now.keys, now.places, n);
  for (int64_t length = kTile; length < n; length *= 2) {
    launch<merge_runs>(grid_of(rows * n, stream), next, now, rows, n, length);
    const SortedRows done = next;
    next = now;
    now = done;
  }
  return now;
}

void install_sort() {
  sort_kernel.cuda = run_sort;
  search_kernel.cuda = run_search;
}

}  // namespace wick::cuda
