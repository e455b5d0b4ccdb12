// The elementwise operations as functions: what each checks, and which inputs and parameters it hands to run().
#include <cmath>

#include "wick/framework/ops/complex.h"
#include "wick/framework/ops/elementwise.h"
#include "wick/framework/ops/var.h"

namespace wick::ops {
namespace {

// The formula of Gradient<Op, i> on tensors.
template <class Op, int i>
Tensor compose(const Tensor* g, const Tensor* values, const double* numbers, const double* params) {
  Var v[4] = {*g, 0.0, 0.0, 0.0};
  int count = 1;
  for (int k = 0; k < 4; ++k) {
    if (!(Gradient<Op, i>::uses >> k & 1)) continue;
    v[count++] = values[k].defined() ? Var(values[k]) : Var(numbers[k]);
  }
  Var p[kMaxParams] = {0.0, 0.0, 0.0};
  for (int k = 0; k < Op::params; ++k) p[k] = params[k];
  return as_tensor(Gradient<Op, i>::apply(v, p), v[0]);
}

template <class Op>
constexpr ElementwiseInfo describe_op(const char* name, const char* node_name) {
  ElementwiseInfo op{};
  op.name = name;
  op.node_name = node_name;
  op.backward = backward_elementwise;
  op.forward = &ElementwiseSlot<Forward<Op>>::kernel;
  op.arity = Op::arity;
  op.params = Op::params;
  op.domain = Op::domain;
  // The next number of float32 is none of a half type: rounded, it is where it was.
  op.refuses = std::is_same_v<Op, Nextafter> ? Refuses::kAllButFloatAndDouble : Op::refuses;
  op.to_bool = Op::to_bool;
  op.differentiable = Op::differentiable;
  op.on_complex = Op::on_complex;
  if constexpr (Op::differentiable) {
    const auto add = [&]<int i>() {
      op.gradient[i] = &ElementwiseSlot<Gradient<Op, i>>::kernel;
      op.uses[i] = uses_of<Op, i>();
      op.compose[i] = compose<Op, i>;
    };
    add.template operator()<0>();
    if constexpr (Op::arity > 1) add.template operator()<1>();
    if constexpr (Op::arity > 2) add.template operator()<2>();
  }
  return op;
}

// The one object that describes each operation: kInfo<Add> and so on.
template <class Op>
extern const ElementwiseInfo kInfo;
#define WICK_DESCRIBE(Op, name, node_name) \
  template <>                              \
  constinit const ElementwiseInfo kInfo<Op> = describe_op<Op>(#name, node_name);
WICK_ELEMENTWISE_OPS(WICK_DESCRIBE)

}  // namespace
}  // namespace wick::ops

namespace wick {

using ops::kInfo;
using ops::run;
using ops::run_inplace;
using ops::run_out;

// The absolute value alone makes real numbers of complex ones.
#define WICK_UNARY(Op, name, ...)                                                                             \
  Tensor name(const Tensor& self) {                                                                           \
    if (std::is_same_v<ops::Op, ops::Abs> && WICK_UNLIKELY(self.is_complex())) return ops::complex_abs(self); \
    if (std::is_same_v<ops::Op, ops::Square> && self.scalar_type() == kBool) return name(self.to(kLong));     \
    return run(kInfo<ops::Op>, {self});                                                                       \
  }                                                                                                           \
  Tensor& name##_out(Tensor& out, const Tensor& self) { return run_out(kInfo<ops::Op>, out, {self}); }        \
  void method::name##_(const Tensor& self) { run_inplace(kInfo<ops::Op>, {self}); }
#define WICK_PREDICATE(Op, name, ...) \
  Tensor name(const Tensor& self) { return run(kInfo<ops::Op>, {self}); }
#define WICK_BINARY(Op, name, ...)                                                                                             \
  Tensor name(const Tensor& self, const Tensor& other) { return run(kInfo<ops::Op>, {self, other}); }                          \
  Tensor& name##_out(Tensor& out, const Tensor& self, const Tensor& other) { return run_out(kInfo<ops::Op>, out, {self, other}); }
#define WICK_BINARY_INPLACE(Op, name, ...) \
  WICK_BINARY(Op, name)                    \
  void method::name##_(const Tensor& self, const Tensor& other) { run_inplace(kInfo<ops::Op>, {self, other}); }
#define WICK_BINARY_NUMBER(Op, name, ...)                                                                       \
  WICK_BINARY_INPLACE(Op, name)                                                                                 \
  Tensor name(const Tensor& self, const Scalar& other) { return run(kInfo<ops::Op>, {self, other}); }           \
  void method::name##_(const Tensor& self, const Scalar& other) { run_inplace(kInfo<ops::Op>, {self, other}); }
WICK_UNARY_OPS(WICK_UNARY)
WICK_PREDICATE_OPS(WICK_PREDICATE)
WICK_COMPARISON_OPS(WICK_BINARY_NUMBER)
WICK_BITWISE_OPS(WICK_BINARY_NUMBER)
WICK_EXTREMUM_OPS(WICK_BINARY)
WICK_BINARY_INPLACE_OPS(WICK_BINARY_INPLACE)
void method::logical_not_(const Tensor& self) { run_inplace(kInfo<ops::LogicalNot>, {self}); }

namespace {

// PyTorch's sentences for what add and sub refuse.
void check_alpha(const ops::Operand& a, const ops::Operand& b, const Scalar& alpha) {
  if (alpha.equal(1) && !alpha.isBoolean()) return;
  const ops::Operand both[] = {a, b};
  const ScalarType common = ops::result_type(both, 2);
  WICK_CHECK(!alpha.isBoolean() || common == kBool, "Boolean alpha only supported for Boolean results.");
  WICK_CHECK(is_complex(common) || !alpha.isComplex(), "For non-complex input tensors, argument alpha must not be a complex number.");
  WICK_CHECK(is_floating(common) || is_complex(common) || !alpha.isFloatingPoint(),
             "For integral input tensors, argument alpha must not be a floating point number.");
}
void check_sub(const ops::Operand& a, const ops::Operand& b, const Scalar& alpha) {
  const auto is_bool = [](const ops::Operand& x) { return x.is_number() ? x.number().isBoolean() : x.tensor().scalar_type() == kBool; };
  WICK_CHECK(!is_bool(a) || !is_bool(b), "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or "
             "`logical_xor()` operator instead.");
  WICK_CHECK(!is_bool(a) && !is_bool(b),
             "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or "
             "`logical_not()` operator instead.");
  check_alpha(a, b, alpha);
}

// A factor of add and sub is a real parameter of their kernels.
Scalar times(const Scalar& b, const Scalar& alpha) { return b.toComplexDouble() * alpha.toComplexDouble(); }
Tensor times(const Tensor& b, const Scalar& alpha) { return b * alpha; }

// The kernels do not trap, and cannot throw. A device would have to be waited for, and a capture knows no values.
void check_divisor(const ops::Operand& a, const ops::Operand& b) {
  const ops::Operand both[] = {a, b};
  if (!is_integral(ops::result_type(both, 2), true) || (!a.is_number() && (!a.tensor().is_cpu() || a.tensor().numel() == 0))) return;
  const bool unknown = !b.is_number() && (!b.tensor().is_cpu() || b.tensor().numel() == 0 || t_state.listener);
  WICK_CHECK(unknown || (b.is_number() ? !b.number().equal(0) : b.tensor().ne(0).all().item<bool>()),
             "ZeroDivisionError\n  An integer was to be divided by zero.");
}

void check_integer_power(const Tensor& x, const Scalar& exponent) {
  WICK_CHECK(!is_integral(x.scalar_type(), true) || !exponent.isIntegral() || exponent.toLong() >= 0,
             "Integers to negative integer powers are not allowed.");
}

bool makes_floating(const Tensor& x, const std::optional<Scalar>& min, const std::optional<Scalar>& max) {
  return is_integral(x.scalar_type(), true) && ((min && min->isFloatingPoint()) || (max && max->isFloatingPoint()));
}

void check_quotient(const Tensor& a, const Tensor& b) {
  WICK_CHECK(!is_integral(a.scalar_type(), true) || !is_integral(b.scalar_type(), true),
             "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform a true division of "
             "tensor1 and tensor2. The historic addcdiv behavior can be implemented as (input + value * torch.trunc(tensor1 / tensor2)).to("
             "input.dtype) for integer inputs and as (input + value * tensor1 / tensor2) for float inputs. The future addcdiv behavior is "
             "just the latter implementation: (input + value * tensor1 / tensor2), for all dtypes.");
}

// A bound that is left out is the limit of what the kernel computes in.
struct Bounds {
  Scalar low, high;
};
Bounds bounds_of(const Tensor& x, const std::optional<Scalar>& min, const std::optional<Scalar>& max) {
  WICK_CHECK(min || max, "torch.clamp: At least one of 'min' or 'max' must not be None");
  const bool floating = x.is_floating_point();
  const bool wide = x.scalar_type() == kLong;
  const Scalar lowest = floating ? Scalar(-HUGE_VAL) : wide ? Scalar(INT64_MIN) : Scalar(INT32_MIN);
  const Scalar highest = floating ? Scalar(HUGE_VAL) : wide ? Scalar(INT64_MAX) : Scalar(INT32_MAX);
  return {min.value_or(lowest), max.value_or(highest)};
}

// Integers stay what they are.
Bounds hardtanh_bounds(const Tensor& x, const Scalar& min, const Scalar& max) {
  WICK_CHECK_NOT_IMPLEMENTED(x.scalar_type() != kBool, "Bool inputs not supported for hardtanh");
  if (x.is_floating_point()) return {min, max};
  return {min.toLong(), max.toLong()};
}

Tensor run_where(const Tensor& condition, const ops::Operand& a, const ops::Operand& b) {
  WICK_CHECK(condition.scalar_type() == kBool || condition.scalar_type() == kByte,
             "where expected condition to be a boolean tensor, but got a tensor with dtype ", condition.scalar_type());
  return run(kInfo<ops::Where>, {condition.scalar_type() == kByte ? condition.to(kBool) : condition, a, b});
}

}  // namespace

// A complex factor is multiplied beforehand.
#define WICK_SUM_WITH(Op, name, check, Other)                                              \
  Tensor name(const Tensor& a, const Other& b, const Scalar& alpha) {                      \
    check(a, b, alpha);                                                                    \
    if (WICK_UNLIKELY(alpha.isComplex())) return name(a, times(b, alpha));                 \
    return run(kInfo<ops::Op>, {a, b}, {alpha});                                           \
  }                                                                                        \
  void method::name##_(const Tensor& a, const Other& b, const Scalar& alpha) {             \
    check(a, b, alpha);                                                                    \
    if (WICK_UNLIKELY(alpha.isComplex())) return name##_(a, times(b, alpha), 1);           \
    run_inplace(kInfo<ops::Op>, {a, b}, {alpha});                                          \
  }
#define WICK_SUM(Op, name, check)                                                          \
  WICK_SUM_WITH(Op, name, check, Tensor)                                                   \
  WICK_SUM_WITH(Op, name, check, Scalar)                                                   \
  Tensor& name##_out(Tensor& out, const Tensor& a, const Tensor& b, const Scalar& alpha) { \
    check(a, b, alpha);                                                                    \
    return run_out(kInfo<ops::Op>, out, {a, b}, {alpha});                                  \
  }
WICK_SUM(Add, add, check_alpha)
WICK_SUM(Sub, sub, check_sub)
Tensor rsub(const Tensor& a, const Scalar& b, const Scalar& alpha) {
  check_sub(a, b, alpha);
  if (WICK_UNLIKELY(alpha.isComplex())) return rsub(a * alpha, b);
  return run(kInfo<ops::Sub>, {b, a}, {alpha});
}

#define WICK_ARITHMETIC(Op, name)                                                                         \
  Tensor name(const Tensor& a, const Tensor& b) { return run(kInfo<ops::Op>, {a, b}); }                   \
  Tensor name(const Tensor& a, const Scalar& b) { return run(kInfo<ops::Op>, {a, b}); }
#define WICK_DIVISION(Op, name)                                                                              \
  Tensor name(const Tensor& a, const Tensor& b) { return check_divisor(a, b), run(kInfo<ops::Op>, {a, b}); } \
  Tensor name(const Tensor& a, const Scalar& b) { return check_divisor(a, b), run(kInfo<ops::Op>, {a, b}); }
#define WICK_ARITHMETIC_INPLACE(Op, name)                                                                 \
  WICK_ARITHMETIC(Op, name)                                                                               \
  void method::name##_(const Tensor& a, const Tensor& b) { run_inplace(kInfo<ops::Op>, {a, b}); }         \
  void method::name##_(const Tensor& a, const Scalar& b) { run_inplace(kInfo<ops::Op>, {a, b}); }         \
  Tensor& name##_out(Tensor& out, const Tensor& a, const Tensor& b) { return run_out(kInfo<ops::Op>, out, {a, b}); }
WICK_ARITHMETIC_INPLACE(Mul, mul)
WICK_ARITHMETIC_INPLACE(Div, div)
WICK_DIVISION(Fmod, fmod)
WICK_DIVISION(Remainder, remainder)
WICK_DIVISION(FloorDivide, floor_divide)
Tensor polygamma(int64_t n, const Tensor& x) {
  WICK_CHECK(n >= 0, "polygamma(n, x) does not support negative n.");
  return run(kInfo<ops::Polygamma>, {x}, {n});
}
Tensor bitwise_left_shift(const Tensor& a, const Tensor& b) { return run(kInfo<ops::LeftShift>, {a, b}); }
Tensor bitwise_right_shift(const Tensor& a, const Tensor& b) { return run(kInfo<ops::RightShift>, {a, b}); }
// ~ of a bool is its negation, not that of the bits that hold it.
Tensor bitwise_not(const Tensor& x) { return x.scalar_type() == kBool ? logical_not(x) : run(kInfo<ops::BitwiseNot>, {x}); }

Tensor pow(const Tensor& x, const Tensor& exponent) { return run(kInfo<ops::Pow>, {x, exponent}); }
Tensor pow(const Scalar& x, const Tensor& exponent) { return run(kInfo<ops::Pow>, {x, exponent}); }
Tensor& pow_out(Tensor& out, const Tensor& x, const Tensor& exponent) { return run_out(kInfo<ops::Pow>, out, {x, exponent}); }
void method::pow_(const Tensor& x, const Tensor& exponent) { run_inplace(kInfo<ops::Pow>, {x, exponent}); }
Tensor pow(const Tensor& x, const Scalar& exponent) {
  check_integer_power(x, exponent);
  if (WICK_UNLIKELY(exponent.isComplex())) return run(kInfo<ops::Pow>, {x, exponent});
  if (x.scalar_type() == kBool && exponent.isIntegral()) return pow(x.to(kLong), exponent);
  // A fractional exponent makes a floating point tensor of an integer one; a power of the tensor's own kind keeps the dtype.
  if (is_integral(x.scalar_type(), true) && exponent.isFloatingPoint()) return pow(x.to(default_dtype()), exponent);
  if (exponent.equal(2)) return square(x);
  if (exponent.equal(0.5)) return sqrt(x);
  return run(kInfo<ops::PowNumber>, {x}, {exponent});
}
void method::pow_(const Tensor& x, const Scalar& exponent) {
  check_integer_power(x, exponent);
  WICK_CHECK(!is_integral(x.scalar_type(), true) || !exponent.isFloatingPoint(), "result type ", default_dtype(),
             " can't be cast to the desired output type ", x.scalar_type());
  if (WICK_UNLIKELY(exponent.isComplex())) return run_inplace(kInfo<ops::Pow>, {x, exponent});
  if (exponent.equal(2)) run_inplace(kInfo<ops::Square>, {x});
  else if (exponent.equal(0.5)) run_inplace(kInfo<ops::Sqrt>, {x});
  else run_inplace(kInfo<ops::PowNumber>, {x}, {exponent});
}

Tensor clamp(const Tensor& x, const std::optional<Scalar>& min, const std::optional<Scalar>& max) {
  if (makes_floating(x, min, max)) return clamp(x.to(default_dtype()), min, max);
  if (x.scalar_type() == kBool) return clamp(x.to(kLong), min, max);
  const Bounds b = bounds_of(x, min, max);
  return run(kInfo<ops::Clamp>, {x}, {b.low, b.high});
}
void method::clamp_(const Tensor& x, const std::optional<Scalar>& min, const std::optional<Scalar>& max) {
  WICK_CHECK(!makes_floating(x, min, max), "result type ", default_dtype(), " can't be cast to the desired output type ", x.scalar_type());
  const Bounds b = bounds_of(x, min, max);
  run_inplace(kInfo<ops::Clamp>, {x}, {b.low, b.high});
}

Tensor hardtanh(const Tensor& x, const Scalar& min_val, const Scalar& max_val) {
  const Bounds b = hardtanh_bounds(x, min_val, max_val);
  return run(kInfo<ops::Clamp>, {x}, {b.low, b.high});
}
Tensor& hardtanh_(Tensor& x, const Scalar& min_val, const Scalar& max_val) {
  const Bounds b = hardtanh_bounds(x, min_val, max_val);
  return run_inplace(kInfo<ops::Clamp>, {x}, {b.low, b.high}), x;
}
void method::clamp_min_(const Tensor& x, const Scalar& min) { clamp_(x, min, std::nullopt); }
void method::clamp_max_(const Tensor& x, const Scalar& max) { clamp_(x, std::nullopt, max); }

Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b) { return run_where(condition, a, b); }
Tensor where(const Tensor& condition, const Scalar& a, const Tensor& b) { return run_where(condition, a, b); }
Tensor where(const Tensor& condition, const Tensor& a, const Scalar& b) { return run_where(condition, a, b); }
Tensor where(const Tensor& condition, const Scalar& a, const Scalar& b) { return run_where(condition, a, b); }

Tensor lerp(const Tensor& a, const Tensor& b, const Scalar& weight) {
  // The weight would make floating point numbers of integers.
  WICK_CHECK_NOT_IMPLEMENTED(a.is_floating_point() || b.is_floating_point(), "\"lerp_kernel_scalar\" not implemented for '",
                             a.scalar_type(), "'");
  return run(kInfo<ops::Lerp>, {a, b, weight});
}
Tensor lerp(const Tensor& a, const Tensor& b, const Tensor& weight) { return run(kInfo<ops::Lerp>, {a, b, weight}); }
void method::lerp_(const Tensor& a, const Tensor& b, const Scalar& weight) { run_inplace(kInfo<ops::Lerp>, {a, b, weight}); }
void method::lerp_(const Tensor& a, const Tensor& b, const Tensor& weight) { run_inplace(kInfo<ops::Lerp>, {a, b, weight}); }
Tensor addcmul(const Tensor& a, const Tensor& b, const Tensor& c, const Scalar& value) {
  if (WICK_UNLIKELY(value.isComplex())) return addcmul(a, b * value, c);
  return run(kInfo<ops::Addcmul>, {a, b, c}, {value});
}
Tensor addcdiv(const Tensor& a, const Tensor& b, const Tensor& c, const Scalar& value) {
  check_quotient(b, c);
  if (WICK_UNLIKELY(value.isComplex())) return addcdiv(a, b * value, c);
  return run(kInfo<ops::Addcdiv>, {a, b, c}, {value});
}
void method::addcmul_(const Tensor& a, const Tensor& b, const Tensor& c, const Scalar& value) {
  run_inplace(kInfo<ops::Addcmul>, {a, b, c}, {value});
}
void method::addcdiv_(const Tensor& a, const Tensor& b, const Tensor& c, const Scalar& value) {
  check_quotient(b, c);
  run_inplace(kInfo<ops::Addcdiv>, {a, b, c}, {value});
}

Tensor log_sigmoid(const Tensor& x) { return run(kInfo<ops::LogSigmoid>, {x}); }
Tensor silu(const Tensor& x) { return run(kInfo<ops::Silu>, {x}); }
Tensor& silu_(Tensor& x) { return run_inplace(kInfo<ops::Silu>, {x}), x; }
Tensor gelu(const Tensor& x, std::string_view approximate) {
  WICK_CHECK(approximate == "none" || approximate == "tanh", "approximate argument must be either none or tanh.");
  return approximate == "none" ? run(kInfo<ops::Gelu>, {x}) : run(kInfo<ops::GeluTanh>, {x});
}
Tensor softplus(const Tensor& x, const Scalar& beta, const Scalar& threshold) { return run(kInfo<ops::Softplus>, {x}, {beta, threshold}); }
Tensor elu(const Tensor& x, const Scalar& alpha, const Scalar& scale, const Scalar& input_scale) {
  return run(kInfo<ops::Elu>, {x}, {alpha, scale, input_scale});
}
Tensor leaky_relu(const Tensor& x, const Scalar& slope) { return run(kInfo<ops::LeakyRelu>, {x}, {slope}); }
Tensor& leaky_relu_(Tensor& x, const Scalar& slope) { return run_inplace(kInfo<ops::LeakyRelu>, {x}, {slope}), x; }

}  // namespace wick
