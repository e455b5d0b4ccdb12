// Copies, views and joins.
#include "wick/tests/framework/ops/op_rows.h"

namespace wick::test {
namespace {

void add_copies(Family& f) {
  f.add("clone", {{{3, 5}}}, CALL(clone(x[0])));
  f.add("contiguous", {{{3, 5}}}, CALL(x[0].t().contiguous())).as("a.t().contiguous()");
  f.add("detach", {{{3, 5}}}, CALL(detach(x[0]))).as("a.detach()").derivatives(0);
  f.add("copy_", {{{3, 5}}, {{5}}}, CALL(clone(x[0]).copy_(x[1]))).as("a.clone().copy_(b)");
  f.add("fill_", {{{3, 5}}}, CALL(clone(x[0]).fill_(3))).as("a.clone().fill_(3)");
  f.add("fill_/tensor", {{{3, 5}}, {{}}}, CALL(clone(x[0]).fill_(x[1]))).as("a.clone().fill_(b)");
  f.add("zero_", {{{3, 5}}}, CALL(clone(x[0]).zero_())).as("a.clone().zero_()");
  f.add("to", {{{3, 5}}}, CALL(x[0].to(kDouble))).as("a.to(torch.float64)");
  f.add("to/int", {{{3, 5}}}, CALL(x[0].to(kInt))).as("a.to(torch.int32)").derivatives(0);
  f.add("to/bool", {{{3, 5}}}, CALL(x[0].to(kBool))).as("a.to(torch.bool)").derivatives(0);
  f.add("type_as", {{{3, 5}}, {{2}}}, CALL(x[0].type_as(x[1]))).as("a.type_as(b)");
  f.add("toType", {{{3, 5}}}, CALL(x[0].toType(kDouble))).as("a.to(torch.float64)");
}

void add_reshapes(Family& f) {
  f.add("alias", {{{3, 5}}}, CALL(alias(x[0]))).as("torch.ops.aten.alias(a)");
  f.add("as_strided", {{{4, 5}}}, CALL(as_strided(x[0], {3, 2}, {5, 2}, 1))).as("a.as_strided((3, 2), (5, 2), 1)").contiguous_only();
  f.add("as_strided/overlapping", {{{4, 5}}}, CALL(as_strided(x[0], {3, 4}, {2, 1}))).as("a.as_strided((3, 4), (2, 1))").contiguous_only();
  f.add("view", {{{4, 6}}}, CALL(x[0].view({2, -1, 3}))).as("a.view(2, -1, 3)").contiguous_only();
  f.add("view_as", {{{4, 6}}, {{3, 8}}}, CALL(x[0].view_as(x[1]))).as("a.view_as(b)").contiguous_only();
  f.add("reshape", {{{4, 6}}}, CALL(reshape(x[0], {3, -1}))).as("a.reshape(3, -1)");
  f.add("reshape/copy", {{{4, 6}}}, CALL(reshape(x[0].t(), {-1}))).as("a.t().reshape(-1)");
  f.add("reshape/zero-dim", {{{1, 1}}}, CALL(reshape(x[0], IntArrayRef()))).as("a.reshape(())");
  f.add("reshape_as", {{{4, 6}}, {{3, 8}}}, CALL(x[0].reshape_as(x[1]))).as("a.reshape_as(b)");
  f.add("flatten", {{{2, 3, 4}}}, CALL(flatten(x[0])));
  f.add("flatten/range", {{{2, 3, 4}}}, CALL(flatten(x[0], 1))).as("a.flatten(1)");
  f.add("unflatten", {{{2, 6}}}, CALL(unflatten(x[0], 1, {3, -1}))).as("a.unflatten(1, (3, -1))");
  f.add("expand", {{{3, 1}}}, CALL(x[0].expand({2, -1, 4}))).as("a.expand(2, -1, 4)");
  f.add("expand_as", {{{3, 1}}, {{2, 3, 4}}}, CALL(x[0].expand_as(x[1]))).as("a.expand_as(b)");
  f.add("broadcast_to", {{{3, 1}}}, CALL(broadcast_to(x[0], {3, 4}))).as("a.broadcast_to(3, 4)");
  f.add("squeeze", {{{1, 3, 1}}}, CALL(squeeze(x[0])));
  f.add("squeeze/dim", {{{1, 3, 1}}}, CALL(squeeze(x[0], -1))).as("a.squeeze(-1)");
  f.add("unsqueeze", {{{2, 3}}}, CALL(unsqueeze(x[0], -2))).as("a.unsqueeze(-2)");
}

void add_permutations(Family& f) {
  f.add("permute", {{{2, 3, 4}}}, CALL(permute(x[0], {2, 0, -2}))).as("a.permute(2, 0, -2)");
  f.add("transpose", {{{2, 3, 4}}}, CALL(transpose(x[0], 0, -1))).as("a.transpose(0, -1)");
  f.add("t", {{{3, 4}}}, CALL(t(x[0])));
  f.add("numpy_T", {{{2, 3}}}, CALL(x[0].numpy_T())).as("a.T");
  f.add("mT", {{{2, 3, 4}}}, CALL(x[0].mT())).as("a.mT");
  f.add("movedim", {{{2, 3, 4}}}, CALL(movedim(x[0], 0, -1))).as("a.movedim(0, -1)");
  f.add("movedim/lists", {{{2, 3, 4}}}, CALL(movedim(x[0], IntArrayRef{0, 1}, IntArrayRef{2, 0}))).as("a.movedim((0, 1), (2, 0))");
}

void add_parts(Family& f) {
  f.add("select", {{{3, 4}}}, CALL(select(x[0], 1, -1))).as("a.select(1, -1)");
  f.add("select/operator", {{{3, 4}}}, CALL(x[0][1])).as("a[1]");
  f.add("slice", {{{3, 7}}}, CALL(slice(x[0], 1, 1, -1, 2))).as("a[:, 1:-1:2]");
  f.add("slice/empty", {{{3, 7}}}, CALL(slice(x[0], 0, 2, 1))).as("a[2:1]");
  f.add("narrow", {{{3, 7}}}, CALL(narrow(x[0], 1, 2, 3))).as("a.narrow(1, 2, 3)");
  f.add("diagonal", {{{3, 4}}}, CALL(diagonal(x[0])));
  f.add("diagonal/offset", {{{2, 3, 4}}}, CALL(diagonal(x[0], -1, 0, 2))).as("a.diagonal(-1, 0, 2)");
  f.add("unfold", {{{2, 7}}}, CALL(x[0].unfold(1, 3, 2))).as("a.unfold(1, 3, 2)");
  f.add("unfold/overlapping", {{{2, 5}}}, CALL(x[0].unfold(-1, 3, 1))).as("a.unfold(-1, 3, 1)");
  f.add("split", {{{3, 5}}}, CALL(split(x[0], 2, 1))).as("a.split(2, 1)");
  f.add("split/sizes", {{{3, 5}}}, CALL(split(x[0], IntArrayRef{1, 4}, -1))).as("a.split((1, 4), -1)");
  f.add("split_with_sizes", {{{3, 5}}}, CALL(split_with_sizes(x[0], {1, 0, 2}))).as("a.split_with_sizes((1, 0, 2))");
  f.add("chunk", {{{3, 5}}}, CALL(chunk(x[0], 3, 1))).as("a.chunk(3, 1)");
  f.add("unbind", {{{3, 5}}}, CALL(unbind(x[0])));
}

void add_joins(Family& f) {
  f.add("cat", {{{2, 3}}, {{1, 3}}, {{0, 3}}}, CALL(cat({x[0], x[1], x[2]}))).as("torch.cat((a, b, c))");
  f.add("cat/dim", {{{2, 3}}, {{2, 1}}, {{2, 4}}}, CALL(cat({x[0], x[1], x[2]}, -1))).as("torch.cat((a, b, c), -1)");
  f.add("cat/twice", {{{2, 3}}}, CALL(cat({x[0], x[0]}, 1))).as("torch.cat((a, a), 1)");
  f.add("stack", {{{2, 3}}, {{2, 3}}}, CALL(stack({x[0], x[1]}))).as("torch.stack((a, b))");
  f.add("stack/dim", {{{2, 3}}, {{2, 3}}}, CALL(stack({x[0], x[1]}, -1))).as("torch.stack((a, b), -1)");
  f.add("repeat", {{{2, 3}}}, CALL(x[0].repeat({2, 1, 2}))).as("a.repeat(2, 1, 2)");
  f.add("flip", {{{2, 3, 4}}}, CALL(flip(x[0], {0, -1}))).as("a.flip(0, -1)");
}

}  // namespace

std::vector<Row> shape_rows() {
  Family f("shape");
  add_copies(f);
  add_reshapes(f);
  add_permutations(f);
  add_parts(f);
  add_joins(f);
  return f.rows();
}

}  // namespace wick::test
