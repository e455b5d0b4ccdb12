#include <ATen/decompositions.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <vector>

namespace at {
namespace {

// float32, float64 and complex numbers of them.
void check_kernel(const char* kernel, const Tensor& A) {
  const ScalarType part = wick::to_real_type(A.scalar_type());
  TORCH_CHECK_NOT_IMPLEMENTED(part == kFloat || part == kDouble, '"', kernel, "\" not implemented for '", A.scalar_type(), "'");
}

void check_matrix(const char* name, const Tensor& A, bool square = false) {
  TORCH_CHECK(A.dim() >= 2, name, ": The input tensor A must have at least 2 dimensions.");
  TORCH_CHECK(A.is_floating_point() || A.is_complex(), name, ": Expected a floating point or complex tensor as input. Got ",
              A.scalar_type());
  TORCH_CHECK(!square || A.size(-1) == A.size(-2), name, ": A must be batches of square matrices, but they are ", A.size(-2), " by ",
              A.size(-1), " matrices");
}

std::vector<int64_t> batch_of(const Tensor& A, size_t dims = 2) {
  return A.sizes().slice(0, A.sizes().size() - dims).vec();
}
std::vector<int64_t> with(std::vector<int64_t> shape, std::initializer_list<int64_t> more) {
  shape.insert(shape.end(), more);
  return shape;
}

// Rows in the order given: A [..., m, n], order [..., m].
Tensor rows_by(const Tensor& A, const Tensor& order) { return A.gather(-2, order.unsqueeze(-1).expand_as(A)); }

// 0 ... m - 1 with i and j [...] swapped.
Tensor swapped(const Tensor& order, int64_t i, const Tensor& j) {
  const Tensor place = j.unsqueeze(-1), here = order.select(-1, i).unsqueeze(-1), there = order.gather(-1, place);
  const Tensor y = order.scatter(-1, place, here);
  return y.scatter(-1, wick::full_like(place, i), there);
}
Tensor first_order(const std::vector<int64_t>& batch, int64_t m, const Tensor& like) {
  return wick::arange(m, like.options().dtype(kLong).requires_grad(false)).expand(with(batch, {m})).contiguous();
}

// 1 + the first place where `bad` [..., k] is true, or 0.
Tensor first_bad(const Tensor& bad) {
  if (bad.size(-1) == 0) return wick::zeros(batch_of(bad, 1), bad.options().dtype(kInt));
  return (bad.to(kByte).argmax(-1) + 1).mul(bad.to(kLong).amax(-1)).to(kInt);
}

int64_t first_number(const Tensor& info) { return info.flatten().masked_select(info.flatten().ne(0))[0].item<int64_t>(); }
[[noreturn]] void fail(const char* name, const Tensor& info, std::string_view what) {
  if (info.dim() == 0) wick::detail::raise<wick::LinAlgError>(name, ": ", what);
  wick::detail::raise<wick::LinAlgError>(name, ": (Batch element ", info.flatten().nonzero()[0][0].item<int64_t>(), "): ", what);
}
[[noreturn]] void fail_lu(const char* name, const Tensor& info) {
  const int64_t zero = first_number(info);
  fail(name, info,
       c10::str("U[", zero, ",", zero,
                "] is zero and using it on lu_solve would result in a division by zero. If you still want to "
                "perform the factorization, consider calling linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)"));
}

// A, with the identity in place of the matrices that have an info.
Tensor made_regular(const Tensor& A, const Tensor& info) {
  const Tensor ok = info.eq(0).unsqueeze(-1).unsqueeze(-1);
  return wick::where(ok, A, wick::eye(A.size(-1), A.options().requires_grad(false)));
}
Tensor nan_where(const Tensor& x, const Tensor& info, int64_t dims) {
  Tensor bad = info.ne(0);
  for (int64_t d = 0; d < dims; ++d) bad = bad.unsqueeze(-1);
  return x.masked_fill(bad, std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

// ---- LU ----------------------------------------------------------------------------------------------------------------------------

std::tuple<Tensor, Tensor, Tensor> linalg_lu_factor_ex(const Tensor& A, bool pivot, bool check_errors) {
  TORCH_CHECK(A.dim() >= 2, "torch.lu_factor: Expected tensor with 2 or more dimensions. Got size: ", A.sizes(), " instead");
  check_kernel("lu_cpu", A);
  const int64_t m = A.size(-2), n = A.size(-1), k = std::min(m, n);
  const std::vector<int64_t> batch = batch_of(A);
  const Tensor identity = first_order(batch, m, A);
  Tensor a = A;
  std::vector<Tensor> pivots;
  for (int64_t i = 0; i < k; ++i) {
    if (pivot) {
      // Of complex numbers the sum of the parts' sizes counts, as in LAPACK.
      const Tensor column = a.detach().select(-1, i).slice(-1, i);
      const Tensor sizes = column.is_complex() ? wick::view_as_real(column).abs().sum(-1) : column.abs();
      const Tensor best = sizes.argmax(-1) + i;
      pivots.push_back((best + 1).to(kInt));
      a = rows_by(a, swapped(identity, i, best));
    } else {
      pivots.push_back(wick::full(batch, i + 1, identity.options().dtype(kInt)));
    }
    if (i + 1 == m) break;
    const Tensor top = a.slice(-2, 0, i + 1), below = a.slice(-2, i + 1), row = a.slice(-2, i, i + 1);
    const Tensor head = row.slice(-1, i, i + 1), divisor = head.masked_fill(head.detach().eq(0), 1);
    const Tensor factor = below.slice(-1, i, i + 1) / divisor;
    const Tensor rest = below.slice(-1, i + 1) - factor * row.slice(-1, i + 1);
    a = wick::cat({top, wick::cat({below.slice(-1, 0, i), factor, rest}, -1)}, -2);
  }
  const Tensor swaps = pivots.empty() ? wick::zeros(with(batch, {0}), identity.options().dtype(kInt)) : wick::stack(pivots, -1);
  const Tensor info = first_bad(a.detach().diagonal(0, -2, -1).eq(0));
  if (check_errors && info.any().item<bool>()) fail_lu("torch.linalg.lu_factor_ex", info);
  return {a.is_same(A) ? A.clone() : a, swaps, info};
}

std::tuple<Tensor, Tensor> linalg_lu_factor(const Tensor& A, bool pivot) {
  const auto [LU, pivots, info] = linalg_lu_factor_ex(A, pivot);
  if (info.any().item<bool>()) fail_lu("torch.linalg.lu_factor", info);
  return {LU, pivots};
}

namespace {

// The order of A's rows in P^T A: A[order] = L U.
Tensor order_of(const Tensor& pivots, int64_t m) {
  TORCH_CHECK(pivots.scalar_type() == kInt, "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 "
              "dtype.\nNote: this function is intended to be used with the output produced by torch.linalg.lu_factor");
  TORCH_CHECK(pivots.is_meta() || pivots.ge(1).logical_and(pivots.le(m)).all().item<bool>(),
              "pivots passed to lu_unpack must be between 1 and LU.size(-2) inclusive.Did you properly pass the result of lu_factor?");
  Tensor order = first_order(batch_of(pivots, 1), m, pivots);
  for (int64_t i = 0; i < pivots.size(-1); ++i) order = swapped(order, i, pivots.select(-1, i).to(kLong) - 1);
  return order;
}
Tensor lower_of(const Tensor& LU) {
  const int64_t m = LU.size(-2), k = std::min(m, LU.size(-1));
  return LU.slice(-1, 0, k).tril(-1) + wick::eye(m, k, LU.options().requires_grad(false));
}
Tensor upper_of(const Tensor& LU) { return LU.slice(-2, 0, std::min(LU.size(-2), LU.size(-1))).triu(); }

}  // namespace

std::tuple<Tensor, Tensor, Tensor> lu_unpack(const Tensor& LU_data, const Tensor& LU_pivots, bool unpack_data, bool unpack_pivots) {
  const Tensor none = wick::empty({0}, LU_data.options().requires_grad(false));
  Tensor P = none;
  if (unpack_pivots) {
    const std::vector<int64_t> shape = with(batch_of(LU_data), {std::min(LU_data.size(-2), LU_data.size(-1))});
    TORCH_CHECK(LU_pivots.sizes() == IntArrayRef(shape), "Expected LU_pivots to have shape ", IntArrayRef(shape), " but got ",
                LU_pivots.sizes(), " instead.");
    const int64_t m = LU_data.size(-2);
    const Tensor order = order_of(LU_pivots, m).unsqueeze(-2);
    P = wick::zeros(with(batch_of(LU_data), {m, m}), none.options()).scatter(-2, order, 1);
  }
  if (!unpack_data) return {P, none, none};
  return {P, lower_of(LU_data), upper_of(LU_data)};
}

std::tuple<Tensor, Tensor, Tensor> linalg_lu(const Tensor& A, bool pivot) {
  const auto [LU, pivots, info] = linalg_lu_factor_ex(A, pivot);
  return lu_unpack(LU, pivots, true, pivot);
}

Tensor linalg_lu_solve(const Tensor& LU, const Tensor& pivots, const Tensor& B, bool left, bool adjoint) {
  check_matrix("torch.linalg.lu_solve", LU, true);
  check_kernel("linalg.lu_solve_cpu", LU);
  if (!left) return linalg_lu_solve(LU, pivots, B.mH(), true, !adjoint).mH();
  TORCH_CHECK(B.dim() >= 2 && B.size(-2) == LU.size(-2), "linalg.lu_solve: Incompatible shapes of A and B for the equation AX = B (",
              LU.size(-2), "x", LU.size(-1), " and ", B.dim() < 2 ? B.numel() : B.size(-2), "x", B.dim() < 2 ? 1 : B.size(-1), ")");
  const Tensor order = order_of(pivots, LU.size(-1)), L = lower_of(LU), U = upper_of(LU);
  const std::vector<int64_t> batch = IntArrayRef(wick::broadcast_shapes(batch_of(LU), batch_of(B))).vec();
  const Tensor placed = order.expand(with(batch, {LU.size(-1)})), rhs = B.expand(with(batch, {B.size(-2), B.size(-1)}));
  if (!adjoint) return wick::linalg_solve_triangular(U, wick::linalg_solve_triangular(L, rows_by(rhs, placed), false, true, true), true);
  const Tensor y = wick::linalg_solve_triangular(L.mH(), wick::linalg_solve_triangular(U.mH(), rhs, false), true, true, true);
  return rows_by(y, placed.argsort(-1));
}
Tensor lu_solve(const Tensor& self, const Tensor& LU_data, const Tensor& LU_pivots) { return linalg_lu_solve(LU_data, LU_pivots, self); }

// ---- What says whether it worked ---------------------------------------------------------------------------------------------------

std::tuple<Tensor, Tensor> linalg_cholesky_ex(const Tensor& self, bool upper, bool check_errors) {
  check_matrix("linalg.cholesky", self, true);
  Tensor a = self.detach().tril(), info = wick::zeros(batch_of(self), self.options().dtype(kInt).requires_grad(false));
  if (upper) a = self.detach().triu().mH();
  for (int64_t i = 0; i < self.size(-1); ++i) {
    const Tensor column = a.slice(-1, 0, 1).slice(-2, 1), head = wick::real(a.select(-1, 0).select(-1, 0));
    info = wick::where(info.eq(0).logical_and(head.gt(0).logical_not()), i + 1, info).to(kInt);
    a = a.slice(-2, 1).slice(-1, 1) - column.matmul(column.mH()) / head.unsqueeze(-1).unsqueeze(-1);
  }
  if (check_errors && info.any().item<bool>()) {
    fail("linalg.cholesky_ex", info,
         c10::str("The factorization could not be completed because the input is not positive-definite (the leading "
                  "minor of order ",
                  first_number(info), " is not positive-definite)."));
  }
  return {nan_where(wick::linalg_cholesky(made_regular(self, info), upper), info, 2), info};
}

namespace {

// The info of an inverse: what LU finds.
Tensor singular(const Tensor& A) {
  const NoGradGuard no_grad;
  return std::get<2>(linalg_lu_factor_ex(A.detach()));
}

}  // namespace

std::tuple<Tensor, Tensor> linalg_inv_ex(const Tensor& A, bool check_errors) {
  check_matrix("linalg.inv", A, true);
  const Tensor info = singular(A);
  if (check_errors && info.any().item<bool>()) {
    fail("linalg.inv_ex", info,
         c10::str("The diagonal element ", first_number(info),
                  " is zero, the inversion could not be completed because "
                  "the input matrix is singular."));
  }
  return {nan_where(wick::linalg_inv(made_regular(A, info)), info, 2), info};
}

std::tuple<Tensor, Tensor> linalg_solve_ex(const Tensor& A, const Tensor& B, bool left, bool check_errors) {
  check_matrix("linalg.solve", A, true);
  const Tensor info = singular(A);
  if (check_errors && info.any().item<bool>())
    fail("torch.linalg.solve_ex", info, "The solver failed because the input matrix is singular.");
  const Tensor X = wick::linalg_solve(made_regular(A, info), B, left);
  return {nan_where(X, info, X.dim() - info.dim()), info};
}

// ---- Householder reflections -------------------------------------------------------------------------------------------------------

namespace {

// v_i, [..., m, 1].
Tensor reflector(const Tensor& input, int64_t i) {
  const Tensor column = input.slice(-1, i, i + 1).slice(-2, i + 1);
  const Tensor one = wick::ones(with(batch_of(input), {1, 1}), input.options().requires_grad(false));
  const Tensor zeros = wick::zeros(with(batch_of(input), {i, 1}), input.options().requires_grad(false));
  return wick::cat({zeros, one, column}, -2);
}
// H x of one reflection, or its adjoint.
Tensor reflected(const Tensor& x, const Tensor& v, const Tensor& tau) {
  return x - tau.unsqueeze(-1).unsqueeze(-1) * v.matmul(v.mH().matmul(x));
}

void check_reflections(const char* name, const Tensor& input, const Tensor& tau) {
  TORCH_CHECK(input.dim() >= 2, name, ": input must have at least 2 dimensions.");
  TORCH_CHECK(input.size(-2) >= input.size(-1), name, ": input.shape[-2] must be greater than or equal to input.shape[-1]");
  TORCH_CHECK(input.size(-1) >= tau.size(-1), name, ": input.shape[-1] must be greater than or equal to tau.shape[-1]");
}

}  // namespace

Tensor linalg_householder_product(const Tensor& input, const Tensor& tau) {
  check_reflections("torch.linalg.householder_product", input, tau);
  check_kernel("orgqr_cpu", input);
  Tensor q = wick::eye(input.size(-2), input.size(-1), input.options().requires_grad(false)).expand_as(input);
  for (int64_t i = tau.size(-1) - 1; i >= 0; --i) q = reflected(q, reflector(input, i), tau.select(-1, i));
  return q;
}
Tensor orgqr(const Tensor& self, const Tensor& input2) { return linalg_householder_product(self, input2); }

std::tuple<Tensor, Tensor> geqrf(const Tensor& self) {
  TORCH_CHECK(self.dim() >= 2, "torch.geqrf: input must have at least 2 dimensions.");
  check_kernel("geqrf_cpu", self);
  const int64_t m = self.size(-2), k = std::min(m, self.size(-1));
  Tensor a = self;
  std::vector<Tensor> taus;
  for (int64_t i = 0; i < k; ++i) {
    const Tensor column = a.select(-1, i).slice(-1, i), alpha = column.select(-1, 0), rest = column.slice(-1, 1);
    const Tensor size = rest.detach().abs().square().sum(-1), real = wick::real(alpha);
    const Tensor nothing = size.eq(0).logical_and(wick::real(alpha - real).eq(0)).logical_and((alpha - real).abs().eq(0));
    const Tensor norm = (alpha.abs().square() + rest.abs().square().sum(-1)).sqrt();
    const Tensor beta = wick::where(real.ge(0), -norm, norm);
    const Tensor tau = ((beta - alpha) / beta.masked_fill(nothing, 1)).masked_fill(nothing, 0);
    const Tensor below = rest / (alpha - beta).masked_fill(nothing, 1).unsqueeze(-1);
    const Tensor head = wick::where(nothing, alpha, beta.to(alpha.scalar_type())).unsqueeze(-1).unsqueeze(-1);
    const Tensor v = wick::cat({wick::ones_like(head), below.unsqueeze(-1)}, -2);
    const Tensor part = reflected(a.slice(-2, i).slice(-1, i + 1), v, tau.conj());
    const Tensor first = wick::cat({head, below.unsqueeze(-1)}, -2);
    a = wick::cat({a.slice(-2, 0, i), wick::cat({a.slice(-2, i).slice(-1, 0, i), first, part}, -1)}, -2);
    taus.push_back(tau);
  }
  if (taus.empty()) return {self.clone(), wick::zeros(with(batch_of(self), {0}), self.options())};
  return {a, wick::stack(taus, -1)};
}

Tensor ormqr(const Tensor& self, const Tensor& input2, const Tensor& input3, bool left, bool transpose) {
  TORCH_CHECK(self.dim() >= 2, "torch.ormqr: input must have at least 2 dimensions.");
  TORCH_CHECK(input3.dim() >= 2, "torch.ormqr: other must have at least 2 dimensions.");
  TORCH_CHECK(input3.size(left ? -2 : -1) == self.size(-2), "torch.ormqr: other.shape[", left ? -2 : -1,
              "] must be equal to input.shape[-2]");
  TORCH_CHECK(input2.size(-1) == std::min(input3.size(left ? -2 : -1), self.size(-1)),
              "torch.ormqr: tau.shape[-1] must be equal to min(other.shape[", left ? -2 : -1, "], input.shape[-1])");
  check_kernel("ormqr_cpu", self);
  if (!left) return ormqr(self, input2, input3.mH(), true, !transpose).mH();
  const int64_t k = input2.size(-1);
  Tensor y = input3;
  for (int64_t step = 0; step < k; ++step) {
    const int64_t i = transpose ? step : k - 1 - step;
    const Tensor tau = input2.select(-1, i);
    y = reflected(y, reflector(self, i), transpose ? tau.conj() : tau);
  }
  return y;
}

// ---- Tensors as matrices, norms ----------------------------------------------------------------------------------------------------

namespace {

int64_t product(IntArrayRef sizes) {
  int64_t n = 1;
  for (int64_t size : sizes) n *= size;
  return n;
}

}  // namespace

Tensor linalg_tensorinv(const Tensor& self, int64_t ind) {
  TORCH_CHECK(ind > 0, "Expected a strictly positive integer for 'ind', but got ", ind);
  const IntArrayRef sizes = self.sizes(), from = sizes.slice(static_cast<size_t>(std::min(ind, self.dim())));
  const IntArrayRef to = sizes.slice(0, static_cast<size_t>(std::min(ind, self.dim())));
  TORCH_CHECK(product(from) == product(to),
              "Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but got ", product(from),
              " != ", product(to));
  std::vector<int64_t> shape = from.vec();
  shape.insert(shape.end(), to.begin(), to.end());
  return wick::linalg_inv(self.reshape({product(to), product(from)})).reshape(shape);
}

Tensor linalg_tensorsolve(const Tensor& self, const Tensor& other, OptionalIntArrayRef dims) {
  Tensor a = self;
  if (dims.has_value()) {
    std::vector<int64_t> ends(dims->size());
    for (size_t i = 0; i < ends.size(); ++i) ends[i] = static_cast<int64_t>(i) - static_cast<int64_t>(ends.size());
    a = self.movedim(*dims, ends);
  }
  const IntArrayRef shape = a.sizes().slice(static_cast<size_t>(std::min(other.dim(), a.dim())));
  const int64_t unknowns = product(shape);
  TORCH_CHECK(unknowns * other.numel() == a.numel() && unknowns == other.numel(),
              "Expected self to satisfy the requirement prod(self.shape[other."
              "ndim:]) == prod(self.shape[:other.ndim]), but got ",
              unknowns, " != ", other.numel());
  return wick::linalg_solve(a.reshape({other.numel(), unknowns}), other.reshape({-1}), true).reshape(shape);
}

Tensor linalg_vander(const Tensor& self, std::optional<int64_t> N) {
  const ScalarType given = self.scalar_type();
  TORCH_CHECK_NOT_IMPLEMENTED(given != kBool && given != kHalf && given != kBFloat16,
                              "linalg.vander supports floating point, complex, and integer tensors, but got ", given);
  const Tensor x = self.dim() > 0 ? self : self.reshape({1});
  const int64_t n = N.value_or(x.size(-1));
  TORCH_CHECK(n > 1, "N must be greater than 1.");
  const Tensor factors = x.unsqueeze(-1).expand(with(x.sizes().vec(), {n - 1}));
  const Tensor powers = factors.cumprod(-1);
  return wick::cat({wick::ones_like(powers.slice(-1, 0, 1)), powers}, -1);
}

Tensor frobenius_norm(const Tensor& self, IntArrayRef dim, bool keepdim) { return wick::linalg_vector_norm(self, 2, dim, keepdim); }
Tensor nuclear_norm(const Tensor& self, IntArrayRef dim, bool keepdim) { return wick::linalg_matrix_norm(self, "nuc", dim, keepdim); }
Tensor nuclear_norm(const Tensor& self, bool keepdim) { return nuclear_norm(self, {-2, -1}, keepdim); }

}  // namespace at
