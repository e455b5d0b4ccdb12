// Complex numbers, as pairs of real inputs: the checks of the table are those of functions of the parts, which a complex derivative must
// pass in both.
#include "wick/tests/framework/ops/op_rows.h"

namespace wick::test {
namespace {

Tensor z1(const Tensors& x) { return complex(x[0], x[1]); }
Tensor z2(const Tensors& x) { return complex(x[2], x[3]); }
Tensor eigen_sums(const Tensor& a) {
  const auto [w, v] = linalg_eig(a);
  return (v.abs().square() * w.unsqueeze(-2)).sum(-1);  // does not depend on order and phases
}

}  // namespace

std::vector<Row> complex_rows() {
  Family f("complex");
  const Sample anywhere{{3, 5}}, small{{3, 5}, -0.6, 0.6}, right{{3, 5}, 1.25, 2}, above{{3, 5}, 0.25, 1}, vector{{5}}, matrix{{3, 3}};
  const Tolerance t64{1e-13, 1e-13}, t32{2e-5, 2e-5};
  const std::vector<std::string> others = {"float16", "bfloat16"};  // PyTorch has complex numbers of these, too
#define ROW(name, python, samples, ...) f.add(name, std::vector<Sample> samples, CALL(__VA_ARGS__)).as(python).within(t64, t32).excluding(others)
#define REAL(python) "torch.view_as_real(" python ")"
#define Z1 "torch.complex(a, b)"
#define Z2 "torch.complex(c, d)"
  // Of one number, away from the cuts.
  ROW("exp/complex", REAL("torch.exp(" Z1 ")"), ({anywhere, anywhere}), view_as_real(exp(z1(x))));
  ROW("exp2/complex", REAL("torch.exp2(" Z1 ")"), ({anywhere, anywhere}), view_as_real(exp2(z1(x))));
  ROW("expm1/complex", REAL("torch.expm1(" Z1 ")"), ({small, small}), view_as_real(expm1(z1(x))));
  ROW("log/complex", REAL("torch.log(" Z1 ")"), ({right, above}), view_as_real(log(z1(x))));
  ROW("log2/complex", REAL("torch.log2(" Z1 ")"), ({right, above}), view_as_real(log2(z1(x))));
  ROW("log10/complex", REAL("torch.log10(" Z1 ")"), ({right, above}), view_as_real(log10(z1(x))));
  ROW("log1p/complex", REAL("torch.log1p(" Z1 ")"), ({small, small}), view_as_real(log1p(z1(x))));
  ROW("sqrt/complex", REAL("torch.sqrt(" Z1 ")"), ({right, above}), view_as_real(sqrt(z1(x))));
  ROW("rsqrt/complex", REAL("torch.rsqrt(" Z1 ")"), ({right, above}), view_as_real(rsqrt(z1(x))));
  ROW("sin/complex", REAL("torch.sin(" Z1 ")"), ({anywhere, anywhere}), view_as_real(sin(z1(x))));
  ROW("cos/complex", REAL("torch.cos(" Z1 ")"), ({anywhere, anywhere}), view_as_real(cos(z1(x))));
  ROW("tan/complex", REAL("torch.tan(" Z1 ")"), ({small, small}), view_as_real(tan(z1(x))));
  ROW("asin/complex", REAL("torch.asin(" Z1 ")"), ({small, small}), view_as_real(asin(z1(x))));
  ROW("acos/complex", REAL("torch.acos(" Z1 ")"), ({small, small}), view_as_real(acos(z1(x))));
  ROW("atan/complex", REAL("torch.atan(" Z1 ")"), ({small, small}), view_as_real(atan(z1(x))));
  ROW("sinh/complex", REAL("torch.sinh(" Z1 ")"), ({anywhere, anywhere}), view_as_real(sinh(z1(x))));
  ROW("cosh/complex", REAL("torch.cosh(" Z1 ")"), ({anywhere, anywhere}), view_as_real(cosh(z1(x))));
  ROW("tanh/complex", REAL("torch.tanh(" Z1 ")"), ({small, small}), view_as_real(tanh(z1(x))));
  ROW("asinh/complex", REAL("torch.asinh(" Z1 ")"), ({small, small}), view_as_real(asinh(z1(x))));
  ROW("acosh/complex", REAL("torch.acosh(" Z1 ")"), ({right, above}), view_as_real(acosh(z1(x))));
  ROW("atanh/complex", REAL("torch.atanh(" Z1 ")"), ({small, small}), view_as_real(atanh(z1(x))));
  ROW("sigmoid/complex", REAL("torch.sigmoid(" Z1 ")"), ({anywhere, anywhere}), view_as_real(sigmoid(z1(x))));
  ROW("neg/complex", REAL("torch.neg(" Z1 ")"), ({anywhere, anywhere}), view_as_real(neg(z1(x))));
  ROW("square/complex", REAL("torch.square(" Z1 ")"), ({anywhere, anywhere}), view_as_real(square(z1(x))));
  ROW("reciprocal/complex", REAL("torch.reciprocal(" Z1 ")"), ({right, above}), view_as_real(reciprocal(z1(x))));
  ROW("sgn/complex", REAL("torch.sgn(" Z1 ")"), ({right, above}), view_as_real(sgn(z1(x))));
  ROW("conj_physical/complex", REAL("torch.conj_physical(" Z1 ")"), ({anywhere, anywhere}), view_as_real(conj_physical(z1(x))));
  ROW("abs/complex", "torch.abs(" Z1 ")", ({right, above}), abs(z1(x)));
  ROW("angle/complex", "torch.angle(" Z1 ")", ({right, above}), angle(z1(x)));
  ROW("isnan/complex", "torch.isnan(" Z1 ")", ({anywhere, anywhere}), isnan(z1(x)));
  ROW("isinf/complex", "torch.isinf(" Z1 ")", ({anywhere, anywhere}), isinf(z1(x)));
  ROW("isfinite/complex", "torch.isfinite(" Z1 ")", ({anywhere, anywhere}), isfinite(z1(x)));
  ROW("logical_not/complex", "torch.logical_not(" Z1 ")", ({anywhere, anywhere}), logical_not(z1(x)));
  ROW("isreal", "torch.isreal(" Z1 ")", ({anywhere, anywhere}), isreal(z1(x)));

  // Parts, and what is made of them.
  ROW("complex", REAL(Z1), ({anywhere, vector}), view_as_real(z1(x)));
  ROW("polar", REAL("torch.polar(a, b)"), ({right, anywhere}), view_as_real(polar(x[0], x[1])));
  ROW("view_as_real", "torch.view_as_real(" Z1 ")", ({anywhere, anywhere}), view_as_real(z1(x)));
  ROW("view_as_complex", REAL("torch.view_as_complex(a.reshape(3, 2))"), ({{{6}}}), view_as_real(view_as_complex(x[0].reshape({3, 2}).contiguous())));
  ROW("real", "torch.real(" Z1 " * 1j)", ({anywhere, anywhere}), real(z1(x) * Complex<double>(0, 1)));
  ROW("imag", "torch.imag(" Z1 " * 1j)", ({anywhere, anywhere}), imag(z1(x) * Complex<double>(0, 1)));
  ROW("conj", REAL("torch.conj(" Z1 ").resolve_conj()"), ({anywhere, anywhere}), view_as_real(conj(z1(x))));
  ROW("resolve_conj", REAL("torch.resolve_conj(" Z1 ")"), ({anywhere, anywhere}), view_as_real(resolve_conj(z1(x))));
  ROW("resolve_neg", REAL("torch.resolve_neg(" Z1 ")"), ({anywhere, anywhere}), view_as_real(resolve_neg(z1(x))));
  ROW("is_conj", "torch.tensor(torch.is_conj(" Z1 "))", ({anywhere, anywhere}), is_conj(z1(x))).reading_values();
  ROW("is_neg", "torch.tensor(torch.is_neg(" Z1 "))", ({anywhere, anywhere}), is_neg(z1(x))).reading_values();
  ROW("adjoint", REAL("torch.adjoint(" Z1 ").resolve_conj()"), ({anywhere, anywhere}), view_as_real(adjoint(z1(x))));
  ROW("angle", "torch.angle(a)", ({right}), angle(x[0]));
  ROW("conj_physical", "torch.conj_physical(a)", ({anywhere}), conj_physical(x[0])).in_place(INPLACE(x[0].conj_physical_()))
      .into(OUT(conj_physical_out(y, x[0])));
  ROW("mH", REAL("(" Z1 ").mH.resolve_conj()"), ({anywhere, anywhere}), view_as_real(z1(x).mH()));
  ROW("matrix_H", REAL("(" Z1 ").H.resolve_conj()"), ({anywhere, anywhere}), view_as_real(z1(x).matrix_H()));

  // Of two numbers, of which one may be real.
#define PAIR(name, symbol) \
  ROW(#name "/complex", REAL(Z1 symbol Z2), ({anywhere, anywhere, right, above}), view_as_real(name(z1(x), z2(x)))); \
  ROW(#name "/complex_real", REAL(Z1 symbol "c"), ({anywhere, anywhere, right}), view_as_real(name(z1(x), x[2])));  \
  ROW(#name "/real_complex", REAL("c" symbol Z1), ({right, above, right}), view_as_real(name(x[2], z1(x))))
  PAIR(add, " + ");
  PAIR(sub, " - ");
  PAIR(mul, " * ");
  PAIR(div, " / ");
  ROW("pow/complex", REAL(Z1 " ** " Z2), ({right, above, small, small}), view_as_real(pow(z1(x), z2(x))));
  ROW("pow/complex_number", REAL(Z1 " ** 3"), ({right, above}), view_as_real(pow(z1(x), 3)));
  ROW("pow/number_complex", REAL("2 ** " Z1), ({right, above}), view_as_real(pow(2, z1(x))));
  ROW("pow/complex_exponent", REAL("a ** (1 + 2j)"), ({right}), view_as_real(pow(x[0], Complex<double>(1, 2))));
  ROW("add/complex_number", REAL("a + (1 - 2j)"), ({anywhere}), view_as_real(add(x[0], Complex<double>(1, -2))));
  ROW("add/complex_alpha", REAL("torch.add(" Z1 ", c, alpha=1 - 2j)"), ({anywhere, anywhere, anywhere}),
      view_as_real(add(z1(x), x[2], Complex<double>(1, -2))));
  ROW("mul/complex_number", REAL("a * (1 - 2j)"), ({anywhere}), view_as_real(mul(x[0], Complex<double>(1, -2))));
  ROW("addcmul/complex", REAL("torch.addcmul(c, " Z1 ", " Z1 ", value=0.5) if c.is_complex() else c + 0.5 * " Z1 " ** 2"),
      ({anywhere, anywhere, anywhere}), view_as_real(addcmul(x[2], z1(x), z1(x), 0.5)));
  ROW("addcdiv/complex", REAL("torch.addcdiv(" Z1 ", " Z2 ", " Z1 ", value=2)"), ({right, above, anywhere, anywhere}),
      view_as_real(addcdiv(z1(x), z2(x), z1(x), 2)));
  ROW("eq/complex", Z1 ".eq(c)", ({anywhere, anywhere, anywhere}), eq(z1(x), x[2]));
  ROW("ne/complex", Z1 ".ne(" Z2 ")", ({anywhere, anywhere, anywhere, anywhere}), ne(z1(x), z2(x)));
  ROW("where/complex", REAL("torch.where(a > 0, " Z1 ", c)"), ({anywhere, anywhere, anywhere}), view_as_real(where(x[0].gt(0), z1(x), x[2])));
  ROW("isclose/complex", "torch.isclose(" Z1 ", " Z1 " + 1e-9)", ({anywhere, anywhere}), isclose(z1(x), z1(x) + 1e-9));

  // Over many.
#define OVER(name, ...) ROW(#name "/complex", REAL("torch." #name "(" Z1 __VA_OPT__(", ") #__VA_ARGS__ ")"), ({right, above}), \
                            view_as_real(name(z1(x) __VA_OPT__(, ) __VA_ARGS__)))
  OVER(sum, 1);
  OVER(mean, 0);
  OVER(prod, 1);
  OVER(cumsum, 0);
  OVER(cumprod, 1);
  ROW("prod/complex_all", REAL("torch.prod(" Z1 ")"), ({{{4}}, {{4}}}), view_as_real(prod(z1(x))));
  ROW("var/complex", "torch.var(" Z1 ", 1)", ({anywhere, anywhere}), var(z1(x), IntArrayRef{1}));
  ROW("std/complex", "torch.std(" Z1 ", 1)", ({anywhere, anywhere}), wick::std(z1(x), IntArrayRef{1}));
  ROW("logsumexp/complex", REAL("torch.logsumexp(" Z1 ", 1)"), ({right, above}), view_as_real(logsumexp(z1(x), 1)));
  ROW("norm/complex", "torch.norm(" Z1 ")", ({right, above}), norm(z1(x)));
  ROW("any/complex", "torch.any(" Z1 ", 1)", ({anywhere, anywhere}), any(z1(x), 1));
  ROW("all/complex", "torch.all(" Z1 ", 1)", ({anywhere, anywhere}), all(z1(x), 1));
  ROW("count_nonzero/complex", "torch.count_nonzero(" Z1 ")", ({anywhere, anywhere}), count_nonzero(z1(x)));
  ROW("index_select/complex", REAL("torch.index_select(" Z1 ", 0, c)"), ({anywhere, anywhere, indices({4}, 3)}),
      view_as_real(index_select(z1(x), 0, x[2])));
  ROW("gather/complex", REAL("torch.gather(" Z1 ", 0, c)"), ({anywhere, anywhere, indices({2, 5}, 3)}), view_as_real(gather(z1(x), 0, x[2])));
  ROW("index_add/complex", REAL("torch.index_add(" Z1 ", 0, c, " Z1 "[:2])"), ({anywhere, anywhere, indices({2}, 3)}),
      view_as_real(index_add(z1(x), 0, x[2], z1(x).narrow(0, 0, 2))));
  ROW("masked_fill/complex", REAL("torch.masked_fill(" Z1 ", c, 1 - 2j)"), ({anywhere, anywhere, mask({3, 5})}),
      view_as_real(masked_fill(z1(x), x[2], Complex<double>(1, -2))));
  ROW("cat/complex", REAL("torch.cat([" Z1 ", " Z1 "], 1)"), ({anywhere, anywhere}), view_as_real(cat({z1(x), z1(x)}, 1)));

  // Products and linear algebra.
  const Sample left{{3, 4}}, across{{4, 2}}, stack_left{{2, 3, 4}}, stack_right{{2, 4, 2}};
  ROW("mm/complex", REAL("torch.mm(" Z1 ", " Z2 ")"), ({left, left, across, across}), view_as_real(mm(z1(x), z2(x))));
  ROW("bmm/complex", REAL("torch.bmm(" Z1 ", " Z2 ")"), ({stack_left, stack_left, stack_right, stack_right}), view_as_real(bmm(z1(x), z2(x))));
  ROW("dot/complex", REAL("torch.dot(" Z1 ", " Z2 ")"), ({vector, vector, vector, vector}), view_as_real(dot(z1(x), z2(x))));
  ROW("vdot/complex", REAL("torch.vdot(" Z1 ", " Z2 ")"), ({vector, vector, vector, vector}), view_as_real(vdot(z1(x), z2(x))));
  ROW("addmm/complex", REAL("torch.addmm(" Z2 ", " Z1 ", " Z1 ", beta=0.5, alpha=1 - 2j)"), ({matrix, matrix, matrix, matrix}),
      view_as_real(addmm(z2(x), z1(x), z1(x), 0.5, Complex<double>(1, -2))));
  ROW("einsum/complex", REAL("torch.einsum('ij,jk->ki', " Z1 ", " Z2 ")"), ({left, left, across, across}),
      view_as_real(einsum("ij,jk->ki", {z1(x), z2(x)})));
#define REGULAR "(" Z1 " + 6 * torch.eye(3, dtype=" Z1 ".dtype))"
#define DEFINITE "(" Z1 " @ " Z1 ".mH + torch.eye(3, dtype=" Z1 ".dtype))"
  const auto regular = [](const Tensors& x) { return z1(x) + eye(3, z1(x).options()) * 6; };
  const auto definite = [](const Tensors& x) { return z1(x).matmul(z1(x).mH()) + eye(3, z1(x).options()); };
#undef CALL
#define CALL(...) [=](const Tensors& x) { return as_list(__VA_ARGS__); }
  ROW("linalg_det/complex", REAL("torch.linalg.det(" Z1 ")"), ({matrix, matrix}), view_as_real(linalg_det(z1(x)))).reading_values();
  ROW("linalg_slogdet/complex", "[torch.view_as_real(torch.linalg.slogdet(" Z1 ")[0]), torch.linalg.slogdet(" Z1 ")[1]]", ({matrix, matrix}),
      TensorPair(view_as_real(std::get<0>(linalg_slogdet(z1(x)))), std::get<1>(linalg_slogdet(z1(x)))));
  ROW("linalg_inv/complex", REAL("torch.linalg.inv" REGULAR), ({matrix, matrix}), view_as_real(linalg_inv(regular(x))));
  ROW("linalg_solve/complex", REAL("torch.linalg.solve(" REGULAR ", " Z2 ")"), ({matrix, matrix, {{3, 2}}, {{3, 2}}}),
      view_as_real(linalg_solve(regular(x), z2(x))));
  ROW("linalg_cholesky/complex", REAL("torch.linalg.cholesky" DEFINITE), ({matrix, matrix}), view_as_real(linalg_cholesky(definite(x))));
  ROW("linalg_eigvalsh/complex", "torch.linalg.eigvalsh(" DEFINITE ")", ({matrix, matrix}), linalg_eigvalsh(definite(x)));
  ROW("linalg_eigh/complex", "torch.linalg.eigh(" DEFINITE ")[1].abs()", ({matrix, matrix}), std::get<1>(linalg_eigh(definite(x))).abs());
  ROW("linalg_svdvals/complex", "torch.linalg.svdvals(" Z1 ")", ({left, left}), linalg_svdvals(z1(x)));
  ROW("linalg_svd/complex", "torch.linalg.svd(" Z1 ")[0].abs()", ({left, left}), std::get<0>(linalg_svd(z1(x))).abs());
  ROW("linalg_qr/complex", "torch.linalg.qr(" REGULAR ")[1].abs()", ({matrix, matrix}), std::get<1>(linalg_qr(regular(x))).abs());
  ROW("linalg_eigvals", REAL("torch.linalg.eigvals(a).exp().sum()"), ({matrix}), view_as_real(linalg_eigvals(x[0]).exp().sum()));
  ROW("linalg_eigvals/complex", REAL("torch.linalg.eigvals(" Z1 ").exp().sum()"), ({matrix, matrix}), view_as_real(linalg_eigvals(z1(x)).exp().sum()));
#define SUMS(a) "(torch.linalg.eig(" a ")[1].abs() ** 2 * torch.linalg.eig(" a ")[0].unsqueeze(-2)).sum(-1)"
  ROW("linalg_eig", REAL(SUMS("a")), ({matrix}), view_as_real(eigen_sums(x[0])));
  ROW("linalg_eig/complex", REAL(SUMS(Z1)), ({matrix, matrix}), view_as_real(eigen_sums(z1(x))));

  // Fourier transforms.
  const Sample signal{{2, 6}}, odd{{7}}, image{{3, 4, 5}};
  ROW("fft_fft", REAL("torch.fft.fft(" Z1 ")"), ({signal, signal}), view_as_real(fft_fft(z1(x))));
  ROW("fft_fft/real", REAL("torch.fft.fft(a, 5, 0, 'ortho')"), ({odd}), view_as_real(fft_fft(x[0], 5, 0, "ortho")));
  ROW("fft_fft/longer", REAL("torch.fft.fft(a, 11, 0, 'forward')"), ({odd}), view_as_real(fft_fft(x[0], 11, 0, "forward")));
  ROW("fft_ifft", REAL("torch.fft.ifft(" Z1 ", dim=0)"), ({signal, signal}), view_as_real(fft_ifft(z1(x), std::nullopt, 0)));
  ROW("fft_rfft", REAL("torch.fft.rfft(a)"), ({signal}), view_as_real(fft_rfft(x[0])));
  ROW("fft_rfft/odd", REAL("torch.fft.rfft(a, norm='ortho')"), ({odd}), view_as_real(fft_rfft(x[0], std::nullopt, -1, "ortho")));
  ROW("fft_irfft", "torch.fft.irfft(" Z1 ")", ({signal, signal}), fft_irfft(z1(x)));
  ROW("fft_irfft/odd", "torch.fft.irfft(" Z1 ", 7)", ({signal, signal}), fft_irfft(z1(x), 7));
  ROW("fft_hfft", "torch.fft.hfft(" Z1 ")", ({signal, signal}), fft_hfft(z1(x)));
  ROW("fft_ihfft", REAL("torch.fft.ihfft(a).resolve_conj()"), ({signal}), view_as_real(fft_ihfft(x[0])));
#define MANY(name) \
  ROW("fft_" #name "2", REAL("torch.fft." #name "2(" Z1 ")"), ({image, image}), view_as_real(fft_##name##2(z1(x)))); \
  ROW("fft_" #name "n", REAL("torch.fft." #name "n(" Z1 ", s=(2, 6), dim=(0, 2), norm='ortho')"), ({image, image}), \
      view_as_real(fft_##name##n(z1(x), IntArrayRef{2, 6}, IntArrayRef{0, 2}, "ortho")))
  MANY(fft);
  MANY(ifft);
  ROW("fft_rfft2", REAL("torch.fft.rfft2(a)"), ({image}), view_as_real(fft_rfft2(x[0])));
  ROW("fft_rfftn", REAL("torch.fft.rfftn(a)"), ({image}), view_as_real(fft_rfftn(x[0])));
  ROW("fft_irfft2", "torch.fft.irfft2(" Z1 ")", ({image, image}), fft_irfft2(z1(x)));
  ROW("fft_irfftn", "torch.fft.irfftn(" Z1 ", s=(4, 5))", ({image, image}), fft_irfftn(z1(x), IntArrayRef{4, 5}));
  ROW("fft_fftfreq", "torch.fft.fftfreq(5, 0.5, dtype=torch.float64) * a", ({{{5}}}), fft_fftfreq(5, 0.5, TensorOptions(kDouble).device(x[0].device())) * x[0]);
  ROW("fft_rfftfreq", "torch.fft.rfftfreq(6, dtype=torch.float64) * a", ({{{4}}}), fft_rfftfreq(6, TensorOptions(kDouble).device(x[0].device())) * x[0]);
  ROW("fft_fftshift", "torch.fft.fftshift(a)", ({image}), fft_fftshift(x[0]));
  ROW("fft_ifftshift", "torch.fft.ifftshift(a, 2)", ({image}), fft_ifftshift(x[0], 2));
#undef ROW
  std::vector<Row> rows = f.rows();
  for (Row& row : rows) {
    if (row.name.starts_with("linalg_")) row.in_double = {1e-10, 1e-10}, row.in_float = {2e-3, 2e-3};
  }
  return rows;
}

}  // namespace wick::test
