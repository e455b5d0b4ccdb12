// The kernels of sorting and searching, and their slots. Comparisons gain nothing from wider registers: one build serves both.
#include <algorithm>
#include <vector>

#include "wick/framework/core/allocator.h"
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

// ---- Long rows: by the digits of keys ----------------------------------------------------------------------------------------------

// Unsigned numbers in the order of the keys: the zeros are equal, and NaN, all ones, is above everything.
template <class Key>
using Ordinal = std::conditional_t<sizeof(Key) == 1, uint8_t, std::conditional_t<sizeof(Key) == 2, uint16_t,
                                   std::conditional_t<sizeof(Key) == 4, uint32_t, uint64_t>>>;
template <class Key>
Ordinal<Key> ordinal(Key x) {
  using U = Ordinal<Key>;
  constexpr U kSign = static_cast<U>(U(1) << (8 * sizeof(U) - 1));
  if constexpr (std::is_floating_point_v<Key>) {
    if (x != x) return static_cast<U>(-1);
    const U bits = __builtin_bit_cast(U, x == 0 ? Key(0) : x);
    return bits & kSign ? static_cast<U>(~bits) : static_cast<U>(bits | kSign);
  } else {
    return std::is_signed_v<Key> ? static_cast<U>(static_cast<U>(x) ^ kSign) : static_cast<U>(x);
  }
}

template <class U>
struct Item {
  U digits;
  uint32_t place;
};

// Byte by byte from the last, each pass keeping the order of the one before. Leaves the items in `items` or in `other`: returns where.
template <class U>
Item<U>* sort_items(Item<U>* items, Item<U>* other, int64_t n) {
  uint32_t counts[sizeof(U)][256] = {};
  for (int64_t i = 0; i < n; ++i) {
    for (size_t byte = 0; byte < sizeof(U); ++byte) ++counts[byte][items[i].digits >> (8 * byte) & 255];
  }
  for (size_t byte = 0; byte < sizeof(U); ++byte) {
    if (counts[byte][items[0].digits >> (8 * byte) & 255] == n) continue;  // the same in all
    uint32_t next[256], sum = 0;
    for (int d = 0; d < 256; ++d) next[d] = sum, sum += counts[byte][d];
    for (int64_t i = 0; i < n; ++i) other[next[items[i].digits >> (8 * byte) & 255]++] = items[i];
    std::swap(items, other);
  }
  return items;
}

constexpr int64_t kLongRow = 256;

template <bool descending, class Key, class T>
void sort_long_row(const T* from, int64_t n, int64_t k, T* values, int64_t* indices) {
  using U = Ordinal<Key>;
  const size_t bytes = 2 * static_cast<size_t>(n) * sizeof(Item<U>);
  auto* const items = static_cast<Item<U>*>(cpu_allocate(bytes));
  for (int64_t i = 0; i < n; ++i) {
    const U digits = ordinal(static_cast<Key>(from[i]));
    items[i] = {descending ? static_cast<U>(~digits) : digits, static_cast<uint32_t>(i)};
  }
  const Item<U>* const sorted = sort_items(items, items + n, n);
  for (int64_t i = 0; i < k; ++i) {
    indices[i] = sorted[i].place;
    values[i] = from[sorted[i].place];
  }
  cpu_free(items, bytes);
}

// ---- Rows --------------------------------------------------------------------------------------------------------------------------

// The first k entries of a row, in no order: all that come before the k-th of those seen so far, of which the best k are kept when they
// become many.
template <bool descending, class Key, class T>
void select_few(const T* from, int64_t n, int64_t k, std::vector<Entry<Key>>& entries) {
  const auto few = static_cast<size_t>(k), many = few + static_cast<size_t>(std::max<int64_t>(k, 32));
  const auto keep_best = [&] {
    std::nth_element(entries.begin(), entries.begin() + (k - 1), entries.end(), before<descending, Key>);
    entries.resize(few);
  };
  entries.clear();
  bool full = false;
  Entry<Key> last{};
  for (int64_t i = 0; i < n; ++i) {
    const Entry<Key> entry{static_cast<Key>(from[i]), i};
    if (full && (descending ? entry.key <= last.key : entry.key >= last.key)) continue;  // the usual case, NaN aside
    if (full && !before<descending>(entry, last)) continue;
    entries.push_back(entry);
    if (entries.size() < many) continue;
    keep_best();
    last = entries[few - 1];
    full = true;
  }
  if (entries.size() > few) keep_best();
}

template <bool descending, class T>
void sort_rows(const SortArgs& args) {
  using Key = std::conditional_t<is_floating(dtype_of<T>) && sizeof(T) == 2, float, T>;
  const T* x = args.buffers[2].as<T>();
  const int64_t n = args.n, k = args.k;
  parallel_for(0, args.rows, rows_per_thread(n), [&](int64_t begin, int64_t end) {
    std::vector<Entry<Key>> entries;
    for (int64_t row = begin; row < end; ++row) {
      const T* from = x + row * n;
      T* values = args.buffers[0].as<T>() + row * k;
      int64_t* indices = args.buffers[1].as<int64_t>() + row * k;
      if (k > n / 16 && n >= kLongRow && n <= UINT32_MAX) {
        sort_long_row<descending, Key>(from, n, k, values, indices);
        continue;
      }
      if (k > 0 && k <= n / 16) {
        select_few<descending>(from, n, k, entries);
      } else {
        entries.resize(static_cast<size_t>(n));
        for (int64_t i = 0; i < n; ++i) entries[static_cast<size_t>(i)] = {static_cast<Key>(from[i]), i};
        if (k < n) std::nth_element(entries.begin(), entries.begin() + k, entries.end(), before<descending, Key>);
      }
      std::sort(entries.begin(), entries.begin() + k, before<descending, Key>);
      for (int64_t i = 0; i < k; ++i) {
        indices[i] = entries[static_cast<size_t>(i)].place;
        values[i] = from[indices[i]];
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
