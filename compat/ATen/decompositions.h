// LibTorch's linear algebra beyond what wick has of its own: factors of matrices and what is solved with them. A matrix is the last two
// dimensions; those before count the matrices of a batch. All are written with operations that have derivatives, so these have, too.
#pragma once

#include <ATen/names.h>

#include <optional>
#include <tuple>

namespace at {

// ---- LU: A = P L U, A [..., m, n], k = min(m, n) -----------------------------------------------------------------------------------

// LU [..., m, n] has U on and above its diagonal and L, whose diagonal is 1, below. Row i was swapped with row pivots[i] - 1, in that
// order; pivots: [..., k], int32. info: 0, or the first i + 1 for which U[i, i] is zero.
std::tuple<Tensor, Tensor, Tensor> linalg_lu_factor_ex(const Tensor& A, bool pivot = true, bool check_errors = false);
std::tuple<Tensor, Tensor> linalg_lu_factor(const Tensor& A, bool pivot = true);
// P [..., m, m], L [..., m, k], U [..., k, n]. Those not asked for are empty.
std::tuple<Tensor, Tensor, Tensor> lu_unpack(const Tensor& LU_data, const Tensor& LU_pivots, bool unpack_data = true,
                                             bool unpack_pivots = true);
std::tuple<Tensor, Tensor, Tensor> linalg_lu(const Tensor& A, bool pivot = true);
// X of A X = B, or of X A = B if left is false; with adjoint of A's adjoint.
Tensor linalg_lu_solve(const Tensor& LU, const Tensor& pivots, const Tensor& B, bool left = true, bool adjoint = false);
Tensor lu_solve(const Tensor& self, const Tensor& LU_data, const Tensor& LU_pivots);

// ---- What says whether it worked ---------------------------------------------------------------------------------------------------

// The result, NaN for a matrix that has none, and info: 0, or for such a matrix the number of its first bad minor or pivot.
std::tuple<Tensor, Tensor> linalg_cholesky_ex(const Tensor& self, bool upper = false, bool check_errors = false);
std::tuple<Tensor, Tensor> linalg_inv_ex(const Tensor& A, bool check_errors = false);
std::tuple<Tensor, Tensor> linalg_solve_ex(const Tensor& A, const Tensor& B, bool left = true, bool check_errors = false);

// ---- Householder reflections: H_i = 1 - tau_i v_i v_i^H, v_i = (0, ..., 0, 1, input[i + 1:, i]) -------------------------------------

// The first columns of H_1 H_2 ... H_k: [..., m, n] like input; tau: [..., k].
Tensor linalg_householder_product(const Tensor& input, const Tensor& tau);
Tensor orgqr(const Tensor& self, const Tensor& input2);
// R of the QR factors on and above the diagonal, the reflections below, and tau.
std::tuple<Tensor, Tensor> geqrf(const Tensor& self);
// other with all of H_1 ... H_k, or its adjoint, before it (left) or after it.
Tensor ormqr(const Tensor& self, const Tensor& input2, const Tensor& input3, bool left = true, bool transpose = false);

// ---- Tensors as matrices, norms ----------------------------------------------------------------------------------------------------

// The inverse of self as a matrix from its last dimensions to its first `ind`.
Tensor linalg_tensorinv(const Tensor& self, int64_t ind = 2);
// X with tensordot(self, X, X.dim()) = other; `dims` of self are first moved to its end.
Tensor linalg_tensorsolve(const Tensor& self, const Tensor& other, OptionalIntArrayRef dims = std::nullopt);
// [..., n] to [..., n, N]: powers from 0 up to N - 1.
Tensor linalg_vander(const Tensor& x, std::optional<int64_t> N = std::nullopt);
Tensor frobenius_norm(const Tensor& self, IntArrayRef dim, bool keepdim = false);
Tensor nuclear_norm(const Tensor& self, bool keepdim = false);
Tensor nuclear_norm(const Tensor& self, IntArrayRef dim, bool keepdim = false);

}  // namespace at

namespace torch::linalg {
inline at::Tensor linalg_det(const at::Tensor& self) { return wick::linalg_det(self); }
inline at::Tensor linalg_norm(const at::Tensor& self, const std::optional<at::Scalar>& ord, at::OptionalIntArrayRef dim, bool keepdim,
                              std::optional<at::ScalarType> dtype) {
  return wick::linalg_norm(self, ord, dim, keepdim, dtype);
}
#define WICK_LINALG(R, name, params, args) \
  inline R name params { return at::linalg_##name args; }
using LuFactors = std::tuple<at::Tensor, at::Tensor>;
using LuParts = std::tuple<at::Tensor, at::Tensor, at::Tensor>;
WICK_LINALG(at::Tensor, householder_product, (const at::Tensor& input, const at::Tensor& tau), (input, tau))
WICK_LINALG(LuParts, lu, (const at::Tensor& A, bool pivot = true), (A, pivot))
WICK_LINALG(LuFactors, lu_factor, (const at::Tensor& A, bool pivot = true), (A, pivot))
WICK_LINALG(at::Tensor, lu_solve,
            (const at::Tensor& LU, const at::Tensor& pivots, const at::Tensor& B, bool left = true, bool adjoint = false),
            (LU, pivots, B, left, adjoint))
WICK_LINALG(LuFactors, solve_ex, (const at::Tensor& A, const at::Tensor& B, bool left, bool check_errors), (A, B, left, check_errors))
WICK_LINALG(at::Tensor, tensorinv, (const at::Tensor& self, int64_t ind), (self, ind))
WICK_LINALG(at::Tensor, tensorsolve, (const at::Tensor& self, const at::Tensor& other, at::OptionalIntArrayRef dims), (self, other, dims))
#undef WICK_LINALG
}  // namespace torch::linalg
