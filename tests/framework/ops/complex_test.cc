// Complex tensors: numbers, dtypes, parts, gradients and errors. Values of the operations are in complex_rows.cc.
#include <cmath>
#include <cstring>

#include "wick/framework/autograd/gradcheck.h"
#include "wick/framework/core/warning.h"
#include "wick/framework/io/npy.h"
#include "wick/framework/io/print.h"
#include "wick/framework/ops/from_blob.h"
#include "wick/tests/framework/ops/checks.h"

namespace wick::test {
namespace {

using Z = Complex<double>;
using Zf = Complex<float>;

Numbers parts(const Tensor& z) { return values(view_as_real(z)); }
Tensor some() { return tensor({Z(1, 2), Z(3, -4)}); }

TEST(Complex, Numbers) {
  EXPECT_EQ(Z(1, 2) * Z(3, -1), Z(5, 5));
  EXPECT_EQ(Z(6, 2) / Z(2, 2), Z(2, -1));
  EXPECT_EQ(Z(1e300, 1e300) / Z(1e300, 1e300), Z(1));
  EXPECT_EQ((Z(1, -2) / Z(0)).imag(), -HUGE_VAL);
  EXPECT_EQ(sizeof(Zf), 8u);
  const Scalar s(Zf(1.5f, 2));
  EXPECT_TRUE(s.isComplex() && !s.isFloatingPoint() && !s.isIntegral(true));
  EXPECT_EQ(s.type(), kComplexDouble);
  EXPECT_EQ(s.to<Z>(), Z(1.5, 2));
  EXPECT_EQ((-s).toComplexDouble(), Z(-1.5, -2));
  EXPECT_EQ(s.conj().toComplexDouble(), Z(1.5, -2));
  EXPECT_TRUE(s.equal(Z(1.5, 2)) && !s.equal(1.5) && Scalar(Z(2)).equal(2));
  EXPECT_TRUE(s.toBool());
  EXPECT_EQ(Scalar(2).toComplexDouble(), Z(2));
  EXPECT_EQ(Scalar(Z(2)).toDouble(), 2);
  EXPECT_EQ(Scalar(Z(7)).toInt(), 7);
  EXPECT_EQ(error_of([&] { s.toDouble(); }), "value cannot be converted to type double without overflow");
  EXPECT_EQ(error_of([&] { s.to<float>(); }), "value cannot be converted to type float without overflow");
  EXPECT_EQ(error_of([&] { s.to<int>(); }), "value cannot be converted to type int without overflow");
}

TEST(Complex, Dtypes) {
  EXPECT_EQ(kComplexFloat, static_cast<ScalarType>(9));
  EXPECT_EQ(kComplexDouble, static_cast<ScalarType>(10));
  EXPECT_STREQ(dtype_name(kComplexFloat), "complex64");
  EXPECT_STREQ(to_string(kComplexDouble), "ComplexDouble");
  EXPECT_STREQ(cpp_type_name(kComplexFloat), "c10::complex<float>");
  EXPECT_EQ(element_size(kComplexFloat), 8);
  EXPECT_EQ(element_size(kComplexDouble), 16);
  EXPECT_EQ(to_complex_type(kDouble), kComplexDouble);
  EXPECT_EQ(to_real_type(kComplexFloat), kFloat);
  EXPECT_EQ(promote_types(kComplexFloat, kDouble), kComplexDouble);
  EXPECT_EQ(promote_types(kLong, kComplexFloat), kComplexFloat);
  const auto with_number = [](ScalarType t) { return (ones({2}, t) * Z(0, 1)).scalar_type(); };
  EXPECT_EQ(with_number(kFloat), kComplexFloat);
  EXPECT_EQ(with_number(kDouble), kComplexDouble);
  EXPECT_EQ(with_number(kLong), kComplexFloat);
  EXPECT_EQ(with_number(kBool), kComplexFloat);
  EXPECT_EQ(with_number(kComplexDouble), kComplexDouble);
  EXPECT_EQ((ones({2}, kComplexFloat) + ones({}, kDouble)).scalar_type(), kComplexFloat);
  EXPECT_EQ((ones({2}, kComplexFloat) + ones({2}, kDouble)).scalar_type(), kComplexDouble);
  EXPECT_EQ((ones({2}, kComplexFloat) + 1.5).scalar_type(), kComplexFloat);
  EXPECT_TRUE(can_cast(kFloat, kComplexFloat) && !can_cast(kComplexFloat, kFloat));
  EXPECT_TRUE(some().is_complex() && !some().is_floating_point());
}

TEST(Complex, Making) {
  const Tensor x = tensor({Zf(1, 2), Zf(3, -4)});
  EXPECT_EQ(x.scalar_type(), kComplexFloat);
  EXPECT_EQ(parts(x), (Numbers{1, 2, 3, -4}));
  EXPECT_EQ(x[1].item<Zf>(), Zf(3, -4));
  EXPECT_EQ(x.data_ptr<Zf>()[1], Zf(3, -4));
  EXPECT_EQ((x.accessor<Zf, 1>()[0]), Zf(1, 2));
  EXPECT_EQ(tensor(std::vector<Z>{Z(1, 1)}).scalar_type(), kComplexDouble);
  EXPECT_EQ(parts(tensor({1.5, 2.5}, kComplexDouble)), (Numbers{1.5, 0, 2.5, 0}));
  EXPECT_EQ(error_of([] { tensor(Z(1, 2), kFloat); }), "value cannot be converted to type float without overflow");
  EXPECT_EQ(error_of([] { tensor(std::vector<Z>{Z(1, 2)}, kFloat); }),
            "can not do torch::tensor(complex, dtype=non-complex) because complex can not be "
            "casted to real number without loss of information");
  EXPECT_EQ(full({2}, Z(0, 1)).scalar_type(), kComplexFloat);
  EXPECT_EQ(parts(full({2}, Z(0, 1))), (Numbers{0, 1, 0, 1}));
  EXPECT_EQ(error_of([] { full({2}, Z(0, 1), kFloat); }), "value cannot be converted to type float without overflow");
  EXPECT_EQ(parts(ones({1}, kComplexDouble)), (Numbers{1, 0}));
  EXPECT_EQ(parts(eye(2, kComplexFloat)), (Numbers{1, 0, 0, 0, 0, 0, 1, 0}));
  EXPECT_EQ(parts(x.clone().fill_(Z(5, 6))), (Numbers{5, 6, 5, 6}));
  EXPECT_EQ(parts(x.clone().zero_()), (Numbers{0, 0, 0, 0}));
  double memory[] = {1, 2, 3, 4};
  EXPECT_EQ(parts(from_blob(memory, {2}, kComplexDouble)), (Numbers{1, 2, 3, 4}));
  EXPECT_EQ(complex(ones({2}), zeros({2})).scalar_type(), kComplexFloat);
}

TEST(Complex, RandomNumbersHaveVarianceOneInTotal) {
  manual_seed(0);
  const Numbers uniform = parts(rand({2}, kComplexFloat));
  manual_seed(0);
  EXPECT_EQ(uniform, values(rand({4})));
  manual_seed(0);
  const Tensor z = randn({4000}, kComplexDouble);
  EXPECT_NEAR(var(z).item<double>(), 1, 0.05);
  EXPECT_NEAR(var(real(z)).item<double>(), 0.5, 0.05);
  manual_seed(0);
  const Numbers moved = parts(zeros({2}, kComplexFloat).normal_(1, 2));  // PyTorch's for this seed
  const double expected[] = {3.1793, 0.5850, -2.0813, 1.8039};
  for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(moved[i], expected[i], 1e-4);
  EXPECT_NE(error_of([] { zeros({2}, kComplexFloat).random_(0, 3); }), "no error");
}

struct Counter : WarningHandler {
  int count = 0;
  std::string text;
  void process(const SourceLocation&, const std::string& message, bool) override { ++count, text = message; }
};

TEST(Complex, CastsToRealLoseTheImaginaryPartWithAWarning) {
  Counter counter;
  Warning::set_warning_handler(&counter);
  EXPECT_EQ(values(some().to(kFloat)), (Numbers{1, 3}));
  EXPECT_EQ(values(zeros({2}).copy_(some())), (Numbers{1, 3}));
  Warning::set_warning_handler(nullptr);
  EXPECT_EQ(counter.count, 1);
  EXPECT_EQ(counter.text, "Casting complex values to real discards the imaginary part");
  EXPECT_EQ(values(tensor({Z(0, 1), Z(0, 0)}).to(kBool)), (Numbers{1, 0}));
  EXPECT_EQ(values(tensor({Z(2.7, 1)}).to(kInt)), (Numbers{2}));
  EXPECT_EQ(parts(tensor({2}).to(kComplexFloat)), (Numbers{2, 0}));
  EXPECT_EQ(error_of([] { ones({2}).add_(some()); }), "result type ComplexDouble can't be cast to the desired output type Float");
  EXPECT_EQ(error_of([] { some()[0].item<double>(); }), "value cannot be converted to type double without overflow");
}

TEST(Complex, PartsAreViews) {
  const Tensor z = some();
  real(z).mul_(10);
  imag(z).fill_(5);
  EXPECT_EQ(parts(z), (Numbers{10, 5, 30, 5}));
  EXPECT_TRUE(real(z).is_alias_of(z));
  EXPECT_EQ(strides(view_as_real(z)), (Longs{2, 1}));
  const Tensor x = counting({2, 2, 2}), w = view_as_complex(x);
  w.mul_(Z(0, 1));
  EXPECT_EQ(values(x), (Numbers{-1, 0, -3, 2, -5, 4, -7, 6}));
  EXPECT_EQ(sizes(w), (Longs{2, 2}));
  EXPECT_EQ(parts(w.t().select(0, 1)), (Numbers{-3, 2, -7, 6}));
  EXPECT_TRUE(real(x).is_same(x));
  EXPECT_TRUE(conj(x).is_same(x));
}

TEST(Complex, WritesToPartsAreRecorded) {
  const Tensor re = leaf(tensor({1.0, 2.0})), im = leaf(tensor({3.0, 4.0}));
  const Tensor z = complex(re, im);
  real(z).mul_(im * 2);  // re * 2 im + i im
  const Tensor y = z * z;
  real(y).sum().backward();  // the sum of 4 re^2 im^2 - im^2
  EXPECT_EQ(values(re.grad()), (Numbers{8 * 1 * 9, 8 * 2 * 16}));
  EXPECT_EQ(values(im.grad()), (Numbers{8 * 1 * 3 - 6, 8 * 4 * 4 - 8}));
  const Tensor x = leaf(tensor({1.0, 2.0, 3.0, 4.0}));
  const Tensor pairs = x * 1;
  view_as_complex(pairs.view({2, 2})).mul_(Z(0, 1));  // -x1 + i x0, ...
  (pairs * tensor({1.0, 10.0, 100.0, 1000.0})).sum().backward();
  EXPECT_EQ(values(x.grad()), (Numbers{10, -1, 1000, -100}));
}

TEST(Complex, ArithmeticOfAnyLayout) {
  const Tensor x = randn({40, 70}, kComplexDouble), y = randn({70, 40}, kComplexDouble).t(), row = randn({70}, kDouble);
  const Tensor sum = x * y + row;
  const Tensor expected = complex(real(x) * real(y) - imag(x) * imag(y) + row, real(x) * imag(y) + imag(x) * real(y));
  EXPECT_TRUE(allclose(sum, expected));
  EXPECT_TRUE(allclose(x.slice(1, 0, 70, 3).exp(), x.exp().slice(1, 0, 70, 3)));
  EXPECT_TRUE(allclose(x.to(kComplexFloat).slice(0, 0, 40, 2).mul(2.5).to(kComplexDouble), x.slice(0, 0, 40, 2) * 2.5, 1e-4, 1e-5));
  EXPECT_TRUE(allclose(where(row > 0, x, y), complex(where(row > 0, real(x), real(y)), where(row > 0, imag(x), imag(y)))));
  const Tensor z = x.clone();
  EXPECT_TRUE(allclose(z.mul_(y), x * y));
  Tensor out = empty({0}, kComplexDouble);
  EXPECT_TRUE(allclose(add_out(out, x, y), x + y));
  EXPECT_TRUE(allclose(x.sum(0), complex(real(x).sum(0), imag(x).sum(0))));
  EXPECT_TRUE(allclose(x.matmul(y.t()), complex(real(x).matmul(real(y).t()) - imag(x).matmul(imag(y).t()),
                                                real(x).matmul(imag(y).t()) + imag(x).matmul(real(y).t()))));
  EXPECT_EQ(parts(tensor({Z(1, 2), Z(3, -4)}) / 0), (Numbers{HUGE_VAL, HUGE_VAL, HUGE_VAL, -HUGE_VAL}));
  EXPECT_EQ(empty({0}, kComplexFloat).sum().item<Zf>(), Zf(0));
  EXPECT_EQ(empty({0}, kComplexFloat).prod().item<Zf>(), Zf(1));
}

TEST(Complex, PowersOfZero) {
  const Tensor x = tensor({Z(0), Z(0, 1)}).requires_grad_();
  const auto gradient = [&](const Tensor& y) { return parts(autograd::grad({view_as_real(y).sum()}, {x}).at(0)); };
  EXPECT_EQ(parts(x.pow(0)), (Numbers{1, 0, 1, 0}));
  EXPECT_EQ(parts(x.pow(zeros({2}))), (Numbers{1, 0, 1, 0}));
  EXPECT_EQ(parts(x.pow(2).slice(0, 0, 1)), (Numbers{0, 0}));
  EXPECT_EQ(gradient(x.pow(0)), (Numbers{0, 0, 0, 0}));
  EXPECT_EQ(gradient(x.pow(1)), (Numbers{1, 1, 1, 1}));
}

TEST(Complex, Places) {
  const Tensor z = tensor({{Z(1, 1), Z(2, 2)}, {Z(3, 3), Z(4, 4)}});
  EXPECT_EQ(parts(z.index({Tensor(tensor({1, 0})), Tensor(tensor({0, 1}))})), (Numbers{3, 3, 2, 2}));
  const Tensor y = z.clone();
  y.index_put_({Tensor(tensor({0, 0})), Tensor(tensor({1, 1}))}, tensor({Z(10, 0), Z(0, 10)}));
  EXPECT_EQ(parts(y[0]), (Numbers{1, 1, 0, 10}));
  EXPECT_EQ(parts(z.index_put({Tensor(tensor({0, 0}))}, z.narrow(0, 1, 1), true)[0]), (Numbers{7, 7, 10, 10}));
  EXPECT_EQ(parts(z.clone().masked_fill_(tensor({true, false}), Z(0, 7))[1]), (Numbers{0, 7, 4, 4}));
  EXPECT_EQ(parts(stack({z[0], z[1]}, 1)[0]), (Numbers{1, 1, 3, 3}));
  EXPECT_EQ(values(nonzero(tensor({Z(0, 1), Z(0, 0)}))), (Numbers{0}));
  EXPECT_EQ(parts(z.flip(0)[0]), (Numbers{3, 3, 4, 4}));
  EXPECT_EQ(parts(zeros({2}, kComplexDouble).scatter(0, tensor({1}), tensor({Z(1, 2)}))), (Numbers{0, 0, 1, 2}));
  EXPECT_EQ(parts(zeros({2}, kComplexDouble).scatter_reduce(0, tensor({1, 1}), tensor({Z(1, 2), Z(3, -1)}), "prod", false)[1].unsqueeze(0)),
            (Numbers{5, 5}));
}

// The gradient of a real function of z is 2 dL/d conj(z): what points uphill.
TEST(Complex, GradientsPointUphill) {
  const Tensor z = leaf(some());
  z.abs().sum().backward();
  EXPECT_TRUE(allclose(z.grad(), some() / some().abs()));
  const Tensor w = leaf(zeros({1}, kComplexDouble));
  w.abs().sum().backward();
  EXPECT_EQ(parts(w.grad()), (Numbers{0, 0}));
  const Tensor x = leaf(tensor({2.0}));
  Counter counter;
  Warning::set_warning_handler(&counter);
  real(x * Z(3, 4)).sum().backward();
  Warning::set_warning_handler(nullptr);
  EXPECT_EQ(values(x.grad()), (Numbers{3}));
  EXPECT_EQ(x.grad().scalar_type(), kFloat);
  EXPECT_EQ(counter.count, 0);
  EXPECT_EQ(node(x * Z(0, 1)), "MulBackward0");
  EXPECT_EQ(error_of([&] { (x * Z(0, 1)).backward(); }), "grad can be computed only for real scalar outputs but got ComplexFloat");
  EXPECT_EQ(
      error_of([&] { (x * Z(0, 1)).backward(ones({1})); }),
      "For complex Tensors, both grad_output and output are required to have the same dtype. Mismatch in dtype: grad_output[0] has a dtype "
      "of Float and output[0] has a dtype of ComplexFloat.");
  const Tensor u = leaf(tensor({Zf(1, 1)}));
  (u * u).backward(tensor({Zf(1, 0)}));
  EXPECT_EQ(parts(u.grad()), (Numbers{2, -2}));
}

TEST(Complex, WhatIsNotDefined) {
  const Tensor z = some().to(kComplexFloat);
  const auto not_implemented = [](const char* name) { return "\"" + std::string(name) + "\" not implemented for 'ComplexFloat'"; };
  EXPECT_EQ(error_of<NotImplementedError>([&] { lt(z, z); }), not_implemented("lt_cpu"));
  EXPECT_EQ(error_of<NotImplementedError>([&] { z.ge(1); }), not_implemented("ge_cpu"));
  EXPECT_EQ(error_of<TypeError>([&] { maximum(z, z); }), "maximum not implemented for complex tensors.");
  EXPECT_EQ(error_of<NotImplementedError>([&] { z.max(); }), not_implemented("max_all"));
  EXPECT_EQ(error_of<TypeError>([&] { z.argmax(); }), "argmax(): does not support complex input");
  EXPECT_EQ(error_of<NotImplementedError>([&] { floor(z); }), "floor is not supported for complex inputs");
  EXPECT_EQ(error_of<NotImplementedError>([&] { sign(z); }),
            "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use torch.sgn instead.");
  EXPECT_EQ(error_of<NotImplementedError>([&] { z.clamp(0, 1); }), "clamp is not supported for complex types");
  EXPECT_EQ(error_of<NotImplementedError>([&] { erf(z); }), not_implemented("erf_vml_cpu"));
  EXPECT_EQ(error_of<NotImplementedError>([&] { atan2(z, z); }), not_implemented("atan2_cpu"));
  EXPECT_EQ(error_of<TypeError>([&] { imag(ones({2})); }), "imag is not implemented for tensors with non-complex dtypes.");
  EXPECT_EQ(error_of<TypeError>([&] { view_as_real(ones({2})); }), "view_as_real is only supported for complex tensors");
  EXPECT_EQ(error_of([&] { view_as_complex(ones({3})); }), "Tensor must have a last dimension of size 2");
  EXPECT_EQ(error_of([&] { view_as_complex(ones({4, 4}).slice(1, 0, 4, 2)); }), "Tensor must have a last dimension with stride 1");
  EXPECT_EQ(error_of([&] { view_as_complex(ones({3}).slice(0, 1)); }), "Tensor must have a storage_offset divisible by 2");
  EXPECT_EQ(error_of([&] { complex(ones({2}), ones({2}, kDouble)); }),
            "Expected object of scalar type Float but got scalar type Double for second argument");
  EXPECT_EQ(error_of<NotImplementedError>([&] { arange(0, 1, kComplexFloat); }), not_implemented("arange_cpu"));
  int number = 0;
  for (const auto& f : std::vector<std::function<void()>>{
           [&] { sort(z, 0); }, [&] { topk(z, 1); }, [&] { z.max(0); }, [&] { z.amin(); }, [&] { cummax(z, 0); }, [&] { softmax(z, 0); },
           [&] { z.median(); }, [&] { gelu(z); }, [&] { relu(z); }, [&] { bitwise_and(z, z); }, [&] { fmod(z, z); }, [&] { hypot(z, z); },
           [&] { bucketize(z, ones({2})); }, [&] { lerp(z, z, 0.5); }, [&] { logcumsumexp(z, 0); },
           [&] { histc(z); }, [&] { bernoulli(z); }, [&] { layer_norm(z, {2}); },
           [&] { z.scatter_reduce(0, tensor({0, 0}), z, "amax"); }, [&] { conv1d(z.view({1, 1, 2}), z.view({1, 1, 2})); },
           [&] { avg_pool1d(z.view({1, 1, 2}), 1); }, [&] { mode(z); }, [&] { kthvalue(z, 1); }, [&] { quantile(z, 0.5); }}) {
    EXPECT_NE(error_of(f), "no error") << "number " << number;
    ++number;
  }
}

TEST(Complex, LinearAlgebra) {
  const Tensor a = randn({3, 4, 4}, kComplexDouble), identity = eye(4, kComplexDouble);
  const auto near = [](const Tensor& x, const Tensor& y) { return allclose(x, y, 1e-8, 1e-8); };
  EXPECT_TRUE(near(a.matmul(linalg_inv(a)), identity.expand_as(a)));
  for (const Tensor& x : {a, real(a).contiguous()}) {
    const auto [w, v] = linalg_eig(x);
    EXPECT_TRUE(near(x.to(kComplexDouble).matmul(v), v * w.unsqueeze(-2)));
    EXPECT_TRUE(near(v.abs().square().sum(-2), ones({3, 4}, kDouble)));
    EXPECT_TRUE(near(w.prod(-1), linalg_det(x).to(kComplexDouble)));
  }
  const auto [q, r] = linalg_qr(a);
  EXPECT_TRUE(near(q.matmul(r), a) && near(q.mH().matmul(q), identity.expand_as(a)));
  const auto [u, s, vh] = linalg_svd(a);
  EXPECT_EQ(s.scalar_type(), kDouble);
  EXPECT_TRUE(near((u * s.unsqueeze(-2)).matmul(vh), a));
  const Tensor h = a.matmul(a.mH()) + identity;
  const Tensor l = linalg_cholesky(h);
  EXPECT_TRUE(near(l.matmul(l.mH()), h) && near(linalg_cholesky(h, true), l.mH()));
  const auto [w, v] = linalg_eigh(h);
  EXPECT_TRUE(near((v * w.unsqueeze(-2)).matmul(v.mH()), h));
  EXPECT_TRUE(near(linalg_eigvalsh(h, "U"), w));
  EXPECT_TRUE(near(linalg_pinv(a).matmul(a), identity.expand_as(a)));
  EXPECT_TRUE(near(linalg_matrix_exp(identity * Z(0, M_PI)), -identity));
  EXPECT_NE(error_of([] { linalg_eig(full({2, 2}, NAN)); }), "no error");
}

TEST(Complex, Files) {
  const std::string path = ::testing::TempDir() + "complex.npy";
  for (const Tensor& z : {some(), some().to(kComplexFloat), tensor({{Z(1, 2), Z(3, 4)}, {Z(5, 6), Z(7, 8)}}).t()}) {
    save_npy(z, path);
    const Tensor y = load_npy(path);
    EXPECT_TRUE(equal(y, z) && y.scalar_type() == z.scalar_type());
  }
}

TEST(Complex, ManyNumbersInOneGradcheck) {
  const auto f = [](const std::vector<Tensor>& x) {
    const Tensor z = view_as_complex(x[0]), w = z.index({Tensor(tensor({2, 0, 0}))});
    return std::vector<Tensor>{real(z.mul(w).cumprod(0) / (w + 3)), imag(einsum("i,j->ij", {z, w.conj()}).t().matmul(z)),
                               (z - w).sgn().angle()};
  };
  const Tensor x = leaf(tensor({{1.0, 0.5}, {-0.7, 1.1}, {0.3, -0.8}}, kDouble));
  EXPECT_TRUE(autograd::gradcheck(f, {x}));
  // Complex inputs and outputs as they are; a derivative without its conjugate is found.
  const auto square = [](const std::vector<Tensor>& z) { return std::vector<Tensor>{z[0] * z[0] * Z(1, 2)}; };
  EXPECT_TRUE(autograd::gradcheck(square, {leaf(some())}));
  EXPECT_TRUE(autograd::gradgradcheck(square, {leaf(some())}));
  const auto turned = [](const std::vector<Tensor>& z) {
    const Tensor y = z[0] * 1;
    y.register_hook([](const Tensor& g) { return g.conj(); });
    return std::vector<Tensor>{y};
  };
  EXPECT_NE(error_of([&] { autograd::gradcheck(turned, {leaf(some())}); }), "no error");
}

TEST(Complex, Closeness) {
  const Tensor z = some();
  EXPECT_FALSE(allclose(z, z + Z(0, 1)));
  EXPECT_TRUE(allclose(z, z * Z(1, 1e-7)));
  const Tensor nan = tensor({Z(NAN, 1)});
  EXPECT_FALSE(allclose(nan, nan));
  EXPECT_TRUE(allclose(nan, nan, 1e-5, 1e-8, true));
  EXPECT_TRUE(equal(z, z.clone()) && !equal(z, z.conj()));
  EXPECT_EQ(parts(nan_to_num(tensor({Z(NAN, 1), Z(2, NAN)}))), (Numbers{0, 1, 2, 0}));
  EXPECT_TRUE(tensor({Z(0, 1)}).is_nonzero());
}

}  // namespace
}  // namespace wick::test
