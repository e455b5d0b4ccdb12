// A call of each function without a row, for the page of operations: just enough to try it in every dtype.
#include "wick/tests/framework/ops/op_rows.h"
#include "wick/tests/framework/ops/operations_page.h"

namespace wick::test {
namespace {

constexpr Sample sample(std::initializer_list<int64_t> shape, double low = 1, double high = 4) { return Sample{shape, low, high}; }

// Functions that make tensors: of the shape, dtype and device of x[0], which they do not read.
#define LIKE(name, ...) \
  f.add(#name, {sample({2, 3})}, [](const Tensors& x) { [[maybe_unused]] const TensorOptions options = x[0].options(); return as_list(name(__VA_ARGS__)); });
#define UNARY(name) f.add(#name, {between(0.25, 0.75)}, CALL(name(x[0])));
#define UNARY_ABOVE_1(name) f.add(#name, {between(1.25, 3)}, CALL(name(x[0])));
#define BINARY(name) f.add(#name, {sample({2, 3}), sample({2, 3})}, CALL(name(x[0], x[1])));
#define RANDOM(name, ...) f.add(#name, {sample({2, 3})}, CALL(x[0].detach().clone().name(__VA_ARGS__)));

void add_creation(Family& f) {
  LIKE(empty, {2, 3}, options)
  LIKE(empty_strided, {2, 3}, {3, 1}, options)
  LIKE(zeros, {2, 3}, options)
  LIKE(ones, {2, 3}, options)
  LIKE(full, {2, 3}, 1, options)
  LIKE(scalar_tensor, 1, options)
  LIKE(eye, 3, options)
  LIKE(arange, 1, 7, 2, options)
  LIKE(linspace, 0, 8, 5, options)
  LIKE(logspace, 0, 2, 3, 2, options)
  LIKE(tril_indices, 3, 3, 0, options)
  LIKE(triu_indices, 3, 3, 0, options)
  LIKE(rand, {2, 3}, options)
  LIKE(randn, {2, 3}, options)
  LIKE(randint, 0, 2, {2, 3}, options)
  LIKE(randperm, 5, options)
  LIKE(normal, 0, 1, {2, 3}, std::nullopt, options)
  LIKE(empty_like, x[0])
  LIKE(zeros_like, x[0])
  LIKE(ones_like, x[0])
  LIKE(full_like, x[0], 1)
  LIKE(rand_like, x[0])
  LIKE(randn_like, x[0])
  LIKE(randint_like, x[0], 2)
  LIKE(x[0].new_empty, {2})
  LIKE(x[0].new_zeros, {2})
  LIKE(x[0].new_ones, {2})
  LIKE(x[0].new_full, {2}, 1)
}

void add_random(Family& f) {
  RANDOM(uniform_)
  RANDOM(normal_)
  RANDOM(log_normal_)
  RANDOM(cauchy_)
  RANDOM(exponential_)
  RANDOM(geometric_, 0.5)
  RANDOM(random_, 2)
  RANDOM(bernoulli_, 0.5)
  f.add("bernoulli", {sample({2, 3}, 0, 1)}, CALL(bernoulli(x[0])));
  f.add("multinomial", {sample({2, 3}, 1, 4)}, CALL(x[0].multinomial(2)));
  f.add("dropout", {sample({2, 3})}, CALL(dropout(x[0], 0.5, true)));
  f.add("dropout_", {sample({2, 3})}, [](const Tensors& x) { Tensor y = x[0].clone(); return as_list(dropout_(y, 0.5, true)); });
}

void add_layers(Family& f) {
  f.add("conv1d", {sample({1, 2, 5}), sample({3, 2, 3})}, CALL(conv1d(x[0], x[1])));
  f.add("conv2d", {sample({1, 2, 5, 5}), sample({3, 2, 3, 3})}, CALL(conv2d(x[0], x[1])));
  f.add("conv3d", {sample({1, 2, 3, 3, 3}), sample({3, 2, 2, 2, 2})}, CALL(conv3d(x[0], x[1])));
  f.add("conv_transpose1d", {sample({1, 2, 5}), sample({2, 3, 3})}, CALL(conv_transpose1d(x[0], x[1])));
  f.add("conv_transpose2d", {sample({1, 2, 5, 5}), sample({2, 3, 3, 3})}, CALL(conv_transpose2d(x[0], x[1])));
  f.add("conv_transpose3d", {sample({1, 2, 3, 3, 3}), sample({2, 3, 2, 2, 2})}, CALL(conv_transpose3d(x[0], x[1])));
  f.add("convolution", {sample({1, 2, 5}), sample({3, 2, 3})}, CALL(convolution(x[0], x[1], {}, {1}, {0}, {1}, false, {0}, 1)));
#define POOLS(n, ...)                                                                                \
  f.add("max_pool" #n, {sample(__VA_ARGS__)}, CALL(max_pool##n(x[0], 2)));                           \
  f.add("max_pool" #n "_with_indices", {sample(__VA_ARGS__)}, CALL(max_pool##n##_with_indices(x[0], 2))); \
  f.add("avg_pool" #n, {sample(__VA_ARGS__)}, CALL(avg_pool##n(x[0], 2)));                           \
  f.add("adaptive_avg_pool" #n, {sample(__VA_ARGS__)}, CALL(adaptive_avg_pool##n(x[0], 2)));         \
  f.add("adaptive_max_pool" #n, {sample(__VA_ARGS__)}, CALL(adaptive_max_pool##n(x[0], 2)));
  POOLS(1d, {1, 2, 4})
  POOLS(2d, {1, 2, 4, 4})
  POOLS(3d, {1, 2, 4, 4, 4})
  const std::vector<Sample> affine{sample({4, 2, 3}), sample({2}), sample({2})};
  f.add("batch_norm", affine, CALL(batch_norm(x[0], x[1], x[2], {}, {}, true, 0.1, 1e-5, false)));
  f.add("instance_norm", affine, CALL(instance_norm(x[0], x[1], x[2], {}, {}, true, 0.1, 1e-5, false)));
  f.add("group_norm", affine, CALL(group_norm(x[0], 2, x[1], x[2])));
  f.add("layer_norm", {sample({4, 3}), sample({3}), sample({3})}, CALL(layer_norm(x[0], {3}, x[1], x[2])));
  f.add("hinge_embedding_loss", {sample({2, 3}), Sample{{2, 3}, 1, 1, Kind::kIndex}}, CALL(hinge_embedding_loss(x[0], x[1])));
  f.add("cosine_embedding_loss", {sample({2, 3}), sample({2, 3}), Sample{{2}, 1, 1, Kind::kIndex}},
        CALL(cosine_embedding_loss(x[0], x[1], x[2])));
}

// Second names.
void add_aliases(Family& f) {
  UNARY(sgn) UNARY(fix) UNARY(absolute) UNARY(negative) UNARY(arccos) UNARY(arcsin) UNARY(arctan) UNARY(arcsinh) UNARY(arctanh)
  UNARY_ABOVE_1(arccosh)
  BINARY(arctan2) BINARY(multiply) BINARY(divide) BINARY(true_divide) BINARY(subtract) BINARY(greater) BINARY(greater_equal) BINARY(less)
  BINARY(less_equal) BINARY(not_equal)
  f.add("concat", {sample({2, 3}), sample({2, 3})}, CALL(concat({x[0], x[1]})));
  f.add("transpose_", {sample({2, 3})}, CALL(x[0].clone().transpose_(0, 1)));
  f.add("t_", {sample({2, 3})}, CALL(x[0].clone().t_()));
}

}  // namespace

std::vector<Row> elsewhere_calls() {
  Family f("elsewhere");
  add_creation(f);
  add_random(f);
  add_layers(f);
  add_aliases(f);
  std::vector<Row> rows = f.rows();
  for (Row& row : rows) row.name = row.name.substr(row.name.find('.') + 1);  // "x[0].new_empty"
  return rows;
}

}  // namespace wick::test
