// Special functions, transforms over time, and factors of matrices, beside PyTorch.
#include "wick/framework/autograd/gradcheck.h"
#include "wick/tests/compat/golden_rows.h"
#include "wick/tests/compat/support.h"

using namespace golden;

namespace {

torch::Tensor hann(int64_t n) { return torch::hann_window(n, torch::kDouble); }
std::tuple<torch::Tensor, torch::Tensor> factor(const torch::Tensor& x) { return torch::linalg::lu_factor(x); }

TEST(Special, ValuesAndGradients) {
  check({
      {{23.7398346, 30.0065515}, {sample({6}, -4, 7)}, OF(torch::special::i0(x[0]))},
      {{-0.139224607, -0.0865424539}, {sample({6}, -4, 7)}, OF(torch::special::i0e(x[0]))},
      {{24.1321266, 28.8847109}, {sample({6}, -4, 7)}, OF(torch::special::i1(x[0]))},
      {{0.191955488, -0.0346389263}, {sample({6}, -4, 7)}, OF(torch::special::i1e(x[0]))},
      {{0.100198755, 0.291504057}, {sample({6}, -4, 7)}, OF(torch::special::bessel_j0(x[0]))},
      {{0.0661554496, -0.521370845}, {sample({6}, -4, 7)}, OF(torch::special::bessel_j1(x[0]))},
      {{23.7398346, 30.0065515}, {sample({6}, -4, 7)}, OF(torch::special::modified_bessel_i0(x[0]))},
      {{24.1321266, 28.8847109}, {sample({6}, -4, 7)}, OF(torch::special::modified_bessel_i1(x[0]))},
      {{-109.478572, -301.910951}, {sample({6}, -4, 7)}, OF(torch::special::erfcx(x[0]))},
      {{0.366037955, 0.0837645297}, {sample({6}, -4, 7)}, OF(torch::special::ndtr(x[0]))},
      {{2.63828688, 1.12408589}, {sample({6}, -4, 7)}, OF(torch::special::log_ndtr(x[0]))},
      {{0.304947598, 0.140941824}, {sample({6}, -4, 7)}, OF(torch::special::expit(x[0]))},
      {{0.00294302986, -0.0949537998}, {sample({6}, -4, 7)}, OF(torch::special::sinc(x[0]))},
      {{-0.0570307523, 0.531893866}, {sample({6}, 0.2, 9)}, OF(torch::special_bessel_y0(x[0]))},
      {{0.135269032, 0.096523511}, {sample({6}, 0.2, 9)}, OF(torch::special_bessel_y1(x[0]))},
      {{-0.105936256, -0.0916737742}, {sample({6}, 0.2, 9)}, OF(torch::special_modified_bessel_k0(x[0]))},
      {{-0.133773313, -0.124913586}, {sample({6}, 0.2, 9)}, OF(torch::special_modified_bessel_k1(x[0]))},
      {{-6.79044621, -7.63263455}, {sample({6}, 0.2, 9)}, OF(torch::special_entr(x[0]))},
      {{3.99244518, 4.4207277}, {sample({6}, 0.2, 9)}, OF(torch::special_gammaln(x[0]))},
      {{0.671840039, 0.759940912}, {sample({6}, 0.2, 9)}, OF(torch::special_psi(x[0]))},
      {{1.20127331, 9.37856352}, {sample({6}, 0.001, 0.999)}, OF(torch::special_ndtri(x[0]))},
      {{8.23314562e+93, 2.33014532e+95}, {sample({6}, -3, 3)}, OF(torch::i0(x[0] * 100))},
      {{-0.0377124334, -0.00502096956}, {sample({6}, 2, 40)}, OF(torch::special_erfcx(x[0]))},
      {{346.421401, 32.2056333}, {sample({6}, -40, 6)}, OF(torch::special_log_ndtr(x[0]))},
      {{0.0737332643}, {sample({6}, -9, 5)}, OF(torch::special_airy_ai(x[0]))},
      {{-0.438548777}, {sample({6}, -9, 5)}, OF(torch::special_spherical_bessel_j0(x[0]))},
      {{-0.16595074}, {sample({6}, 0.1, 80)}, OF(torch::special_scaled_modified_bessel_k0(x[0]))},
      {{-0.173375793}, {sample({6}, 0.1, 80)}, OF(torch::special_scaled_modified_bessel_k1(x[0]))},
      {{1.24047284}, {sample({6}, -1.5, 1.5), ints({0, 1, 2, 3, 4, 7})}, OF(torch::special_chebyshev_polynomial_t(x[0], x[1]))},
      {{4.35053593}, {sample({6}, -1.5, 1.5), ints({0, 1, 2, 3, 4, 7})}, OF(torch::special_chebyshev_polynomial_u(x[0], x[1]))},
      {{6.03035298}, {sample({6}, -1.5, 1.5), ints({0, 1, 2, 3, 4, 7})}, OF(torch::special_chebyshev_polynomial_v(x[0], x[1]))},
      {{2.67071888}, {sample({6}, -1.5, 1.5), ints({0, 1, 2, 3, 4, 7})}, OF(torch::special_chebyshev_polynomial_w(x[0], x[1]))},
      {{65.8293428}, {sample({6}, -1.5, 1.5), ints({0, 1, 2, 3, 4, 7})}, OF(torch::special_shifted_chebyshev_polynomial_t(x[0], x[1]))},
      {{134.384186}, {sample({6}, -1.5, 1.5), ints({0, 1, 2, 3, 4, 7})}, OF(torch::special_shifted_chebyshev_polynomial_u(x[0], x[1]))},
      {{156.592919}, {sample({6}, -1.5, 1.5), ints({0, 1, 2, 3, 4, 7})}, OF(torch::special_shifted_chebyshev_polynomial_v(x[0], x[1]))},
      {{112.175453}, {sample({6}, -1.5, 1.5), ints({0, 1, 2, 3, 4, 7})}, OF(torch::special_shifted_chebyshev_polynomial_w(x[0], x[1]))},
      {{194.873526}, {sample({6}, -1.5, 1.5), ints({0, 1, 2, 3, 4, 7})}, OF(torch::special_hermite_polynomial_h(x[0], x[1]))},
      {{-29.4462308}, {sample({6}, -1.5, 1.5), ints({0, 1, 2, 3, 4, 7})}, OF(torch::special_hermite_polynomial_he(x[0], x[1]))},
      {{-3.8000631}, {sample({6}, -1.5, 1.5), ints({0, 1, 2, 3, 4, 7})}, OF(torch::special_laguerre_polynomial_l(x[0], x[1]))},
      {{1.35337438}, {sample({6}, -1.5, 1.5), ints({0, 1, 2, 3, 4, 7})}, OF(torch::special_legendre_polynomial_p(x[0], x[1]))},
      {{-0.0693753877, 0, -0.0214976805}, {sample({6}, 1.2, 9), sample({6}, 0.3, 20)}, OF(torch::special_zeta(x[0].detach(), x[1]))},
      {{-0.184296893, 0, 0.148649742}, {sample({6}, 0.2, 60), sample({6}, 0.3, 50)}, OF(torch::igamma(x[0].detach(), x[1]))},
      {{-0.0913512833, 0, -0.148649742}, {sample({6}, 0.2, 60), sample({6}, 0.3, 50)}, OF(torch::igammac(x[0].detach(), x[1]))},
      {{1.63234519, 2.69335291, 0.203789911}, {sample({6}, -3, 3), sample({6}, -0.5, 3)}, OF(torch::special_xlog1py(x[0], x[1]))},
      {{10.0333445, 13.2501146}, {sample({6}, 1.2, 9)}, OF(torch::mvlgamma(x[0], 3))},
      {{2.414275, 0}, {sample({6}, -3, 3)}, OF(torch::special_round(x[0], 1))},
      {{0.380956602, 0.396007641}, {sample({6}, 0.2, 9)}, OF(torch::special_polygamma(2, x[0]))},
  });
}

TEST(Spectral, ValuesAndGradients) {
  check({
      {{-1.57025769, -1.74072421},
       {sample({2, 20})},
       OF(torch::stft(x[0], 8, 3, 6, torch::hann_window(6, torch::kDouble), true, "reflect", false, true, true))},
      {{1.96601579, -1.63923948}, {sample({20})}, OF(torch::view_as_real(torch::stft(x[0], 8, 3, {}, {}, true, false, true)))},
      {{2.2704249, 19.562861, 1.22671581},
       {sample({2, 20}), sample({1})},
       OF(torch::istft(torch::stft(x[0], 8, 2, 8, hann(8), true, "reflect", true, true, true) * (1 + x[1][0]), 8, 2, 8, hann(8), true,
                       true))},
      {{0.568303101, 0.0309675259, -0.0152876032},
       {sample({8, 7}), sample({8, 7}, 0.2, 2)},
       OF(torch::istft(torch::complex(x[0], x[1]), 8, 2, 8, hann(8), true, false, false, 13))},
      {{-20.7803369, -4.27087073, 2.835292}, {sample({3, 4}), sample({3, 4}, 0.2, 2)}, OF(torch::fft_hfftn(torch::complex(x[0], x[1])))},
      {{-2.83720014, -2.06010115, -2.22344635},
       {sample({3, 4}), sample({3, 4}, 0.2, 2)},
       OF(torch::fft::hfft2(torch::complex(x[0], x[1]), {{2, 5}}, {-2, -1}, "ortho"))},
      {{-0.116892531, -0.713672887}, {sample({3, 4})}, OF(torch::fft_ihfft2(x[0]))},
      {{-1.95214085, 5.47407564}, {sample({3, 2, 4})}, OF(torch::fft::ihfftn(x[0], {{5, 3}}, {{0, 2}}, "forward"))},
      {{0.381745448, 1.28771562}, {sample({7})}, OF(torch::kaiser_window(7, false, 8.0, torch::kDouble) * x[0])},
      {{0.642325372, 1.1049786}, {sample({7})}, OF(torch::kaiser_window(7, torch::kDouble) * x[0])},
  });
}

TEST(Decompositions, ValuesAndGradients) {
  check({
      {{-1.9281205, 3.38971242}, {sample({2, 4, 3})}, OF(joined(torch::linalg_lu(x[0])))},
      {{-0.520549161, 1.39647486}, {sample({3, 4})}, OF(joined(torch::linalg::lu(x[0])))},
      {{-0.581147381, 0.31804585}, {sample({2, 4, 4})}, OF(joined(torch::linalg_lu_factor(x[0])))},
      {{-4.92923927, -5.43997541, 4.08733226},
       {sample({2, 4, 4}), sample({2, 4, 2}, -2, 2)},
       OF(torch::linalg_lu_solve(std::get<0>(factor(x[0])), std::get<1>(factor(x[0])), x[1]))},
      {{-12.7951039, 26.7469411, -4.15868078},
       {sample({4, 4}), sample({2, 3, 4}, -2, 2)},
       OF(torch::linalg::lu_solve(std::get<0>(factor(x[0])), std::get<1>(factor(x[0])), x[1], false, true))},
      {{-2.63009201, -1.70890212, -1.63574326},
       {sample({4, 4}), sample({4, 2}, -2, 2)},
       OF(torch::lu_solve(x[1], std::get<0>(factor(x[0])), std::get<1>(factor(x[0]))))},
      {{-8.54731171, 19.6321824, -1.63574326},
       {sample({4, 4}), sample({4, 2}, -2, 2)},
       OF(torch::linalg_lu_solve(std::get<0>(factor(x[0])), std::get<1>(factor(x[0])), x[1], true, true))},
      {{-0.3923861, 2.45061251},
       {sample({2, 3, 3})},
       OF(joined(torch::linalg_cholesky_ex(x[0].matmul(x[0].mT()) + torch::eye(3, torch::kDouble))))},
      {{2.3638266, -7.87355496}, {sample({2, 3, 3}, -2, 1)}, OF(joined(torch::linalg_inv_ex(x[0])))},
      {{-6.29281612, 35.5775631, 10.6700551},
       {sample({2, 3, 3}, -2, 1), sample({2, 3, 2})},
       OF(joined(torch::linalg_solve_ex(x[0], x[1])))},
      {{0.424796867, -8.18676057, 1.44963409},
       {sample({2, 4, 3}), sample({2, 3}, 0.5, 1.5)},
       OF(torch::linalg_householder_product(x[0], x[1]))},
      {{-0.60672564, 2.11463422, -2.29437349, 3.92677447, -9.29243921},
       {sample({4, 3}), sample({4, 3}, -2, 1), sample({3}, 0.5, 1), sample({3}, -0.5, 0.5)},
       OF(torch::orgqr(torch::complex(x[0], x[1]), torch::complex(x[2], x[3])))},
      {{-7.03537109, 0, -2.53415148}, {sample({2, 4, 3}), sample({1}, 1, 2)}, OF(joined(torch::geqrf(x[0].detach())) * x[1][0])},
      {{-8.50021807, 0, 0, -3.06179161},
       {sample({3, 4}), sample({3, 4}, -2, 1), sample({1}, 1, 2)},
       OF(joined(torch::geqrf(torch::complex(x[0], x[1]).detach())) * x[2][0])},
      {{0.473039005, 4.53238852, -0.192523381, 1.54516485},
       {sample({4, 3}), sample({3}, 0.5, 1.5), sample({4, 2})},
       OF(torch::ormqr(x[0], x[1], x[2]))},
      {{0.26501979, -0.457321826, 0.479069146, 1.21146945},
       {sample({4, 3}), sample({3}, 0.5, 1.5), sample({2, 4})},
       OF(torch::ormqr(x[0], x[1], x[2], false, true))},
      {{-158.620942, -2331.10482}, {sample({6, 2, 3})}, OF(torch::linalg_tensorinv(x[0], 1))},
      {{20.6439085, 242.183981, 78.658444}, {sample({2, 3, 6}), sample({2, 3})}, OF(torch::linalg_tensorsolve(x[0], x[1]))},
      {{0.0228687278, -0.511135701}, {sample({2, 3})}, OF(torch::linalg_vander(x[0], 4))},
      {{0.496984384, 0.346625267}, {sample({2, 3, 2})}, OF(torch::frobenius_norm(x[0], {0, 1}))},
      {{-1.7938876, -1.301798}, {sample({2, 3, 2})}, OF(torch::nuclear_norm(x[0], {0, 2}, true))},
      {{-0.681662329, 0.0174987376}, {sample({2, 3})}, OF(torch::norm_except_dim(x[0], 2, 1))},
      {{-0.121518586, 0.194907774}, {sample({2, 3, 2})}, OF(torch::norm_except_dim(x[0], 2, 0))},
  });
}

// Values by PyTorch.
TEST(Special, AtTheEdges) {
  const double inf = HUGE_VAL, nan = std::nan("");
  const auto expect = [](const torch::Tensor& got, std::vector<double> want) {
    EXPECT_TRUE(torch::allclose(got.to(torch::kDouble), torch::tensor(want, torch::kDouble), 1e-4, 0, true)) << got;
  };
  expect(torch::special_erfcx(torch::tensor({inf, -1., nan})), {0, 5.0090, nan});
  expect(torch::special_i0e(torch::tensor({inf})), {0});
  expect(torch::special_modified_bessel_k0(torch::tensor({0., -1., 800.})), {inf, nan, 0});
  expect(torch::special_bessel_y0(torch::tensor({0., -1.})), {-inf, nan});
  expect(torch::special_ndtri(torch::tensor({0., 1., 2., 1e-30})), {-inf, inf, nan, -11.4640});
  expect(torch::special_entr(torch::tensor({-1., 0.})), {-inf, 0});
  expect(torch::special_zeta(torch::tensor({1., 0.5, 2., 3., 2.}), torch::tensor({1., 1., 0., -1.5, -0.5})),
         {inf, nan, inf, 0.1181, 8.9348});
  expect(torch::igamma(torch::tensor({0., -1., 1., 2.}), torch::tensor({1., 1., inf, 0.})), {1, nan, 1, 0});
  expect(torch::special_chebyshev_polynomial_t(torch::tensor({0.5}), torch::tensor({-1})), {0});
  expect(torch::special::hermite_polynomial_h(2.0, torch::tensor({3})), {40});
  EXPECT_EQ(torch::i0(torch::tensor({1, 2})).scalar_type(), torch::kFloat);
  EXPECT_EQ(torch::i0(torch::ones({2}, torch::kHalf)).scalar_type(), torch::kHalf);
  EXPECT_EQ(torch::special_zeta(torch::ones({2, 1}) * 2, torch::ones({3})).sizes(), torch::IntArrayRef({2, 3}));
  EXPECT_EQ(torch::i0(torch::ones({2, 3}, torch::kMeta)).sizes(), torch::IntArrayRef({2, 3}));
  const torch::Tensor x = torch::tensor({0.5, 2.0});
  EXPECT_TRUE(torch::equal(torch::special::gammaln(x), x.lgamma()));
  EXPECT_TRUE(torch::equal(torch::special_softmax(x, 0), x.softmax(0)));
  EXPECT_EQ(message_of([] { torch::mvlgamma(torch::ones({1}), 0); }), "p has to be greater than or equal to 1");
  EXPECT_EQ(message_of([] { torch::special_zeta(torch::tensor({2.}).requires_grad_(), 1.0).backward(); }),
            "the derivative for 'zeta' is not implemented.");
}

TEST(Special, DerivativesOfDerivatives) {
  const auto smooth = [](const Inputs& x) { return torch::i0(x[0]) * torch::special_i1e(x[0]) + torch::special_ndtri(x[0].sigmoid()); };
  EXPECT_TRUE(wick::autograd::gradgradcheck([&](const Inputs& x) { return Inputs{smooth(x)}; }, {sample({4}, -2, 2)}));
}

TEST(Spectral, ErrorsAreLibTorchs) {
  const torch::Tensor x = torch::ones({10});
  const auto stft = [](const torch::Tensor& x, int64_t n_fft, std::optional<int64_t> hop, std::optional<int64_t> win,
                       const std::optional<torch::Tensor>& window = {}) {
    torch::stft(x, n_fft, hop, win, window, false, std::nullopt, true);
  };
  EXPECT_EQ(message_of([&] { torch::stft(x, 4); }), "stft requires the return_complex parameter be given for real inputs, and will further "
            "require that return_complex=True in a future PyTorch release.");
  EXPECT_EQ(message_of([&] { stft(x, 40, {}, {}); }), "stft(torch.FloatTensor[10], n_fft=40, hop_length=10, win_length=40, window=None, "
            "normalized=0, onesided=None, return_complex=1) : expected 0 < n_fft < 10, but got n_fft=40");
  EXPECT_NE(message_of([&] { stft(x, 4, {}, 6); }).find(" : expected 0 < win_length <= n_fft, but got win_length=6"), std::string::npos);
  EXPECT_NE(message_of([&] { stft(x, 4, {}, {}, torch::ones({3})); }).find("window=torch.FloatTensor{[3]}"), std::string::npos);
  EXPECT_NE(message_of([&] { stft(x, 4, 0, {}); }).find(" : expected hop_length > 0, but got hop_length=0"), std::string::npos);
  EXPECT_EQ(message_of([] { torch::istft(torch::ones({3, 4}), 4); }),
            "istft requires a complex-valued input tensor matching the output from stft with return_complex=True.");
  const torch::Tensor spectrum = torch::ones({3, 4}, torch::kComplexFloat);
  EXPECT_EQ(message_of([&] { torch::istft(spectrum, 4, 5); }), "istft(CPUComplexFloatType[3, 4], n_fft=4, hop_length=5, win_length=4, "
            "window=None, center=1, normalized=0, onesided=None, length=None, return_complex=0) : expected 0 < hop_length <= win_length");
  EXPECT_NE(message_of([&] { torch::istft(spectrum, 4, {}, {}, torch::zeros({4})); }).find("window overlap add min: "), std::string::npos);
  EXPECT_EQ(message_of([] { torch::kaiser_window(-1); }), "kaiser_window requires non-negative window_length, got window_length=-1");
  const std::vector<int64_t> size = {2};
  EXPECT_EQ(message_of([&] { torch::fft_hfftn(torch::ones({2, 2}), size, torch::IntArrayRef({0, 1})); }),
            "When given, dim and shape arguments must have the same length");
}

TEST(Decompositions, SayWhatIsSingular) {
  const torch::Tensor zeros = torch::zeros({2, 2}), both = torch::stack({torch::eye(2), zeros});
  const std::string division =
      "U[1,1] is zero and using it on lu_solve would result in a division by zero. If you still want to perform the "
      "factorization, consider calling linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)";
  EXPECT_EQ(message_of([&] { torch::linalg_lu_factor(zeros); }), "torch.linalg.lu_factor: " + division);
  EXPECT_EQ(message_of([&] { torch::linalg_lu_factor(both); }), "torch.linalg.lu_factor: (Batch element 1): " + division);
  EXPECT_EQ(std::get<2>(torch::linalg_lu_factor_ex(zeros)).item<int>(), 1);
  EXPECT_EQ(message_of([] { torch::linalg_lu_factor(torch::zeros({2})); }),
            "torch.lu_factor: Expected tensor with 2 or more dimensions. Got size: [2] instead");
  EXPECT_EQ(message_of([&] { torch::linalg_inv_ex(both, true); }), "linalg.inv_ex: (Batch element 1): The diagonal element 1 is zero, the "
            "inversion could not be completed because the input matrix is singular.");
  const auto [inverse, info] = torch::linalg_inv_ex(both);
  EXPECT_TRUE(torch::equal(info, torch::tensor({0, 1}, torch::kInt)));
  EXPECT_TRUE(torch::equal(inverse[0], torch::eye(2)) && inverse[1].isnan().all().item<bool>());
  EXPECT_EQ(message_of([] { torch::linalg_cholesky_ex(-torch::eye(2), false, true); }),
            "linalg.cholesky_ex: The factorization could not be "
            "completed because the input is not positive-definite (the leading minor of order 1 is not positive-definite).");
  EXPECT_EQ(std::get<1>(torch::linalg_cholesky_ex(torch::tensor({{1., 0.}, {0., -1.}}))).item<int>(), 2);
  EXPECT_EQ(message_of([] { torch::linalg_cholesky_ex(torch::ones({2, 3})); }),
            "linalg.cholesky: A must be batches of square matrices, but they are 2 by 3 matrices");
  EXPECT_EQ(message_of([&] { torch::linalg_solve_ex(zeros, torch::ones({2}), true, true); }),
            "torch.linalg.solve_ex: The solver failed because the input matrix is singular.");
  EXPECT_EQ(message_of([] { torch::linalg_tensorinv(torch::ones({2, 3}), 1); }),
            "Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but got 3 != 2");
  EXPECT_EQ(message_of([] { torch::linalg_householder_product(torch::ones({2, 3}), torch::ones({2})); }),
            "torch.linalg.householder_product: input.shape[-2] must be greater than or equal to input.shape[-1]");
  EXPECT_EQ(message_of([] { torch::linalg_vander(torch::ones({2}), 1); }), "N must be greater than 1.");
  EXPECT_EQ(torch::linalg_vander(torch::tensor({2, 3}), 3).scalar_type(), torch::kLong);
  const torch::Tensor a = torch::rand({3, 3}, torch::kDouble) + torch::eye(3, torch::kDouble) * 3;
  const auto [P, L, U] = torch::lu_unpack(std::get<0>(factor(a)), std::get<1>(factor(a)));
  EXPECT_TRUE(torch::allclose(P.matmul(L).matmul(U), a));
}

// Where the two formulas meet, the slope is that of either.
TEST(Special, LogNdtrHasAGradientWhereItsFormulasMeet) {
  const torch::Tensor x = torch::tensor({-1.001, -1.0, -0.999}, torch::dtype(torch::kFloat64).requires_grad(true));
  torch::special_log_ndtr(x).sum().backward();
  EXPECT_NEAR(x.grad()[1].item<double>(), 1.525135276, 1e-8);
  EXPECT_NEAR(x.grad()[1].item<double>(), (x.grad()[0] + x.grad()[2]).item<double>() / 2, 1e-5);
}

}  // namespace
