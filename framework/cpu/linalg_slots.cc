// Linear algebra by Eigen, matrix by matrix.
#include <Eigen/Dense>
#include <cmath>

#include "wick/framework/core/parallel.h"
#include "wick/framework/plan/linalg.h"

namespace wick {
namespace {

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// One matrix of each buffer.
template <class T>
struct Call {
  const LinalgArgs& args;
  int64_t i;

  Eigen::Map<Matrix<T>> matrix(int buffer, int64_t rows, int64_t columns) const {
    return {args.buffers[buffer].as<T>() + i * rows * columns, rows, columns};
  }
  Eigen::Map<Matrix<T>> a() const { return matrix(3, args.m, args.n); }
  Eigen::Map<Matrix<T>> b() const { return matrix(4, args.n, args.k); }
  T& number(int buffer) const { return args.buffers[buffer].as<T>()[i]; }
  int64_t& info() const { return args.buffers[1].as<int64_t>()[i]; }
};

struct Solve {
  template <class T>
  static void run(const Call<T>& c) {
    const Eigen::PartialPivLU<Matrix<T>> lu(c.a());
    c.info() = 0;
    for (int64_t k = c.args.n; k-- > 0;) {
      if (lu.matrixLU()(k, k) == T(0)) c.info() = k + 1;
    }
    if (c.info() == 0) c.matrix(0, c.args.n, c.args.k) = lu.solve(c.b());
  }
};

struct Triangular {
  template <class T>
  static void run(const Call<T>& c) {
    auto x = c.matrix(0, c.args.n, c.args.k);
    x = c.b();
    if (c.args.upper && c.args.unit) c.a().template triangularView<Eigen::UnitUpper>().solveInPlace(x);
    else if (c.args.upper) c.a().template triangularView<Eigen::Upper>().solveInPlace(x);
    else if (c.args.unit) c.a().template triangularView<Eigen::UnitLower>().solveInPlace(x);
    else c.a().template triangularView<Eigen::Lower>().solveInPlace(x);
  }
};

struct Determinant {
  template <class T>
  static void run(const Call<T>& c) {
    const Eigen::PartialPivLU<Matrix<T>> lu(c.a());
    T sign = static_cast<T>(lu.permutationP().determinant()), logarithm = 0;
    for (int64_t k = 0; k < c.args.n; ++k) {
      const T pivot = lu.matrixLU()(k, k);
      sign *= static_cast<T>((pivot > 0) - (pivot < 0));
      logarithm += std::log(std::abs(pivot));
    }
    c.number(0) = lu.determinant();
    c.number(1) = sign;
    c.number(2) = logarithm;
  }
};

struct Cholesky {
  template <class T>
  static void run(const Call<T>& c) {
    const Eigen::LLT<Matrix<T>> llt(c.a());
    c.matrix(0, c.args.n, c.args.n) = llt.matrixL();
    c.info() = 0;
    if (llt.info() == Eigen::Success) return;
    // The first leading minor that has no factor.
    for (int64_t order = 1; c.info() == 0; ++order) {
      if (order == c.args.n || Eigen::LLT<Matrix<T>>(c.a().topLeftCorner(order, order)).info() != Eigen::Success) c.info() = order;
    }
  }
};

struct Qr {
  template <class T>
  static void run(const Call<T>& c) {
    const int64_t k = c.args.k;
    const Eigen::HouseholderQR<Matrix<T>> qr(c.a());
    c.matrix(0, c.args.m, k) = qr.householderQ() * Matrix<T>::Identity(c.args.m, k);
    c.matrix(1, k, c.args.n) = qr.matrixQR().topRows(k).template triangularView<Eigen::Upper>();
  }
};

struct Svd {
  template <class T>
  static void run(const Call<T>& c) {
    const int64_t m = c.args.m, n = c.args.n, least = std::min(m, n);
    const unsigned how = c.args.unit ? Eigen::ComputeFullU | Eigen::ComputeFullV : Eigen::ComputeThinU | Eigen::ComputeThinV;
    const Eigen::BDCSVD<Matrix<T>> svd(c.a(), how);
    c.matrix(0, m, c.args.unit ? m : least) = svd.matrixU();
    c.matrix(1, least, 1) = svd.singularValues();
    c.matrix(2, c.args.unit ? n : least, n) = svd.matrixV().transpose();
  }
};

struct Eigh {
  template <class T>
  static void run(const Call<T>& c) {
    const Eigen::SelfAdjointEigenSolver<Matrix<T>> solver(c.a());
    c.matrix(0, c.args.n, 1) = solver.eigenvalues();
    c.matrix(1, c.args.n, c.args.n) = solver.eigenvectors();
  }
};

template <class Op>
void run(const LinalgArgs& args) {
  const int64_t work = args.m * args.n * std::max<int64_t>(std::min(args.m, args.n), 1);
  if (args.m * args.n == 0) return;
  parallel_for(0, args.batch, kGrainSize / work + 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) args.dtype == kFloat ? Op::run(Call<float>{args, i}) : Op::run(Call<double>{args, i});
  });
}

}  // namespace

#define WICK_SLOT(name, Op) constinit Kernel<LinalgArgs> linalg_##name##_kernel = Kernel<LinalgArgs>::make<run<Op>, run<Op>>("linalg_" #name);
WICK_SLOT(solve, Solve)
WICK_SLOT(triangular, Triangular)
WICK_SLOT(determinant, Determinant)
WICK_SLOT(cholesky, Cholesky)
WICK_SLOT(qr, Qr)
WICK_SLOT(svd, Svd)
WICK_SLOT(eigh, Eigh)

}  // namespace wick
