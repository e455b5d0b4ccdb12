// Linear algebra by Eigen, matrix by matrix.
#include <Eigen/Dense>
#include <cmath>

#include "wick/framework/core/parallel.h"
#include "wick/framework/plan/linalg.h"

namespace wick {
namespace {

// Everything is computed in double, also for matrices of float: the results are the better for it, and Eigen's decompositions are compiled
// once.
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using View = Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

// One matrix of each buffer.
struct Call {
  const LinalgArgs& args;
  int64_t i;

  template <class T>
  View<T> view(int buffer, int64_t rows, int64_t columns) const {
    return {args.buffers[buffer].as<T>() + i * rows * columns, rows, columns};
  }
  Matrix get(int buffer, int64_t rows, int64_t columns) const {
    if (args.dtype == kFloat) return view<float>(buffer, rows, columns).cast<double>();
    return view<double>(buffer, rows, columns);
  }
  void put(int buffer, const Matrix& x) const {
    if (args.dtype == kFloat) view<float>(buffer, x.rows(), x.cols()) = x.cast<float>();
    else view<double>(buffer, x.rows(), x.cols()) = x;
  }
  void put(int buffer, double x) const { put(buffer, Matrix::Constant(1, 1, x)); }
  Matrix a() const { return get(3, args.m, args.n); }
  Matrix b() const { return get(4, args.n, args.k); }
  int64_t& info() const { return args.buffers[1].as<int64_t>()[i]; }
};

struct Solve {
  static void run(const Call& c) {
    const Eigen::PartialPivLU<Matrix> lu(c.a());
    c.info() = 0;
    for (int64_t k = c.args.n; k-- > 0;) {
      if (lu.matrixLU()(k, k) == 0) c.info() = k + 1;
    }
    if (c.info() == 0) c.put(0, lu.solve(c.b()));
  }
};

struct Triangular {
  static void run(const Call& c) {
    const Matrix a = c.a();
    Matrix x = c.b();
    if (c.args.upper && c.args.unit) a.triangularView<Eigen::UnitUpper>().solveInPlace(x);
    else if (c.args.upper) a.triangularView<Eigen::Upper>().solveInPlace(x);
    else if (c.args.unit) a.triangularView<Eigen::UnitLower>().solveInPlace(x);
    else a.triangularView<Eigen::Lower>().solveInPlace(x);
    c.put(0, x);
  }
};

struct Determinant {
  static void run(const Call& c) {
    const Eigen::PartialPivLU<Matrix> lu(c.a());
    double sign = static_cast<double>(lu.permutationP().determinant()), logarithm = 0;
    for (int64_t k = 0; k < c.args.n; ++k) {
      const double pivot = lu.matrixLU()(k, k);
      sign *= (pivot > 0) - (pivot < 0);
      logarithm += std::log(std::abs(pivot));
    }
    c.put(0, lu.determinant());
    c.put(1, sign);
    c.put(2, logarithm);
  }
};

struct Cholesky {
  static void run(const Call& c) {
    const Matrix a = c.a();
    const Eigen::LLT<Matrix> llt(a);
    c.put(0, llt.matrixL());
    c.info() = 0;
    if (llt.info() == Eigen::Success) return;
    // The first leading minor that has no factor.
    for (int64_t order = 1; c.info() == 0; ++order) {
      if (order == c.args.n || Eigen::LLT<Matrix>(a.topLeftCorner(order, order)).info() != Eigen::Success) c.info() = order;
    }
  }
};

struct Qr {
  static void run(const Call& c) {
    const int64_t k = c.args.k;
    const Eigen::HouseholderQR<Matrix> qr(c.a());
    c.put(0, qr.householderQ() * Matrix::Identity(c.args.m, k));
    c.put(1, Matrix(qr.matrixQR().topRows(k).triangularView<Eigen::Upper>()));
  }
};

struct Svd {
  static void run(const Call& c) {
    const unsigned how = c.args.unit ? Eigen::ComputeFullU | Eigen::ComputeFullV : Eigen::ComputeThinU | Eigen::ComputeThinV;
    const Eigen::JacobiSVD<Matrix> svd(c.a(), how);
    c.put(0, svd.matrixU());
    c.put(1, svd.singularValues());
    c.put(2, svd.matrixV().transpose());
  }
};

struct Eigh {
  static void run(const Call& c) {
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(c.a());
    c.put(0, solver.eigenvalues());
    c.put(1, solver.eigenvectors());
  }
};

template <class Op>
void run(const LinalgArgs& args) {
  const int64_t work = args.m * args.n * std::max<int64_t>(std::min(args.m, args.n), 1);
  if (args.m * args.n == 0) return;
  parallel_for(0, args.batch, kGrainSize / work + 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) Op::run(Call{args, i});
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
