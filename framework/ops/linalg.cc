// Linear algebra: factorisations with their derivatives, and what is written with them. The derivatives are those of Giles, "Collected
// matrix derivative results for forward and reverse mode algorithmic differentiation" (2008), and of Seeger et al. (2017) for QR.
#include <cmath>

#include "wick/framework/ops/reduce.h"
#include "wick/framework/plan/linalg.h"

namespace wick::ops {
namespace {

// ---- Shapes and checks -------------------------------------------------------------------------------------------------------------

bool has_kernels(ScalarType t) { return to_real_type(t) == kFloat || to_real_type(t) == kDouble; }

void check_numbers(const char* op, const Tensor& a) {
  WICK_CHECK(a.dim() >= 2, op, ": The input tensor A must have at least 2 dimensions.");
  WICK_CHECK_NOT_IMPLEMENTED(a.is_floating_point() || a.is_complex(), op, ": Expected a floating point or complex tensor as input. Got ",
                             a.scalar_type());
}
void check_matrix(const char* op, const Tensor& a) {
  check_numbers(op, a);
  WICK_CHECK_NOT_IMPLEMENTED(has_kernels(a.scalar_type()), op, ": Low precision dtypes not supported. Got ",
                             a.scalar_type());
}
void check_square(const char* op, const Tensor& a) {
  check_matrix(op, a);
  WICK_CHECK(a.size(-1) == a.size(-2), op, ": A must be batches of square matrices, but they are ", a.size(-2), " by ", a.size(-1),
             " matrices");
}

Dims batch_of(const Tensor& a) { return Dims(a.sizes().slice(0, a.sizes().size() - 2)); }

// A result for a stack of matrices like a's.
Tensor result(const Tensor& a, std::initializer_list<int64_t> sizes, ScalarType dtype = ScalarType::Undefined) {
  return empty_base(joined_dims({batch_of(a), sizes}), dtype == ScalarType::Undefined ? a.scalar_type() : dtype, a.device());
}

void launch_linalg(const Kernel<LinalgArgs>& kernel, std::initializer_list<Tensor> results, const Tensor& a, const Tensor& b = {},
                   int64_t k = 0, bool upper = false, bool unit = false) {
  const Tensor dense_a = a.contiguous(), dense_b = b.defined() ? b.contiguous() : b;
  const int64_t m = a.size(-2), n = a.size(-1), batch = m * n != 0 ? a.numel() / (m * n) : 0;
  LinalgArgs args{{nullptr, nullptr, nullptr, dense_a, dense_b}, a.scalar_type(), batch, m, n, k, upper, unit};
  std::copy(results.begin(), results.end(), args.buffers);
  launch(kernel, a.device(), args);
}

// Throws `sentence(number)` where a kernel reported a number, for the first matrix that failed.
template <class Sentence>
void check_info(const char* op, const Tensor& info, const Sentence& sentence) {
  if (info.is_meta() || !info.ne(0).any().item<bool>()) return;
  const Tensor list = info.reshape({-1}).cpu();
  for (int64_t i = 0; i < list.numel(); ++i) {
    const int64_t number = list.data_ptr<int64_t>()[i];
    const std::string place = info.dim() ? "(Batch element " + std::to_string(i) + "): " : "";
    if (number) wick::detail::raise<LinAlgError>(op, ": ", place, sentence(number));
  }
}

Tensor diagonal_matrix(const Tensor& d) { return d.diag_embed(); }
Tensor outer_difference(const Tensor& d) { return d.unsqueeze(-2) - d.unsqueeze(-1); }  // [i, j] = d_j - d_i

// ---- Solving -----------------------------------------------------------------------------------------------------------------------

std::string inverse_sentence(int64_t number) {
  return "The diagonal element " + std::to_string(number) +
         " is zero, the inversion could not be completed because the input matrix is singular.";
}
std::string solve_sentence(int64_t) { return "The solver failed because the input matrix is singular."; }

struct LinalgSolve {
  static constexpr OpInfo info = make_info<LinalgSolve>("linalg_solve", "LinalgSolveExBackward0");
  static Tensor forward(Context& ctx, const Tensor& a, const Tensor& b, bool inverse) {
    Tensor x = result(a, {a.size(-1), b.size(-1)}), failed = zeros(batch_of(a), a.options().dtype(kLong));
    launch_linalg(linalg_solve_kernel, {x, failed}, a, b, b.size(-1));
    check_info(inverse ? "linalg.inv" : "torch.linalg.solve", failed, inverse ? inverse_sentence : solve_sentence);
    ctx.save_output(x);
    ctx.save(a);
    return x;
  }
  static void backward(const Gradients& g) {
    const Tensor x = g.saved(0), gb = linalg_solve(g.saved(1).mH(), g.output());
    g.set(1, gb);
    if (g.wants(0)) g.set(0, -gb.matmul(x.mH()));
  }
};

struct SolveTriangular {
  static constexpr OpInfo info = make_info<SolveTriangular>("linalg_solve_triangular", "LinalgSolveTriangularBackward0");
  static Tensor forward(Context& ctx, const Tensor& a, const Tensor& b, bool upper, bool unit) {
    Tensor x = result(a, {a.size(-1), b.size(-1)});
    launch_linalg(linalg_triangular_kernel, {x}, a, b, b.size(-1), upper, unit);
    ctx.save_output(x);
    ctx.save(a);
    ctx.save_numbers(upper, unit);
    return x;
  }
  static void backward(const Gradients& g) {
    const bool upper = g.number(0), unit = g.number(1);
    const Tensor gb = linalg_solve_triangular(g.saved(1).mH(), g.output(), !upper, true, unit);
    g.set(1, gb);
    if (!g.wants(0)) return;
    const Tensor ga = -gb.matmul(g.saved(0).mH());
    g.set(0, upper ? ga.triu(unit) : ga.tril(-unit));
  }
};

struct Determinant {
  static constexpr OpInfo info = make_info<Determinant>("linalg_det", "LinalgDetBackward0");
  static Tensor forward(Context& ctx, const Tensor& a) {
    Tensor y = ones(batch_of(a), a.options()), sign = empty_like(y), logarithm = empty_like(y, to_real_type(a.scalar_type()));
    launch_linalg(linalg_determinant_kernel, {y, sign, logarithm}, a);
    ctx.save_output(y);
    ctx.save(a);
    return y;
  }
  // conj(det) A^-H; of a singular matrix, its cofactors by the singular values.
  static void backward(const Gradients& g) {
    const Tensor y = g.saved(0), a = g.saved(1), gradient = g.output().unsqueeze(-1).unsqueeze(-1);
    if (!y.eq(0).any().item<bool>()) return g.set(0, gradient * y.conj().unsqueeze(-1).unsqueeze(-1) * linalg_inv(a).mH());
    const auto [u, s, vh] = linalg_svd(a, false);
    const Tensor turn = (linalg_det(u) * linalg_det(vh)).conj().unsqueeze(-1).unsqueeze(-1);
    g.set(0, gradient * turn * (u * product_of_others(s).unsqueeze(-2)).matmul(vh));
  }
};

struct Slogdet {
  static constexpr OpInfo info = make_info<Slogdet>("linalg_slogdet", "LinalgSlogdetBackward0");
  static TensorPair forward(Context& ctx, const Tensor& a) {
    Tensor det = empty_base(batch_of(a), a.scalar_type(), a.device()), sign = ones_like(det),
           logarithm = zeros_like(det, to_real_type(a.scalar_type()));
    launch_linalg(linalg_determinant_kernel, {det, sign, logarithm}, a);
    ctx.save(a);
    return {sign, logarithm};
  }
  // The sign of a real matrix is constant; that of a complex one turns by the imaginary part of tr(A^-1 dA). A singular one gets NaN.
  static void backward(const Gradients& g) {
    const Tensor a = g.saved(0), sign = std::get<0>(linalg_slogdet(a)), singular = sign.detach().eq(0).unsqueeze(-1).unsqueeze(-1);
    const Tensor regular = where(singular, eye(a.size(-1), a.options().requires_grad(false)), a);
    Tensor factor = g.output(1);
    if (a.is_complex() && g.output(0).defined()) {
      const Tensor turn = imag(g.output(0).conj() * sign) * Complex<double>(0, -1);
      factor = factor.defined() ? factor + turn : turn;
    }
    if (factor.defined()) g.set(0, factor.unsqueeze(-1).unsqueeze(-1) * linalg_inv(regular).mH().masked_fill(singular, NAN));
  }
};

// ---- Factorisations ----------------------------------------------------------------------------------------------------------------

struct Cholesky {
  static constexpr OpInfo info = make_info<Cholesky>("linalg_cholesky", "LinalgCholeskyExBackward0");
  static Tensor forward(Context& ctx, const Tensor& a) {
    Tensor l = result(a, {a.size(-1), a.size(-1)}), failed = zeros(batch_of(a), a.options().dtype(kLong));
    launch_linalg(linalg_cholesky_kernel, {l, failed}, a);
    check_info("linalg.cholesky", failed, [](int64_t order) {
      return "The factorization could not be completed because the input is not positive-definite (the leading minor of order " +
             std::to_string(order) + " is not positive-definite).";
    });
    ctx.save_output(l);
    return l;
  }
  static void backward(const Gradients& g) {
    const Tensor l = g.saved(0), product = l.mH().matmul(g.output());
    const Tensor phi = product.tril() - diagonal_matrix(product.diagonal(0, -2, -1)) * 0.5;
    const Tensor half = linalg_solve_triangular(l.mH(), phi, true);
    const Tensor whole = linalg_solve_triangular(l.mH(), half.mH(), true).mH();
    g.set(0, (whole + whole.mH()) * 0.5);
  }
};

struct Qr {
  static constexpr OpInfo info = make_info<Qr>("linalg_qr", "LinalgQrBackward0");
  static TensorPair forward(Context& ctx, const Tensor& a, bool complete) {
    const int64_t k = complete ? a.size(-2) : std::min(a.size(-2), a.size(-1));
    Tensor q = result(a, {a.size(-2), k}), r = result(a, {k, a.size(-1)});
    launch_linalg(linalg_qr_kernel, {q, r}, a, {}, k);
    ctx.save_output(q);
    ctx.save(r.detach(), a);
    ctx.save_numbers(complete);
    return {q, r};
  }
  static void backward(const Gradients& g) {
    const Tensor a = g.saved(2);
    WICK_CHECK(!g.number(0) || a.size(-2) <= a.size(-1),
               "The QR decomposition is not differentiable when mode='complete' and nrows > ncols.");
    const auto [q, r] = g.create_graph() ? linalg_qr(a) : TensorPair{g.saved(0), g.saved(1)};
    const Tensor gq = g.output(0).defined() ? g.output(0) : zeros_like(q), gr = g.output(1).defined() ? g.output(1) : zeros_like(r);
    const Tensor m = r.matmul(gr.mH()) - gq.mH().matmul(q), below = m.tril(-1);
    const Tensor right = gq + q.matmul(below + below.mH() + diagonal_matrix(real(m.diagonal(0, -2, -1))));
    g.set(0, linalg_solve_triangular(r, right.mH(), true).mH());
  }
};

struct Svd {
  static constexpr OpInfo info = make_info<Svd>("linalg_svd", "LinalgSvdBackward0");
  static TensorTriple forward(Context& ctx, const Tensor& a, bool full) {
    const int64_t m = a.size(-2), n = a.size(-1), least = std::min(m, n);
    Tensor u = result(a, {m, full ? m : least}), vh = result(a, {full ? n : least, n});
    Tensor s = result(a, {least}, to_real_type(a.scalar_type()));
    launch_linalg(linalg_svd_kernel, {u, s, vh}, a, {}, 0, false, full);
    ctx.save(a);
    return {u, s, vh};
  }
  // Of the thin factors; what full ones have beyond them is not determined, and so has no gradient.
  static void backward(const Gradients& g) {
    const auto [u, s, vh] = linalg_svd(g.saved(0), false);
    const int64_t m = u.size(-2), n = vh.size(-1), k = s.size(-1);
    const Tensor identity = eye(k, s.options()), eigen = s * s;
    const Tensor e = outer_difference(eigen) + identity;
    Tensor inner = g.output(1).defined() ? diagonal_matrix(g.output(1)) : zeros(e.sizes(), s.options());
    inner = inner.to(u.scalar_type());
    const auto skew = [](const Tensor& x) { return x - x.mH(); };
    const Tensor gu = g.output(0).defined() ? g.output(0).narrow(-1, 0, k) : Tensor();
    const Tensor gv = g.output(2).defined() ? g.output(2).narrow(-2, 0, k).mH() : Tensor();
    // Only together have the phases of a column of U and of V a meaning: each is taken to turn by half of what both do.
    const auto add = [&](const Tensor& x, int64_t side, double half) {
      inner = inner + x / e * s.unsqueeze(side);
      if (x.is_complex()) inner = inner + diagonal_matrix(x.diagonal(0, -2, -1) * (half / (s * 2) - s));
    };
    if (gu.defined()) add(skew(u.mH().matmul(gu)), -2, 0.5);
    if (gv.defined()) add(skew(vh.matmul(gv)), -1, -0.5);
    Tensor ga = u.matmul(inner).matmul(vh);
    if (gu.defined() && m > k) ga = ga + ((gu - u.matmul(u.mH().matmul(gu))) / s.unsqueeze(-2)).matmul(vh);
    if (gv.defined() && n > k) ga = ga + (u / s.unsqueeze(-2)).matmul((gv - vh.mH().matmul(vh.matmul(gv))).mH());
    g.set(0, ga);
  }
};

struct Eigh {
  static constexpr OpInfo info = make_info<Eigh>("linalg_eigh", "LinalgEighBackward0");
  static TensorPair forward(Context& ctx, const Tensor& a) {
    Tensor w = result(a, {a.size(-1)}, to_real_type(a.scalar_type())), v = result(a, {a.size(-1), a.size(-1)});
    launch_linalg(linalg_eigh_kernel, {w, v}, a);
    ctx.save(a);
    return {w, v};
  }
  static void backward(const Gradients& g) {
    const auto [w, v] = linalg_eigh(g.saved(0));
    Tensor inner = g.output(0).defined() ? diagonal_matrix(g.output(0)).to(v.scalar_type()) : zeros_like(v);
    if (g.output(1).defined()) {
      const Tensor same = eye(w.size(-1), w.options().dtype(kBool));
      inner = inner + v.mH().matmul(g.output(1)).masked_fill(same, 0) / outer_difference(w).masked_fill(same, 1);
    }
    const Tensor whole = v.matmul(inner).matmul(v.mH());
    g.set(0, (whole + whole.mH()) / 2);  // only one triangle was read, but the matrix is symmetric
  }
};

struct Eig {
  static constexpr OpInfo info = make_info<Eig>("linalg_eig", "LinalgEigBackward0");
  static TensorPair forward(Context& ctx, const Tensor& a) {
    const ScalarType t = to_complex_type(a.scalar_type());
    Tensor w = result(a, {a.size(-1)}, t), v = result(a, {a.size(-1), a.size(-1)}, t);
    launch_linalg(linalg_eig_kernel, {w, v}, a);
    ctx.save(a);
    return {w, v};
  }
  // A vector's length is fixed, so along itself its gradient does not count.
  static void backward(const Gradients& g) {
    const auto [w, v] = linalg_eig(g.saved(0));
    Tensor inner = g.output(0).defined() ? diagonal_matrix(g.output(0)) : zeros_like(v);
    if (g.output(1).defined()) {
      const Tensor same = eye(w.size(-1), w.options().dtype(kBool)), turned = v.mH().matmul(g.output(1));
      const Tensor across = turned - v.mH().matmul(v * real(turned.diagonal(0, -2, -1)).unsqueeze(-2));
      inner = inner + across.masked_fill(same, 0) / outer_difference(w.conj()).masked_fill(same, 1);
    }
    g.set(0, linalg_solve(v.mH(), inner.matmul(v.mH())));
  }
};

// The system's matrices of one batch shape, and whether B is a vector (or a stack of them).
struct System {
  Tensor a, b;
  bool vector;

  System(const char* op, const Tensor& a_in, const Tensor& b_in, bool allow_vector) {
    check_square(op, a_in);
    WICK_CHECK(a_in.scalar_type() == b_in.scalar_type(), op, ": Expected A and B to have the same dtype, but found A of type ",
               a_in.scalar_type(), " and B of type ", b_in.scalar_type(), " instead");
    vector = allow_vector &&
             (b_in.dim() == 1 || (b_in.dim() == a_in.dim() - 1 && b_in.sizes() == a_in.sizes().slice(0, a_in.sizes().size() - 1)));
    b = vector ? b_in.unsqueeze(-1) : b_in;
    WICK_CHECK(b.dim() >= 2, op, ": The input tensor B must have at least 2 dimensions.");
    WICK_CHECK(b.size(-2) == a_in.size(-1), op, ": Incompatible shapes of A and B for the equation AX = B (", a_in.size(-2), "x",
               a_in.size(-1), " and ", b.size(-2), "x", b.size(-1), ")");
    const Dims batch = broadcast_shapes(batch_of(a_in), batch_of(b));
    const auto spread = [&](const Tensor& x) {
      const Dims shape = joined_dims({batch, {x.size(-2), x.size(-1)}});
      return x.sizes() == IntArrayRef(shape) ? x : x.expand(shape);
    };
    a = spread(a_in), b = spread(b);
  }
};

bool is_finite(const Tensor& x) { return x.is_meta() || x.detach().isfinite().all().item<bool>(); }
double epsilon(const Tensor& x) { return to_real_type(x.scalar_type()) == kDouble ? 0x1p-52 : 0x1p-23; }

Tensor pseudo_inverse(const Tensor& a, std::optional<double> rcond) {
  WICK_CHECK(a.dim() >= 2 && has_kernels(a.scalar_type()), "linalg.pinv(", a.scalar_type(), "{", a.sizes(),
             "}): expected a tensor with 2 or more dimensions of float, double, cfloat or cdouble types");
  if (a.numel() == 0) return a.mT().clone();
  const auto [u, s, vh] = linalg_svd(a, false);
  const double cut = rcond.value_or(epsilon(a) * static_cast<double>(std::max(a.size(-1), a.size(-2))));
  const Tensor small = s.detach().le(s.detach().amax(-1, true) * cut);
  const Tensor inverse = s.masked_fill(small, 1).reciprocal().masked_fill(small, 0);
  return (vh.mH() * inverse.unsqueeze(-2)).matmul(u.mH());
}

Tensor rank(const Tensor& a, const std::optional<double>& tol) {
  WICK_CHECK(a.dim() >= 2, "torch.linalg.matrix_rank: The input tensor input must have at least 2 dimensions.");
  if (a.numel() == 0) return zeros(batch_of(a), a.options().dtype(kLong));
  const Tensor s = linalg_svdvals(a.detach());
  const Tensor limit = s.amax(-1, true) * (epsilon(a) * static_cast<double>(std::max(a.size(-1), a.size(-2))));
  return (tol ? s.gt(*tol) : s.gt(limit)).sum(-1);
}

// x with the two dimensions last.
Tensor matrices_of(const Tensor& x, IntArrayRef dim, std::optional<ScalarType> dtype) {
  check_numbers("linalg.matrix_norm", x);
  WICK_CHECK(dim.size() == 2, "linalg.matrix_norm: dim must be a 2-tuple. Got ", dim);
  const int64_t first = wrap_dim(dim[0], x.dim()), second = wrap_dim(dim[1], x.dim());
  WICK_CHECK(first != second, "linalg.matrix_norm: dims must be different. Got (", dim[0], ", ", dim[1], ")");
  const Tensor y = x.movedim({first, second}, {-2, -1});
  return dtype ? y.to(*dtype) : y;
}
// Its norm, one number for each matrix, with the two dimensions back where they were.
Tensor finish_norm(const Tensor& y, const Tensor& x, IntArrayRef dim, bool keepdim) {
  if (!keepdim) return y;
  const int64_t first = wrap_dim(dim[0], x.dim()), second = wrap_dim(dim[1], x.dim());
  return y.unsqueeze(std::min(first, second)).unsqueeze(std::max(first, second));
}

}  // namespace
}  // namespace wick::ops

namespace wick {

using namespace ops;

// ---- Solving -----------------------------------------------------------------------------------------------------------------------

Tensor linalg_solve(const Tensor& A, const Tensor& B, bool left) {
  if (!left) return linalg_solve(A.mT(), B.mT()).mT();
  const System s("linalg.solve", A, B, true);
  const Tensor x = apply<LinalgSolve>(s.a, s.b, false);
  return s.vector ? x.squeeze(-1) : x;
}
Tensor linalg_inv(const Tensor& A) {
  check_square("linalg.inv", A);
  return apply<LinalgSolve>(A, eye(A.size(-1), A.options()).expand_as(A), true);
}
Tensor linalg_solve_triangular(const Tensor& A, const Tensor& B, bool upper, bool left, bool unitriangular) {
  if (!left) return linalg_solve_triangular(A.mT(), B.mT(), !upper, true, unitriangular).mT();
  const System s("linalg.solve_triangular", A, B, false);
  return apply<SolveTriangular>(s.a, s.b, upper, unitriangular);
}
Tensor linalg_det(const Tensor& A) { return check_square("linalg.det", A), apply<Determinant>(A); }
TensorPair linalg_slogdet(const Tensor& A) { return check_square("linalg.slogdet", A), apply<Slogdet>(A); }

// The residuals are those that PyTorch gives: not with its default driver.
TensorQuad linalg_lstsq(const Tensor& A, const Tensor& B, std::optional<double> rcond, std::optional<std::string_view> driver) {
  check_matrix("torch.linalg.lstsq", A);
  const bool vector = B.dim() == A.dim() - 1;
  const Tensor b = vector ? B.unsqueeze(-1) : B;
  WICK_CHECK(A.size(-2) == b.size(-2), "torch.linalg.lstsq: input.size(-2) should match other.size(-2)");
  const Tensor x = pseudo_inverse(A, rcond).matmul(b), found = rank(A, std::nullopt);
  const bool overdetermined = driver && *driver != "gelsy" && A.size(-2) > A.size(-1) && found.eq(A.size(-1)).all().item<bool>();
  const Tensor none = empty({0}, A.options().dtype(to_real_type(A.scalar_type())));
  const Tensor residuals = overdetermined ? (A.matmul(x) - b).abs().square().sum(-2) : none;
  const Tensor values = driver == "gelss" || driver == "gelsd" ? linalg_svdvals(A) : none;
  return {vector ? x.squeeze(-1) : x, residuals, driver == "gels" ? none.to(kLong) : found, values};
}

// ---- Factorisations ----------------------------------------------------------------------------------------------------------------

Tensor linalg_cholesky(const Tensor& A, bool upper) {
  check_square("linalg.cholesky", A);
  return upper ? apply<Cholesky>(A.mH()).mH() : apply<Cholesky>(A);
}
TensorPair linalg_qr(const Tensor& A, std::string_view mode) {
  check_matrix("linalg.qr", A);
  WICK_CHECK(mode == "reduced" || mode == "complete" || mode == "r", "qr received unrecognized mode '", mode,
             "' but expected one of 'reduced' (default), 'r', or 'complete'");
  WICK_CHECK(mode != "r" || !A.requires_grad(), "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please use "
             "linalg.qr(A, mode='reduced') if you are going to differentiate through linalg.qr.");
  // Of a wide matrix the first columns make Q; the others' part of R is a product, and so is its derivative.
  const int64_t m = A.size(-2), more = A.requires_grad() ? std::max<int64_t>(A.size(-1) - m, 0) : 0;
  auto [q, r] = apply<Qr>(more > 0 ? A.narrow(-1, 0, m) : A, mode == "complete");
  if (more > 0) r = cat({r, q.mH().matmul(A.narrow(-1, m, more))}, -1);
  return {mode == "r" ? empty({0}, A.options()) : q, r};
}
TensorTriple linalg_svd(const Tensor& A, bool full_matrices) {
  check_matrix("linalg.svd", A);
  WICK_CHECK_AS(LinAlgError, is_finite(A),
                "linalg.svd: The algorithm failed to converge because the input matrix contained non-finite values.");
  return apply<Svd>(A, full_matrices);
}
Tensor linalg_svdvals(const Tensor& A) { return std::get<1>(linalg_svd(A, false)); }
TensorPair linalg_eigh(const Tensor& A, std::string_view UPLO) {
  check_square("linalg.eigh", A);
  WICK_CHECK(UPLO == "L" || UPLO == "U" || UPLO == "l" || UPLO == "u", "Expected UPLO argument to be 'L' or 'U', but got ", UPLO);
  WICK_CHECK_AS(LinAlgError, is_finite(A), "linalg.eigh: The algorithm failed to converge because the input matrix is "
                "ill-conditioned or has too many repeated eigenvalues (error code: ", A.size(-1) - 1, ").");
  return apply<Eigh>(UPLO == "U" || UPLO == "u" ? A.mH() : A);
}
TensorPair linalg_eig(const Tensor& A) {
  check_square("linalg.eig", A);
  WICK_CHECK(is_finite(A), "torch.linalg.eig: input tensor should not contain infs or NaNs.");
  return apply<Eig>(A);
}
Tensor linalg_eigvals(const Tensor& A) { return std::get<0>(linalg_eig(A)); }
Tensor linalg_eigvalsh(const Tensor& A, std::string_view UPLO) { return std::get<0>(linalg_eigh(A, UPLO)); }

// ---- Written with these ------------------------------------------------------------------------------------------------------------

Tensor linalg_pinv(const Tensor& A) { return pseudo_inverse(A, std::nullopt); }
Tensor linalg_pinv(const Tensor& A, double rcond, bool) { return pseudo_inverse(A, rcond); }
Tensor linalg_matrix_rank(const Tensor& A) { return rank(A, std::nullopt); }
Tensor linalg_matrix_rank(const Tensor& A, double tol, bool) { return rank(A, tol); }

Tensor linalg_vector_norm(const Tensor& x, const Scalar& ord, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) {
  return (dtype ? x.to(*dtype) : x).norm(ord, dim ? *dim : IntArrayRef(), keepdim);
}
Tensor linalg_matrix_norm(const Tensor& x, const Scalar& ord, IntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) {
  const Tensor a = matrices_of(x, dim, dtype);
  const double p = std::abs(ord.toDouble());
  WICK_CHECK(p == 1 || p == 2 || p == HUGE_VAL, "linalg.matrix_norm: Order ", ord, " not supported.");
  const Tensor sums = p == 2 ? linalg_svdvals(a) : a.abs().sum(p == 1 ? -2 : -1);
  const bool largest = ord.toDouble() > 0;
  return finish_norm(!largest ? sums.amin(-1) : sums.size(-1) ? sums.amax(-1) : sums.sum(-1), x, dim, keepdim);
}
Tensor linalg_matrix_norm(const Tensor& x, std::string_view ord, IntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) {
  WICK_CHECK(ord == "fro" || ord == "nuc", "linalg.matrix_norm: Order ", ord, " not supported.");
  const Tensor a = matrices_of(x, dim, dtype);
  return finish_norm(ord == "fro" ? a.norm(2, {-2, -1}) : linalg_svdvals(a).sum(-1), x, dim, keepdim);
}
Tensor linalg_norm(const Tensor& x, const std::optional<Scalar>& ord, OptionalIntArrayRef dim, bool keepdim,
                   std::optional<ScalarType> dtype) {
  WICK_CHECK(!ord || dim || x.dim() == 1 || x.dim() == 2,
             "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got ", x.dim(), "D.");
  if (ord && (dim ? dim->size() == 2 : x.dim() == 2)) return linalg_matrix_norm(x, *ord, dim ? *dim : IntArrayRef({0, 1}), keepdim, dtype);
  return linalg_vector_norm(x, ord.value_or(2), dim, keepdim, dtype);
}
Tensor linalg_norm(const Tensor& x, std::string_view ord, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) {
  WICK_CHECK(dim || x.dim() == 2, "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got ", x.dim(), "D.");
  return linalg_matrix_norm(x, ord, dim ? *dim : IntArrayRef({0, 1}), keepdim, dtype);
}
Tensor linalg_cond(const Tensor& A, const std::optional<Scalar>& p) {
  WICK_CHECK(A.dim() >= 2, "linalg.cond: The input tensor must have at least 2 dimensions.");
  const double order = p ? std::abs(p->toDouble()) : 2;
  WICK_CHECK_VALUE(order == 1 || order == 2 || order == HUGE_VAL, "linalg.cond got an invalid norm type: ", p.value_or(2));
  if (order != 2) {
    try {
      return linalg_matrix_norm(A, *p) * linalg_matrix_norm(linalg_inv(A), *p);
    } catch (const LinAlgError&) {  // one of them is singular
      if (A.dim() == 2) return full({}, HUGE_VAL, A.options());
    }
    std::vector<Tensor> each = A.unbind(0);
    for (Tensor& x : each) x = linalg_cond(x, p);
    return stack(each);
  }
  if (A.numel() == 0) return zeros(batch_of(A), A.options());
  const Tensor s = linalg_svdvals(A), most = s.select(-1, 0), least = s.select(-1, -1);
  return p && p->toDouble() < 0 ? least / most : most / least;
}

Tensor linalg_matrix_power(const Tensor& A, int64_t n) {
  WICK_CHECK(A.dim() >= 2, "linalg.matrix_power: The input tensor A must have at least 2 dimensions.");
  WICK_CHECK(A.size(-1) == A.size(-2), "linalg.matrix_power: A must be batches of square matrices, but they are ", A.size(-2), " by ",
             A.size(-1), " matrices");
  Tensor square = n < 0 ? linalg_inv(A) : A, y;
  for (uint64_t left = n < 0 ? 0 - static_cast<uint64_t>(n) : static_cast<uint64_t>(n); left; left >>= 1) {
    if (left & 1) y = y.defined() ? y.matmul(square) : square;
    if (left > 1) square = square.matmul(square);
  }
  if (y.defined()) return n == 1 ? y.clone() : y;
  return A.masked_fill(scalar_tensor(true, A.options().dtype(kBool)), 0) + eye(A.size(-1), A.options());  // with a gradient, which is 0
}

// Scaling and squaring: Taylor's polynomial of A / 2^s, whose norm is at most 1/2.
Tensor linalg_matrix_exp(const Tensor& A) {
  check_square("linalg.matrix_exp", A);
  if (A.numel() == 0) return A.clone();
  const double norm = linalg_matrix_norm(A.detach(), 1).max().item<double>();
  const int squarings = std::isfinite(norm) && norm > 0.5 ? std::ilogb(norm) + 2 : 0;
  const Tensor scaled = A * std::ldexp(1.0, -squarings), identity = eye(A.size(-1), A.options());
  Tensor y = identity + scaled / 14;
  for (int k = 13; k > 0; --k) y = identity + scaled.matmul(y) / k;
  for (int k = 0; k < squarings; ++k) y = y.matmul(y);
  return y;
}

Tensor linalg_multi_dot(TensorList tensors) {
  WICK_CHECK(tensors.size() >= 2, "multi_dot(): expected at least 2 tensors but got ", tensors.size());
  Tensor y = tensors[0];
  for (size_t i = 1; i < tensors.size(); ++i) y = y.matmul(tensors[i]);
  return y;
}
Tensor linalg_cross(const Tensor& a, const Tensor& b, int64_t dim) { return a.cross(b, dim); }

Tensor logdet(const Tensor& self) {
  const auto [sign, logarithm] = linalg_slogdet(self);
  return self.is_complex() ? sign.log() + logarithm : where(sign.eq(-1), NAN, logarithm);
}
Tensor cholesky_solve(const Tensor& b, const Tensor& factor, bool upper) {
  const Tensor l = upper ? factor.mH() : factor;
  return linalg_solve_triangular(l.mH(), linalg_solve_triangular(l, b, false), true);
}
TensorTriple svd(const Tensor& self, bool some, bool compute_uv) {
  const auto [u, s, vh] = linalg_svd(self, !some);
  return compute_uv ? TensorTriple{u, s, vh.mH()} : TensorTriple{zeros_like(u), s, zeros_like(vh.mH())};
}
TensorPair symeig(const Tensor& self, bool eigenvectors, bool upper) {
  const auto [w, v] = linalg_eigh(self, upper ? "U" : "L");
  return {w, eigenvectors ? v : empty({0}, self.options())};
}

}  // namespace wick
