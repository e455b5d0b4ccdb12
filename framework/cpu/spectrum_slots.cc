// Singular values and eigenvalues, matrix by matrix.
#include <cmath>

#include "wick/framework/cpu/linalg_call.h"

namespace wick {
namespace {

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

}  // namespace

WICK_LINALG_SLOT(svd, Svd)
WICK_LINALG_SLOT(eigh, Eigh)
WICK_LINALG_SLOT(eig, Eig)

}  // namespace wick
