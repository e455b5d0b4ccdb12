// Linear algebra. Signs and order of factors are the library's choice: these rows ask for what does not depend on it.
#include <cmath>

#include "wick/tests/framework/ops/op_rows.h"

namespace wick::test {
namespace {

// Far from singular, whatever the numbers are.
Tensor regular(const Tensor& x) { return x + eye(x.size(-1), x.options()) * 6; }
// Symmetric and positive definite.
Tensor definite(const Tensor& x) { return x.matmul(x.mT()) + eye(x.size(-2), x.options()); }

}  // namespace

std::vector<Row> linalg_rows() {
  Family f("linalg");
  const Sample square{{3, 3}}, batch{{2, 3, 3}}, tall{{4, 3}}, wide{{2, 4}};
  const Tolerance t64{1e-11, 1e-11}, t32{2e-4, 2e-4};
  const std::vector<std::string> narrow = {"float16", "bfloat16", "int64", "int32", "int8", "uint8", "bool"};
#define ROW(name, python, samples, ...) f.add(name, std::vector<Sample> samples, CALL(__VA_ARGS__)).as(python).within(t64, t32).excluding(narrow)
#define REGULAR "(a + 6 * torch.eye(3, dtype=a.dtype))"
#define DEFINITE "(a @ a.mT + torch.eye(3, dtype=a.dtype))"
  ROW("linalg_det", "torch.linalg.det(a)", ({square}), linalg_det(x[0])).reading_values();
  ROW("linalg_det/batch", "torch.linalg.det(a)", ({batch}), linalg_det(x[0])).reading_values();
  ROW("det", "torch.det(a)", ({square}), det(x[0]));
  ROW("linalg_slogdet", "list(torch.linalg.slogdet(a))", ({batch}), linalg_slogdet(x[0]));
  ROW("slogdet", "list(torch.slogdet(a))", ({square}), slogdet(x[0]));
  ROW("logdet", "torch.logdet" REGULAR, ({square}), logdet(regular(x[0])));
  ROW("linalg_inv", "torch.linalg.inv" REGULAR, ({batch}), linalg_inv(regular(x[0])));
  ROW("inverse", "torch.inverse" REGULAR, ({square}), inverse(regular(x[0])));
  ROW("linalg_solve", "torch.linalg.solve(" REGULAR ", b)", ({square, {{3, 2}}}), linalg_solve(regular(x[0]), x[1]));
  ROW("linalg_solve/vector", "torch.linalg.solve(" REGULAR ", b)", ({square, {{3}}}), linalg_solve(regular(x[0]), x[1]));
  ROW("linalg_solve/broadcast", "torch.linalg.solve(" REGULAR ", b)", ({square, {{2, 3, 2}}}), linalg_solve(regular(x[0]), x[1]));
  ROW("linalg_solve/right", "torch.linalg.solve(" REGULAR ", b, left=False)", ({square, {{2, 3}}}), linalg_solve(regular(x[0]), x[1], false));
  ROW("linalg_solve_triangular", "torch.linalg.solve_triangular(" REGULAR ".triu(), b, upper=True)", ({square, {{3, 2}}}),
      linalg_solve_triangular(regular(x[0]).triu(), x[1], true));
  ROW("linalg_solve_triangular/unit", "torch.linalg.solve_triangular(a.tril(-1) + torch.eye(3, dtype=a.dtype), b, upper=False, unitriangular=True)",
      ({square, {{3, 2}}}), linalg_solve_triangular(x[0].tril(-1) + eye(3, x[0].options()), x[1], false, true, true));
  ROW("triangular_solve", "list(torch.triangular_solve(b, " REGULAR ", transpose=True))", ({square, {{3, 2}}}), triangular_solve(x[1], regular(x[0]), true, true));
  ROW("linalg_cholesky", "torch.linalg.cholesky" DEFINITE, ({square}), linalg_cholesky(definite(x[0])));
  ROW("linalg_cholesky/upper", "torch.linalg.cholesky(" DEFINITE ", upper=True)", ({batch}), linalg_cholesky(definite(x[0]), true));
  ROW("cholesky", "torch.linalg.cholesky" DEFINITE, ({square}), cholesky(definite(x[0])));
  ROW("cholesky_solve", "torch.cholesky_solve(b, torch.linalg.cholesky" DEFINITE ")", ({square, {{3, 2}}}),
      cholesky_solve(x[1], linalg_cholesky(definite(x[0]))));
  ROW("cholesky_inverse", "torch.cholesky_inverse(torch.linalg.cholesky" DEFINITE ")", ({square}), cholesky_inverse(linalg_cholesky(definite(x[0]))));
  ROW("linalg_qr", "list(torch.linalg.qr(a))", ({tall}), linalg_qr(x[0]));
  ROW("linalg_qr/complete", "list(torch.linalg.qr(a, 'complete'))", ({tall}), linalg_qr(x[0], "complete")).derivatives(0);
  ROW("linalg_qr/wide", "list(torch.linalg.qr(a))", ({wide}), linalg_qr(x[0])).derivatives(0);
  ROW("qr", "list(torch.linalg.qr(a))", ({{{2, 3, 2}}}), qr(x[0]));
  ROW("linalg_svdvals", "torch.linalg.svdvals(a)", ({tall}), linalg_svdvals(x[0])).reading_values();
  ROW("linalg_svd", "torch.linalg.svd(a, full_matrices=False)[0].abs()", ({tall}), std::get<0>(linalg_svd(x[0], false)).abs()).reading_values();
  ROW("linalg_svd/right", "torch.linalg.svd(a, full_matrices=False)[2].abs()", ({wide}), std::get<2>(linalg_svd(x[0], false)).abs()).reading_values();
  ROW("svd", "torch.svd(a)[2].abs()", ({tall}), std::get<2>(svd(x[0])).abs()).reading_values();
  ROW("linalg_eigvalsh", "torch.linalg.eigvalsh" DEFINITE, ({batch}), linalg_eigvalsh(definite(x[0]))).reading_values();
  ROW("linalg_eigh", "torch.linalg.eigh" DEFINITE "[1].abs()", ({square}), std::get<1>(linalg_eigh(definite(x[0]))).abs()).reading_values();
  ROW("symeig", "torch.linalg.eigvalsh" DEFINITE, ({square}), std::get<0>(symeig(definite(x[0])))).reading_values();
  ROW("linalg_pinv", "torch.linalg.pinv(a)", ({tall}), linalg_pinv(x[0])).reading_values();
  ROW("linalg_pinv/rcond", "torch.linalg.pinv(a, 0.5)", ({{{3, 3}, -2, 2}}), linalg_pinv(x[0], 0.5)).reading_values();
  ROW("pinverse", "torch.pinverse(a)", ({wide}), pinverse(x[0])).reading_values();
  ROW("linalg_matrix_rank", "torch.linalg.matrix_rank(a)", ({batch}), linalg_matrix_rank(x[0])).derivatives(0).reading_values();
  ROW("linalg_matrix_rank/tol", "torch.linalg.matrix_rank(a, 1.5)", ({batch}), linalg_matrix_rank(x[0], 1.5)).derivatives(0).reading_values();
  ROW("linalg_lstsq", "list(torch.linalg.lstsq(a, b))[:2]", ({tall, {{4, 2}}}), [&] {
    const auto y = linalg_lstsq(x[0], x[1]);
    return Tensors{std::get<0>(y), std::get<1>(y)};
  }()).reading_values();
  ROW("linalg_norm", "torch.linalg.norm(a)", ({tall}), linalg_norm(x[0]));
  ROW("linalg_norm/matrix", "torch.linalg.norm(a, 1)", ({tall}), linalg_norm(x[0], 1));
  ROW("linalg_norm/dim", "torch.linalg.norm(a, 3, dim=1, keepdim=True)", ({tall}), linalg_norm(x[0], 3, IntArrayRef{1}, true));
  ROW("linalg_vector_norm", "torch.linalg.vector_norm(a, 3, dim=(0, 1))", ({tall}), linalg_vector_norm(x[0], 3, IntArrayRef{0, 1}));
  ROW("linalg_matrix_norm", "torch.linalg.matrix_norm(a)", ({batch}), linalg_matrix_norm(x[0]));
  ROW("linalg_matrix_norm/nuclear", "torch.linalg.matrix_norm(a, 'nuc', keepdim=True)", ({batch}), linalg_matrix_norm(x[0], "nuc", {-2, -1}, true))
      .reading_values();
  ROW("linalg_matrix_norm/two", "torch.linalg.matrix_norm(a, -2, dim=(0, 2))", ({batch}), linalg_matrix_norm(x[0], -2, {0, 2})).reading_values();
  ROW("linalg_matrix_norm/inf", "torch.linalg.matrix_norm(a, float('inf'))", ({batch}), linalg_matrix_norm(x[0], HUGE_VAL));
  ROW("linalg_cond", "torch.linalg.cond" REGULAR, ({square}), linalg_cond(regular(x[0]))).reading_values();
  ROW("linalg_cond/one", "torch.linalg.cond(" REGULAR ", 1)", ({square}), linalg_cond(regular(x[0]), 1));
  ROW("linalg_matrix_power", "torch.linalg.matrix_power(a, 5)", ({batch}), linalg_matrix_power(x[0], 5));
  ROW("linalg_matrix_power/inverse", "torch.linalg.matrix_power(" REGULAR ", -2)", ({square}), linalg_matrix_power(regular(x[0]), -2));
  ROW("matrix_power", "torch.matrix_power(a, 0)", ({square}), matrix_power(x[0], 0)).derivatives(0);
  ROW("matrix_power/3", "torch.matrix_power(a, 3)", ({square}), matrix_power(x[0], 3));
  ROW("linalg_matrix_exp", "torch.linalg.matrix_exp(a)", ({batch}), linalg_matrix_exp(x[0])).reading_values();
  ROW("matrix_exp", "torch.matrix_exp(a)", ({square}), matrix_exp(x[0])).reading_values();
  ROW("linalg_multi_dot", "torch.linalg.multi_dot((a, b, c))", ({tall, square, {{3, 2}}}), linalg_multi_dot({x[0], x[1], x[2]}));
  ROW("linalg_cross", "torch.linalg.cross(a, b)", ({{{2, 3}}, {{2, 3}}}), linalg_cross(x[0], x[1]));
  return f.rows();
}

}  // namespace wick::test
