// The lists of the elementwise operations: X(struct, function, name of the node). Declarations, kernels, slots and tests are made from
// them; the structs are in unary.h and binary.h.
#pragma once

// ---- One input ---------------------------------------------------------------------------------------------------------------------

// f(x), f_(x), f_out(out, x), x.f(), x.f_().
#define WICK_UNARY_OPS(X)                                                                                           \
  X(Abs, abs, "AbsBackward0") X(Neg, neg, "NegBackward0") X(ConjPhysical, conj_physical, "ConjPhysicalBackward0")   \
  X(Square, square, "PowBackward0") X(Sign, sign, "SignBackward0") X(Reciprocal, reciprocal, "ReciprocalBackward0") \
  X(Floor, floor, "FloorBackward0") X(Ceil, ceil, "CeilBackward0") X(Trunc, trunc, "TruncBackward0")                \
  X(Round, round, "RoundBackward0") X(Frac, frac, "FracBackward0")                                                  \
  X(Exp, exp, "ExpBackward0") X(Exp2, exp2, "Exp2Backward0") X(Expm1, expm1, "Expm1Backward0")                      \
  X(Log, log, "LogBackward0") X(Log2, log2, "Log2Backward0") X(Log10, log10, "Log10Backward0")                      \
  X(Log1p, log1p, "Log1PBackward0") X(Sqrt, sqrt, "SqrtBackward0") X(Rsqrt, rsqrt, "RsqrtBackward0")                \
  X(Sin, sin, "SinBackward0") X(Cos, cos, "CosBackward0") X(Tan, tan, "TanBackward0")                               \
  X(Asin, asin, "AsinBackward0") X(Acos, acos, "AcosBackward0") X(Atan, atan, "AtanBackward0")                      \
  X(Sinh, sinh, "SinhBackward0") X(Cosh, cosh, "CoshBackward0") X(Tanh, tanh, "TanhBackward0")                      \
  X(Asinh, asinh, "AsinhBackward0") X(Acosh, acosh, "AcoshBackward0") X(Atanh, atanh, "AtanhBackward0")             \
  X(Erf, erf, "ErfBackward0") X(Erfc, erfc, "ErfcBackward0") X(Erfinv, erfinv, "ErfinvBackward0")                   \
  X(Lgamma, lgamma, "LgammaBackward0") X(Digamma, digamma, "DigammaBackward0") X(Sinc, sinc, "SincBackward0")       \
  X(Sigmoid, sigmoid, "SigmoidBackward0") X(Relu, relu, "ReluBackward0")

#define WICK_PREDICATE_OPS(X)                                       \
  X(IsNan, isnan, "") X(IsInf, isinf, "") X(IsFinite, isfinite, "") \
  X(SignBit, signbit, "") X(LogicalNot, logical_not, "")

// Those with parameters, and those that LibTorch has as functions of nn only: declared in ops/function_list.h.
#define WICK_UNARY_PARAM_OPS(X)                                                                                         \
  X(LogSigmoid, log_sigmoid, "LogSigmoidBackward0") X(Silu, silu, "SiluBackward0")                                      \
  X(Gelu, gelu, "GeluBackward0") X(GeluTanh, gelu_tanh, "GeluBackward0")                                                \
  X(Softplus, softplus, "SoftplusBackward0") X(Elu, elu, "EluBackward0") X(LeakyRelu, leaky_relu, "LeakyReluBackward0") \
  X(Clamp, clamp, "ClampBackward1") X(Polygamma, polygamma, "PolygammaBackward0") X(PowNumber, pow, "PowBackward0")

// ---- Two and three inputs ---------------------------------------------------------------------------------------------------------

// f(a, b), f(a, number), f_out(out, a, b), a.f(b), a.f_(b).
#define WICK_COMPARISON_OPS(X)                                                        \
  X(Eq, eq, "") X(Ne, ne, "") X(Lt, lt, "") X(Le, le, "") X(Gt, gt, "") X(Ge, ge, "")
#define WICK_BITWISE_OPS(X)                                                                  \
  X(BitwiseAnd, bitwise_and, "") X(BitwiseOr, bitwise_or, "") X(BitwiseXor, bitwise_xor, "")

// f(a, b), f_out(out, a, b), a.f(b).
#define WICK_EXTREMUM_OPS(X)                                                                     \
  X(Maximum, maximum, "MaximumBackward0") X(Minimum, minimum, "MinimumBackward0")                \
  X(Fmax, fmax, "FmaxBackward0") X(Fmin, fmin, "FminBackward0")                                  \
  X(Logaddexp, logaddexp, "LogaddexpBackward0") X(Logaddexp2, logaddexp2, "Logaddexp2Backward0")
// f(a, b), f_out(out, a, b), a.f(b), a.f_(b): those without a gradient, and those with one.
#define WICK_DISCRETE_OPS(X)                                                                 \
  X(LogicalAnd, logical_and, "") X(LogicalOr, logical_or, "") X(LogicalXor, logical_xor, "") \
  X(Heaviside, heaviside, "") X(Nextafter, nextafter, "") X(Gcd, gcd, "") X(Lcm, lcm, "")
#define WICK_SMOOTH_OPS(X)                                                     \
  X(Atan2, atan2, "Atan2Backward0") X(Hypot, hypot, "HypotBackward0")          \
  X(Copysign, copysign, "CopysignBackward0") X(Xlogy, xlogy, "XlogyBackward0")
#define WICK_BINARY_INPLACE_OPS(X) WICK_DISCRETE_OPS(X) WICK_SMOOTH_OPS(X)

// With parameters, or with numbers for tensors: declared in ops/function_list.h.
#define WICK_ARITHMETIC_OPS(X)                                                                                    \
  X(Add, add, "AddBackward0") X(Sub, sub, "SubBackward0") X(Mul, mul, "MulBackward0") X(Div, div, "DivBackward0") \
  X(Pow, pow, "PowBackward1") X(Fmod, fmod, "FmodBackward1") X(Remainder, remainder, "RemainderBackward1")
#define WICK_TERNARY_OPS(X)                                                       \
  X(Where, where, "WhereBackward0") X(Lerp, lerp, "LerpBackward1")                \
  X(Addcmul, addcmul, "AddcmulBackward0") X(Addcdiv, addcdiv, "AddcdivBackward0")
#define WICK_INTEGER_OPS(X)                                                   \
  X(FloorDivide, floor_divide, "") X(BitwiseNot, bitwise_not, "")             \
  X(LeftShift, bitwise_left_shift, "") X(RightShift, bitwise_right_shift, "")

// Every elementwise operation, once: those with a gradient by the number of inputs, and those without.
#define WICK_UNARY_WITH_GRADIENT(X) WICK_UNARY_OPS(X) WICK_UNARY_PARAM_OPS(X)
#define WICK_BINARY_WITH_GRADIENT(X) WICK_EXTREMUM_OPS(X) WICK_SMOOTH_OPS(X) WICK_ARITHMETIC_OPS(X)
#define WICK_WITHOUT_GRADIENT(X) \
  WICK_PREDICATE_OPS(X) WICK_COMPARISON_OPS(X) WICK_BITWISE_OPS(X) WICK_DISCRETE_OPS(X) WICK_INTEGER_OPS(X)
#define WICK_ELEMENTWISE_OPS(X) \
  WICK_UNARY_WITH_GRADIENT(X) WICK_BINARY_WITH_GRADIENT(X) WICK_TERNARY_OPS(X) WICK_WITHOUT_GRADIENT(X)
