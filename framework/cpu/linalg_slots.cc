// Factorisations and what is solved by them, matrix by matrix.
#include <cmath>

#include "wick/framework/cpu/linalg_call.h"

namespace wick {
namespace {

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

}  // namespace

WICK_LINALG_SLOT(solve, Solve)
WICK_LINALG_SLOT(triangular, Triangular)
WICK_LINALG_SLOT(determinant, Determinant)
WICK_LINALG_SLOT(cholesky, Cholesky)
WICK_LINALG_SLOT(qr, Qr)

}  // namespace wick
