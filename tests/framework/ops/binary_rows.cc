#include "wick/tests/framework/ops/op_rows.h"

namespace wick::test {
namespace {

// f(a, b), f_(a, b), f_out(y, a, b), and the forms with a number.
#define WITH_INPLACE(name) .in_place(INPLACE(x[0].name##_(x[1])))
#define WITH_OUT(name) .into(OUT(name##_out(y, x[0], x[1])))
#define PAIR(name, a, b) f.elementwise(#name, {a, b}, CALL(name(x[0], x[1])))
#define NUMBER(name, a, number) f.elementwise(#name "/number", {a}, CALL(name(x[0], number))).as("torch." #name "(a, " #number ")")
#define NUMBER_INPLACE(name, number) .in_place(INPLACE(x[0].name##_(number)))

void add_arithmetic(Family& f) {
  const Sample any = between(-3, 3), positive = between(0.5, 4);
  PAIR(add, any, any) WITH_INPLACE(add) WITH_OUT(add);
  f.elementwise("add/alpha", {any, any}, CALL(add(x[0], x[1], 3))).as("torch.add(a, b, alpha=3)").in_place(INPLACE(x[0].add_(x[1], 3)));
  NUMBER(add, any, 2) NUMBER_INPLACE(add, 2);
  f.elementwise("add/fraction", {any}, CALL(x[0] + 1.5)).as("a + 1.5");
  PAIR(sub, any, any) WITH_INPLACE(sub) WITH_OUT(sub);
  f.elementwise("sub/alpha", {any, any}, CALL(sub(x[0], x[1], 3))).as("torch.sub(a, b, alpha=3)").in_place(INPLACE(x[0].sub_(x[1], 3)));
  NUMBER(sub, any, 2) NUMBER_INPLACE(sub, 2);
  PAIR(rsub, any, any);
  NUMBER(rsub, any, 2);
  f.elementwise("rsub/operator", {any}, CALL(1.5 - x[0])).as("1.5 - a");
  PAIR(mul, any, any) WITH_INPLACE(mul) WITH_OUT(mul);
  NUMBER(mul, any, 3) NUMBER_INPLACE(mul, 3);
  f.elementwise("mul/fraction", {any}, CALL(0.5 * x[0])).as("0.5 * a");
  PAIR(div, any, positive) WITH_INPLACE(div) WITH_OUT(div);
  NUMBER(div, any, 4) NUMBER_INPLACE(div, 4);
  f.elementwise("div/reciprocal", {positive}, CALL(2 / x[0])).as("2 / a");
  PAIR(pow, between(0.25, 3), between(-2, 2)) WITH_INPLACE(pow) WITH_OUT(pow);
  f.elementwise("pow/base", {between(-2, 2)}, CALL(pow(Scalar(1.5), x[0]))).as("1.5 ** a");
  // Quotients of the samples stay away from integers by more than a gradient check's step.
  PAIR(fmod, between(-9, 9), between(1, 4));
  NUMBER(fmod, between(-9, 9), 2.5);
  PAIR(remainder, between(-9, 9), between(1, 4));
  NUMBER(remainder, between(-9, 9), 2.5);
  f.elementwise("remainder/operator", {between(-9, 9)}, CALL(x[0] % 3)).as("a % 3");
  PAIR(floor_divide, between(-9, 9), between(1, 4)).derivatives(0);
  NUMBER(floor_divide, between(-9, 9), 2).derivatives(0);
}

void add_choices(Family& f) {
  const Sample any = between(-3, 3);
  PAIR(maximum, any, any) WITH_OUT(maximum);
  PAIR(minimum, any, any) WITH_OUT(minimum);
  PAIR(fmax, any, any) WITH_OUT(fmax);
  PAIR(fmin, any, any) WITH_OUT(fmin);
  f.elementwise("max/pair", {any, any}, CALL(max(x[0], x[1]))).as("torch.max(a, b)");
  f.elementwise("min/pair", {any, any}, CALL(min(x[0], x[1]))).as("torch.min(a, b)");
  PAIR(atan2, any, any) WITH_OUT(atan2) WITH_INPLACE(atan2);
  PAIR(hypot, any, any) WITH_OUT(hypot) WITH_INPLACE(hypot);
  f.elementwise("where", {mask(), any, any}, CALL(where(x[0], x[1], x[2])));
  f.elementwise("where/method", {any, mask(), any}, CALL(x[0].where(x[1], x[2]))).as("a.where(b, c)");
  f.elementwise("where/left", {mask(), any}, CALL(where(x[0], 2.5, x[1]))).as("torch.where(a, 2.5, b)");
  f.elementwise("where/right", {mask(), any}, CALL(where(x[0], x[1], 2))).as("torch.where(a, b, 2)");
  f.elementwise("where/numbers", {mask()}, CALL(where(x[0], 1, 2.5))).as("torch.where(a, 1, 2.5)").derivatives(0);
}

void add_predicates(Family& f) {
  const Sample any = between(-3, 3);
#define COMPARISON(name)                                         \
  PAIR(name, any, any) WITH_INPLACE(name) WITH_OUT(name).derivatives(0); \
  NUMBER(name, any, 1) NUMBER_INPLACE(name, 1).derivatives(0)
  COMPARISON(eq);
  COMPARISON(ne);
  COMPARISON(lt);
  COMPARISON(le);
  COMPARISON(gt);
  COMPARISON(ge);
#undef COMPARISON
#define LOGICAL(name) PAIR(name, any, any) WITH_INPLACE(name) WITH_OUT(name).derivatives(0)
  LOGICAL(logical_and);
  LOGICAL(logical_or);
  LOGICAL(logical_xor);
#undef LOGICAL
  const Sample bits = between(-100, 100);
#define BITWISE(name)                                        \
  PAIR(name, bits, bits) WITH_INPLACE(name) WITH_OUT(name).integers(); \
  NUMBER(name, bits, 6) NUMBER_INPLACE(name, 6).integers()
  BITWISE(bitwise_and);
  BITWISE(bitwise_or);
  BITWISE(bitwise_xor);
#undef BITWISE
  PAIR(bitwise_left_shift, bits, between(0, 6)).integers();
  PAIR(bitwise_right_shift, bits, between(0, 6)).integers();
}

void add_ternary(Family& f) {
  const Sample any = between(-3, 3), positive = between(0.5, 4);
  f.elementwise("lerp", {any, any, between(-1, 2)}, CALL(lerp(x[0], x[1], x[2]))).in_place(INPLACE(x[0].lerp_(x[1], x[2])));
  f.elementwise("lerp/number", {any, any}, CALL(lerp(x[0], x[1], 0.75))).as("torch.lerp(a, b, 0.75)")
      .in_place(INPLACE(x[0].lerp_(x[1], 0.75)));
  f.elementwise("addcmul", {any, any, any}, CALL(addcmul(x[0], x[1], x[2]))).in_place(INPLACE(x[0].addcmul_(x[1], x[2])));
  f.elementwise("addcmul/value", {any, any, any}, CALL(addcmul(x[0], x[1], x[2], 3))).as("torch.addcmul(a, b, c, value=3)")
      .in_place(INPLACE(x[0].addcmul_(x[1], x[2], 3)));
  f.elementwise("addcdiv", {any, any, positive}, CALL(addcdiv(x[0], x[1], x[2]))).in_place(INPLACE(x[0].addcdiv_(x[1], x[2])));
  f.elementwise("addcdiv/value", {any, any, positive}, CALL(addcdiv(x[0], x[1], x[2], 0.5))).as("torch.addcdiv(a, b, c, value=0.5)")
      .in_place(INPLACE(x[0].addcdiv_(x[1], x[2], 0.5)));
}

}  // namespace

std::vector<Row> binary_rows() {
  Family f("binary");
  add_arithmetic(f);
  add_choices(f);
  add_predicates(f);
  add_ternary(f);
  return f.rows();
}

}  // namespace wick::test
