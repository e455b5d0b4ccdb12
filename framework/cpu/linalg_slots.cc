// Linear algebra by Eigen, matrix by matrix.
#include <Eigen/Dense>
#include <cmath>
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

struct Solve {
  template <class S>
  static void run(const Call<S>& c) {
    const Eigen::PartialPivLU<Matrix<S>> lu(c.a());
    c.info() = 0;
    for (int64_t k = c.args.n; k-- > 0;) {
      if (lu.matrixLU()(k, k) == S(0)) c.info() = k + 1;
    }
    if (c.info() == 0) c.put(0, lu.solve(c.b()));
  }
};

struct Triangular {
  template <class S>
  static void run(const Call<S>& c) {
    const Matrix<S> a = c.a();
    Matrix<S> x = c.b();
    if (c.args.upper && c.args.unit) a.template triangularView<Eigen::UnitUpper>().solveInPlace(x);
    else if (c.args.upper) a.template triangularView<Eigen::Upper>().solveInPlace(x);
    else if (c.args.unit) a.template triangularView<Eigen::UnitLower>().solveInPlace(x);
    else a.template triangularView<Eigen::Lower>().solveInPlace(x);
    c.put(0, x);
  }
};

struct Determinant {
  template <class S>
  static void run(const Call<S>& c) {
    const Eigen::PartialPivLU<Matrix<S>> lu(c.a());
    S sign = static_cast<double>(lu.permutationP().determinant());
    double logarithm = 0;
    for (int64_t k = 0; k < c.args.n; ++k) {
      const S pivot = lu.matrixLU()(k, k);
      sign *= pivot == S(0) ? pivot : pivot / std::abs(pivot);
      logarithm += std::log(std::abs(pivot));
    }
    c.put_number(0, lu.determinant());
    c.put_number(1, sign);
    c.put_number(2, logarithm);
  }
};

struct Cholesky {
  template <class S>
  static void run(const Call<S>& c) {
    const Matrix<S> a = c.a();
    const Eigen::LLT<Matrix<S>> llt(a);
    c.put(0, llt.matrixL());
    c.info() = 0;
    // NaN passes for positive here. What is told is the first leading minor that has no factor.
    if (llt.info() == Eigen::Success && !llt.matrixLLT().diagonal().hasNaN()) return;
    for (int64_t order = 1; c.info() == 0; ++order) {
      const Eigen::LLT<Matrix<S>> minor(a.topLeftCorner(order, order));
      if (order == c.args.n || minor.info() != Eigen::Success || minor.matrixLLT().diagonal().hasNaN()) c.info() = order;
    }
  }
};

struct Qr {
  template <class S>
  static void run(const Call<S>& c) {
    const int64_t k = c.args.k;
    const Eigen::HouseholderQR<Matrix<S>> qr(c.a());
    c.put(0, qr.householderQ() * Matrix<S>::Identity(c.args.m, k));
    c.put(1, Matrix<S>(qr.matrixQR().topRows(k).template triangularView<Eigen::Upper>()));
  }
};

struct Svd {
  template <class S>
  static void run(const Call<S>& c) {
    const unsigned how = c.args.unit ? Eigen::ComputeFullU | Eigen::ComputeFullV : Eigen::ComputeThinU | Eigen::ComputeThinV;
    const Eigen::JacobiSVD<Matrix<S>> svd(c.a(), how);
    c.put(0, svd.matrixU());
    c.template put_as<double>(1, svd.singularValues());
    c.put(2, svd.matrixV().adjoint());
  }
};

struct Eigh {
  template <class S>
  static void run(const Call<S>& c) {
    const Eigen::SelfAdjointEigenSolver<Matrix<S>> solver(c.a());
    c.template put_as<double>(0, solver.eigenvalues());
    c.put(1, solver.eigenvectors());
  }
};

// The vectors are of length 1, their largest component is real: LAPACK's choice.
struct Eig {
  template <class S>
  static void run(const Call<S>& c) {
    using Solver = std::conditional_t<Call<S>::complex, Eigen::ComplexEigenSolver<Matrix<S>>, Eigen::EigenSolver<Matrix<S>>>;
    const Solver solver(c.a());
    Matrix<Complex128> v = solver.eigenvectors();
    for (int64_t j = 0; j < v.cols(); ++j) {
      if (!Call<S>::complex && solver.eigenvalues()[j].imag() == 0) continue;
      Eigen::Index largest;
      v.col(j).cwiseAbs().maxCoeff(&largest);
      const Complex128 at = v(largest, j);
      v.col(j) *= std::conj(at) / std::abs(at) / v.col(j).norm();
      v(largest, j).imag(Call<S>::complex ? 0.0 : std::copysign(0.0, solver.eigenvalues()[j].imag()));
    }
    c.template put_as<Complex128>(0, solver.eigenvalues());
    c.template put_as<Complex128>(1, v);
  }
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

#define WICK_SLOT(name, Op) \
  constinit Kernel<LinalgArgs> linalg_##name##_kernel = Kernel<LinalgArgs>::make<run<Op>, run<Op>>("linalg_" #name);
WICK_SLOT(solve, Solve)
WICK_SLOT(triangular, Triangular)
WICK_SLOT(determinant, Determinant)
WICK_SLOT(cholesky, Cholesky)
WICK_SLOT(qr, Qr)
WICK_SLOT(svd, Svd)
WICK_SLOT(eigh, Eigh)
WICK_SLOT(eig, Eig)

}  // namespace wick
