// Every public operation, once. tensor.h turns the lists into declarations: of free functions, and of Tensor's methods.
//
//   B(R, name, (params), (args))   R name(const Tensor& self, params...) and the method R name(params...)
//   M(R, name, (params), (args))   the method only, as in LibTorch; its code is wick::method::name(self, params...)
//   I(name, (params), (args))      in-place: Tensor& name(params...) as a method, and name(Tensor& self, params...)
//   V(name, (params), (args))      in-place as a method only
//   F(R, name, (params))           a free function only
//
// The elementwise operations of ops/defs come on top, from their own lists. Names, overloads, argument order and defaults are
// LibTorch's; what an operation computes is what PyTorch's page of the same name says, and each is defined, with its derivative, in the
// file of its family in this folder.
#pragma once

// ---- elementwise.cc: with parameters, or with numbers for tensors ------------------------------------------------------------------
#define WICK_ELEMENTWISE_FUNCTIONS(B, M, I, V, F)                                                                       \
  B(Tensor, add, (const Tensor& other, const Scalar& alpha = 1), (other, alpha))                                        \
  B(Tensor, add, (const Scalar& other, const Scalar& alpha = 1), (other, alpha))                                        \
  V(add_, (const Tensor& other, const Scalar& alpha = 1), (other, alpha))                                               \
  V(add_, (const Scalar& other, const Scalar& alpha = 1), (other, alpha))                                               \
  B(Tensor, sub, (const Tensor& other, const Scalar& alpha = 1), (other, alpha))                                        \
  B(Tensor, sub, (const Scalar& other, const Scalar& alpha = 1), (other, alpha))                                        \
  V(sub_, (const Tensor& other, const Scalar& alpha = 1), (other, alpha))                                               \
  V(sub_, (const Scalar& other, const Scalar& alpha = 1), (other, alpha))                                               \
  B(Tensor, mul, (const Tensor& other), (other))                                                                        \
  B(Tensor, mul, (const Scalar& other), (other))                                                                        \
  V(mul_, (const Tensor& other), (other))                                                                               \
  V(mul_, (const Scalar& other), (other))                                                                               \
  B(Tensor, div, (const Tensor& other), (other))                                                                        \
  B(Tensor, div, (const Scalar& other), (other))                                                                        \
  V(div_, (const Tensor& other), (other))                                                                               \
  V(div_, (const Scalar& other), (other))                                                                               \
  F(Tensor, rsub, (const Tensor& self, const Tensor& other, const Scalar& alpha = 1))                                   \
  F(Tensor, rsub, (const Tensor& self, const Scalar& other, const Scalar& alpha = 1))                                   \
  B(Tensor, pow, (const Tensor& exponent), (exponent))                                                                  \
  B(Tensor, pow, (const Scalar& exponent), (exponent))                                                                  \
  F(Tensor, pow, (const Scalar& self, const Tensor& exponent))                                                          \
  V(pow_, (const Tensor& exponent), (exponent))                                                                         \
  V(pow_, (const Scalar& exponent), (exponent))                                                                         \
  B(Tensor, fmod, (const Tensor& other), (other))                                                                       \
  B(Tensor, fmod, (const Scalar& other), (other))                                                                       \
  B(Tensor, remainder, (const Tensor& other), (other))                                                                  \
  B(Tensor, remainder, (const Scalar& other), (other))                                                                  \
  B(Tensor, floor_divide, (const Tensor& other), (other))                                                               \
  B(Tensor, floor_divide, (const Scalar& other), (other))                                                               \
  B(Tensor, bitwise_left_shift, (const Tensor& other), (other))                                                         \
  B(Tensor, bitwise_right_shift, (const Tensor& other), (other))                                                        \
  B(Tensor, bitwise_not, (), ())                                                                                        \
  B(Tensor, clamp, (const std::optional<Scalar>& min, const std::optional<Scalar>& max = std::nullopt), (min, max))     \
  I(clamp_, (const std::optional<Scalar>& min, const std::optional<Scalar>& max = std::nullopt), (min, max))            \
  B(Tensor, clamp_min, (const Scalar& min), (min))                                                                      \
  I(clamp_min_, (const Scalar& min), (min))                                                                             \
  B(Tensor, clamp_max, (const Scalar& max), (max))                                                                      \
  I(clamp_max_, (const Scalar& max), (max))                                                                             \
  F(Tensor, where, (const Tensor& condition, const Tensor& self, const Tensor& other))                                  \
  F(Tensor, where, (const Tensor& condition, const Scalar& self, const Tensor& other))                                  \
  F(Tensor, where, (const Tensor& condition, const Tensor& self, const Scalar& other))                                  \
  F(Tensor, where, (const Tensor& condition, const Scalar& self, const Scalar& other))                                  \
  M(Tensor, where, (const Tensor& condition, const Tensor& other), (condition, other))                                  \
  B(Tensor, lerp, (const Tensor& end, const Scalar& weight), (end, weight))                                             \
  B(Tensor, lerp, (const Tensor& end, const Tensor& weight), (end, weight))                                             \
  V(lerp_, (const Tensor& end, const Scalar& weight), (end, weight))                                                    \
  V(lerp_, (const Tensor& end, const Tensor& weight), (end, weight))                                                    \
  B(Tensor, addcmul, (const Tensor& tensor1, const Tensor& tensor2, const Scalar& value = 1), (tensor1, tensor2, value)) \
  V(addcmul_, (const Tensor& tensor1, const Tensor& tensor2, const Scalar& value = 1), (tensor1, tensor2, value))       \
  B(Tensor, addcdiv, (const Tensor& tensor1, const Tensor& tensor2, const Scalar& value = 1), (tensor1, tensor2, value)) \
  V(addcdiv_, (const Tensor& tensor1, const Tensor& tensor2, const Scalar& value = 1), (tensor1, tensor2, value))       \
  F(Tensor, log_sigmoid, (const Tensor& self))                                                                          \
  F(Tensor, silu, (const Tensor& self))                                                                                 \
  F(Tensor&, silu_, (Tensor& self))                                                                                     \
  F(Tensor, gelu, (const Tensor& self, std::string_view approximate = "none"))                                          \
  F(Tensor, softplus, (const Tensor& self, const Scalar& beta = 1, const Scalar& threshold = 20))                       \
  F(Tensor, elu, (const Tensor& self, const Scalar& alpha = 1, const Scalar& scale = 1, const Scalar& input_scale = 1)) \
  F(Tensor, leaky_relu, (const Tensor& self, const Scalar& negative_slope = 0.01))                                      \
  F(Tensor&, leaky_relu_, (Tensor& self, const Scalar& negative_slope = 0.01))

// ---- copy.cc -----------------------------------------------------------------------------------------------------------------------
#define WICK_COPY_FUNCTIONS(B, M, I, V, F)                                                                              \
  V(copy_, (const Tensor& src, bool non_blocking = false), (src, non_blocking))                                         \
  I(fill_, (const Scalar& value), (value))                                                                              \
  I(fill_, (const Tensor& value), (value))                                                                              \
  I(zero_, (), ())                                                                                                      \
  B(Tensor, clone, (std::optional<MemoryFormat> memory_format = std::nullopt), (memory_format))                         \
  M(Tensor, contiguous, (MemoryFormat memory_format = MemoryFormat::Contiguous), (memory_format))                       \
  M(Tensor, to, (const TensorOptions& options, bool non_blocking = false, bool copy = false), (options, non_blocking, copy)) \
  M(Tensor, to, (Device device, ScalarType dtype, bool non_blocking = false, bool copy = false), (device, dtype, non_blocking, copy)) \
  M(Tensor, to, (ScalarType dtype, bool non_blocking = false, bool copy = false), (dtype, non_blocking, copy))          \
  M(Tensor, to, (const Tensor& other, bool non_blocking = false, bool copy = false), (other, non_blocking, copy))       \
  M(Tensor, type_as, (const Tensor& other), (other))                                                                    \
  M(Tensor, toType, (ScalarType dtype), (dtype))                                                                        \
  B(Tensor, detach, (), ())

// ---- view.cc: the same memory with another shape -----------------------------------------------------------------------------------
#define WICK_VIEW_FUNCTIONS(B, M, I, V, F)                                                                              \
  B(Tensor, alias, (), ())                                                                                              \
  B(Tensor, as_strided, (IntArrayRef size, IntArrayRef stride, std::optional<int64_t> storage_offset = std::nullopt),   \
    (size, stride, storage_offset))                                                                                     \
  M(Tensor, view, (IntArrayRef size), (size))                                                                           \
  M(Tensor, view_as, (const Tensor& other), (other))                                                                    \
  B(Tensor, reshape, (IntArrayRef shape), (shape))                                                                      \
  M(Tensor, reshape_as, (const Tensor& other), (other))                                                                 \
  B(Tensor, flatten, (int64_t start_dim = 0, int64_t end_dim = -1), (start_dim, end_dim))                               \
  B(Tensor, unflatten, (int64_t dim, IntArrayRef sizes), (dim, sizes))                                                  \
  M(Tensor, expand, (IntArrayRef size, bool implicit = false), (size, implicit))                                        \
  M(Tensor, expand_as, (const Tensor& other), (other))                                                                  \
  B(Tensor, broadcast_to, (IntArrayRef size), (size))                                                                   \
  B(Tensor, permute, (IntArrayRef dims), (dims))                                                                        \
  B(Tensor, transpose, (int64_t dim0, int64_t dim1), (dim0, dim1))                                                      \
  B(Tensor, t, (), ())                                                                                                  \
  M(Tensor, numpy_T, (), ())                                                                                            \
  M(Tensor, mT, (), ())                                                                                                 \
  B(Tensor, movedim, (IntArrayRef source, IntArrayRef destination), (source, destination))                              \
  B(Tensor, movedim, (int64_t source, int64_t destination), (source, destination))                                      \
  B(Tensor, squeeze, (), ())                                                                                            \
  B(Tensor, squeeze, (int64_t dim), (dim))                                                                              \
  B(Tensor, unsqueeze, (int64_t dim), (dim))                                                                            \
  B(Tensor, select, (int64_t dim, int64_t index), (dim, index))                                                         \
  B(Tensor, slice, (int64_t dim = 0, std::optional<int64_t> start = std::nullopt, std::optional<int64_t> end = std::nullopt, \
    int64_t step = 1), (dim, start, end, step))                                                                         \
  B(Tensor, narrow, (int64_t dim, int64_t start, int64_t length), (dim, start, length))                                 \
  B(Tensor, diagonal, (int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1), (offset, dim1, dim2))                   \
  M(Tensor, unfold, (int64_t dimension, int64_t size, int64_t step), (dimension, size, step))                           \
  B(std::vector<Tensor>, split, (int64_t split_size, int64_t dim = 0), (split_size, dim))                               \
  B(std::vector<Tensor>, split, (IntArrayRef split_sizes, int64_t dim = 0), (split_sizes, dim))                         \
  B(std::vector<Tensor>, split_with_sizes, (IntArrayRef split_sizes, int64_t dim = 0), (split_sizes, dim))              \
  B(std::vector<Tensor>, chunk, (int64_t chunks, int64_t dim = 0), (chunks, dim))                                       \
  B(std::vector<Tensor>, unbind, (int64_t dim = 0), (dim))

// ---- join.cc -----------------------------------------------------------------------------------------------------------------------
#define WICK_JOIN_FUNCTIONS(B, M, I, V, F)                                                                              \
  F(Tensor, cat, (TensorList tensors, int64_t dim = 0))                                                                 \
  F(Tensor, stack, (TensorList tensors, int64_t dim = 0))                                                               \
  M(Tensor, repeat, (IntArrayRef repeats), (repeats))                                                                   \
  B(Tensor, flip, (IntArrayRef dims), (dims))

// ---- reduce.cc ---------------------------------------------------------------------------------------------------------------------
#define WICK_REDUCE_FUNCTIONS(B, M, I, V, F)                                                                            \
  B(Tensor, sum, (std::optional<ScalarType> dtype = std::nullopt), (dtype))                                             \
  B(Tensor, sum, (OptionalIntArrayRef dim, bool keepdim = false, std::optional<ScalarType> dtype = std::nullopt), (dim, keepdim, dtype)) \
  B(Tensor, mean, (std::optional<ScalarType> dtype = std::nullopt), (dtype))                                            \
  B(Tensor, mean, (OptionalIntArrayRef dim, bool keepdim = false, std::optional<ScalarType> dtype = std::nullopt), (dim, keepdim, dtype)) \
  B(Tensor, prod, (std::optional<ScalarType> dtype = std::nullopt), (dtype))                                            \
  B(Tensor, prod, (int64_t dim, bool keepdim = false, std::optional<ScalarType> dtype = std::nullopt), (dim, keepdim, dtype)) \
  B(Tensor, max, (), ())                                                                                                \
  B(Tensor, max, (const Tensor& other), (other))                                                                        \
  B(TensorPair, max, (int64_t dim, bool keepdim = false), (dim, keepdim))                                                \
  B(Tensor, min, (), ())                                                                                                \
  B(Tensor, min, (const Tensor& other), (other))                                                                        \
  B(TensorPair, min, (int64_t dim, bool keepdim = false), (dim, keepdim))                                                \
  B(Tensor, amax, (IntArrayRef dim = {}, bool keepdim = false), (dim, keepdim))                                         \
  B(Tensor, amin, (IntArrayRef dim = {}, bool keepdim = false), (dim, keepdim))                                         \
  B(Tensor, argmax, (std::optional<int64_t> dim = std::nullopt, bool keepdim = false), (dim, keepdim))                  \
  B(Tensor, argmin, (std::optional<int64_t> dim = std::nullopt, bool keepdim = false), (dim, keepdim))                  \
  B(Tensor, all, (), ())                                                                                                \
  B(Tensor, all, (int64_t dim, bool keepdim = false), (dim, keepdim))                                                   \
  B(Tensor, any, (), ())                                                                                                \
  B(Tensor, any, (int64_t dim, bool keepdim = false), (dim, keepdim))                                                   \
  B(Tensor, var, (bool unbiased = true), (unbiased))                                                                    \
  B(Tensor, var, (OptionalIntArrayRef dim, bool unbiased = true, bool keepdim = false), (dim, unbiased, keepdim))       \
  B(Tensor, std, (bool unbiased = true), (unbiased))                                                                    \
  B(Tensor, std, (OptionalIntArrayRef dim, bool unbiased = true, bool keepdim = false), (dim, unbiased, keepdim))       \
  B(Tensor, norm, (const Scalar& p = 2), (p))                                                                           \
  B(Tensor, norm, (const std::optional<Scalar>& p, IntArrayRef dim, bool keepdim = false), (p, dim, keepdim))           \
  B(Tensor, logsumexp, (IntArrayRef dim, bool keepdim = false), (dim, keepdim))                                         \
  B(Tensor, cumsum, (int64_t dim, std::optional<ScalarType> dtype = std::nullopt), (dim, dtype))                        \
  B(bool, equal, (const Tensor& other), (other))

// ---- matmul.cc ---------------------------------------------------------------------------------------------------------------------
#define WICK_MATMUL_FUNCTIONS(B, M, I, V, F)                                                                            \
  B(Tensor, mm, (const Tensor& mat2), (mat2))                                                                           \
  B(Tensor, bmm, (const Tensor& mat2), (mat2))                                                                          \
  B(Tensor, mv, (const Tensor& vec), (vec))                                                                             \
  B(Tensor, dot, (const Tensor& tensor), (tensor))                                                                      \
  B(Tensor, outer, (const Tensor& vec2), (vec2))                                                                        \
  B(Tensor, matmul, (const Tensor& other), (other))                                                                     \
  B(Tensor, addmm, (const Tensor& mat1, const Tensor& mat2, const Scalar& beta = 1, const Scalar& alpha = 1), (mat1, mat2, beta, alpha)) \
  F(Tensor, linear, (const Tensor& input, const Tensor& weight, const Tensor& bias = {}))

// ---- index.cc ----------------------------------------------------------------------------------------------------------------------
#define WICK_INDEX_FUNCTIONS(B, M, I, V, F)                                                                             \
  B(Tensor, index_select, (int64_t dim, const Tensor& index), (dim, index))                                             \
  B(Tensor, gather, (int64_t dim, const Tensor& index, bool sparse_grad = false), (dim, index, sparse_grad))            \
  B(Tensor, scatter, (int64_t dim, const Tensor& index, const Tensor& src), (dim, index, src))                          \
  B(Tensor, scatter, (int64_t dim, const Tensor& index, const Scalar& value), (dim, index, value))                      \
  V(scatter_, (int64_t dim, const Tensor& index, const Tensor& src), (dim, index, src))                                 \
  V(scatter_, (int64_t dim, const Tensor& index, const Scalar& value), (dim, index, value))                             \
  B(Tensor, scatter_add, (int64_t dim, const Tensor& index, const Tensor& src), (dim, index, src))                      \
  V(scatter_add_, (int64_t dim, const Tensor& index, const Tensor& src), (dim, index, src))                             \
  B(Tensor, index_add, (int64_t dim, const Tensor& index, const Tensor& source, const Scalar& alpha = 1), (dim, index, source, alpha)) \
  V(index_add_, (int64_t dim, const Tensor& index, const Tensor& source, const Scalar& alpha = 1), (dim, index, source, alpha)) \
  B(Tensor, index_copy, (int64_t dim, const Tensor& index, const Tensor& source), (dim, index, source))                 \
  V(index_copy_, (int64_t dim, const Tensor& index, const Tensor& source), (dim, index, source))                        \
  B(Tensor, index_fill, (int64_t dim, const Tensor& index, const Scalar& value), (dim, index, value))                   \
  V(index_fill_, (int64_t dim, const Tensor& index, const Scalar& value), (dim, index, value))                          \
  B(Tensor, index, (ArrayRef<std::optional<Tensor>> indices), (indices))                                                \
  B(Tensor, index_put, (ArrayRef<std::optional<Tensor>> indices, const Tensor& values, bool accumulate = false), (indices, values, accumulate)) \
  V(index_put_, (ArrayRef<std::optional<Tensor>> indices, const Tensor& values, bool accumulate = false), (indices, values, accumulate)) \
  B(Tensor, masked_fill, (const Tensor& mask, const Scalar& value), (mask, value))                                      \
  B(Tensor, masked_fill, (const Tensor& mask, const Tensor& value), (mask, value))                                      \
  V(masked_fill_, (const Tensor& mask, const Scalar& value), (mask, value))                                             \
  V(masked_fill_, (const Tensor& mask, const Tensor& value), (mask, value))                                             \
  B(Tensor, masked_select, (const Tensor& mask), (mask))                                                                \
  B(Tensor, nonzero, (), ())

// ---- softmax.cc, loss.cc -----------------------------------------------------------------------------------------------------------
#define WICK_LOSS_FUNCTIONS(B, M, I, V, F)                                                                              \
  B(Tensor, softmax, (int64_t dim, std::optional<ScalarType> dtype = std::nullopt), (dim, dtype))                       \
  B(Tensor, log_softmax, (int64_t dim, std::optional<ScalarType> dtype = std::nullopt), (dim, dtype))                   \
  F(Tensor, nll_loss, (const Tensor& self, const Tensor& target, const Tensor& weight = {}, int64_t reduction = Reduction::Mean, \
    int64_t ignore_index = -100))                                                                                       \
  F(Tensor, cross_entropy_loss, (const Tensor& self, const Tensor& target, const Tensor& weight = {},                   \
    int64_t reduction = Reduction::Mean, int64_t ignore_index = -100, double label_smoothing = 0.0))                    \
  F(Tensor, mse_loss, (const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean))                  \
  F(Tensor, l1_loss, (const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean))

// ---- random.cc: in place, from the default generator or the one given --------------------------------------------------------------
#define WICK_RANDOM_FUNCTIONS(B, M, I, V, F)                                                                            \
  V(uniform_, (double from = 0, double to = 1, std::optional<Generator> generator = std::nullopt), (from, to, generator)) \
  V(normal_, (double mean = 0, double std = 1, std::optional<Generator> generator = std::nullopt), (mean, std, generator)) \
  V(log_normal_, (double mean = 1, double std = 2, std::optional<Generator> generator = std::nullopt), (mean, std, generator)) \
  V(cauchy_, (double median = 0, double sigma = 1, std::optional<Generator> generator = std::nullopt), (median, sigma, generator)) \
  V(exponential_, (double lambd = 1, std::optional<Generator> generator = std::nullopt), (lambd, generator))            \
  V(geometric_, (double p, std::optional<Generator> generator = std::nullopt), (p, generator))                          \
  V(random_, (int64_t from, std::optional<int64_t> to, std::optional<Generator> generator = std::nullopt), (from, to, generator)) \
  V(random_, (int64_t to, std::optional<Generator> generator = std::nullopt), (to, generator))                          \
  V(random_, (std::optional<Generator> generator = std::nullopt), (generator))                                          \
  V(bernoulli_, (const Tensor& p, std::optional<Generator> generator = std::nullopt), (p, generator))                   \
  V(bernoulli_, (double p = 0.5, std::optional<Generator> generator = std::nullopt), (p, generator))                    \
  B(Tensor, bernoulli, (std::optional<Generator> generator = std::nullopt), (generator))                                \
  B(Tensor, bernoulli, (double p, std::optional<Generator> generator = std::nullopt), (p, generator))                   \
  F(Tensor, dropout, (const Tensor& input, double p, bool train))                                                       \
  F(Tensor&, dropout_, (Tensor& self, double p, bool train))

// ---- create.cc ---------------------------------------------------------------------------------------------------------------------
#define WICK_CREATE_FUNCTIONS(B, M, I, V, F)                                                                            \
  F(Tensor, empty, (IntArrayRef size, TensorOptions options = {}, std::optional<MemoryFormat> memory_format = std::nullopt)) \
  F(Tensor, empty_strided, (IntArrayRef size, IntArrayRef stride, TensorOptions options = {}))                          \
  F(Tensor, zeros, (IntArrayRef size, TensorOptions options = {}))                                                      \
  F(Tensor, ones, (IntArrayRef size, TensorOptions options = {}))                                                       \
  F(Tensor, full, (IntArrayRef size, const Scalar& fill_value, TensorOptions options = {}))                             \
  F(Tensor, scalar_tensor, (const Scalar& s, TensorOptions options = {}))                                               \
  F(Tensor, eye, (int64_t n, TensorOptions options = {}))                                                               \
  F(Tensor, eye, (int64_t n, int64_t m, TensorOptions options = {}))                                                    \
  F(Tensor, arange, (const Scalar& end, TensorOptions options = {}))                                                    \
  F(Tensor, arange, (const Scalar& start, const Scalar& end, TensorOptions options = {}))                               \
  F(Tensor, arange, (const Scalar& start, const Scalar& end, const Scalar& step, TensorOptions options = {}))           \
  F(Tensor, linspace, (const Scalar& start, const Scalar& end, int64_t steps, TensorOptions options = {}))              \
  F(Tensor, rand, (IntArrayRef size, TensorOptions options = {}))                                                       \
  F(Tensor, rand, (IntArrayRef size, std::optional<Generator> generator, TensorOptions options = {}))                   \
  F(Tensor, randn, (IntArrayRef size, TensorOptions options = {}))                                                      \
  F(Tensor, randn, (IntArrayRef size, std::optional<Generator> generator, TensorOptions options = {}))                  \
  F(Tensor, randint, (int64_t high, IntArrayRef size, TensorOptions options = kLong))                                   \
  F(Tensor, randint, (int64_t high, IntArrayRef size, std::optional<Generator> generator, TensorOptions options = kLong)) \
  F(Tensor, randint, (int64_t low, int64_t high, IntArrayRef size, TensorOptions options = kLong))                      \
  F(Tensor, randint, (int64_t low, int64_t high, IntArrayRef size, std::optional<Generator> generator, TensorOptions options = kLong)) \
  F(Tensor, randperm, (int64_t n, TensorOptions options = kLong))                                                       \
  F(Tensor, randperm, (int64_t n, std::optional<Generator> generator, TensorOptions options = kLong))                   \
  F(Tensor, normal, (double mean, double std, IntArrayRef size, std::optional<Generator> generator = std::nullopt, TensorOptions options = {})) \
  F(Tensor, empty_like, (const Tensor& self, TensorOptions options = {}, std::optional<MemoryFormat> memory_format = std::nullopt)) \
  F(Tensor, zeros_like, (const Tensor& self, TensorOptions options = {}, std::optional<MemoryFormat> memory_format = std::nullopt)) \
  F(Tensor, ones_like, (const Tensor& self, TensorOptions options = {}, std::optional<MemoryFormat> memory_format = std::nullopt)) \
  F(Tensor, full_like, (const Tensor& self, const Scalar& fill_value, TensorOptions options = {}, std::optional<MemoryFormat> memory_format = std::nullopt)) \
  F(Tensor, rand_like, (const Tensor& self, TensorOptions options = {}, std::optional<MemoryFormat> memory_format = std::nullopt)) \
  F(Tensor, randn_like, (const Tensor& self, TensorOptions options = {}, std::optional<MemoryFormat> memory_format = std::nullopt)) \
  F(Tensor, randint_like, (const Tensor& self, int64_t high, TensorOptions options = {}, std::optional<MemoryFormat> memory_format = std::nullopt)) \
  F(Tensor, randint_like, (const Tensor& self, int64_t low, int64_t high, TensorOptions options = {}, \
    std::optional<MemoryFormat> memory_format = std::nullopt)) \
  M(Tensor, new_empty, (IntArrayRef size, TensorOptions options = {}), (size, options))                                 \
  M(Tensor, new_zeros, (IntArrayRef size, TensorOptions options = {}), (size, options))                                 \
  M(Tensor, new_ones, (IntArrayRef size, TensorOptions options = {}), (size, options))                                  \
  M(Tensor, new_full, (IntArrayRef size, const Scalar& fill_value, TensorOptions options = {}), (size, fill_value, options))

#define WICK_ALL_FUNCTIONS(B, M, I, V, F)    \
  WICK_ELEMENTWISE_FUNCTIONS(B, M, I, V, F)  \
  WICK_COPY_FUNCTIONS(B, M, I, V, F)         \
  WICK_VIEW_FUNCTIONS(B, M, I, V, F)         \
  WICK_JOIN_FUNCTIONS(B, M, I, V, F)         \
  WICK_REDUCE_FUNCTIONS(B, M, I, V, F)       \
  WICK_MATMUL_FUNCTIONS(B, M, I, V, F)       \
  WICK_INDEX_FUNCTIONS(B, M, I, V, F)        \
  WICK_LOSS_FUNCTIONS(B, M, I, V, F)         \
  WICK_RANDOM_FUNCTIONS(B, M, I, V, F)       \
  WICK_CREATE_FUNCTIONS(B, M, I, V, F)
