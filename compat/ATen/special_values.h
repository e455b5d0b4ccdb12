// The special functions of special.h at one place.
#pragma once

#include <ATen/special.h>

namespace at::special_values {

#define WICK_DECLARE(name) double name(double x, double);
WICK_SPECIAL_UNARY(WICK_DECLARE)
#undef WICK_DECLARE
#define WICK_DECLARE(name) double name(double x, double n);
WICK_SPECIAL_POLYNOMIALS(WICK_DECLARE)
#undef WICK_DECLARE
double zeta(double x, double q);
double gammainc(double a, double x);
double gammaincc(double a, double x);

}  // namespace at::special_values
