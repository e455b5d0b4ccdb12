// Tensor's methods that only programs with LibTorch's headers have: their code is in compat/. tensor.h declares them without a type, so
// that elsewhere the compiler refuses a call, and compat/ATen/methods.h defines them.
//
//   F(name, (params), (args))   the method name(params...) calls at::name(self, args...)
//   V(name, (params), (args))   the method name_(params...) writes what at::name gives to self
//   W(name, (params), (args))   the method name(params...) calls wick::method::name(self, args...)
//   N(name)                     a question whose answer is no: is_xla()
#pragma once

// Left out: none.
#define WICK_MAYBE_INT(name) std::optional<int64_t> name WICK_OR({})
#define WICK_MAYBE_BOOL(name) std::optional<bool> name WICK_OR({})
#define WICK_MAYBE_TENSOR(name) const std::optional<Tensor>& name WICK_OR({})
#define WICK_FV(F, V, name, params, args) F(name, params, args) V(name, params, args)
#define WICK_SPREAD(F, name) \
  F(name, (OptionalIntArrayRef dim, std::optional<int64_t> correction, bool keepdim WICK_OR(false)), (dim, correction, keepdim))
#define WICK_COMPAT_METHODS(F, V, W, N) \
  F(corrcoef, (), ()) F(frexp, (), ()) F(geqrf, (), ()) WICK_FV(F, V, i0, (), ()) W(meta, (), ()) F(msort, (), ()) \
  F(nonzero_numpy, (), ()) F(positive, (), ()) W(print, (), ()) W(set_, (), ()) W(suggest_memory_format, (), ()) W(toString, (), ()) \
  W(as_strided_, (IntArrayRef size, IntArrayRef stride, WICK_MAYBE_INT(storage_offset)), (size, stride, storage_offset)) \
  F(as_strided_scatter, (const Tensor& src, IntArrayRef size, IntArrayRef stride, WICK_MAYBE_INT(storage_offset)), (src, size, stride, \
    storage_offset)) F(argsort, (bool stable, int64_t dim, bool descending), (stable, dim, descending)) \
  WICK_FV(F, V, clamp, (const std::optional<Tensor>& min, WICK_MAYBE_TENSOR(max)), (min, max)) \
  F(cov, (int64_t correction WICK_OR(1), WICK_MAYBE_TENSOR(fweights), WICK_MAYBE_TENSOR(aweights)), (correction, fweights, aweights)) \
  F(dsplit, (int64_t sections), (sections)) F(dsplit, (IntArrayRef indices), (indices)) F(hsplit, (IntArrayRef indices), (indices)) \
  F(vsplit, (IntArrayRef indices), (indices)) F(tensor_split, (const Tensor& indices, int64_t dim WICK_OR(0)), (indices, dim)) \
  F(narrow, (int64_t dim, const Tensor& start, int64_t length), (dim, start, length)) \
  F(all, (OptionalIntArrayRef dim, bool keepdim WICK_OR(false)), (dim, keepdim)) \
  F(any, (OptionalIntArrayRef dim, bool keepdim WICK_OR(false)), (dim, keepdim)) \
  W(fill_diagonal_, (const Scalar& fill_value, bool wrap WICK_OR(false)), (fill_value, wrap)) \
  F(histogram, (const Tensor& bins, WICK_MAYBE_TENSOR(weight), bool density WICK_OR(false)), (bins, weight, density)) \
  F(histogram, (int64_t bins WICK_OR(100), std::optional<ArrayRef<double>> range WICK_OR({}), WICK_MAYBE_TENSOR(weight), \
    bool density WICK_OR(false)), (bins, range, weight, density)) \
  WICK_FV(F, V, index_fill, (int64_t dim, const Tensor& index, const Tensor& value), (dim, index, value)) \
  F(norm, (const std::optional<Scalar>& p, ScalarType dtype), (p, dtype)) \
  F(norm, (const std::optional<Scalar>& p, IntArrayRef dim, bool keepdim, ScalarType dtype), (p, dim, keepdim, dtype)) \
  F(diff, (int64_t n, int64_t dim, const std::optional<Tensor>& prepend, WICK_MAYBE_TENSOR(append)), (n, dim, prepend, append)) \
  WICK_FV(F, V, round, (int64_t decimals), (decimals)) \
  WICK_FV(F, V, scatter, (int64_t dim, const Tensor& index, const Scalar& value, std::string_view reduce), (dim, index, value, reduce)) \
  WICK_SPREAD(F, std) WICK_SPREAD(F, var) WICK_FV(F, V, igamma, (const Tensor& other), (other)) \
  WICK_FV(F, V, igammac, (const Tensor& other), (other)) F(is_same_size, (const Tensor& other), (other)) \
  W(is_set_to, (const Tensor& tensor), (tensor)) \
  W(__and__, (const Tensor& other), (other)) W(__and__, (const Scalar& other), (other)) W(__or__, (const Tensor& other), (other)) \
  W(__or__, (const Scalar& other), (other)) W(__xor__, (const Tensor& other), (other)) W(__xor__, (const Scalar& other), (other)) \
  F(istft, (int64_t n_fft, WICK_MAYBE_INT(hop_length), WICK_MAYBE_INT(win_length), WICK_MAYBE_TENSOR(window), bool center WICK_OR(true), \
    bool normalized WICK_OR(false), WICK_MAYBE_BOOL(onesided), WICK_MAYBE_INT(length), bool return_complex WICK_OR(false)), (n_fft, \
    hop_length, win_length, window, center, normalized, onesided, length, return_complex)) \
  WICK_FV(F, V, ldexp, (const Tensor& other), (other)) F(lu_solve, (const Tensor& LU_data, const Tensor& LU_pivots), (LU_data, LU_pivots)) \
  F(moveaxis, (IntArrayRef source, IntArrayRef destination), (source, destination)) \
  F(moveaxis, (int64_t source, int64_t destination), (source, destination)) WICK_FV(F, V, mvlgamma, (int64_t p), (p)) \
  F(narrow_copy, (int64_t dim, int64_t start, int64_t length), (dim, start, length)) \
  W(new_empty_strided, (IntArrayRef size, IntArrayRef stride, TensorOptions options WICK_OR({})), (size, stride, options)) \
  F(orgqr, (const Tensor& input2), (input2)) \
  F(ormqr, (const Tensor& input2, const Tensor& input3, bool left WICK_OR(true), bool transpose WICK_OR(false)), (input2, input3, left, \
    transpose)) W(polygamma_, (int64_t n), (n)) F(resize_as_, (const Tensor& the_template), (the_template)) \
  W(set_, (const Tensor& source), (source)) \
  W(set_, (const Tensor& source, int64_t storage_offset, IntArrayRef size, IntArrayRef stride WICK_OR({})), (source, storage_offset, \
    size, stride)) \
  F(stft, (int64_t n_fft, std::optional<int64_t> hop_length, std::optional<int64_t> win_length, const std::optional<Tensor>& window, \
    bool normalized, WICK_MAYBE_BOOL(onesided), WICK_MAYBE_BOOL(return_complex)), (n_fft, hop_length, win_length, window, normalized, \
    onesided, return_complex)) \
  F(stft, (int64_t n_fft, WICK_MAYBE_INT(hop_length), WICK_MAYBE_INT(win_length), WICK_MAYBE_TENSOR(window), bool center WICK_OR(true), \
    std::string_view pad_mode WICK_OR("reflect"), bool normalized WICK_OR(false), WICK_MAYBE_BOOL(onesided), \
    WICK_MAYBE_BOOL(return_complex)), (n_fft, hop_length, win_length, window, center, pad_mode, normalized, onesided, return_complex)) \
  W(sum_to_size, (IntArrayRef size), (size)) W(swapaxes_, (int64_t axis0, int64_t axis1), (axis0, axis1)) \
  W(swapdims_, (int64_t dim0, int64_t dim1), (dim0, dim1)) F(take_along_dim, (const Tensor& indices, WICK_MAYBE_INT(dim)), (indices, dim)) \
  W(to_dense, (std::optional<ScalarType> dtype WICK_OR({})), (dtype)) \
  F(unsafe_chunk, (int64_t chunks, int64_t dim WICK_OR(0)), (chunks, dim)) \
  F(unsafe_split, (int64_t split_size, int64_t dim WICK_OR(0)), (split_size, dim)) \
  F(unsafe_split_with_sizes, (IntArrayRef split_sizes, int64_t dim WICK_OR(0)), (split_sizes, dim)) N(is_mkldnn) N(is_mps) N(is_xla) \
  N(is_xpu) N(is_hip) N(is_vulkan) N(is_metal) N(is_nested) N(is_sparse_csr) N(is_distributed)
