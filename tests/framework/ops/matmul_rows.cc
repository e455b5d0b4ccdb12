#include "wick/tests/framework/ops/op_rows.h"

namespace wick::test {

std::vector<Row> matmul_rows() {
  Family f("matmul");
  const Tolerance in_double{1e-13, 1e-13}, in_float{2e-5, 2e-5};
#define PRODUCT(name, ...) f.add(name, __VA_ARGS__).within(in_double, in_float)
  PRODUCT("mm", {{{3, 4}}, {{4, 5}}}, CALL(mm(x[0], x[1])));
  // Sizes beyond the blocks of the small kernels, and ones that end within a block.
  PRODUCT("mm/larger", {{{5, 19}}, {{19, 17}}}, CALL(mm(x[0], x[1]))).derivatives(1);
  PRODUCT("mm/transposed", {{{4, 3}}, {{5, 4}}}, CALL(mm(x[0].t(), x[1].t()))).as("a.t() @ b.t()");
  PRODUCT("mm/empty", {{{3, 0}}, {{0, 2}}}, CALL(mm(x[0], x[1]))).excluding({"bool"});  // PyTorch refuses bool unless it is empty
  PRODUCT("bmm", {{{2, 3, 4}}, {{2, 4, 2}}}, CALL(bmm(x[0], x[1])));
  PRODUCT("mv", {{{3, 4}}, {{4}}}, CALL(mv(x[0], x[1])));
  PRODUCT("dot", {{{7}}, {{7}}}, CALL(dot(x[0], x[1])));
  PRODUCT("outer", {{{3}}, {{4}}}, CALL(outer(x[0], x[1])));
  PRODUCT("matmul", {{{3, 4}}, {{4, 2}}}, CALL(matmul(x[0], x[1])));
  PRODUCT("matmul/vectors", {{{5}}, {{5}}}, CALL(matmul(x[0], x[1])));
  PRODUCT("matmul/matrix-vector", {{{3, 4}}, {{4}}}, CALL(matmul(x[0], x[1])));
  PRODUCT("matmul/vector-matrix", {{{3}}, {{3, 4}}}, CALL(matmul(x[0], x[1])));
  PRODUCT("matmul/batch-matrix", {{{2, 3, 4}}, {{4, 2}}}, CALL(matmul(x[0], x[1])));
  PRODUCT("matmul/matrix-batch", {{{3, 4}}, {{2, 4, 2}}}, CALL(matmul(x[0], x[1])));
  PRODUCT("matmul/batch-vector", {{{2, 3, 4}}, {{4}}}, CALL(matmul(x[0], x[1])));
  PRODUCT("matmul/vector-batch", {{{3}}, {{2, 3, 4}}}, CALL(matmul(x[0], x[1])));
  PRODUCT("matmul/broadcast", {{{2, 1, 3, 2}}, {{3, 2, 2}}}, CALL(matmul(x[0], x[1])));
  PRODUCT("addmm", {{{3, 5}}, {{3, 4}}, {{4, 5}}}, CALL(addmm(x[0], x[1], x[2])));
  PRODUCT("addmm/broadcast", {{{5}}, {{3, 4}}, {{4, 5}}}, CALL(addmm(x[0], x[1], x[2])));
  PRODUCT("addmm/scaled", {{{3, 1}}, {{3, 4}}, {{4, 5}}}, CALL(addmm(x[0], x[1], x[2], 2, 3))).as("torch.addmm(a, b, c, beta=2, alpha=3)");
  PRODUCT("linear", {{{3, 4}}, {{5, 4}}, {{5}}}, CALL(linear(x[0], x[1], x[2]))).as("F.linear(a, b, c)");
  PRODUCT("linear/no-bias", {{{3, 4}}, {{5, 4}}}, CALL(linear(x[0], x[1]))).as("F.linear(a, b)");
  PRODUCT("linear/vector", {{{4}}, {{5, 4}}, {{5}}}, CALL(linear(x[0], x[1], x[2]))).as("F.linear(a, b, c)");
  PRODUCT("linear/batch", {{{2, 3, 4}}, {{2, 4}}, {{2}}}, CALL(linear(x[0], x[1], x[2]))).as("F.linear(a, b, c)");
#undef PRODUCT
  return f.rows();
}

}  // namespace wick::test
