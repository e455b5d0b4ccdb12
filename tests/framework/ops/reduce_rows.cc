#include <cmath>

#include "wick/tests/framework/ops/op_rows.h"

namespace wick::test {
namespace {

const Sample kMatrix{{3, 5}}, kCube{{2, 3, 4}}, kVector{{7}}, kNumber{{}}, kEmpty{{0, 3}};
// Wide enough that a row runs over several packs and ends within one.
const Sample kWide{{3, 37}}, kTall{{37, 3}};

// The forms that sums share: all of it, along the last, the first, the middle and several dimensions, a single number, nothing.
#define FORMS(name)                                                                                                \
  f.add(#name, {kMatrix}, CALL(name(x[0])));                                                                       \
  f.add(#name "/wide", {kWide}, CALL(name(x[0], {1}))).as("torch." #name "(a, 1)").within(kSum64, kSum32);         \
  f.add(#name "/tall", {kTall}, CALL(name(x[0], {0}))).as("torch." #name "(a, 0)").within(kSum64, kSum32);         \
  f.add(#name "/middle", {kCube}, CALL(name(x[0], {1}))).as("torch." #name "(a, 1)");                              \
  f.add(#name "/two", {kCube}, CALL(name(x[0], {0, -1}))).as("torch." #name "(a, (0, -1))");                       \
  f.add(#name "/number", {kNumber}, CALL(name(x[0])))

constexpr Tolerance kSum64{1e-13, 1e-13}, kSum32{2e-5, 2e-5};

void add_sums(Family& f) {
  FORMS(sum);
  f.add("sum/keepdim", {kCube}, CALL(sum(x[0], {1, 2}, true))).as("a.sum((1, 2), keepdim=True)");
  f.add("sum/dtype", {kMatrix}, CALL(sum(x[0], {0}, false, kDouble))).as("a.sum(0, dtype=torch.float64)");
  f.add("sum/empty", {kEmpty}, CALL(sum(x[0], {0}))).as("a.sum(0)");
  f.add("sum/no-rows", {kEmpty}, CALL(sum(x[0], {1}))).as("a.sum(1)");
  FORMS(mean);
  f.add("mean/keepdim", {kCube}, CALL(mean(x[0], {0}, true))).as("a.mean(0, keepdim=True)");
  f.add("mean/empty", {kEmpty}, CALL(mean(x[0], {0}))).as("a.mean(0)").derivatives(0);
  const Sample factors{{3, 4}, 0.5, 2};
  f.add("prod", {factors}, CALL(prod(x[0])));
  f.add("prod/dim", {factors}, CALL(prod(x[0], 1))).as("a.prod(1)");
  f.add("prod/keepdim", {factors}, CALL(prod(x[0], 0, true))).as("a.prod(0, keepdim=True)");
  f.add("prod/empty", {kEmpty}, CALL(prod(x[0]))).as("a.prod()");
  f.add("cumsum", {kMatrix}, CALL(cumsum(x[0], 0))).as("a.cumsum(0)");
  f.add("cumsum/last", {kWide}, CALL(cumsum(x[0], -1))).as("a.cumsum(-1)").within(kSum64, kSum32);
}

void add_extrema(Family& f) {
#define EXTREMUM(name)                                                                                         \
  f.add(#name, {kMatrix}, CALL(name(x[0])));                                                                   \
  f.add(#name "/number", {kNumber}, CALL(name(x[0])));                                                         \
  f.add(#name "/dim", {kWide}, CALL(name(x[0], 1))).as("list(a." #name "(1))");                                \
  f.add(#name "/tall", {kTall}, CALL(name(x[0], 0))).as("list(a." #name "(0))");                               \
  f.add(#name "/keepdim", {kCube}, CALL(name(x[0], -2, true))).as("list(a." #name "(-2, keepdim=True))");      \
  f.add("a" #name, {kMatrix}, CALL(a##name(x[0])));                                                            \
  f.add("a" #name "/dims", {kCube}, CALL(a##name(x[0], {0, 2}))).as("a.a" #name "((0, 2))");                   \
  f.add("a" #name "/keepdim", {kWide}, CALL(a##name(x[0], {1}, true))).as("a.a" #name "(1, keepdim=True)");    \
  f.add("arg" #name, {kWide}, CALL(arg##name(x[0]))).derivatives(0);                                           \
  f.add("arg" #name "/dim", {kWide}, CALL(arg##name(x[0], 1))).as("a.arg" #name "(1)").derivatives(0);         \
  f.add("arg" #name "/keepdim", {kTall}, CALL(arg##name(x[0], 0, true))).as("a.arg" #name "(0, keepdim=True)").derivatives(0)
  EXTREMUM(max);
  EXTREMUM(min);
#undef EXTREMUM
#define TEST(name)                                                                     \
  f.add(#name, {kMatrix}, CALL(name(x[0]))).derivatives(0);                            \
  f.add(#name "/dim", {kCube}, CALL(name(x[0], 1))).as("a." #name "(1)").derivatives(0); \
  f.add(#name "/keepdim", {kCube}, CALL(name(x[0], 0, true))).as("a." #name "(0, keepdim=True)").derivatives(0); \
  f.add(#name "/empty", {kEmpty}, CALL(name(x[0], 0))).as("a." #name "(0)").derivatives(0)
  TEST(all);
  TEST(any);
#undef TEST
  f.add("equal", {kMatrix, kMatrix}, CALL(equal(x[0], x[1]))).as("torch.tensor(torch.equal(a, b))").derivatives(0).reading_values();
}

void add_statistics(Family& f) {
#define SPREAD(name)                                                                                              \
  f.add(#name, {kMatrix}, CALL(name(x[0])));                                                                      \
  f.add(#name "/biased", {kMatrix}, CALL(name(x[0], false))).as("a." #name "(unbiased=False)");                   \
  f.add(#name "/dim", {kWide}, CALL(name(x[0], IntArrayRef{1}))).as("a." #name "(1)").within(kSum64, kSum32);                \
  f.add(#name "/tall", {kTall}, CALL(name(x[0], IntArrayRef{0}, false))).as("a." #name "(0, unbiased=False)").within(kSum64, kSum32); \
  f.add(#name "/keepdim", {kCube}, CALL(name(x[0], {0, 2}, true, true))).as("a." #name "((0, 2), keepdim=True)")
  SPREAD(var);
  SPREAD(std);
#undef SPREAD
  f.add("norm", {kMatrix}, CALL(norm(x[0])));
  f.add("norm/one", {kMatrix}, CALL(norm(x[0], 1))).as("a.norm(1)");
  f.add("norm/three", {kMatrix}, CALL(norm(x[0], 3))).as("a.norm(3)");
  f.add("norm/infinity", {kMatrix}, CALL(norm(x[0], HUGE_VAL))).as("a.norm(float('inf'))");
  f.add("norm/zero", {kMatrix}, CALL(norm(x[0], 0))).as("a.norm(0)").derivatives(0);
  f.add("norm/dim", {kCube}, CALL(norm(x[0], 2, {1}))).as("a.norm(2, 1)");
  f.add("norm/keepdim", {kCube}, CALL(norm(x[0], 2, {0, 2}, true))).as("a.norm(2, (0, 2), keepdim=True)");
  f.add("logsumexp", {kMatrix}, CALL(logsumexp(x[0], {1}))).as("a.logsumexp(1)");
  f.add("logsumexp/dims", {kCube}, CALL(logsumexp(x[0], {0, -1}, true))).as("a.logsumexp((0, -1), keepdim=True)");
}

}  // namespace

std::vector<Row> reduce_rows() {
  Family f("reduce");
  add_sums(f);
  add_extrema(f);
  add_statistics(f);
  return f.rows();
}

}  // namespace wick::test
