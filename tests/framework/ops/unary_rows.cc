#include "wick/tests/framework/ops/op_rows.h"

namespace wick::test {

std::vector<Row> unary_rows() {
  Family f("unary");

  // From the list: f(x), f_(x), f_out(y, x).
#define UNARY(name, low, high) \
  f.elementwise(#name, {between(low, high)}, CALL(name(x[0]))).in_place(INPLACE(x[0].name##_())).into(OUT(name##_out(y, x[0])))
  UNARY(abs, -3, 3);
  UNARY(neg, -3, 3);
  UNARY(square, -3, 3).excluding({"bool"});  // PyTorch makes int64 of it
  UNARY(sign, -3, 3);
  UNARY(floor, -4, 4);
  UNARY(ceil, -4, 4);
  UNARY(trunc, -4, 4);
  UNARY(round, -4, 4);
  UNARY(frac, -4, 4);
  UNARY(reciprocal, 0.25, 4);
  UNARY(exp, -3, 3);
  UNARY(exp2, -4, 4);
  UNARY(expm1, -3, 3);
  UNARY(log, 0.25, 4);
  UNARY(log2, 0.25, 4);
  UNARY(log10, 0.25, 4);
  UNARY(log1p, -0.5, 3);
  UNARY(sqrt, 0.25, 4);
  UNARY(rsqrt, 0.25, 4);
  UNARY(sin, -8, 8);
  UNARY(cos, -8, 8);
  UNARY(tan, -1.25, 1.25);
  UNARY(asin, -0.875, 0.875);
  UNARY(acos, -0.875, 0.875);
  UNARY(atan, -4, 4);
  UNARY(sinh, -3, 3);
  UNARY(cosh, -3, 3);
  UNARY(tanh, -3, 3);
  UNARY(asinh, -4, 4);
  UNARY(acosh, 1.25, 5);
  UNARY(atanh, -0.875, 0.875);
  UNARY(erf, -3, 3);
  UNARY(erfc, -3, 3);
  UNARY(sigmoid, -6, 6);
  UNARY(relu, -3, 3);
#undef UNARY

  f.elementwise("isnan", {between(-2, 2)}, CALL(isnan(x[0]))).derivatives(0);
  f.elementwise("isinf", {between(-2, 2)}, CALL(isinf(x[0]))).derivatives(0);
  f.elementwise("isfinite", {between(-2, 2)}, CALL(isfinite(x[0]))).derivatives(0);
  f.elementwise("logical_not", {between(-2, 2)}, CALL(logical_not(x[0]))).derivatives(0).in_place(INPLACE(x[0].logical_not_()));
  f.elementwise("bitwise_not", {between(-9, 9)}, CALL(bitwise_not(x[0]))).integers();

  // Functions of nn.
#define ACTIVATION(name, low, high, ...) f.elementwise(name, {between(low, high)}, CALL(__VA_ARGS__))
  ACTIVATION("log_sigmoid", -6, 6, log_sigmoid(x[0])).as("F.logsigmoid(a)");
  ACTIVATION("silu", -6, 6, silu(x[0])).as("F.silu(a)").in_place([](const Tensors& x) { Tensor y = x[0]; silu_(y); });
  // In float32 PyTorch makes NaN of infinity.
  ACTIVATION("gelu", -4, 4, gelu(x[0])).as("F.gelu(a)").excluding({"special32"});
  ACTIVATION("gelu_tanh", -4, 4, gelu(x[0], "tanh")).as("F.gelu(a, approximate='tanh')");
  ACTIVATION("softplus", -4, 4, softplus(x[0])).as("F.softplus(a)");
  ACTIVATION("softplus/steep", -4, 4, softplus(x[0], 2.5, 4)).as("F.softplus(a, 2.5, 4)");
  ACTIVATION("elu", -3, 3, elu(x[0])).as("F.elu(a)");
  ACTIVATION("elu/scaled", -3, 3, elu(x[0], 1.5, 0.75, 2)).as("torch._C._nn.elu(a, 1.5, 0.75, 2)");
  ACTIVATION("leaky_relu", -3, 3, leaky_relu(x[0])).as("F.leaky_relu(a)")
      .in_place([](const Tensors& x) { Tensor y = x[0]; leaky_relu_(y); });
  ACTIVATION("leaky_relu/steep", -3, 3, leaky_relu(x[0], 0.25)).as("F.leaky_relu(a, 0.25)");
#undef ACTIVATION

  // With numbers. The bounds lie between the values of the sample.
#define CLAMP(name, text, method, ...) \
  f.elementwise(name, {between(-3, 3)}, CALL(method(x[0], __VA_ARGS__))).as("a." text).in_place(INPLACE(x[0].method##_(__VA_ARGS__)))
  CLAMP("clamp", "clamp(-1, 2)", clamp, -1, 2);
  // A bound that is left out is infinite, and at infinity the gradient is that on a bound.
  CLAMP("clamp/min", "clamp(min=1)", clamp, 1).excluding({"grad64"});
  CLAMP("clamp/max", "clamp(max=1)", clamp, std::nullopt, 1).excluding({"grad64"});
  CLAMP("clamp/floating", "clamp(-0.5, 1.5)", clamp, -0.5, 1.5);
  CLAMP("clamp_min", "clamp_min(1)", clamp_min, 1).excluding({"grad64"});
  CLAMP("clamp_max", "clamp_max(1)", clamp_max, 1).excluding({"grad64"});
#undef CLAMP
#define POWER(name, low, high, exponent, text) \
  f.elementwise(name, {between(low, high)}, CALL(pow(x[0], exponent))).as("a ** " text).in_place(INPLACE(x[0].pow_(exponent)))
  POWER("pow/square", -3, 3, 2, "2");
  POWER("pow/cube", -3, 3, 3, "3");
  POWER("pow/zero", -3, 3, 0, "0");
  POWER("pow/half", 0.25, 4, 0.5, "0.5");
  POWER("pow/negative", 0.25, 4, -1.5, "-1.5");
#undef POWER
  return f.rows();
}

}  // namespace wick::test
