// Every public operation, once. tensor.h turns the lists into declarations: of free functions, and of Tensor's methods. A list is a
// macro that takes eight others, one for each form that a function can have, and calls one of them for each function:
//
//   B, both       B(R, name, (params), (args))   R name(const Tensor& self, params...) and the method R name(params...)
//   M, method     M(R, name, (params), (args))   the method only, as in LibTorch; its code is wick::method::name(self, params...)
//   I, in place   I(name, (params), (args))      Tensor& name(params...) as a method, and name(Tensor& self, params...)
//   V             V(name, (params), (args))      in place, as a method only
//   F, free       F(R, name, (params))           a free function only
//   O, out        O(R, name, (params), (args))   as B, and name_out(out, self, params...), which writes to the caller's tensor (two for a pair)
//   A, all        A(R, name, (params), (args))   as O, and the method name_(params...), which writes to the tensor itself
//   P             P(R, name, (params), (args))   as F, and name_out(out, params...)
//
// `args` repeats the names of `params`, for the call that passes them on. The _out and in-place forms of O, A and P follow from these
// lines alone: they compute the result and write it to its place (composite.cc).
// The elementwise operations of ops/defs come on top, from their own lists. Names, overloads, argument order and defaults are
// LibTorch's; what an operation computes is what PyTorch's page of the same name says, and each is defined, with its derivative, in the
// file of its family in this folder.
#pragma once

#include "wick/framework/ops/composite_list.h"
#include "wick/framework/ops/fft_list.h"
#include "wick/framework/ops/linalg_list.h"

// A function and its in-place method: name as the form O says (B or O), name_ as V.
#define WICK_BOTH(O, V, name, params, args) O(Tensor, name, params, args) V(name##_, params, args)

// ---- elementwise.cc: with parameters, or with numbers for tensors ------------------------------------------------------------------
#define WICK_ELEMENTWISE_FUNCTIONS(B, M, I, V, F, O, A, P)                                                                       \
  WICK_BOTH(B, V, add, (const Tensor& other, const Scalar& alpha = 1), (other, alpha)) \
  WICK_BOTH(B, V, add, (const Scalar& other, const Scalar& alpha = 1), (other, alpha)) \
  WICK_BOTH(B, V, sub, (const Tensor& other, const Scalar& alpha = 1), (other, alpha)) \
  WICK_BOTH(B, V, sub, (const Scalar& other, const Scalar& alpha = 1), (other, alpha)) \
  WICK_BOTH(B, V, mul, (const Tensor& other), (other)) \
  WICK_BOTH(B, V, mul, (const Scalar& other), (other)) \
  WICK_BOTH(B, V, div, (const Tensor& other), (other)) \
  WICK_BOTH(B, V, div, (const Scalar& other), (other)) \
  F(Tensor, rsub, (const Tensor& self, const Scalar& other, const Scalar& alpha = 1))                                   \
  WICK_BOTH(B, V, pow, (const Tensor& exponent), (exponent)) \
  WICK_BOTH(O, V, pow, (const Scalar& exponent), (exponent)) \
  F(Tensor, pow, (const Scalar& self, const Tensor& exponent))                                                          \
  A(Tensor, fmod, (const Tensor& other), (other))                                                                       \
  A(Tensor, fmod, (const Scalar& other), (other))                                                                       \
  A(Tensor, remainder, (const Tensor& other), (other))                                                                  \
  A(Tensor, remainder, (const Scalar& other), (other))                                                                  \
  A(Tensor, floor_divide, (const Tensor& other), (other))                                                               \
  A(Tensor, floor_divide, (const Scalar& other), (other))                                                               \
  A(Tensor, bitwise_left_shift, (const Tensor& other), (other))                                                         \
  A(Tensor, bitwise_right_shift, (const Tensor& other), (other))                                                        \
  A(Tensor, bitwise_not, (), ())                                                                                        \
  O(Tensor, clamp, (const std::optional<Scalar>& min, const std::optional<Scalar>& max = std::nullopt), (min, max))     \
  I(clamp_, (const std::optional<Scalar>& min, const std::optional<Scalar>& max = std::nullopt), (min, max))            \
  I(clamp_min_, (const Scalar& min), (min))                                                                             \
  I(clamp_max_, (const Scalar& max), (max))                                                                             \
  F(Tensor, where, (const Tensor& condition, const Tensor& self, const Tensor& other))                                  \
  F(Tensor, where, (const Tensor& condition, const Scalar& self, const Tensor& other))                                  \
  F(Tensor, where, (const Tensor& condition, const Tensor& self, const Scalar& other))                                  \
  F(Tensor, where, (const Tensor& condition, const Scalar& self, const Scalar& other))                                  \
  WICK_BOTH(O, V, lerp, (const Tensor& end, const Scalar& weight), (end, weight)) \
  WICK_BOTH(O, V, lerp, (const Tensor& end, const Tensor& weight), (end, weight)) \
  WICK_BOTH(O, V, addcmul, (const Tensor& tensor1, const Tensor& tensor2, const Scalar& value = 1), (tensor1, tensor2, value)) \
  WICK_BOTH(O, V, addcdiv, (const Tensor& tensor1, const Tensor& tensor2, const Scalar& value = 1), (tensor1, tensor2, value)) \
  P(Tensor, polygamma, (int64_t n, const Tensor& self), (n, self))                                                      \
  F(Tensor, log_sigmoid, (const Tensor& self))                                                                          \
  F(Tensor, silu, (const Tensor& self))                                                                                 \
  F(Tensor&, silu_, (Tensor& self))                                                                                     \
  F(Tensor, gelu, (const Tensor& self, std::string_view approximate = "none"))                                          \
  F(Tensor, softplus, (const Tensor& self, const Scalar& beta = 1, const Scalar& threshold = 20))                       \
  F(Tensor, elu, (const Tensor& self, const Scalar& alpha = 1, const Scalar& scale = 1, const Scalar& input_scale = 1)) \
  F(Tensor, leaky_relu, (const Tensor& self, const Scalar& negative_slope = 0.01))                                      \
  F(Tensor&, leaky_relu_, (Tensor& self, const Scalar& negative_slope = 0.01))

// ---- copy.cc -----------------------------------------------------------------------------------------------------------------------
// Where a method was called that may make the host wait for a device.
#define WICK_CALL_SITE std::source_location where = std::source_location::current()
#define WICK_COPY_FUNCTIONS(B, M, I, V, F, O, A, P)                                                                     \
  V(copy_, (const Tensor& src, bool non_blocking = false, WICK_CALL_SITE), (src, non_blocking, where))                  \
  I(fill_, (const Scalar& value), (value))                                                                              \
  I(fill_, (const Tensor& value), (value))                                                                              \
  I(zero_, (), ())                                                                                                      \
  B(Tensor, clone, (std::optional<MemoryFormat> memory_format = std::nullopt), (memory_format))                         \
  M(Tensor, contiguous, (MemoryFormat memory_format = MemoryFormat::Contiguous), (memory_format))                       \
  M(Tensor, to, (const TensorOptions& options, bool non_blocking = false, bool copy = false, WICK_CALL_SITE), (options, non_blocking, \
    copy, where)) \
  M(Tensor, to, (Device device, ScalarType dtype, bool non_blocking = false, bool copy = false, WICK_CALL_SITE), (device, dtype, \
    non_blocking, copy, where)) \
  M(Tensor, to, (ScalarType dtype, bool non_blocking = false, bool copy = false), (dtype, non_blocking, copy))          \
  M(Tensor, to, (const Tensor& other, bool non_blocking = false, bool copy = false, WICK_CALL_SITE), (other, non_blocking, copy, where)) \
  B(Tensor, detach, (), ())

// ---- view.cc: the same memory with another shape -----------------------------------------------------------------------------------
#define WICK_VIEW_FUNCTIONS(B, M, I, V, F, O, A, P)                                                                              \
  B(Tensor, alias, (), ())                                                                                              \
  B(Tensor, as_strided, (IntArrayRef size, IntArrayRef stride, std::optional<int64_t> storage_offset = std::nullopt),   \
    (size, stride, storage_offset))                                                                                     \
  M(Tensor, view, (IntArrayRef size), (size))                                                                           \
  M(Tensor, view, (ScalarType dtype), (dtype))                                                                          \
  B(Tensor, reshape, (IntArrayRef shape), (shape))                                                                      \
  B(Tensor, flatten, (int64_t start_dim = 0, int64_t end_dim = -1), (start_dim, end_dim))                               \
  B(Tensor, unflatten, (int64_t dim, IntArrayRef sizes), (dim, sizes))                                                  \
  M(Tensor, expand, (IntArrayRef size, bool implicit = false), (size, implicit))                                        \
  B(Tensor, permute, (IntArrayRef dims), (dims))                                                                        \
  B(Tensor, transpose, (int64_t dim0, int64_t dim1), (dim0, dim1))                                                      \
  B(Tensor, t, (), ())                                                                                                  \
  M(Tensor, numpy_T, (), ())                                                                                            \
  M(Tensor, mT, (), ())                                                                                                 \
  B(Tensor, movedim, (IntArrayRef source, IntArrayRef destination), (source, destination))                              \
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
  B(std::vector<Tensor>, split_with_sizes, (IntArrayRef split_sizes, int64_t dim = 0), (split_sizes, dim))              \
  B(std::vector<Tensor>, chunk, (int64_t chunks, int64_t dim = 0), (chunks, dim))                                       \
  B(std::vector<Tensor>, unbind, (int64_t dim = 0), (dim))

// ---- complex.cc: parts, and what is made of them ---------------------------------------------------------------------------------
#define WICK_COMPLEX_FUNCTIONS(B, M, I, V, F, O, A, P)                                                                           \
  B(Tensor, view_as_real, (), ())                                                                                       \
  B(Tensor, view_as_complex, (), ())                                                                                    \
  B(Tensor, real, (), ())                                                                                               \
  B(Tensor, imag, (), ())                                                                                               \
  O(Tensor, angle, (), ())                                                                                              \
  P(Tensor, complex, (const Tensor& real, const Tensor& imag), (real, imag))                                            \
  P(Tensor, polar, (const Tensor& abs, const Tensor& angle), (abs, angle))

// ---- join.cc -----------------------------------------------------------------------------------------------------------------------
#define WICK_JOIN_FUNCTIONS(B, M, I, V, F, O, A, P)                                                                              \
  P(Tensor, cat, (TensorList tensors, int64_t dim = 0), (tensors, dim))                                                                 \
  P(Tensor, stack, (TensorList tensors, int64_t dim = 0), (tensors, dim))                                                               \
  M(Tensor, repeat, (IntArrayRef repeats), (repeats))                                                                   \
  B(Tensor, flip, (IntArrayRef dims), (dims))

// ---- reduce.cc ---------------------------------------------------------------------------------------------------------------------
#define WICK_REDUCE_FUNCTIONS(B, M, I, V, F, O, A, P)                                                                            \
  O(Tensor, sum, (std::optional<ScalarType> dtype = std::nullopt), (dtype))                                             \
  O(Tensor, sum, (OptionalIntArrayRef dim, bool keepdim = false, std::optional<ScalarType> dtype = std::nullopt), (dim, keepdim, dtype)) \
  O(Tensor, mean, (std::optional<ScalarType> dtype = std::nullopt), (dtype))                                            \
  O(Tensor, mean, (OptionalIntArrayRef dim, bool keepdim = false, std::optional<ScalarType> dtype = std::nullopt), (dim, keepdim, dtype)) \
  O(Tensor, prod, (std::optional<ScalarType> dtype = std::nullopt), (dtype))                                            \
  O(Tensor, prod, (int64_t dim, bool keepdim = false, std::optional<ScalarType> dtype = std::nullopt), (dim, keepdim, dtype)) \
  B(Tensor, max, (), ())                                                                                                \
  O(Tensor, max, (const Tensor& other), (other))                                                                        \
  O(TensorPair, max, (int64_t dim, bool keepdim = false), (dim, keepdim))                                                \
  B(Tensor, min, (), ())                                                                                                \
  O(Tensor, min, (const Tensor& other), (other))                                                                        \
  O(TensorPair, min, (int64_t dim, bool keepdim = false), (dim, keepdim))                                                \
  O(Tensor, amax, (IntArrayRef dim = {}, bool keepdim = false), (dim, keepdim))                                         \
  O(Tensor, amin, (IntArrayRef dim = {}, bool keepdim = false), (dim, keepdim))                                         \
  O(Tensor, argmax, (std::optional<int64_t> dim = std::nullopt, bool keepdim = false), (dim, keepdim))                  \
  O(Tensor, argmin, (std::optional<int64_t> dim = std::nullopt, bool keepdim = false), (dim, keepdim))                  \
  B(Tensor, all, (), ())                                                                                                \
  O(Tensor, all, (int64_t dim, bool keepdim = false), (dim, keepdim))                                                   \
  B(Tensor, any, (), ())                                                                                                \
  O(Tensor, any, (int64_t dim, bool keepdim = false), (dim, keepdim))                                                   \
  O(Tensor, var, (bool unbiased = true), (unbiased))                                                                    \
  O(Tensor, var, (OptionalIntArrayRef dim, bool unbiased = true, bool keepdim = false), (dim, unbiased, keepdim))       \
  B(Tensor, var, (int dim), (dim))                                                                                      \
  O(Tensor, std, (bool unbiased = true), (unbiased))                                                                    \
  O(Tensor, std, (OptionalIntArrayRef dim, bool unbiased = true, bool keepdim = false), (dim, unbiased, keepdim))       \
  B(Tensor, std, (int dim), (dim))                                                                                      \
  O(Tensor, norm, (const Scalar& p = 2), (p))                                                                           \
  O(Tensor, norm, (const std::optional<Scalar>& p, IntArrayRef dim, bool keepdim = false), (p, dim, keepdim))           \
  O(Tensor, logsumexp, (IntArrayRef dim, bool keepdim = false), (dim, keepdim))                                         \
  A(Tensor, cumsum, (int64_t dim, std::optional<ScalarType> dtype = std::nullopt), (dim, dtype))                        \
  A(Tensor, cumprod, (int64_t dim, std::optional<ScalarType> dtype = std::nullopt), (dim, dtype))                       \
  O(TensorPair, cummax, (int64_t dim), (dim))                                                                           \
  O(TensorPair, cummin, (int64_t dim), (dim))                                                                           \
  O(Tensor, logcumsumexp, (int64_t dim), (dim))

// ---- matmul.cc ---------------------------------------------------------------------------------------------------------------------
#define WICK_MATMUL_FUNCTIONS(B, M, I, V, F, O, A, P)                                                                            \
  O(Tensor, mm, (const Tensor& mat2), (mat2))                                                                           \
  O(Tensor, bmm, (const Tensor& mat2), (mat2))                                                                          \
  O(Tensor, mv, (const Tensor& vec), (vec))                                                                             \
  O(Tensor, dot, (const Tensor& tensor), (tensor))                                                                      \
  O(Tensor, outer, (const Tensor& vec2), (vec2))                                                                        \
  O(Tensor, matmul, (const Tensor& other), (other))                                                                     \
  A(Tensor, addmm, (const Tensor& mat1, const Tensor& mat2, const Scalar& beta = 1, const Scalar& alpha = 1), (mat1, mat2, beta, alpha)) \
  P(Tensor, linear, (const Tensor& input, const Tensor& weight, const Tensor& bias = {}), (input, weight, bias))

// ---- conv.cc -----------------------------------------------------------------------------------------------------------------------
#define WICK_CONV(F, name)                                                                                              \
  F(Tensor, name, (const Tensor& input, const Tensor& weight, const Tensor& bias = {}, IntArrayRef stride = 1,          \
    IntArrayRef padding = 0, IntArrayRef dilation = 1, int64_t groups = 1))                                             \
  F(Tensor, name, (const Tensor& input, const Tensor& weight, const Tensor& bias, IntArrayRef stride,                   \
    std::string_view padding, IntArrayRef dilation = 1, int64_t groups = 1))
#define WICK_CONV_TRANSPOSE(F, name)                                                                                    \
  F(Tensor, name, (const Tensor& input, const Tensor& weight, const Tensor& bias = {}, IntArrayRef stride = 1,          \
    IntArrayRef padding = 0, IntArrayRef output_padding = 0, int64_t groups = 1, IntArrayRef dilation = 1))
#define WICK_CONV_FUNCTIONS(B, M, I, V, F, O, A, P)                                                                     \
  WICK_CONV(F, conv1d) WICK_CONV(F, conv2d) WICK_CONV(F, conv3d)                                                        \
  WICK_CONV_TRANSPOSE(F, conv_transpose1d) WICK_CONV_TRANSPOSE(F, conv_transpose2d) WICK_CONV_TRANSPOSE(F, conv_transpose3d) \
  F(Tensor, convolution, (const Tensor& input, const Tensor& weight, const Tensor& bias, IntArrayRef stride, IntArrayRef padding, \
    IntArrayRef dilation, bool transposed, IntArrayRef output_padding, int64_t groups))

// ---- pool.cc -----------------------------------------------------------------------------------------------------------------------
#define WICK_MAX_POOL(F, R, name)                                                                                       \
  F(R, name, (const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0,            \
    IntArrayRef dilation = 1, bool ceil_mode = false))
#define WICK_AVG_POOL(F, name)                                                                                          \
  F(Tensor, name, (const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0,       \
    bool ceil_mode = false, bool count_include_pad = true, std::optional<int64_t> divisor_override = std::nullopt))
#define WICK_POOLS(F, n)                                                                                                \
  WICK_MAX_POOL(F, Tensor, max_pool##n) WICK_MAX_POOL(F, TensorPair, max_pool##n##_with_indices)                        \
  F(Tensor, adaptive_avg_pool##n, (const Tensor& self, IntArrayRef output_size))                                        \
  F(TensorPair, adaptive_max_pool##n, (const Tensor& self, IntArrayRef output_size))
#define WICK_POOL_FUNCTIONS(B, M, I, V, F, O, A, P)                                                                     \
  WICK_POOLS(F, 1d) WICK_POOLS(F, 2d) WICK_POOLS(F, 3d)                                                                 \
  WICK_AVG_POOL(F, avg_pool2d) WICK_AVG_POOL(F, avg_pool3d)                                                             \
  F(Tensor, avg_pool1d, (const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0, \
    bool ceil_mode = false, bool count_include_pad = true))

// ---- norm.cc -----------------------------------------------------------------------------------------------------------------------
#define WICK_NORM_FUNCTIONS(B, M, I, V, F, O, A, P)                                                                              \
  F(Tensor, batch_norm, (const Tensor& input, const Tensor& weight, const Tensor& bias, const Tensor& running_mean,     \
    const Tensor& running_var, bool training, double momentum, double eps, bool cudnn_enabled))                         \
  F(Tensor, instance_norm, (const Tensor& input, const Tensor& weight, const Tensor& bias, const Tensor& running_mean,  \
    const Tensor& running_var, bool use_input_stats, double momentum, double eps, bool cudnn_enabled))                  \
  F(Tensor, layer_norm, (const Tensor& input, IntArrayRef normalized_shape, const Tensor& weight = {}, const Tensor& bias = {}, \
    double eps = 1e-05, bool cudnn_enable = true))                                                                      \
  F(Tensor, group_norm, (const Tensor& input, int64_t num_groups, const Tensor& weight = {}, const Tensor& bias = {},   \
    double eps = 1e-05, bool cudnn_enabled = true))

// ---- index.cc ----------------------------------------------------------------------------------------------------------------------
#define WICK_INDEX_FUNCTIONS(B, M, I, V, F, O, A, P)                                                                             \
  O(Tensor, index_select, (int64_t dim, const Tensor& index), (dim, index))                                             \
  O(Tensor, gather, (int64_t dim, const Tensor& index, bool sparse_grad = false), (dim, index, sparse_grad))            \
  WICK_BOTH(O, V, scatter, (int64_t dim, const Tensor& index, const Tensor& src), (dim, index, src)) \
  WICK_BOTH(O, V, scatter, (int64_t dim, const Tensor& index, const Scalar& value), (dim, index, value)) \
  WICK_BOTH(O, V, scatter_add, (int64_t dim, const Tensor& index, const Tensor& src), (dim, index, src)) \
  WICK_BOTH(O, V, index_add, (int64_t dim, const Tensor& index, const Tensor& source, const Scalar& alpha = 1), \
    (dim, index, source, alpha)) \
  WICK_BOTH(O, V, index_copy, (int64_t dim, const Tensor& index, const Tensor& source), (dim, index, source)) \
  WICK_BOTH(B, V, index_fill, (int64_t dim, const Tensor& index, const Scalar& value), (dim, index, value)) \
  A(Tensor, scatter_reduce, (int64_t dim, const Tensor& index, const Tensor& src, std::string_view reduce, bool include_self = true), \
    (dim, index, src, reduce, include_self))                                                                            \
  B(Tensor, index, (ArrayRef<std::optional<Tensor>> indices), (indices))                                                \
  WICK_BOTH(B, V, index_put, (ArrayRef<std::optional<Tensor>> indices, const Tensor& values, bool accumulate = false), \
    (indices, values, accumulate)) \
  WICK_BOTH(B, V, masked_fill, (const Tensor& mask, const Scalar& value), (mask, value)) \
  WICK_BOTH(B, V, masked_fill, (const Tensor& mask, const Tensor& value), (mask, value)) \
  O(Tensor, masked_select, (const Tensor& mask), (mask))                                                                \
  O(Tensor, nonzero, (), ())

// ---- softmax.cc, loss.cc -----------------------------------------------------------------------------------------------------------
#define WICK_LOSS_FUNCTIONS(B, M, I, V, F, O, A, P)                                                                              \
  O(Tensor, softmax, (int64_t dim, std::optional<ScalarType> dtype = std::nullopt), (dim, dtype))                       \
  O(Tensor, log_softmax, (int64_t dim, std::optional<ScalarType> dtype = std::nullopt), (dim, dtype))                   \
  F(Tensor, nll_loss, (const Tensor& self, const Tensor& target, const Tensor& weight = {}, int64_t reduction = Reduction::Mean, \
    int64_t ignore_index = -100))                                                                                       \
  F(Tensor, cross_entropy_loss, (const Tensor& self, const Tensor& target, const Tensor& weight = {},                   \
    int64_t reduction = Reduction::Mean, int64_t ignore_index = -100, double label_smoothing = 0.0))                    \
  F(Tensor, mse_loss, (const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean))                  \
  F(Tensor, l1_loss, (const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean))

// ---- random.cc: in place, from the default generator or the one given --------------------------------------------------------------
#define WICK_RANDOM_FUNCTIONS(B, M, I, V, F, O, A, P)                                                                            \
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
  F(Tensor, dropout, (const Tensor& input, double p, bool train))                                                       \
  F(Tensor&, dropout_, (Tensor& self, double p, bool train))

// ---- create.cc ---------------------------------------------------------------------------------------------------------------------
#define WICK_CREATE_FUNCTIONS(B, M, I, V, F, O, A, P)                                                                            \
  F(Tensor, empty, (IntArrayRef size, TensorOptions options = {}, std::optional<MemoryFormat> memory_format = std::nullopt)) \
  F(Tensor, empty_strided, (IntArrayRef size, IntArrayRef stride, TensorOptions options = {}))                          \
  F(Tensor, zeros, (IntArrayRef size, TensorOptions options = {}))                                                      \
  F(Tensor, ones, (IntArrayRef size, TensorOptions options = {}))                                                       \
  F(Tensor, full, (IntArrayRef size, const Scalar& fill_value, TensorOptions options = {}))                             \
  F(Tensor, eye, (int64_t n, int64_t m, TensorOptions options = {}))                                                    \
  F(Tensor, arange, (const Scalar& start, const Scalar& end, const Scalar& step, TensorOptions options = {}))           \
  F(Tensor, linspace, (const Scalar& start, const Scalar& end, int64_t steps, TensorOptions options = {}))              \
  F(Tensor, rand, (IntArrayRef size, std::optional<Generator> generator, TensorOptions options = {}))                   \
  F(Tensor, randint, (int64_t low, int64_t high, IntArrayRef size, std::optional<Generator> generator, TensorOptions options = kLong)) \
  F(Tensor, randperm, (int64_t n, std::optional<Generator> generator, TensorOptions options = kLong))                   \
  F(Tensor, normal, (double mean, double std, IntArrayRef size, std::optional<Generator> generator = std::nullopt, \
    TensorOptions options = {})) \
  F(Tensor, empty_like, (const Tensor& self, TensorOptions options = {}, std::optional<MemoryFormat> memory_format = std::nullopt)) \
  F(Tensor, zeros_like, (const Tensor& self, TensorOptions options = {}, std::optional<MemoryFormat> memory_format = std::nullopt)) \
  F(Tensor, ones_like, (const Tensor& self, TensorOptions options = {}, std::optional<MemoryFormat> memory_format = std::nullopt)) \
  F(Tensor, full_like, (const Tensor& self, const Scalar& fill_value, TensorOptions options = {}, \
    std::optional<MemoryFormat> memory_format = std::nullopt)) \
  F(Tensor, rand_like, (const Tensor& self, TensorOptions options = {}, std::optional<MemoryFormat> memory_format = std::nullopt)) \
  F(Tensor, randn_like, (const Tensor& self, TensorOptions options = {}, std::optional<MemoryFormat> memory_format = std::nullopt)) \
  F(Tensor, randint_like, (const Tensor& self, int64_t low, int64_t high, TensorOptions options = {}, \
    std::optional<MemoryFormat> memory_format = std::nullopt))

// ---- sort.cc --------------------------------------------------------------------------------------------------------------------
#define WICK_QUANTILE(O, name) WICK_QUANTILE_OF(O, name, const Tensor&) WICK_QUANTILE_OF(O, name, double)
#define WICK_QUANTILE_OF(O, name, Q)                                                                                   \
  O(Tensor, name, (Q q, std::optional<int64_t> dim = std::nullopt, bool keepdim = false, std::string_view interpolation = "linear"), \
    (q, dim, keepdim, interpolation))
#define WICK_SEARCH(P, Values)                                                                                         \
  P(Tensor, searchsorted, (const Tensor& sorted_sequence, Values self, bool out_int32 = false, bool right = false, \
    std::optional<std::string_view> side = std::nullopt, const Tensor& sorter = {}), (sorted_sequence, self, out_int32, right, side, sorter)) \
  P(Tensor, bucketize, (Values self, const Tensor& boundaries, bool out_int32 = false, bool right = false), (self, boundaries, \
    out_int32, right))
#define WICK_SORT_FUNCTIONS(B, M, I, V, F, O, A, P)                                                                             \
  O(TensorPair, sort, (int64_t dim = -1, bool descending = false), (dim, descending))                                  \
  O(TensorPair, topk, (int64_t k, int64_t dim = -1, bool largest = true, bool sorted = true), (k, dim, largest, sorted)) \
  O(TensorPair, kthvalue, (int64_t k, int64_t dim = -1, bool keepdim = false), (k, dim, keepdim))                      \
  B(Tensor, median, (), ())                                                                                            \
  O(TensorPair, median, (int64_t dim, bool keepdim = false), (dim, keepdim))                                           \
  B(Tensor, nanmedian, (), ())                                                                                         \
  O(TensorPair, nanmedian, (int64_t dim, bool keepdim = false), (dim, keepdim))                                        \
  O(TensorPair, mode, (int64_t dim = -1, bool keepdim = false), (dim, keepdim))                                        \
  WICK_QUANTILE(O, quantile) WICK_QUANTILE(O, nanquantile)                                                             \
  WICK_SEARCH(P, const Tensor&) WICK_SEARCH(P, const Scalar&)                                                          \
  F(TensorTriple, _unique2, (const Tensor& self, bool sorted = true, bool return_inverse = false, bool return_counts = false)) \
  F(TensorTriple, unique_dim, (const Tensor& self, int64_t dim, bool sorted = true, bool return_inverse = false, bool return_counts = false)) \
  B(TensorTriple, unique_consecutive, (bool return_inverse = false, bool return_counts = false, \
    std::optional<int64_t> dim = std::nullopt), (return_inverse, return_counts, dim)) \
  O(Tensor, multinomial, (int64_t num_samples, bool replacement = false, std::optional<Generator> generator = std::nullopt), \
    (num_samples, replacement, generator))

// ---- arrange.cc, pad.cc, embedding.cc -------------------------------------------------------------------------------------------
#define WICK_ARRANGE_FUNCTIONS(B, M, I, V, F, O, A, P)                                                                          \
  O(Tensor, diag, (int64_t diagonal = 0), (diagonal))                                                                  \
  F(std::vector<Tensor>, broadcast_tensors, (TensorList tensors))                                                      \
  F(std::vector<Tensor>, meshgrid, (TensorList tensors, std::string_view indexing))                                    \
  B(Tensor, repeat_interleave, (int64_t repeats, std::optional<int64_t> dim = std::nullopt, \
    std::optional<int64_t> output_size = std::nullopt), (repeats, dim, output_size)) \
  B(Tensor, repeat_interleave, (const Tensor& repeats, std::optional<int64_t> dim = std::nullopt, \
    std::optional<int64_t> output_size = std::nullopt), (repeats, dim, output_size)) \
  B(Tensor, tile, (IntArrayRef dims), (dims))                                                                          \
  B(Tensor, roll, (IntArrayRef shifts, IntArrayRef dims = {}), (shifts, dims))                                         \
  F(Tensor, one_hot, (const Tensor& self, int64_t num_classes = -1))                                                   \
  F(Tensor, pixel_shuffle, (const Tensor& self, int64_t upscale_factor))                                               \
  F(Tensor, pixel_unshuffle, (const Tensor& self, int64_t downscale_factor))                                           \
  V(squeeze_, (), ())                                                                                                  \
  V(squeeze_, (int64_t dim), (dim))                                                                                    \
  V(transpose_, (int64_t dim0, int64_t dim1), (dim0, dim1))                                                            \
  V(t_, (), ())                                                                                                        \
  V(unsqueeze_, (int64_t dim), (dim))                                                                                  \
  F(Tensor, constant_pad_nd, (const Tensor& self, IntArrayRef pad, const Scalar& value = 0))                           \
  F(Tensor, pad, (const Tensor& self, IntArrayRef pad, std::string_view mode = "constant", std::optional<double> value = std::nullopt)) \
  F(Tensor, embedding, (const Tensor& weight, const Tensor& indices, int64_t padding_idx = -1, \
    bool scale_grad_by_freq = false, bool sparse = false))

// ---- activation.cc: written with elementwise operations -------------------------------------------------------------------------
#define WICK_ACTIVATION_FUNCTIONS(B, M, I, V, F, O, A, P)                                                                       \
  F(Tensor, hardtanh, (const Tensor& self, const Scalar& min_val = -1, const Scalar& max_val = 1))                     \
  F(Tensor&, hardtanh_, (Tensor& self, const Scalar& min_val = -1, const Scalar& max_val = 1))                         \
  F(Tensor, celu, (const Tensor& self, const Scalar& alpha = 1.0))                                                     \
  F(Tensor, softshrink, (const Tensor& self, const Scalar& lambd = 0.5))                                               \
  B(Tensor, hardshrink, (const Scalar& lambd = 0.5), (lambd))                                                          \
  F(Tensor, threshold, (const Tensor& self, const Scalar& threshold, const Scalar& value))                             \
  B(Tensor, prelu, (const Tensor& weight), (weight))                                                                   \
  F(Tensor, glu, (const Tensor& self, int64_t dim = -1))                                                               \
  A(Tensor, logit, (std::optional<double> eps = std::nullopt), (eps))                                                  \
  I(clip_, (const std::optional<Scalar>& min, const std::optional<Scalar>& max = std::nullopt), (min, max))            \
  A(Tensor, nan_to_num, (std::optional<double> nan = std::nullopt, std::optional<double> posinf = std::nullopt, \
    std::optional<double> neginf = std::nullopt), (nan, posinf, neginf)) \
  B(Tensor, isclose, (const Tensor& other, double rtol = 1e-05, double atol = 1e-08, bool equal_nan = false), (other, rtol, \
    atol, equal_nan)) \
  B(bool, is_nonzero, (), ())

// ---- einsum.cc ------------------------------------------------------------------------------------------------------------------
#define WICK_PRODUCT_FUNCTIONS(B, M, I, V, F, O, A, P)                                                                          \
  F(Tensor, einsum, (std::string_view equation, TensorList tensors, OptionalIntArrayRef path = std::nullopt))          \
  P(Tensor, tensordot, (const Tensor& self, const Tensor& other, IntArrayRef dims_self, IntArrayRef dims_other), (self, other, dims_self, dims_other))       \
  A(Tensor, addmv, (const Tensor& mat, const Tensor& vec, const Scalar& beta = 1, const Scalar& alpha = 1), (mat, vec, beta, alpha)) \
  A(Tensor, baddbmm, (const Tensor& batch1, const Tensor& batch2, const Scalar& beta = 1, const Scalar& alpha = 1), (batch1, \
    batch2, beta, alpha)) \
  A(Tensor, addbmm, (const Tensor& batch1, const Tensor& batch2, const Scalar& beta = 1, const Scalar& alpha = 1), (batch1, \
    batch2, beta, alpha)) \
  O(Tensor, cross, (const Tensor& other, std::optional<int64_t> dim = std::nullopt), (other, dim))                     \
  F(Tensor, bilinear, (const Tensor& input1, const Tensor& input2, const Tensor& weight, const Tensor& bias = {}))

// ---- loss_compose.cc ------------------------------------------------------------------------------------------------------------
#define WICK_LOSS_COMPOSED_FUNCTIONS(B, M, I, V, F, O, A, P)                                                                    \
  F(Tensor, binary_cross_entropy, (const Tensor& self, const Tensor& target, const Tensor& weight = {}, \
    int64_t reduction = Reduction::Mean)) \
  F(Tensor, binary_cross_entropy_with_logits, (const Tensor& self, const Tensor& target, const Tensor& weight = {}, \
    const Tensor& pos_weight = {}, int64_t reduction = Reduction::Mean)) \
  F(Tensor, smooth_l1_loss, (const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean, double beta = 1.0)) \
  F(Tensor, huber_loss, (const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean, double delta = 1.0)) \
  F(Tensor, kl_div, (const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean, bool log_target = false)) \
  F(Tensor, poisson_nll_loss, (const Tensor& input, const Tensor& target, bool log_input, bool full, double eps, int64_t reduction)) \
  F(Tensor, hinge_embedding_loss, (const Tensor& self, const Tensor& target, double margin = 1.0, int64_t reduction = Reduction::Mean)) \
  F(Tensor, margin_ranking_loss, (const Tensor& input1, const Tensor& input2, const Tensor& target, double margin = 0.0, \
    int64_t reduction = Reduction::Mean)) \
  F(Tensor, soft_margin_loss, (const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean))         \
  F(Tensor, cosine_similarity, (const Tensor& x1, const Tensor& x2, int64_t dim = 1, double eps = 1e-08))              \
  F(Tensor, cosine_embedding_loss, (const Tensor& input1, const Tensor& input2, const Tensor& target, double margin = 0.0, \
    int64_t reduction = Reduction::Mean)) \
  F(Tensor, triplet_margin_loss, (const Tensor& anchor, const Tensor& positive, const Tensor& negative, double margin = 1.0, \
    double p = 2, double eps = 1e-06, bool swap = false, int64_t reduction = Reduction::Mean))

#define WICK_ALL_FUNCTIONS(B, M, I, V, F, O, A, P)    \
  WICK_ELEMENTWISE_FUNCTIONS(B, M, I, V, F, O, A, P)  \
  WICK_COPY_FUNCTIONS(B, M, I, V, F, O, A, P)         \
  WICK_VIEW_FUNCTIONS(B, M, I, V, F, O, A, P)         \
  WICK_COMPLEX_FUNCTIONS(B, M, I, V, F, O, A, P)      \
  WICK_JOIN_FUNCTIONS(B, M, I, V, F, O, A, P)         \
  WICK_REDUCE_FUNCTIONS(B, M, I, V, F, O, A, P)       \
  WICK_MATMUL_FUNCTIONS(B, M, I, V, F, O, A, P)       \
  WICK_CONV_FUNCTIONS(B, M, I, V, F, O, A, P)         \
  WICK_POOL_FUNCTIONS(B, M, I, V, F, O, A, P)         \
  WICK_NORM_FUNCTIONS(B, M, I, V, F, O, A, P)         \
  WICK_INDEX_FUNCTIONS(B, M, I, V, F, O, A, P)        \
  WICK_LOSS_FUNCTIONS(B, M, I, V, F, O, A, P)         \
  WICK_SORT_FUNCTIONS(B, M, I, V, F, O, A, P)         \
  WICK_ARRANGE_FUNCTIONS(B, M, I, V, F, O, A, P)      \
  WICK_ACTIVATION_FUNCTIONS(B, M, I, V, F, O, A, P)   \
  WICK_PRODUCT_FUNCTIONS(B, M, I, V, F, O, A, P)      \
  WICK_LOSS_COMPOSED_FUNCTIONS(B, M, I, V, F, O, A, P)\
  WICK_COMPOSITE_FUNCTIONS(B, M, I, V, F, O, A, P)    \
  WICK_LINALG_FUNCTIONS(B, F)                         \
  WICK_FFT_FUNCTIONS(F)                               \
  WICK_RANDOM_FUNCTIONS(B, M, I, V, F, O, A, P)       \
  WICK_CREATE_FUNCTIONS(B, M, I, V, F, O, A, P)
