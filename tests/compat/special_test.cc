// Special functions, transforms over time, and factors of matrices, beside PyTorch.
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
      {{-1.57025769, -1.74072421}, {sample({2, 20})},
       OF(torch::stft(x[0], 8, 3, 6, torch::hann_window(6, torch::kDouble), true, "reflect", false, true, true))},
      {{1.96601579, -1.63923948}, {sample({20})}, OF(torch::view_as_real(torch::stft(x[0], 8, 3, {}, {}, true, false, true)))},
      {{2.2704249, 19.562861, 1.22671581}, {sample({2, 20}), sample({1})},
       OF(torch::istft(torch::stft(x[0], 8, 2, 8, hann(8), true, "reflect", true, true, true) * (1 + x[1][0]), 8, 2, 8, hann(8), true, true))},
      {{0.568303101, 0.0309675259, -0.0152876032}, {sample({8, 7}), sample({8, 7}, 0.2, 2)},
       OF(torch::istft(torch::complex(x[0], x[1]), 8, 2, 8, hann(8), true, false, false, 13))},
      {{-20.7803369, -4.27087073, 2.835292}, {sample({3, 4}), sample({3, 4}, 0.2, 2)}, OF(torch::fft_hfftn(torch::complex(x[0], x[1])))},
      {{-2.83720014, -2.06010115, -2.22344635}, {sample({3, 4}), sample({3, 4}, 0.2, 2)},
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
      {{-4.92923927, -5.43997541, 4.08733226}, {sample({2, 4, 4}), sample({2, 4, 2}, -2, 2)},
       OF(torch::linalg_lu_solve(std::get<0>(factor(x[0])), std::get<1>(factor(x[0])), x[1]))},
      {{-12.7951039, 26.7469411, -4.15868078}, {sample({4, 4}), sample({2, 3, 4}, -2, 2)},
       OF(torch::linalg::lu_solve(std::get<0>(factor(x[0])), std::get<1>(factor(x[0])), x[1], false, true))},
      {{-2.63009201, -1.70890212, -1.63574326}, {sample({4, 4}), sample({4, 2}, -2, 2)},
       OF(torch::lu_solve(x[1], std::get<0>(factor(x[0])), std::get<1>(factor(x[0]))))},
      {{-8.54731171, 19.6321824, -1.63574326}, {sample({4, 4}), sample({4, 2}, -2, 2)},
       OF(torch::linalg_lu_solve(std::get<0>(factor(x[0])), std::get<1>(factor(x[0])), x[1], true, true))},
      {{-0.3923861, 2.45061251}, {sample({2, 3, 3})},
       OF(joined(torch::linalg_cholesky_ex(x[0].matmul(x[0].mT()) + torch::eye(3, torch::kDouble))))},
      {{2.3638266, -7.87355496}, {sample({2, 3, 3}, -2, 1)}, OF(joined(torch::linalg_inv_ex(x[0])))},
      {{-6.29281612, 35.5775631, 10.6700551}, {sample({2, 3, 3}, -2, 1), sample({2, 3, 2})}, OF(joined(torch::linalg_solve_ex(x[0], x[1])))},
      {{0.424796867, -8.18676057, 1.44963409}, {sample({2, 4, 3}), sample({2, 3}, 0.5, 1.5)},
       OF(torch::linalg_householder_product(x[0], x[1]))},
      {{-0.60672564, 2.11463422, -2.29437349, 3.92677447, -9.29243921}, {sample({4, 3}), sample({4, 3}, -2, 1), sample({3}, 0.5, 1), sample({3}, -0.5, 0.5)},
       OF(torch::orgqr(torch::complex(x[0], x[1]), torch::complex(x[2], x[3])))},
      {{-7.03537109, 0, -2.53415148}, {sample({2, 4, 3}), sample({1}, 1, 2)}, OF(joined(torch::geqrf(x[0].detach())) * x[1][0])},
      {{-8.50021807, 0, 0, -3.06179161}, {sample({3, 4}), sample({3, 4}, -2, 1), sample({1}, 1, 2)},
       OF(joined(torch::geqrf(torch::complex(x[0], x[1]).detach())) * x[2][0])},
      {{0.473039005, 4.53238852, -0.192523381, 1.54516485}, {sample({4, 3}), sample({3}, 0.5, 1.5), sample({4, 2})},
       OF(torch::ormqr(x[0], x[1], x[2]))},
      {{0.26501979, -0.457321826, 0.479069146, 1.21146945}, {sample({4, 3}), sample({3}, 0.5, 1.5), sample({2, 4})},
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

}  // namespace
