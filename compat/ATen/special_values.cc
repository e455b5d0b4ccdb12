#include <ATen/special_values.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace at::special_values {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN(), kInfinity = std::numeric_limits<double>::infinity();
constexpr double kPi = 3.14159265358979323846, kEpsilon = std::numeric_limits<double>::epsilon();

// 1 + sum over k of (+-1)^k a_k / x^k, by which the modified Bessel functions of order nu differ from their limits for large x: the terms
// are added as long as they fall.
double asymptotic(int nu, double x, double sign) {
  double term = 1, sum = 1;
  for (int k = 1; k < 60; ++k) {
    const double odd = 2 * k - 1, next = term * sign * (4.0 * nu * nu - odd * odd) / (8 * k * x);
    if (std::abs(next) > std::abs(term) || std::abs(next) < kEpsilon * std::abs(sum)) break;
    sum += term = next;
  }
  return sum;
}

// exp(-x) I_nu(x) for nu of 0 or 1, x >= 0: the power series, all of whose terms are positive, where it needs few terms.
double scaled_bessel_i(int nu, double x) {
  if (std::isinf(x)) return 0;
  if (x > 30) return asymptotic(nu, x, -1) / std::sqrt(2 * kPi * x);
  double term = nu == 0 ? 1 : x / 2, sum = term;
  for (int k = 1; term > kEpsilon / 4 * sum; ++k) sum += term *= x * x / (4.0 * k * (k + nu));
  return sum * std::exp(-x);
}

// exp(x) K_nu(x).
double scaled_bessel_k(int nu, double x) {
  if (std::isnan(x) || x < 0) return kNaN;
  if (x == 0) return kInfinity;
  if (x > 30) return asymptotic(nu, x, 1) * std::sqrt(kPi / (2 * x));
  return std::cyl_bessel_k(nu, x) * std::exp(x);
}

// y = exp(-x) f(x) times exp(x), in two steps lest exp(x) overflow before the product does.
double unscaled(double y, double x) { return y * std::exp(x / 2) * std::exp(x / 2); }

// ln of the normal distribution function, and 1 over its derivative.
double log_ndtr_below(double x) { return std::log(erfcx(-x / std::sqrt(2.0), 0) / 2) - x * x / 2; }

// Of degree 0: 1. Of degree 1: a x + b. next = (step.x x + step.one) now - step.before before, where step depends on the degree.
struct Step {
  double x, one, before;
};
template <class Next>
double recurrence(double x, double n, double a, double b, Next next) {
  if (std::isnan(x) || !(std::abs(n) < 1e15)) return kNaN;
  const int64_t degree = static_cast<int64_t>(n);
  if (degree < 0) return 0;
  double before = 1, now = a * x + b;
  if (degree == 0) return before;
  for (int64_t k = 1; k < degree && !std::isnan(now); ++k) {
    const Step s = next(static_cast<double>(k));
    const double later = (s.x * x + s.one) * now - s.before * before;
    before = now;
    now = later;
  }
  return now;
}
double chebyshev(double x, double n, double a, double b) {
  return recurrence(x, n, a, b, [](double) { return Step{2, 0, 1}; });
}

// x^a exp(-x) / gamma(a), by Stirling's formula for a large, where the parts are large and their quotient is not.
double gamma_density(double a, double x) {
  if (a < 20) return std::exp(a * std::log(x) - x - std::lgamma(a));
  const double off = (x - a) / a, c = 1 / (a * a);
  const double correction = (1.0 / 12 - c * (1.0 / 360 - c * (1.0 / 1260 - c / 1680))) / a;
  return std::sqrt(a / (2 * kPi)) * std::exp(a * (std::log1p(off) - off) - correction);
}
double gamma_series(double a, double x) {
  double term = 1 / a, sum = term;
  for (double k = 1; term > kEpsilon * sum; ++k) sum += term *= x / (a + k);
  return sum * gamma_density(a, x);
}
// Legendre's continued fraction, by Lentz's method.
double gamma_fraction(double a, double x) {
  constexpr double kTiny = 1e-300;
  double b = x + 1 - a, c = 1 / kTiny, d = 1 / (b == 0 ? kTiny : b), f = d;
  for (double k = 1; k < 1e6; ++k) {
    const double step = -k * (k - a);
    b += 2;
    d = 1 / (step * d + b == 0 ? kTiny : step * d + b);
    c = b + step / c == 0 ? kTiny : b + step / c;
    const double factor = c * d;
    f *= factor;
    if (std::abs(factor - 1) < kEpsilon) break;
  }
  return f * gamma_density(a, x);
}

}  // namespace

// ---- Bessel functions --------------------------------------------------------------------------------------------------------------

double i0e(double x, double) { return std::isnan(x) ? x : scaled_bessel_i(0, std::abs(x)); }
double i1e(double x, double) { return std::isnan(x) ? x : std::copysign(scaled_bessel_i(1, std::abs(x)), x); }
double i0(double x, double) { return std::isinf(x) ? kInfinity : unscaled(i0e(x, 0), std::abs(x)); }
double i1(double x, double) { return std::isinf(x) ? x : unscaled(i1e(x, 0), std::abs(x)); }
double modified_bessel_i0(double x, double) { return i0(x, 0); }
double modified_bessel_i1(double x, double) { return i1(x, 0); }
double bessel_j0(double x, double) { return ::j0(x); }
double bessel_j1(double x, double) { return ::j1(x); }
double bessel_y0(double x, double) { return x < 0 ? kNaN : ::y0(x); }
double bessel_y1(double x, double) { return x < 0 ? kNaN : ::y1(x); }
double scaled_modified_bessel_k0(double x, double) { return scaled_bessel_k(0, x); }
double scaled_modified_bessel_k1(double x, double) { return scaled_bessel_k(1, x); }
double modified_bessel_k0(double x, double) { return scaled_bessel_k(0, x) * std::exp(-x); }
double modified_bessel_k1(double x, double) { return scaled_bessel_k(1, x) * std::exp(-x); }
double spherical_bessel_j0(double x, double) { return x == 0 ? 1 : std::isinf(x) ? 0 : std::sin(x) / x; }

// Maclaurin's series about 0, Bessel functions of order 1/3 farther away.
double airy_ai(double x, double) {
  if (std::isnan(x)) return x;
  if (std::abs(x) <= 1) {
    double f = 1, g = x, fs = 1, gs = x;
    for (double k = 1; k < 12; ++k) {
      fs += f *= x * x * x / ((3 * k - 1) * (3 * k));
      gs += g *= x * x * x / ((3 * k) * (3 * k + 1));
    }
    return fs / (std::pow(3.0, 2.0 / 3) * std::tgamma(2.0 / 3)) - gs / (std::cbrt(3.0) * std::tgamma(1.0 / 3));
  }
  const double size = std::abs(x), z = 2.0 / 3 * size * std::sqrt(size);
  if (std::isinf(x)) return x > 0 ? 0 : kNaN;
  if (x > 0) return z > 745 ? 0 : std::sqrt(x / 3) / kPi * std::cyl_bessel_k(1.0 / 3, z);
  return std::sqrt(size) / 3 * (1.5 * std::cyl_bessel_j(1.0 / 3, z) - std::sqrt(3.0) / 2 * std::cyl_neumann(1.0 / 3, z));
}

// ---- About the normal distribution -------------------------------------------------------------------------------------------------

double entr(double x, double) { return x > 0 ? -x * std::log(x) : x == 0 ? 0 : std::isnan(x) ? x : -kInfinity; }

// Where exp(x^2) would lose digits, by the continued fraction x + (1/2) / (x + 1 / (x + (3/2) / ...)).
double erfcx(double x, double) {
  if (x < 3 || std::isnan(x)) return std::exp(x * x) * std::erfc(x);
  double fraction = x;
  for (int k = 80; k > 0; --k) fraction = x + k / 2.0 / fraction;
  return 1 / (std::sqrt(kPi) * fraction);
}

// Newton's method on the logarithm, which is concave: from below it never overshoots.
double ndtri(double p, double) {
  if (std::isnan(p) || p < 0 || p > 1) return kNaN;
  if (p == 0) return -kInfinity;
  if (p == 1) return kInfinity;
  if (p > 0.5) return -ndtri(1 - p, 0);
  const double target = std::log(p);
  double y = -std::sqrt(-2 * target) - 0.1;
  for (int i = 0; i < 50; ++i) {
    const double slope = std::sqrt(2 / kPi) / erfcx(-y / std::sqrt(2.0), 0), move = (target - log_ndtr_below(y)) / slope;
    y += move;
    if (std::abs(move) <= 4 * kEpsilon * std::abs(y) || std::abs(move) < 1e-17) break;
  }
  return y;
}

// ---- Polynomials -------------------------------------------------------------------------------------------------------------------

double chebyshev_polynomial_t(double x, double n) { return chebyshev(x, n, 1, 0); }
double chebyshev_polynomial_u(double x, double n) { return chebyshev(x, n, 2, 0); }
double chebyshev_polynomial_v(double x, double n) { return chebyshev(x, n, 2, -1); }
double chebyshev_polynomial_w(double x, double n) { return chebyshev(x, n, 2, 1); }
double shifted_chebyshev_polynomial_t(double x, double n) { return chebyshev(2 * x - 1, n, 1, 0); }
double shifted_chebyshev_polynomial_u(double x, double n) { return chebyshev(2 * x - 1, n, 2, 0); }
double shifted_chebyshev_polynomial_v(double x, double n) { return chebyshev(2 * x - 1, n, 2, -1); }
double shifted_chebyshev_polynomial_w(double x, double n) { return chebyshev(2 * x - 1, n, 2, 1); }
double hermite_polynomial_h(double x, double n) {
  return recurrence(x, n, 2, 0, [](double k) { return Step{2, 0, 2 * k}; });
}
double hermite_polynomial_he(double x, double n) {
  return recurrence(x, n, 1, 0, [](double k) { return Step{1, 0, k}; });
}
double laguerre_polynomial_l(double x, double n) {
  return recurrence(x, n, -1, 1, [](double k) { return Step{-1 / (k + 1), (2 * k + 1) / (k + 1), k / (k + 1)}; });
}
double legendre_polynomial_p(double x, double n) {
  return recurrence(x, n, 1, 0, [](double k) { return Step{(2 * k + 1) / (k + 1), 0, k / (k + 1)}; });
}

// ---- Zeta, gamma -------------------------------------------------------------------------------------------------------------------

// The first terms, and the rest by Euler's and Maclaurin's formula.
double zeta(double x, double q) {
  constexpr double kBernoulli[] = {1.0 / 6,       -1.0 / 30,   1.0 / 42,        -1.0 / 30,         5.0 / 66,    -691.0 / 2730,
                                   7.0 / 6,       -3617.0 / 510, 43867.0 / 798, -174611.0 / 330, 854513.0 / 138};
  if (std::isnan(x) || std::isnan(q)) return kNaN;
  if (x == 1) return kInfinity;
  if (x < 1 || (q < 0 && x != std::floor(x))) return kNaN;
  if (q <= 0 && q == std::floor(q)) return kInfinity;
  double sum = 0, w = q;
  for (int i = 0; i < 10 || w <= 10; ++i, ++w) {
    const double term = std::pow(w, -x);
    sum += term;
    if (w > 0 && term < kEpsilon / 100 * sum) return sum;
  }
  const double power = std::pow(w, -x);
  sum += power * w / (x - 1) + power / 2;
  double factor = x / w * power, order = 1;  // x (x + 1) ... w^(-x - 2 k + 1) / (2 k)!
  for (int k = 0; k < 11; ++k) {
    factor /= k == 0 ? 2 : (2 * k + 1) * (2 * k + 2);
    const double term = kBernoulli[k] * factor;
    sum += term;
    if (std::abs(term) < kEpsilon / 4 * std::abs(sum)) break;
    factor *= (x + order) / w * (x + order + 1) / w;
    order += 2;
  }
  return sum;
}

double gammainc(double a, double x) {
  if (std::isnan(a) || std::isnan(x) || a < 0 || x < 0 || (a == 0 && x == 0) || (std::isinf(a) && std::isinf(x))) return kNaN;
  if (a == 0 || std::isinf(x)) return 1;
  if (x == 0 || std::isinf(a)) return 0;
  return x < a + 1 ? gamma_series(a, x) : 1 - gamma_fraction(a, x);
}
double gammaincc(double a, double x) {
  if (std::isnan(a) || std::isnan(x) || a < 0 || x < 0 || (a == 0 && x == 0) || (std::isinf(a) && std::isinf(x))) return kNaN;
  if (a == 0 || std::isinf(x)) return 0;
  if (x == 0 || std::isinf(a)) return 1;
  return x < a + 1 ? 1 - gamma_series(a, x) : gamma_fraction(a, x);
}

}  // namespace at::special_values
