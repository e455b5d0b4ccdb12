// Linear algebra. L lines are linalg_name(...), and wick::linalg::name(...) by framework/linalg.h; the others are the older functions
// that PyTorch has had for longer, where these are more than a formula (composite_list.h). Matrices are the last two dimensions; those
// before count the matrices of a batch.
#pragma once

#define WICK_LINALG_NAMED(L, F)                                                                                         \
  L(F, Tensor, det, (const Tensor& A), (A))                                                                             \
  L(F, TensorPair, slogdet, (const Tensor& A), (A))                                                                     \
  L(F, Tensor, inv, (const Tensor& A), (A))                                                                             \
  L(F, Tensor, solve, (const Tensor& A, const Tensor& B, bool left = true), (A, B, left))                               \
  L(F, Tensor, solve_triangular, (const Tensor& self, const Tensor& B, bool upper, bool left = true, bool unitriangular = false), \
    (self, B, upper, left, unitriangular))                                                                              \
  L(F, Tensor, cholesky, (const Tensor& self, bool upper = false), (self, upper))                                       \
  L(F, TensorPair, qr, (const Tensor& A, std::string_view mode = "reduced"), (A, mode))                                 \
  L(F, TensorTriple, svd, (const Tensor& A, bool full_matrices = true), (A, full_matrices))                             \
  L(F, Tensor, svdvals, (const Tensor& A), (A))                                                                         \
  L(F, TensorPair, eigh, (const Tensor& self, std::string_view UPLO = "L"), (self, UPLO))                               \
  L(F, TensorPair, eig, (const Tensor& self), (self))                                                                   \
  L(F, Tensor, eigvals, (const Tensor& self), (self))                                                                   \
  L(F, Tensor, eigvalsh, (const Tensor& self, std::string_view UPLO = "L"), (self, UPLO))                               \
  L(F, Tensor, pinv, (const Tensor& self), (self))                                                                      \
  L(F, Tensor, pinv, (const Tensor& self, double rcond, bool hermitian = false), (self, rcond, hermitian))              \
  L(F, Tensor, matrix_rank, (const Tensor& self), (self))                                                               \
  L(F, Tensor, matrix_rank, (const Tensor& self, double tol, bool hermitian = false), (self, tol, hermitian))           \
  L(F, TensorQuad, lstsq, (const Tensor& self, const Tensor& B, std::optional<double> rcond = std::nullopt,             \
    std::optional<std::string_view> driver = std::nullopt), (self, B, rcond, driver))                                   \
  L(F, Tensor, norm, (const Tensor& self, const std::optional<Scalar>& ord = std::nullopt, OptionalIntArrayRef dim = std::nullopt, \
    bool keepdim = false, std::optional<ScalarType> dtype = std::nullopt), (self, ord, dim, keepdim, dtype))            \
  L(F, Tensor, norm, (const Tensor& self, std::string_view ord, OptionalIntArrayRef dim = std::nullopt,                 \
    bool keepdim = false, std::optional<ScalarType> dtype = std::nullopt), (self, ord, dim, keepdim, dtype))            \
  L(F, Tensor, vector_norm, (const Tensor& self, const Scalar& ord = 2, OptionalIntArrayRef dim = std::nullopt,         \
    bool keepdim = false, std::optional<ScalarType> dtype = std::nullopt), (self, ord, dim, keepdim, dtype))            \
  L(F, Tensor, matrix_norm, (const Tensor& self, const Scalar& ord, IntArrayRef dim = {-2, -1},                         \
    bool keepdim = false, std::optional<ScalarType> dtype = std::nullopt), (self, ord, dim, keepdim, dtype))            \
  L(F, Tensor, matrix_norm, (const Tensor& self, std::string_view ord = "fro", IntArrayRef dim = {-2, -1},              \
    bool keepdim = false, std::optional<ScalarType> dtype = std::nullopt), (self, ord, dim, keepdim, dtype))            \
  L(F, Tensor, cond, (const Tensor& self, const std::optional<Scalar>& p = std::nullopt), (self, p))                    \
  L(F, Tensor, matrix_power, (const Tensor& self, int64_t n), (self, n))                                                \
  L(F, Tensor, matrix_exp, (const Tensor& self), (self))                                                                \
  L(F, Tensor, multi_dot, (TensorList tensors), (tensors))                                                              \
  L(F, Tensor, cross, (const Tensor& self, const Tensor& other, int64_t dim = -1), (self, other, dim))

#define WICK_LINALG_LINE(F, R, name, params, args) F(R, linalg_##name, params)
#define WICK_LINALG_FUNCTIONS(B, F)                                                                                     \
  WICK_LINALG_NAMED(WICK_LINALG_LINE, F)                                                                                \
  B(Tensor, logdet, (), ())                                                                                             \
  B(Tensor, cholesky_solve, (const Tensor& input2, bool upper = false), (input2, upper))                                \
  B(TensorTriple, svd, (bool some = true, bool compute_uv = true), (some, compute_uv))                                  \
  B(TensorPair, symeig, (bool eigenvectors = false, bool upper = true), (eigenvectors, upper))
