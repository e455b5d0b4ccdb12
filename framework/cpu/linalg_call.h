// One matrix of a batch, as Eigen sees it, and the slots of what is done to it. For the files of linear algebra only: Eigen's
// decompositions are slow to compile, and stand in more than one for that.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <complex>

#include "wick/framework/core/parallel.h"
#include "wick/framework/plan/linalg.h"

namespace wick {
namespace {

// Everything is computed in double, also for matrices of float: the results are the better for it, and Eigen's decompositions are compiled
// once for real and once for complex matrices. S is double or std::complex<double>.
template <class S>
using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Complex128 = std::complex<double>;

// One matrix of each buffer.
template <class S>
struct Call {
  static constexpr bool complex = std::is_same_v<S, Complex128>;
  using Narrow = std::conditional_t<complex, std::complex<float>, float>;

  const LinalgArgs& args;
  int64_t i;

  template <class T>
  Eigen::Map<Matrix<T>> view(int buffer, int64_t rows, int64_t columns) const {
    return {args.buffers[buffer].as<T>() + i * rows * columns, rows, columns};
  }
  bool narrow() const { return args.dtype == kFloat || args.dtype == kComplexFloat; }
  Matrix<S> get(int buffer, int64_t rows, int64_t columns) const {
    if (narrow()) return view<Narrow>(buffer, rows, columns).template cast<S>();
    return view<S>(buffer, rows, columns);
  }
  // A result that has complex elements, or real ones, whatever A has.
  template <class T>
  void put_as(int buffer, const Matrix<T>& x) const {
    using Float = typename Call<T>::Narrow;
    if (narrow()) view<Float>(buffer, x.rows(), x.cols()) = x.template cast<Float>();
    else view<T>(buffer, x.rows(), x.cols()) = x;
  }
  void put(int buffer, const Matrix<S>& x) const { put_as<S>(buffer, x); }
  template <class T>
  void put_number(int buffer, T x) const { put_as<T>(buffer, Matrix<T>::Constant(1, 1, x)); }
  Matrix<S> a() const { return get(3, args.m, args.n); }
  Matrix<S> b() const { return get(4, args.n, args.k); }
  int64_t& info() const { return args.buffers[1].as<int64_t>()[i]; }
};

template <class Op>
void run(const LinalgArgs& args) {
  const int64_t work = args.m * args.n * std::max<int64_t>(std::min(args.m, args.n), 1);
  if (args.m * args.n == 0) return;
  parallel_for(0, args.batch, kGrainSize / work + 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      if (is_complex(args.dtype)) Op::run(Call<Complex128>{args, i});
      else Op::run(Call<double>{args, i});
    }
  });
}

}  // namespace
}  // namespace wick

#define WICK_LINALG_SLOT(name, Op) \
  constinit Kernel<LinalgArgs> linalg_##name##_kernel = Kernel<LinalgArgs>::make<run<Op>, run<Op>>("linalg_" #name);
