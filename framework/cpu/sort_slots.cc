// The kernels of sorting and searching, and their slots. Comparisons gain nothing from wider registers: one build serves both.
#include <algorithm>
#include <vector>

#include "wick/framework/core/parallel.h"
#include "wick/framework/plan/sort.h"

namespace wick {
namespace {

constexpr int64_t kRowGrain = 4096;  // elements for one thread

int64_t rows_per_thread(int64_t n) { return std::max<int64_t>(1, kRowGrain / std::max<int64_t>(1, n)); }

template <class Key>
struct Entry {
  Key key;
  int64_t place;
};

template <class Key>
bool is_nan_key(Key x) { return x != x; }

// A total order, in which the place decides between equals: any sorting algorithm is then a stable one.
template <bool descending, class Key>
bool before(const Entry<Key>& a, const Entry<Key>& b) {
  const bool a_nan = is_nan_key(a.key), b_nan = is_nan_key(b.key);
  if (a_nan != b_nan) return descending ? a_nan : b_nan;
  if (!a_nan && a.key != b.key) return descending ? a.key > b.key : a.key < b.key;
  return a.place < b.place;
}

template <bool descending, class T>
void sort_rows(const SortArgs& args) {
  using Key = std::conditional_t<is_floating(dtype_of<T>) && sizeof(T) == 2, float, T>;
  const T* x = args.buffers[2].as<T>();
  T* values = args.buffers[0].as<T>();
  int64_t* indices = args.buffers[1].as<int64_t>();
  parallel_for(0, args.rows, rows_per_thread(args.n), [&](int64_t begin, int64_t end) {
    std::vector<Entry<Key>> entries(static_cast<size_t>(args.n));
    for (int64_t row = begin; row < end; ++row) {
      const T* from = x + row * args.n;
      for (int64_t i = 0; i < args.n; ++i) entries[static_cast<size_t>(i)] = {static_cast<Key>(from[i]), i};
      const auto middle = entries.begin() + args.k;
      if (args.k < args.n) std::nth_element(entries.begin(), middle, entries.end(), before<descending, Key>);
      std::sort(entries.begin(), middle, before<descending, Key>);
      for (int64_t i = 0; i < args.k; ++i) {
        indices[row * args.k + i] = entries[static_cast<size_t>(i)].place;
        values[row * args.k + i] = from[entries[static_cast<size_t>(i)].place];
      }
    }
  });
}

void sort(const SortArgs& args) {
  if (args.rows * args.n == 0) return;
  dispatch_dtype(args.dtype, "sort", [&]<class T>() { args.descending ? sort_rows<true, T>(args) : sort_rows<false, T>(args); });
}

template <class T>
void search_as(const SearchArgs& args) {
  const T* sorted = args.buffers[1].as<T>();
  const T* values = args.buffers[2].as<T>();
  int64_t* counts = args.buffers[0].as<int64_t>();
  parallel_for(0, args.rows * args.m, kRowGrain / 8, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const T* row = sorted + i / args.m * args.n;
      const auto before = [&](T x, T value) { return args.right ? !(x > value) : !(x >= value); };
      counts[i] = std::lower_bound(row, row + args.n, values[i], before) - row;
    }
  });
}
void search(const SearchArgs& args) { dispatch_dtype(args.dtype, "searchsorted", [&]<class T>() { search_as<T>(args); }); }

}  // namespace

constinit Kernel<SortArgs> sort_kernel = Kernel<SortArgs>::make<sort, sort>("sort");
constinit Kernel<SearchArgs> search_kernel = Kernel<SearchArgs>::make<search, search>("search");

}  // namespace wick
