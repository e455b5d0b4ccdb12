// The pack vocabulary behind plain functions, one table per instruction set, for pack_test.cc. pack_functions.cc is a kernel file.
#pragma once

#include <cstdint>

namespace wick::math::test {

// y[i] = f(x[i]) or f(x[i], z[i]) for i < n, the last elements by partial packs.
template <class T>
using ArrayFunction = void (*)(const T* x, const T* z, T* y, int64_t n);

struct Function {
  const char* name;
  ArrayFunction<float> on_float;
  ArrayFunction<double> on_double;
};

// What is not elementwise, on arrays of one pack's length.
template <class T>
struct PackProbe {
  int size;
  T (*reduce_add)(const T* x);
  T (*reduce_max)(const T* x);
  T (*reduce_min)(const T* x);
  // Copies n elements; returns the last lane of the pack that was loaded, which is fill for n < size.
  T (*copy_partial)(const T* x, T* y, int n, T fill);
  // y = (x < z) & !(x == 0) in the first n elements; whether that holds in any lane and in all.
  void (*compare)(const T* x, const T* z, bool* y, int n, bool* any_all);
  // y = mask ? x : z in the first n elements.
  void (*blend)(const bool* mask, const T* x, const T* z, T* y, int n);
  void (*fma)(const T* a, const T* b, const T* c, T* y);
  void (*classes)(const T* x, bool* nan, bool* inf, bool* finite);
  // Bits 0 to 5: x == z, x != z, x < z, x <= z, x > z, x >= z.
  unsigned (*comparisons)(T x, T z);
};

struct Functions {
  const Function* begin;
  const Function* end;
  PackProbe<float> float_probe;
  PackProbe<double> double_probe;
};

}  // namespace wick::math::test

namespace wick::math::avx2 { extern const test::Functions kFunctions; }
namespace wick::math::avx512 { extern const test::Functions kFunctions; }
