// Scans, statistics, and arrangements that are written with other operations.
#include "wick/tests/framework/ops/op_rows.h"

namespace wick::test {
namespace {

const Sample kMatrix{{3, 5}}, kCube{{2, 3, 4}}, kVector{{7}}, kSquare{{4, 4}}, kDistinct{{3, 5}, -90, 90};

void add_scans(Family& f) {
  const Tolerance loose64{1e-12, 1e-12}, loose32{1e-5, 1e-5};
  f.add("cumprod", {kMatrix}, CALL(cumprod(x[0], 0))).as("a.cumprod(0)").within(loose64, loose32).in_place(INPLACE(x[0].cumprod_(0)));
  f.add("cumprod/last", {kCube}, CALL(cumprod(x[0], -1))).as("a.cumprod(-1)").within(loose64, loose32);
  f.add("cumsum/in-place", {kMatrix}, CALL(cumsum(x[0], 1))).as("a.cumsum(1)").within(loose64, loose32).in_place(INPLACE(x[0].cumsum_(1)));
  f.add("cummax", {kMatrix}, CALL(cummax(x[0], 1))).as("list(a.cummax(1))");
  f.add("cummax/first", {kCube}, CALL(cummax(x[0], 0))).as("list(a.cummax(0))");
  f.add("cummin", {kMatrix}, CALL(cummin(x[0], 1))).as("list(a.cummin(1))");
  f.add("logcumsumexp", {kMatrix}, CALL(logcumsumexp(x[0], 1))).as("a.logcumsumexp(1)").within(loose64, loose32);
  f.add("logcumsumexp/first", {kCube}, CALL(logcumsumexp(x[0], 0))).as("a.logcumsumexp(0)").within(loose64, loose32);
}

void add_statistics(Family& f) {
  const Tolerance loose64{1e-13, 1e-13}, loose32{1e-5, 1e-5};
#define WITH_MEAN(name)                                                                                           \
  f.add(#name, {kMatrix}, CALL(name(x[0]))).as("list(torch." #name "(a))");                                       \
  f.add(#name "/dim", {kCube}, CALL(name(x[0], {0, 2}, false, true))).as("list(torch." #name "(a, (0, 2), unbiased=False, keepdim=True))")
  WITH_MEAN(std_mean);
  WITH_MEAN(var_mean);
#undef WITH_MEAN
  f.add("nansum", {kCube}, CALL(nansum(x[0], 1))).as("a.nansum(1)");
  f.add("nanmean", {kCube}, CALL(nanmean(x[0], {0, 1}, true))).as("a.nanmean((0, 1), keepdim=True)").excluding({"int64", "int32", "int8", "uint8", "bool"});
  f.add("count_nonzero", {kCube}, CALL(count_nonzero(x[0]))).derivatives(0);
  f.add("count_nonzero/dims", {kCube}, CALL(count_nonzero(x[0], {0, 2}))).as("torch.count_nonzero(a, (0, 2))").derivatives(0);
  f.add("aminmax", {kMatrix}, CALL(aminmax(x[0]))).as("list(torch.aminmax(a))");
  f.add("aminmax/dim", {kMatrix}, CALL(aminmax(x[0], 1, true))).as("list(torch.aminmax(a, dim=1, keepdim=True))");
  f.add("dist", {kMatrix, kMatrix}, CALL(dist(x[0], x[1], 3))).as("torch.dist(a, b, 3)").within(loose64, loose32)
      .excluding({"int64", "int32", "int8", "uint8", "bool"});
  f.add("diff", {kCube}, CALL(diff(x[0]))).as("torch.diff(a)");
  f.add("diff/twice", {kCube}, CALL(diff(x[0], 2, 0))).as("torch.diff(a, 2, 0)");
  f.add("bincount", {indices({9}, 6)}, CALL(bincount(x[0]))).derivatives(0).reading_values();
  f.add("bincount/weights", {indices({9}, 6), {{9}}}, CALL(bincount(x[0], x[1], 8))).as("torch.bincount(a, b, minlength=8)").derivatives(0)
      .reading_values().excluding({"float16", "bfloat16"});
  f.add("histc", {kVector}, CALL(histc(x[0], 4, -2, 2))).as("torch.histc(a, 4, -2, 2)").derivatives(0).reading_values()
      .excluding({"float16", "bfloat16", "int64", "int32", "int8", "uint8"});
  f.add("histc/range", {kVector}, CALL(histc(x[0], 3))).as("torch.histc(a, 3)").derivatives(0).reading_values()
      .excluding({"float16", "bfloat16", "int64", "int32", "int8", "uint8"});
  f.add("mode", {{{3, 6}, 0, 3}}, CALL(mode(x[0]))).as("list(torch.mode(a))").excluding({"float64", "float16", "bfloat16", "bool"});
  f.add("mode/dim", {kDistinct}, CALL(mode(x[0], 0, true))).as("list(torch.mode(a, 0, True))").excluding({"bool", "uint8"});
  f.add("nanmedian", {kMatrix}, CALL(nanmedian(x[0]))).excluding({"bool"});
  f.add("nanmedian/dim", {kDistinct}, CALL(nanmedian(x[0], 1))).as("list(a.nanmedian(1))").excluding({"bool", "uint8"});
#define QUANTILE(name)                                                                                                                  \
  f.add(#name, {kMatrix}, CALL(name(x[0], 0.3))).as("torch." #name "(a, 0.3)").within(loose64, loose32).reading_values();                \
  f.add(#name "/dim", {kMatrix, {{2}, 0.25, 0.75, Kind::kWeight}}, CALL(name(x[0], x[1], 1, true, "midpoint")))                          \
      .as("torch." #name "(a, b, 1, True, interpolation='midpoint')").within(loose64, loose32).reading_values();                         \
  f.add(#name "/lower", {kCube}, CALL(name(x[0], 0.6, 1, false, "lower"))).as("torch." #name "(a, 0.6, 1, interpolation='lower')").reading_values(); \
  f.add(#name "/nearest", {kCube}, CALL(name(x[0], 0.6, std::nullopt, true, "nearest")))                                                 \
      .as("torch." #name "(a, 0.6, keepdim=True, interpolation='nearest')").reading_values()
  QUANTILE(quantile);
  QUANTILE(nanquantile);
#undef QUANTILE
  f.add("_unique2", {{{3, 4}, -3, 3}}, CALL(_unique2(x[0], true, true, true))).as("list(torch.unique(a, return_inverse=True, return_counts=True))")
      .derivatives(0).reading_values();
  f.add("unique_dim", {{{5, 2}, 0, 2}}, CALL(unique_dim(x[0], 0, true, true, true))).derivatives(0).reading_values()
      .as("list(torch.unique(a, dim=0, return_inverse=True, return_counts=True))");
  f.add("unique_consecutive", {{{9}, 0, 2}}, CALL(unique_consecutive(x[0], true, true))).derivatives(0).reading_values()
      .as("list(torch.unique_consecutive(a, return_inverse=True, return_counts=True))");
  f.add("searchsorted", {{{7}}, {{2, 3}}}, CALL(searchsorted(std::get<0>(x[0].sort()), x[1]))).as("torch.searchsorted(a.sort()[0], b)").derivatives(0)
      .excluding({"bool"});
  f.add("searchsorted/rows", {kMatrix, {{3, 4}}}, CALL(searchsorted(std::get<0>(x[0].sort()), x[1], true, true)))
      .as("torch.searchsorted(a.sort()[0], b, out_int32=True, right=True)").derivatives(0).excluding({"bool"});
  f.add("bucketize", {{{2, 3}}, {{7}}}, CALL(bucketize(x[0], std::get<0>(x[1].sort())))).as("torch.bucketize(a, b.sort()[0])").derivatives(0)
      .excluding({"bool"});
}

void add_arrangements(Family& f) {
  const Sample rows{{4}}, other{{2, 3}};
  f.add("dstack", {kMatrix, kMatrix}, CALL(dstack({x[0], x[1]}))).as("torch.dstack((a, b))");
  f.add("column_stack", {{{3}}, {{3, 2}}}, CALL(column_stack({x[0], x[1]}))).as("torch.column_stack((a, b))");
  f.add("tensor_split", {kVector}, CALL(tensor_split(x[0], 3))).as("torch.tensor_split(a, 3)");
  f.add("tensor_split/indices", {kMatrix}, CALL(tensor_split(x[0], {1, 3, 9}, 1))).as("torch.tensor_split(a, (1, 3, 9), 1)");
  f.add("hsplit", {kSquare}, CALL(hsplit(x[0], 2))).as("torch.hsplit(a, 2)");
  f.add("vsplit", {kSquare}, CALL(vsplit(x[0], 2))).as("torch.vsplit(a, 2)");
  f.add("fliplr", {kMatrix}, CALL(fliplr(x[0])));
  f.add("flipud", {kMatrix}, CALL(flipud(x[0])));
  f.add("rot90", {kMatrix}, CALL(rot90(x[0]))).contiguous_only();
  f.add("rot90/thrice", {kCube}, CALL(rot90(x[0], -1, {1, 2}))).as("torch.rot90(a, -1, (1, 2))").contiguous_only();
  f.add("ravel", {kCube}, CALL(ravel(x[0])));
  f.add("swapaxes", {kCube}, CALL(swapaxes(x[0], 0, 2))).as("torch.swapaxes(a, 0, 2)");
  f.add("swapdims", {kCube}, CALL(swapdims(x[0], 0, 1))).as("torch.swapdims(a, 0, 1)");
  f.add("squeeze/dims", {{{1, 3, 1, 1}}}, CALL(squeeze(x[0], {0, -1}))).as("torch.squeeze(a, (0, -1))");
  f.add("diag_embed", {kMatrix}, CALL(diag_embed(x[0], -1, 0, 2))).as("torch.diag_embed(a, -1, 0, 2)");
  f.add("diagflat", {other}, CALL(diagflat(x[0], 1))).as("torch.diagflat(a, 1)");
  f.add("diagonal_scatter", {kSquare, {{3}}}, CALL(diagonal_scatter(x[0], x[1], 1))).as("torch.diagonal_scatter(a, b, 1)");
  f.add("select_scatter", {kMatrix, {{3}}}, CALL(select_scatter(x[0], x[1], 1, 2))).as("torch.select_scatter(a, b, 1, 2)");
  f.add("slice_scatter", {kMatrix, {{3, 2}}}, CALL(slice_scatter(x[0], x[1], 1, 1, 5, 2))).as("torch.slice_scatter(a, b, 1, 1, 5, 2)");
  f.add("repeat_interleave/counts", {indices({4}, 4)}, CALL(repeat_interleave(x[0]))).as("torch.repeat_interleave(a)").derivatives(0).reading_values();
  f.add("cartesian_prod", {{{2}}, {{3}}}, CALL(cartesian_prod({x[0], x[1]}))).as("torch.cartesian_prod(a, b)");
  f.add("combinations", {{{4}}}, CALL(combinations(x[0], 3))).as("torch.combinations(a, 3)");
  f.add("combinations/repeated", {{{3}}}, CALL(combinations(x[0], 2, true))).as("torch.combinations(a, 2, True)");
  f.add("block_diag", {other, {{3}}}, CALL(block_diag({x[0], x[1]}))).as("torch.block_diag(a, b)");
}

void add_products(Family& f) {
  const Tolerance loose64{1e-13, 1e-13}, loose32{1e-5, 1e-5};
  f.add("cdist", {{{3, 4}}, {{2, 4}}}, CALL(cdist(x[0], x[1]))).within(loose64, loose32).excluding({"int64", "int32", "int8", "uint8", "bool", "float16", "bfloat16"});
  f.add("cdist/one", {{{2, 3, 4}}, {{2, 2, 4}}}, CALL(cdist(x[0], x[1], 1))).as("torch.cdist(a, b, 1)").within(loose64, loose32)
      .excluding({"int64", "int32", "int8", "uint8", "bool", "float16", "bfloat16"});
  f.add("renorm", {kMatrix}, CALL(renorm(x[0], 2, 0, 2))).as("torch.renorm(a, 2, 0, 2)").within({1e-6, 1e-6}, {1e-5, 1e-5})
      .excluding({"float16", "bfloat16", "int64", "int32", "int8", "uint8", "bool"});
  f.add("trace", {kMatrix}, CALL(trace(x[0]))).excluding({"bool"});
  f.add("kron", {{{2, 3}}, {{3, 2}}}, CALL(kron(x[0], x[1])));
  f.add("kron/dims", {{{3}}, {{2, 2}}}, CALL(kron(x[0], x[1])));
  f.add("ger", {{{3}}, {{4}}}, CALL(ger(x[0], x[1])));
  f.add("vdot", {{{4}}, {{4}}}, CALL(vdot(x[0], x[1]))).within(loose64, loose32).excluding({"bool"});
  f.add("inner", {kMatrix, {{2, 5}}}, CALL(inner(x[0], x[1]))).within(loose64, loose32).excluding({"bool"});
  f.add("addr", {{{3, 4}}, {{3}}, {{4}}}, CALL(addr(x[0], x[1], x[2], 2, 3))).as("torch.addr(a, b, c, beta=2, alpha=3)").within(loose64, loose32)
      .in_place(INPLACE(x[0].addr_(x[1], x[2], 2, 3))).excluding({"bool", "float16", "bfloat16", "int8", "uint8"});
}

void add_places(Family& f) {
  const Sample x34{{3, 4}}, x24{{2, 4}, 0.5, 2}, near{{3, 4}, 0.5, 2};
  f.add("take", {x34, indices({2, 3}, 12)}, CALL(take(x[0], x[1])));
  f.add("put", {x34, indices({3}, 12), {{3}}}, CALL(put(x[0], x[1], x[2], true))).as("a.put(b, c, accumulate=True)")
      .in_place(INPLACE(x[0].put_(x[1], x[2], true)));
  f.add("masked_scatter", {x34, mask({3, 4}), {{12}}}, CALL(masked_scatter(x[0], x[1], x[2]))).as("a.masked_scatter(b, c)")
      .in_place(INPLACE(x[0].masked_scatter_(x[1], x[2]))).reading_values();
  f.add("argwhere", {mask({3, 4})}, CALL(argwhere(x[0]))).derivatives(0).reading_values();
  f.add("where/places", {mask({3, 4})}, CALL(where(x[0]))).as("list(torch.where(a))").derivatives(0).reading_values();
  f.add("scatter_reduce", {near, indices({2, 4}, 3), x24}, CALL(scatter_reduce(x[0], 0, x[1], x[2], "sum"))).as("a.scatter_reduce(0, b, c, 'sum')")
      .in_place(INPLACE(x[0].scatter_reduce_(0, x[1], x[2], "sum"))).excluding({"bool"});
#define SCATTER_BOTH(reduce)                                                                                                            \
  f.add("scatter_reduce/" reduce, {near, indices({2, 4}, 3), x24}, CALL(scatter_reduce(x[0], 0, x[1], x[2], reduce)))                   \
      .as("a.scatter_reduce(0, b, c, '" reduce "')").excluding({"bool"});                                                               \
  f.add("scatter_reduce/" reduce "-alone", {near, indices({2, 4}, 3), x24}, CALL(scatter_reduce(x[0], 0, x[1], x[2], reduce, false)))   \
      .as("a.scatter_reduce(0, b, c, '" reduce "', include_self=False)").excluding({"bool"})
  SCATTER_BOTH("prod");
  SCATTER_BOTH("mean");
  SCATTER_BOTH("amax");
  SCATTER_BOTH("amin");
  f.add("scatter/add", {near, indices({2, 4}, 3), x24}, CALL(scatter(x[0], 0, x[1], x[2], "add"))).as("a.scatter_add(0, b, c)")
      .in_place(INPLACE(x[0].scatter_(0, x[1], x[2], "add")));
  f.add("index_reduce", {near, indices({2}, 3), x24}, CALL(index_reduce(x[0], 0, x[1], x[2], "amax"))).as("a.index_reduce(0, b, c, 'amax')")
      .excluding({"bool"});
}

}  // namespace

std::vector<Row> composite_rows() {
  Family f("composite");
  add_scans(f);
  add_statistics(f);
  add_arrangements(f);
  add_products(f);
  add_places(f);
  return f.rows();
}

}  // namespace wick::test
