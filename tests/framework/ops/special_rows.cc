// Special functions and other elementwise operations beside the usual ones.
#include "wick/tests/framework/ops/op_rows.h"

namespace wick::test {

std::vector<Row> special_rows() {
  Family f("special");
  const Tolerance loose64{1e-13, 1e-13}, loose32{1e-5, 1e-5};
#define UNARY(name, low, high) \
  f.elementwise(#name, {between(low, high)}, CALL(name(x[0]))).in_place(INPLACE(x[0].name##_())).into(OUT(name##_out(y, x[0])))
  UNARY(lgamma, 0.25, 4).within(loose64, loose32).excluding({"special64", "special32", "grad64"});  // at -1e30 PyTorch gives nan
  UNARY(digamma, 0.25, 4).within(loose64, loose32).excluding({"special32", "grad64"});
  UNARY(erfinv, -0.875, 0.875).within(loose64, loose32).excluding({"special32"});
  UNARY(sinc, -3, 3).within(loose64, loose32).excluding({"special64", "special32", "grad64"});  // sin(1e30 pi)
  UNARY(deg2rad, -180, 180);
  UNARY(rad2deg, -3, 3);
#undef UNARY
  f.elementwise("polygamma", {between(0.25, 4)}, CALL(polygamma(2, x[0]))).as("torch.polygamma(2, a)").within({1e-10, 1e-12}, {1e-3, 1e-5})
      .excluding({"special64", "special32", "grad64"}).into(OUT(polygamma_out(y, 2, x[0])));
  f.elementwise("logit/in-place", {between(0.125, 0.875)}, CALL(logit(x[0]))).as("torch.logit(a)").in_place(INPLACE(x[0].logit_()))
      .into(OUT(logit_out(y, x[0]))).excluding({"special64", "special32", "grad64"});
  f.elementwise("signbit", {between(-3, 3)}, CALL(signbit(x[0]))).derivatives(0);
  f.elementwise("isposinf", {between(-3, 3)}, CALL(isposinf(x[0]))).derivatives(0).into(OUT(isposinf_out(y, x[0])));
  f.elementwise("isneginf", {between(-3, 3)}, CALL(isneginf(x[0]))).derivatives(0).into(OUT(isneginf_out(y, x[0]))).excluding({"bool", "uint8"});

  const Sample any = between(-3, 3), positive = between(0.5, 4), whole = between(-90, 90);
#define PAIR(name, a, b) f.elementwise(#name, {a, b}, CALL(name(x[0], x[1]))).into(OUT(name##_out(y, x[0], x[1])))
#define WITH_INPLACE(name) .in_place(INPLACE(x[0].name##_(x[1])))
  PAIR(copysign, any, any) WITH_INPLACE(copysign).excluding({"special64", "special32", "grad64"});  // the sign of NaN
  PAIR(xlogy, any, positive) WITH_INPLACE(xlogy);
  PAIR(logaddexp, any, any).within(loose64, loose32).excluding({"grad64"});
  PAIR(logaddexp2, any, any).within(loose64, loose32).excluding({"grad64"});
  PAIR(heaviside, any, any) WITH_INPLACE(heaviside).derivatives(0);
  PAIR(nextafter, any, any) WITH_INPLACE(nextafter).derivatives(0).excluding({"float16", "bfloat16"});
  PAIR(gcd, whole, whole) WITH_INPLACE(gcd).integers();
  PAIR(lcm, whole, whole) WITH_INPLACE(lcm).integers();
  PAIR(float_power, positive, any);
  f.elementwise("xlogy/number", {positive}, CALL(xlogy(x[0], 2))).as("torch.xlogy(a, 2)").in_place(INPLACE(x[0].xlogy_(2)));
  f.elementwise("xlogy/from", {positive}, CALL(xlogy(2, x[0]))).as("torch.xlogy(2, a)");
  f.elementwise("copysign/number", {any}, CALL(copysign(x[0], -2))).as("torch.copysign(a, -2)").in_place(INPLACE(x[0].copysign_(-2)))
      .excluding({"grad64"});
  f.elementwise("float_power/number", {positive}, CALL(float_power(x[0], 3))).as("torch.float_power(a, 3)");
  f.elementwise("float_power/from", {any}, CALL(float_power(2, x[0]))).as("torch.float_power(2, a)");
  f.elementwise("clamp/tensors", {any, between(-2, -1), between(1, 2)}, CALL(clamp(x[0], x[1], x[2]))).as("torch.clamp(a, b, c)")
      .excluding({"special64", "special32", "grad64", "bool"});
  f.elementwise("clamp_min/tensor", {any, any}, CALL(clamp_min(x[0], x[1]))).as("torch.clamp_min(a, b)")
      .in_place(INPLACE(x[0].clamp_min_(x[1]))).excluding({"bool", "grad64"});
  f.elementwise("clamp_max/tensor", {any, any}, CALL(clamp_max(x[0], x[1]))).as("torch.clamp_max(a, b)")
      .in_place(INPLACE(x[0].clamp_max_(x[1]))).excluding({"bool", "grad64"});
#define DIVIDE(name, mode)                                                                                              \
  f.elementwise("div/" name, {between(-9, 9), between(1, 4)}, CALL(div(x[0], x[1], mode)))                              \
      .as("torch.div(a, b, rounding_mode='" mode "')").derivatives(0).excluding({"bool", "special64", "special32"});    \
  f.elementwise("div/number-" name, {between(-9, 9)}, CALL(div(x[0], 3, mode))).as("torch.div(a, 3, rounding_mode='" mode "')")  \
      .derivatives(0).excluding({"bool", "special64", "special32"})
  DIVIDE("floor", "floor");
  DIVIDE("trunc", "trunc");
#undef DIVIDE
  f.elementwise("fmod/in-place", {between(-9, 9), between(1, 4)}, CALL(fmod(x[0], x[1]))).as("torch.fmod(a, b)")
      .in_place(INPLACE(x[0].fmod_(x[1]))).into(OUT(fmod_out(y, x[0], x[1]))).excluding({"special64", "special32", "grad64"});
  f.add("isin", {{{3, 4}, 0, 9}, {{4}, 0, 9}}, CALL(isin(x[0], x[1]))).derivatives(0).excluding({"bool", "float16", "bfloat16"});
  f.add("isin/number", {{{3, 4}, 0, 9}}, CALL(isin(x[0], 2, false, true))).as("torch.isin(a, 2, invert=True)").derivatives(0)
      .excluding({"bool", "float16", "bfloat16"});
  return f.rows();
}

}  // namespace wick::test
