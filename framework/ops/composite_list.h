// Public operations that are one formula of others, which give them their dtypes, derivatives and devices. A line is a line of
// function_list.h with the formula behind it; composite.cc makes the functions of them. WICK_OR(x) stands for a default argument.
#pragma once

#define WICK_ALIAS(A, name, of) A(Tensor, name, (), (), self.of())
#define WICK_ALIAS_2(A, name, of) A(Tensor, name, (const Tensor& other), (other), self.of(other))
#define WICK_ALIAS_NUMBER(A, name, of) \
  WICK_ALIAS_2(A, name, of) A(Tensor, name, (const Scalar& other), (other), self.of(other))
#define WICK_NUMBER_TOO(A, name) A(Tensor, name, (const Scalar& other), (other), self.name(wrapped(other.toDouble())))
#define WICK_WITH_MEAN(B, name, other)                                                                                  \
  B(TensorPair, name, (bool unbiased WICK_OR(true)), (unbiased), {self.other(unbiased), self.mean()})                   \
  B(TensorPair, name, (int dim), (dim), {self.other(dim), self.mean(dim)})                                              \
  B(TensorPair, name, (OptionalIntArrayRef dim, bool unbiased WICK_OR(true), bool keepdim WICK_OR(false)), (dim, unbiased, keepdim), \
    {self.other(dim, unbiased, keepdim), self.mean(dim, keepdim)})
#define WICK_NAN_REDUCTION(O, name, formula)                                                                            \
  O(Tensor, name, (OptionalIntArrayRef dim WICK_OR(std::nullopt), bool keepdim WICK_OR(false),                          \
    std::optional<ScalarType> dtype WICK_OR(std::nullopt)), (dim, keepdim, dtype), formula)
#define WICK_TRIANGLE_INDICES(F, half)                                                                                  \
  F(Tensor, half##_indices, (int64_t row, int64_t col, int64_t offset WICK_OR(0), TensorOptions options WICK_OR(kLong)), \
    ones({row, col}, kBool).half(offset).nonzero().t().contiguous().to(options))

#define WICK_NEW(M, name)                                                                                               \
  M(Tensor, new_##name, (IntArrayRef size, TensorOptions options WICK_OR({})), (size, options),                         \
    name(size, self.options().merge_in(options)))

#define WICK_COMPOSITE_FUNCTIONS(B, M, I, V, F, O, A, P)                                                                \
  /* ---- Elements ---- */                                                                                              \
  B(Tensor, clamp, (const Tensor& min, const Tensor& max), (min, max), clamp_between(self, min, max))                   \
  O(Tensor, clamp_min, (const Scalar& min), (min), self.clamp(min, std::nullopt))                                       \
  O(Tensor, clamp_max, (const Scalar& max), (max), self.clamp(std::nullopt, max))                                       \
  A(Tensor, clamp_min, (const Tensor& min), (min), maximum(self, min))                                                  \
  A(Tensor, clamp_max, (const Tensor& max), (max), minimum(self, max))                                                  \
  A(Tensor, div, (const Tensor& other, std::optional<std::string_view> rounding_mode), (other, rounding_mode),          \
    rounded_quotient(self, other, rounding_mode))                                                                       \
  A(Tensor, div, (const Scalar& other, std::optional<std::string_view> rounding_mode), (other, rounding_mode),          \
    rounded_quotient(self, wrapped(other), rounding_mode))                                                              \
  F(Tensor, rsub, (const Tensor& self, const Tensor& other, const Scalar& alpha WICK_OR(1)), sub(other, self, alpha))   \
  M(Tensor, where, (const Tensor& condition, const Tensor& other), (condition, other), wick::where(condition, self, other)) \
  M(Tensor, polygamma, (int64_t n), (n), wick::polygamma(n, self))                                                      \
  WICK_NUMBER_TOO(A, xlogy) WICK_NUMBER_TOO(A, copysign)                                                                \
  P(Tensor, xlogy, (const Scalar& self, const Tensor& other), (self, other), wrapped(self.toDouble()).xlogy(other))                \
  A(Tensor, float_power, (const Tensor& exponent), (exponent), widest(self).pow(widest(exponent)))                      \
  A(Tensor, float_power, (const Scalar& exponent), (exponent), widest(self).pow(exponent))                              \
  P(Tensor, float_power, (const Scalar& self, const Tensor& exponent), (self, exponent), pow(self, widest(exponent)))   \
  A(Tensor, deg2rad, (), (), self * (M_PI / 180))                                                                       \
  A(Tensor, rad2deg, (), (), self * (180 / M_PI))                                                                       \
  O(Tensor, isposinf, (), (), self.ge(HUGE_VAL))                                                                        \
  O(Tensor, isneginf, (), (), self.le(-HUGE_VAL))                                                                       \
  P(Tensor, isin, (const Tensor& elements, const Tensor& test_elements, bool assume_unique WICK_OR(false),              \
    bool invert WICK_OR(false)), (elements, test_elements, assume_unique, invert),                                      \
    ((void)assume_unique, is_member(elements, test_elements, invert)))                                                  \
  P(Tensor, isin, (const Tensor& elements, const Scalar& test_element, bool assume_unique WICK_OR(false),               \
    bool invert WICK_OR(false)), (elements, test_element, assume_unique, invert), \
    ((void)assume_unique, invert ? elements.ne(test_element) : elements.eq(test_element)))                              \
  A(Tensor, sgn, (), (), ops::direction(self))                                                                          \
  B(Tensor, resolve_conj, (), (), self) B(Tensor, resolve_neg, (), (), self)                                            \
  B(bool, is_conj, (), (), ((void)self, false)) B(bool, is_neg, (), (), ((void)self, false))                            \
  B(Tensor, isreal, (), (), self.is_complex() ? imag(self).eq(0) : ones_like(self, kBool))                              \
  B(Tensor, conj, (), (), self.is_complex() ? self.conj_physical() : self)                                              \
  B(bool, equal, (const Tensor& other), (other), self.sizes() == other.sizes() && self.eq(other).all().item<bool>())    \
  B(Tensor, adjoint, (), (), self.mT().conj())                                                                          \
  M(Tensor, mH, (), (), self.mT().conj())                                                                               \
  M(Tensor, matrix_H, (), (), self.numpy_T().conj())                                                                    \
  WICK_ALIAS(A, fix, trunc) WICK_ALIAS(A, absolute, abs) WICK_ALIAS(A, negative, neg)          \
  WICK_ALIAS(A, arccos, acos) WICK_ALIAS(A, arcsin, asin) WICK_ALIAS(A, arctan, atan) WICK_ALIAS(A, arccosh, acosh)     \
  WICK_ALIAS(A, arcsinh, asinh) WICK_ALIAS(A, arctanh, atanh) WICK_ALIAS_2(A, arctan2, atan2)                           \
  WICK_ALIAS_NUMBER(A, multiply, mul) WICK_ALIAS_NUMBER(A, divide, div) WICK_ALIAS_NUMBER(A, true_divide, div)          \
  WICK_ALIAS_NUMBER(A, greater, gt) WICK_ALIAS_NUMBER(A, greater_equal, ge) WICK_ALIAS_NUMBER(A, less, lt)              \
  WICK_ALIAS_NUMBER(A, less_equal, le) WICK_ALIAS_NUMBER(A, not_equal, ne)                                              \
  A(Tensor, subtract, (const Tensor& other, const Scalar& alpha WICK_OR(1)), (other, alpha), self.sub(other, alpha))    \
  A(Tensor, subtract, (const Scalar& other, const Scalar& alpha WICK_OR(1)), (other, alpha), self.sub(other, alpha))    \
  B(Tensor, clip, (const std::optional<Scalar>& min, const std::optional<Scalar>& max WICK_OR(std::nullopt)), (min, max), \
    self.clamp(min, max))                                                                                               \
  B(bool, allclose, (const Tensor& other, double rtol WICK_OR(1e-05), double atol WICK_OR(1e-08), bool equal_nan WICK_OR(false)), \
    (other, rtol, atol, equal_nan), self.isclose(other, rtol, atol, equal_nan).all().item<bool>())                      \
  F(Tensor, relu6, (const Tensor& self), hardtanh(self, 0, 6))                                                          \
  F(Tensor, hardsigmoid, (const Tensor& self), (floating("hardsigmoid_cpu", self) + 3).clamp(0, 6) / 6)                 \
  F(Tensor, hardswish, (const Tensor& self), self * (floating("hardswish_cpu", self) + 3).clamp(0, 6) / 6)              \
  F(Tensor, mish, (const Tensor& self), self * softplus(floating("mish_cpu", self)).tanh())                             \
  /* Klambauer et al., "Self-normalizing neural networks" (2017) */                                                     \
  F(Tensor, selu, (const Tensor& self), elu(self, 1.6732632423543772848170429916717, 1.0507009873554804934193349852946, 1)) \
  /* ---- Reductions ---- */                                                                                            \
  WICK_WITH_MEAN(B, std_mean, std)                                                                                      \
  WICK_WITH_MEAN(B, var_mean, var)                                                                                      \
  WICK_NAN_REDUCTION(O, nansum, without_nan(self).sum(dim, keepdim, dtype))                                             \
  WICK_NAN_REDUCTION(O, nanmean, nan_mean(self, dim, keepdim, dtype))                                                   \
  O(Tensor, count_nonzero, (IntArrayRef dim), (dim), self.detach().ne(0).sum(dim))                                      \
  O(Tensor, count_nonzero, (std::optional<int64_t> dim WICK_OR(std::nullopt)), (dim),                                   \
    dim ? self.detach().ne(0).sum(*dim) : self.detach().ne(0).sum())                                                    \
  O(TensorPair, aminmax, (std::optional<int64_t> dim WICK_OR(std::nullopt), bool keepdim WICK_OR(false)), (dim, keepdim), \
    extremes(self, dim, keepdim)) \
  O(Tensor, dist, (const Tensor& other, const Scalar& p WICK_OR(2)), (other, p), (self - other).norm(p))                \
  O(Tensor, diff, (int64_t n WICK_OR(1), int64_t dim WICK_OR(-1)), (n, dim), differences(self, n, dim))                 \
  B(Tensor, bincount, (), (), counted(self, {}, 0))                                                                     \
  B(Tensor, bincount, (const Tensor& weights, int64_t minlength WICK_OR(0)), (weights, minlength), counted(self, weights, minlength)) \
  O(Tensor, histc, (int64_t bins WICK_OR(100), const Scalar& min WICK_OR(0), const Scalar& max WICK_OR(0)), (bins, min, max), \
    histogram_counts(self, bins, min, max))                                                                             \
  O(TensorPair, sort, (std::optional<bool> stable, int64_t dim WICK_OR(-1), bool descending WICK_OR(false)), (stable, dim, descending), \
    ((void)stable, self.sort(dim, descending)))                                                                         \
  O(Tensor, argsort, (int64_t dim WICK_OR(-1), bool descending WICK_OR(false)), (dim, descending), \
    std::get<1>(self.detach().sort(dim, descending)))                                                                   \
  /* ---- Distances and products ---- */                                                                                \
  F(Tensor, pairwise_distance, (const Tensor& x1, const Tensor& x2, double p WICK_OR(2), double eps WICK_OR(1e-06),     \
    bool keepdim WICK_OR(false)), (x1 - x2 + eps).norm(p, -1, keepdim))                                                 \
  F(Tensor, cdist, (const Tensor& x1, const Tensor& x2, double p WICK_OR(2), std::optional<int64_t> compute_mode WICK_OR(std::nullopt)), \
    ((void)compute_mode, distances(x1, x2, p)))                                                                         \
  A(Tensor, renorm, (const Scalar& p, int64_t dim, const Scalar& maxnorm), (p, dim, maxnorm), self * renorm_factor(self, p, dim, maxnorm)) \
  O(Tensor, trace, (), (), matrix(self).diagonal().sum())                                                               \
  O(Tensor, kron, (const Tensor& other), (other), kronecker(self, other))                                               \
  O(Tensor, ger, (const Tensor& vec2), (vec2), self.outer(vec2))                                                        \
  O(Tensor, vdot, (const Tensor& other), (other), self.conj().dot(other))                                               \
  O(Tensor, inner, (const Tensor& other), (other),                                                                      \
    self.dim() == 0 || other.dim() == 0 ? self * other : tensordot(self, other, self.dim() - 1, other.dim() - 1))       \
  A(Tensor, addr, (const Tensor& vec1, const Tensor& vec2, const Scalar& beta WICK_OR(1), const Scalar& alpha WICK_OR(1)), \
    (vec1, vec2, beta, alpha), beta.equal(0) ? vec1.outer(vec2) * alpha : self * beta + vec1.outer(vec2) * alpha)       \
  B(Tensor, det, (), (), linalg_det(self)) B(TensorPair, slogdet, (), (), linalg_slogdet(self))                         \
  B(Tensor, inverse, (), (), linalg_inv(self)) B(Tensor, matrix_exp, (), (), linalg_matrix_exp(self))                   \
  B(Tensor, pinverse, (double rcond WICK_OR(1e-15)), (rcond), linalg_pinv(self, rcond))                                 \
  B(Tensor, matrix_power, (int64_t n), (n), linalg_matrix_power(self, n))                                               \
  B(Tensor, cholesky, (bool upper WICK_OR(false)), (upper), linalg_cholesky(self, upper))                               \
  B(Tensor, cholesky_inverse, (bool upper WICK_OR(false)), (upper), cholesky_solve(eye(self.size(-1), self.options()), self, upper)) \
  B(TensorPair, triangular_solve, (const Tensor& A, bool upper WICK_OR(true), bool transpose WICK_OR(false),            \
    bool unitriangular WICK_OR(false)), (A, upper, transpose, unitriangular),                                           \
    {linalg_solve_triangular(transpose ? A.mT() : A, self, upper != transpose, true, unitriangular), A.clone()})        \
  B(TensorPair, qr, (bool some WICK_OR(true)), (some), linalg_qr(self, some ? "reduced" : "complete"))                  \
  /* ---- Arrangements ---- */                                                                                          \
  P(Tensor, hstack, (TensorList tensors), (tensors),                                                                    \
    (not_empty("hstack", tensors), cat(mapped(tensors, at_least_1d), tensors[0].dim() > 1)))                            \
  P(Tensor, vstack, (TensorList tensors), (tensors), cat(mapped(not_empty("vstack", tensors), as_rows), 0))             \
  P(Tensor, dstack, (TensorList tensors), (tensors), cat(mapped(tensors, at_least_3d), 2))                              \
  P(Tensor, column_stack, (TensorList tensors), (tensors), cat(mapped(tensors, as_columns), 1))                         \
  P(Tensor, concat, (TensorList tensors, int64_t dim WICK_OR(0)), (tensors, dim), cat(tensors, dim))                    \
  B(std::vector<Tensor>, tensor_split, (int64_t sections, int64_t dim WICK_OR(0)), (sections, dim), even_parts(self, sections, dim)) \
  B(std::vector<Tensor>, tensor_split, (IntArrayRef indices, int64_t dim WICK_OR(0)), (indices, dim), parts_at(self, indices, dim)) \
  B(std::vector<Tensor>, hsplit, (int64_t sections), (sections), equal_parts("hsplit", self, sections, self.dim() > 1, 1)) \
  B(std::vector<Tensor>, vsplit, (int64_t sections), (sections), equal_parts("vsplit", self, sections, 0, 2))            \
  B(Tensor, fliplr, (), (), at_least(2, "fliplr", self).flip(1))                                                        \
  B(Tensor, flipud, (), (), at_least(1, "flipud", self).flip(0))                                                        \
  B(Tensor, rot90, (int64_t k WICK_OR(1), IntArrayRef dims WICK_OR(IntArrayRef({0, 1}))), (k, dims), quarter_turns(self, k, dims)) \
  M(Tensor, view_as, (const Tensor& other), (other), self.view(other.sizes()))                                          \
  M(Tensor, reshape_as, (const Tensor& other), (other), self.reshape(other.sizes()))                                    \
  M(Tensor, expand_as, (const Tensor& other), (other), self.expand(other.sizes()))                                      \
  B(Tensor, broadcast_to, (IntArrayRef size), (size), self.expand(size))                                                \
  B(Tensor, movedim, (int64_t source, int64_t destination), (source, destination),                                      \
    self.movedim(IntArrayRef(source), IntArrayRef(destination)))                                                        \
  B(std::vector<Tensor>, split, (IntArrayRef split_sizes, int64_t dim WICK_OR(0)), (split_sizes, dim),                  \
    self.split_with_sizes(split_sizes, dim))                                                                            \
  B(Tensor, ravel, (), (), self.contiguous().view({-1}))                                                                 \
  B(Tensor, swapaxes, (int64_t axis0, int64_t axis1), (axis0, axis1), self.transpose(axis0, axis1))                     \
  B(Tensor, swapdims, (int64_t dim0, int64_t dim1), (dim0, dim1), self.transpose(dim0, dim1))                           \
  B(Tensor, squeeze, (IntArrayRef dim), (dim), squeezed(self, dim))                                                     \
  O(Tensor, diag_embed, (int64_t offset WICK_OR(0), int64_t dim1 WICK_OR(-2), int64_t dim2 WICK_OR(-1)), (offset, dim1, dim2), \
    embedded_diagonal(self, offset, dim1, dim2))                                                                        \
  B(Tensor, diagflat, (int64_t offset WICK_OR(0)), (offset), self.reshape({-1}).diag(offset))                           \
  O(Tensor, diagonal_scatter, (const Tensor& src, int64_t offset WICK_OR(0), int64_t dim1 WICK_OR(0), int64_t dim2 WICK_OR(1)), \
    (src, offset, dim1, dim2), with_part(self, src, [&](const Tensor& y) { return y.diagonal(offset, dim1, dim2); }))   \
  O(Tensor, select_scatter, (const Tensor& src, int64_t dim, int64_t index), (src, dim, index),                         \
    with_part(self, src, [&](const Tensor& y) { return y.select(dim, index); }))                                        \
  O(Tensor, slice_scatter, (const Tensor& src, int64_t dim WICK_OR(0), std::optional<int64_t> start WICK_OR(std::nullopt), \
    std::optional<int64_t> end WICK_OR(std::nullopt), int64_t step WICK_OR(1)), (src, dim, start, end, step),           \
    with_part(self, src, [&](const Tensor& y) { return y.slice(dim, start, end, step); }))                              \
  A(Tensor, triu, (int64_t diagonal WICK_OR(0)), (diagonal), self.masked_fill(triangle(self, diagonal, true).logical_not(), 0)) \
  A(Tensor, tril, (int64_t diagonal WICK_OR(0)), (diagonal), self.masked_fill(triangle(self, diagonal, false).logical_not(), 0)) \
  WICK_TRIANGLE_INDICES(F, tril)                                                                                        \
  WICK_TRIANGLE_INDICES(F, triu)                                                                                        \
  F(Tensor, repeat_interleave, (const Tensor& repeats, std::optional<int64_t> output_size WICK_OR(std::nullopt)),       \
    arange(vector_size(repeats), repeats.options().dtype(kLong)).repeat_interleave(repeats, 0, output_size))            \
  F(std::vector<Tensor>, meshgrid, (TensorList tensors), meshgrid(tensors, "ij"))                                       \
  F(Tensor, cartesian_prod, (TensorList tensors), tensors.size() == 1 ? tensors[0] : stack(mapped(meshgrid(tensors), flat), 1)) \
  B(Tensor, combinations, (int64_t r WICK_OR(2), bool with_replacement WICK_OR(false)), (r, with_replacement),          \
    combined(self, r, with_replacement))                                                                                \
  F(Tensor, block_diag, (TensorList tensors), blocks_on_diagonal(tensors))                                              \
  /* ---- Places ---- */                                                                                                \
  O(Tensor, take, (const Tensor& index), (index), self.reshape({-1}).index(places_in("take", "take from", self, index)))       \
  A(Tensor, put, (const Tensor& index, const Tensor& source, bool accumulate WICK_OR(false)), (index, source, accumulate), \
    self.reshape({-1}).index_put(places_in("put_", "put elements into", self, index), values_at(self, index, source), accumulate)       \
      .reshape(self.sizes()))                                                                                           \
  A(Tensor, masked_scatter, (const Tensor& mask, const Tensor& source), (mask, source), filled_from(self, mask, source)) \
  B(Tensor, argwhere, (), (), self.nonzero())                                                                           \
  F(std::vector<Tensor>, where, (const Tensor& condition), (condition.dim() ? condition : condition.unsqueeze(0)).nonzero().unbind(1)) \
  A(Tensor, scatter, (int64_t dim, const Tensor& index, const Tensor& src, std::string_view reduce), (dim, index, src, reduce), \
    self.scatter_reduce(dim, index, src, reduction_named(reduce)))                                                      \
  A(Tensor, index_reduce, (int64_t dim, const Tensor& index, const Tensor& source, std::string_view reduce,             \
    bool include_self WICK_OR(true)), (dim, index, source, reduce, include_self),                                       \
    self.scatter_reduce(dim, spread_index(index, source, dim), source, reduce, include_self))                           \
  /* ---- Creation ---- */                                                                                              \
  M(Tensor, type_as, (const Tensor& other), (other), self.to(other))                                                    \
  M(Tensor, toType, (ScalarType dtype), (dtype), self.to(dtype))                                                        \
  WICK_NEW(M, empty) WICK_NEW(M, zeros) WICK_NEW(M, ones)                                                               \
  M(Tensor, new_full, (IntArrayRef size, const Scalar& fill_value, TensorOptions options WICK_OR({})), (size, fill_value, options), \
    full(size, fill_value, self.options().merge_in(options)))                                                           \
  F(Tensor, scalar_tensor, (const Scalar& s, TensorOptions options WICK_OR({})), full({}, s, options.dtype(options.dtype()))) \
  F(Tensor, eye, (int64_t n, TensorOptions options WICK_OR({})), eye(n, n, options))                                    \
  F(Tensor, arange, (const Scalar& end, TensorOptions options WICK_OR({})), arange(0, end, 1, options))                 \
  F(Tensor, arange, (const Scalar& start, const Scalar& end, TensorOptions options WICK_OR({})), arange(start, end, 1, options)) \
  F(Tensor, rand, (IntArrayRef size, TensorOptions options WICK_OR({})), rand(size, std::nullopt, options))             \
  F(Tensor, randn, (IntArrayRef size, TensorOptions options WICK_OR({})), normal(0, 1, size, std::nullopt, options))    \
  F(Tensor, randn, (IntArrayRef size, std::optional<Generator> generator, TensorOptions options WICK_OR({})),           \
    normal(0, 1, size, generator, options))                                                                             \
  F(Tensor, randint, (int64_t high, IntArrayRef size, TensorOptions options WICK_OR(kLong)),                            \
    randint(0, high, size, std::nullopt, options))                                                                      \
  F(Tensor, randint, (int64_t high, IntArrayRef size, std::optional<Generator> generator, TensorOptions options WICK_OR(kLong)), \
    randint(0, high, size, generator, options))                                                                         \
  F(Tensor, randint, (int64_t low, int64_t high, IntArrayRef size, TensorOptions options WICK_OR(kLong)),               \
    randint(low, high, size, std::nullopt, options))                                                                    \
  F(Tensor, randint_like, (const Tensor& self, int64_t high, TensorOptions options WICK_OR({}),                         \
    std::optional<MemoryFormat> memory_format WICK_OR(std::nullopt)), randint_like(self, 0, high, options, memory_format)) \
  F(Tensor, randperm, (int64_t n, TensorOptions options WICK_OR(kLong)), randperm(n, std::nullopt, options))            \
  F(Tensor, logspace, (const Scalar& start, const Scalar& end, int64_t steps, double base WICK_OR(10), TensorOptions options WICK_OR({})), \
    pow(base, linspace(start, end, steps, kDouble)).to(options.dtype(options.dtype())))                                 \
  B(Tensor, bernoulli, (double p, std::optional<Generator> generator WICK_OR(std::nullopt)), (p, generator),            \
    empty_like(self).bernoulli_(p, generator))                                                                          \
  F(Tensor, normal, (const Tensor& mean, double std WICK_OR(1), std::optional<Generator> generator WICK_OR(std::nullopt)), \
    drawn_around(mean, scalar_tensor(std, mean.options()), generator))                                                        \
  F(Tensor, normal, (double mean, const Tensor& std, std::optional<Generator> generator WICK_OR(std::nullopt)),         \
    drawn_around(scalar_tensor(mean, std.options()), std, generator))                                                          \
  F(Tensor, normal, (const Tensor& mean, const Tensor& std, std::optional<Generator> generator WICK_OR(std::nullopt)),  \
    drawn_around(mean, std, generator))
