// Sorting, arrangements of elements, and products over named dimensions.
#include "wick/tests/framework/ops/op_rows.h"

namespace wick::test {
namespace {

void add_sorting(Family& f) {
  f.add("sort", {{{3, 5}}}, CALL(sort(x[0]))).as("torch.sort(a, stable=True)");
  f.add("sort/descending", {{{4, 5}}}, CALL(sort(x[0], 0, true))).as("torch.sort(a, dim=0, descending=True, stable=True)");
  f.add("sort/stable", {{{2, 3, 4}}}, CALL(sort(x[0], std::optional<bool>(true), 1))).as("torch.sort(a, dim=1, stable=True)");
  f.add("argsort", {{{3, 5}}}, CALL(argsort(x[0], 0))).as("torch.argsort(a, dim=0, stable=True)").derivatives(0);
  // Which of equal elements are taken is not defined: these rows have no equal ones.
  f.add("topk", {{{3, 5}, -90, 90}}, CALL(topk(x[0], 2))).as("torch.topk(a, 2)").excluding({"bool", "uint8"});
  f.add("topk/smallest", {{{4, 3}, -90, 90}}, CALL(topk(x[0], 3, 0, false))).as("torch.topk(a, 3, 0, False)").excluding({"bool", "uint8"});
  f.add("kthvalue", {{{3, 5}, -90, 90}}, CALL(kthvalue(x[0], 2))).as("torch.kthvalue(a, 2)").excluding({"bool", "uint8"});
  f.add("kthvalue/keepdim", {{{3, 5}, -90, 90}}, CALL(kthvalue(x[0], 3, 0, true))).as("torch.kthvalue(a, 3, 0, True)")
      .excluding({"bool", "uint8"});
  f.add("median", {{{3, 5}}}, CALL(median(x[0]))).excluding({"bool"});
  f.add("median/dim", {{{3, 4}, -90, 90}}, CALL(median(x[0], 1))).as("a.median(1)").excluding({"bool", "uint8"});
}

void add_arrangements(Family& f) {
  f.add("triu", {{{3, 4}}}, CALL(triu(x[0])));
  f.add("triu/above", {{{2, 4, 4}}}, CALL(triu(x[0], 1))).as("a.triu(1)");
  f.add("tril", {{{3, 4}}}, CALL(tril(x[0])));
  f.add("tril/below", {{{4, 3}}}, CALL(tril(x[0], -2))).as("a.tril(-2)");
  f.add("diag", {{{3, 4}}}, CALL(diag(x[0])));
  f.add("diag/vector", {{{3}}}, CALL(diag(x[0], -1))).as("a.diag(-1)");
  f.add("broadcast_tensors", {{{3, 1}}, {{4}}}, CALL(broadcast_tensors({x[0], x[1]})));
  f.add("meshgrid", {{{3}}, {{2}}}, CALL(meshgrid({x[0], x[1]}))).as("torch.meshgrid(a, b, indexing='ij')");
  f.add("meshgrid/xy", {{{3}}, {{2}}}, CALL(meshgrid({x[0], x[1]}, "xy"))).as("torch.meshgrid(a, b, indexing='xy')");
  f.add("repeat_interleave", {{{2, 3}}}, CALL(repeat_interleave(x[0], 2, 1))).as("a.repeat_interleave(2, 1)");
  f.add("repeat_interleave/flat", {{{2, 3}}}, CALL(repeat_interleave(x[0], 2))).as("a.repeat_interleave(2)");
  f.add("repeat_interleave/tensor", {{{3, 2}}, indices({3}, 4)}, CALL(repeat_interleave(x[0], x[1], 0))).as("a.repeat_interleave(b, 0)")
      .reading_values();
  f.add("tile", {{{2, 3}}}, CALL(tile(x[0], {2, 1, 2}))).as("a.tile(2, 1, 2)");
  f.add("roll", {{{3, 4}}}, CALL(roll(x[0], {1, -2}, {0, 1}))).as("a.roll((1, -2), (0, 1))");
  f.add("roll/flat", {{{3, 4}}}, CALL(roll(x[0], 5))).as("a.roll(5)");
  f.add("hstack", {{{2, 3}}, {{2, 1}}}, CALL(hstack({x[0], x[1]}))).as("torch.hstack((a, b))");
  f.add("vstack", {{{3}}, {{2, 3}}}, CALL(vstack({x[0], x[1]}))).as("torch.vstack((a, b))");
  f.add("one_hot", {indices({2, 3}, 4)}, CALL(one_hot(x[0], 5))).as("F.one_hot(a, 5)").derivatives(0).reading_values();
  f.add("pixel_shuffle", {{{2, 8, 2, 3}}}, CALL(pixel_shuffle(x[0], 2))).as("F.pixel_shuffle(a, 2)");
  f.add("pixel_unshuffle", {{{2, 4, 6}}}, CALL(pixel_unshuffle(x[0], 2))).as("F.pixel_unshuffle(a, 2)");
  f.add("squeeze_", {{{1, 3, 1}}}, CALL(clone(x[0]).squeeze_())).as("a.clone().squeeze_()");
  f.add("squeeze_/dim", {{{1, 3, 1}}}, CALL(clone(x[0]).squeeze_(0))).as("a.clone().squeeze_(0)");
  f.add("unsqueeze_", {{{2, 3}}}, CALL(clone(x[0]).unsqueeze_(1))).as("a.clone().unsqueeze_(1)");
  f.add("constant_pad_nd", {{{2, 3}}}, CALL(constant_pad_nd(x[0], {1, 2, 0, 1}, 2))).as("torch.constant_pad_nd(a, (1, 2, 0, 1), 2)");
  f.add("constant_pad_nd/cut", {{{4, 5}}}, CALL(constant_pad_nd(x[0], {-1, 2, 1, -2}))).as("torch.constant_pad_nd(a, (-1, 2, 1, -2))");
  f.add("pad", {{{2, 3}}}, CALL(pad(x[0], {1, 1}))).as("F.pad(a, (1, 1))");
  f.add("pad/reflect", {{{1, 3, 4}}}, CALL(pad(x[0], {2, 1, 1, 2}, "reflect"))).as("F.pad(a, (2, 1, 1, 2), 'reflect')").excluding({"bool"});
  f.add("pad/replicate", {{{2, 3, 4}}}, CALL(pad(x[0], {3, 1, 0, 2}, "replicate"))).as("F.pad(a, (3, 1, 0, 2), 'replicate')")
      .excluding({"bool"});
  f.add("pad/circular", {{{1, 3, 4}}}, CALL(pad(x[0], {2, 4, 3, 0}, "circular"))).as("F.pad(a, (2, 4, 3, 0), 'circular')");
  f.add("embedding", {{{4, 3}}, indices({2, 3}, 4)}, CALL(embedding(x[0], x[1]))).as("F.embedding(b, a)");
  f.add("embedding/padding", {{{4, 3}}, indices({2, 3}, 4)}, CALL(embedding(x[0], x[1], 1))).as("F.embedding(b, a, 1)").derivatives(0);
}

void add_products(Family& f) {
  const Sample matrix{{2, 3}}, other{{3, 4}};
  f.add("einsum", {matrix, other}, CALL(einsum("ij,jk->ik", {x[0], x[1]}))).as("torch.einsum('ij,jk->ik', a, b)");
  f.add("einsum/outer", {{{2}}, {{3}}}, CALL(einsum("i,j", {x[0], x[1]}))).as("torch.einsum('i,j', a, b)");
  f.add("einsum/transpose", {matrix}, CALL(einsum("ba", {x[0]}))).as("torch.einsum('ba', a)");
  f.add("einsum/trace", {{{3, 3}}}, CALL(einsum("ii", {x[0]}))).as("torch.einsum('ii', a)");
  f.add("einsum/diagonal", {{{3, 3}}}, CALL(einsum("ii->i", {x[0]}))).as("torch.einsum('ii->i', a)");
  f.add("einsum/batch", {{{2, 3, 4}}, {{2, 4, 2}}}, CALL(einsum("bij, bjk -> bik", {x[0], x[1]})))
      .as("torch.einsum('bij, bjk -> bik', a, b)");
  f.add("einsum/ellipsis", {{{2, 3, 4}}, {{4, 2}}}, CALL(einsum("...ij,jk->...ki", {x[0], x[1]})))
      .as("torch.einsum('...ij,jk->...ki', a, b)");
  f.add("einsum/three", {{{2, 3}}, {{4, 3, 2}}, {{2, 2}}}, CALL(einsum("bi,kij,bj->bk", {x[0], x[1], x[2]})))
      .as("torch.einsum('bi,kij,bj->bk', a, b, c)");
  f.add("einsum/attention", {{{1, 3, 2, 2}}, {{1, 4, 2, 2}}}, CALL(einsum("nqhd,nkhd->nhqk", {x[0], x[1]})))
      .as("torch.einsum('nqhd,nkhd->nhqk', a, b)");
  f.add("tensordot", {{{2, 3, 4}}, {{4, 3, 2}}}, CALL(tensordot(x[0], x[1], {1, 2}, {1, 0}))).as("torch.tensordot(a, b, ((1, 2), (1, 0)))");
  f.add("addmv", {{{2}}, matrix, {{3}}}, CALL(addmv(x[0], x[1], x[2], 2, 3))).as("torch.addmv(a, b, c, beta=2, alpha=3)");
  f.add("baddbmm", {{{2, 3, 2}}, {{2, 3, 4}}, {{2, 4, 2}}}, CALL(baddbmm(x[0], x[1], x[2]))).as("torch.baddbmm(a, b, c)");
  f.add("addbmm", {{{3, 2}}, {{2, 3, 4}}, {{2, 4, 2}}}, CALL(addbmm(x[0], x[1], x[2]))).as("torch.addbmm(a, b, c)");
  f.add("cross", {{{2, 3}}, {{2, 3}}}, CALL(cross(x[0], x[1]))).as("torch.linalg.cross(a, b)");
  f.add("cross/dim", {{{3, 2}}, {{3, 2}}}, CALL(cross(x[0], x[1], 0))).as("torch.cross(a, b, 0)");
  f.add("bilinear", {{{2, 3}}, {{2, 4}}, {{2, 3, 4}}, {{2}}}, CALL(bilinear(x[0], x[1], x[2], x[3]))).as("F.bilinear(a, b, c, d)");
}

}  // namespace

std::vector<Row> arrange_rows() {
  Family f("arrange");
  add_sorting(f);
  add_arrangements(f);
  add_products(f);
  return f.rows();
}

}  // namespace wick::test
