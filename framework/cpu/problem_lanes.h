// Many problems of a few elements each side by side, one in each lane of a pack, so that element j of all of them is one load. Kernel
// files only.
#pragma once

#include "wick/framework/cpu/packs.h"

namespace wick::cpu::WICK_ISA {
namespace {

constexpr int64_t kNarrow = 16;  // problems of up to so many elements stay in registers

// Up to Pack<T>::size problems. Either they follow each other in memory (rows), of kNarrow elements at most, or their j-th elements are
// neighbours, the elements of a problem `step` apart (columns).
template <class T>
struct ProblemLanes {
  static constexpr int kSize = Pack<T>::size;
  using Index = typename Pack<T>::IntVector;

  bool rows;
  int64_t step;  // of columns
  int count;

  // Element j of each column.
  WICK_INLINE Pack<T> load(const T* x, int64_t j) const { return WICK_ISA::load(x + j * step, count); }
  WICK_INLINE void store(T* y, int64_t j, Pack<T> value) const { WICK_ISA::store(y + j * step, value, count); }

  // All n <= kNarrow elements; lanes that are not used read as 0.
  WICK_INLINE void load_all(const T* x, int64_t n, Pack<T>* elements) const {
    if (!rows) {
      for (int64_t j = 0; j < n; ++j) elements[j] = load(x, j);
      return;
    }
    Pack<T> run[kNarrow];
    for (int64_t k = 0; k < n; ++k) run[k] = Pack<T>::load_partial(x + k * kSize, lanes_of(k, n));
    // Element j of problem i is the (i n + j)-th of the run: a lane of one of its packs.
    for (int64_t j = 0; j < n; ++j) {
      const Index at = lane_numbers() * static_cast<Word>(n) + static_cast<Word>(j);
      elements[j] = pick(run, n, at / kSize, at);
    }
  }
  WICK_INLINE void store_all(T* y, int64_t n, const Pack<T>* elements) const {
    if (!rows) {
      for (int64_t j = 0; j < n; ++j) store(y, j, elements[j]);
      return;
    }
    for (int64_t k = 0; k < n; ++k) {
      // The quotient by multiplication: exact, as the numerators stay below 2^8 and n below 2^5.
      const Index at = lane_numbers() + static_cast<Word>(k * kSize);
      const Index problem = at * static_cast<Word>(65536 / n + 1) >> 16;
      pick(elements, n, at - problem * static_cast<Word>(n), problem).store_partial(y + k * kSize, lanes_of(k, n));
    }
  }

 private:
  using Word = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;

  static WICK_INLINE Index lane_numbers() {
    Index numbers{};
    for (int i = 0; i < kSize; ++i) numbers[i] = i;
    return numbers;
  }
  // How many lanes of pack k of the run are used.
  WICK_INLINE int lanes_of(int64_t k, int64_t n) const {
    const int64_t left = count * n - k * kSize;
    return static_cast<int>(left < 0 ? 0 : left < kSize ? left : kSize);
  }
  // In lane i, lane lanes[i] (modulo the number of lanes) of x. Clang has a built-in for constant lanes only.
  static WICK_INLINE Pack<T> permuted(const Pack<T>& x, Index lanes) {
#ifdef __clang__
    Pack<T> y(T(0));
    for (int i = 0; i < kSize; ++i) y.v[i] = x.v[lanes[i] & (kSize - 1)];
    return y;
#else
    return Pack<T>{__builtin_shuffle(x.v, lanes)};
#endif
  }
  // In lane i, lane lanes[i] (modulo the number of lanes) of pack packs[i].
  static WICK_INLINE Pack<T> pick(const Pack<T>* from, int64_t n, Index packs, Index lanes) {
    Pack<T> picked(T(0));
    for (int64_t k = 0; k < n; ++k) {
      picked.v = packs == static_cast<Word>(k) ? permuted(from[k], lanes).v : picked.v;
    }
    return picked;
  }
};

template <class T>
constexpr T kLowest = T(-__builtin_huge_val());

}  // namespace
}  // namespace wick::cpu::WICK_ISA
