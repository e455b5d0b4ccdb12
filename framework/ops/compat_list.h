// Tensor's methods that only programs with LibTorch's headers have: their code is in compat/. tensor.h declares them without a type, so
// that elsewhere the compiler refuses a call, and compat/ATen/methods.h defines them.
//
//   F(name, (params), (args))   the method name(params...) calls at::name(self, args...)
//   V(name, (params), (args))   the method name_(params...) writes what at::name gives to self
//   W(name, (params), (args))   the method name(params...) calls wick::method::name(self, args...)
//   N(name)                     a question whose answer is no: is_xla()
#pragma once

#define WICK_MAYBE(T, name) T name WICK_OR({})  // left out: none
#define WICK_COMPAT_METHODS(F, V, W, N) \
  F(corrcoef, (), ()) F(frexp, (), ()) F(geqrf, (), ()) F(i0, (), ()) V(i0, (), ()) W(meta, (), ()) F(msort, (), ()) \
  F(nonzero_numpy, (), ()) F(positive, (), ()) W(print, (), ()) W(set_, (), ()) W(suggest_memory_format, (), ()) W(toString, (), ()) \
  W(as_strided_, (IntArrayRef size, IntArrayRef stride, WICK_MAYBE(std::optional<int64_t>, storage_offset)), (size, stride, \
    storage_offset)) W(__and__, (const Tensor& other), (other)) W(__and__, (const Scalar& other), (other)) \
  F(as_strided_scatter, (const Tensor& src, IntArrayRef size, IntArrayRef stride, WICK_MAYBE(std::optional<int64_t>, storage_offset)), \
    (src, size, stride, storage_offset)) \
  F(cov, (int64_t correction WICK_OR(1), WICK_MAYBE(const std::optional<Tensor>&, fweights), WICK_MAYBE(const std::optional<Tensor>&, \
    aweights)), (correction, fweights, aweights)) \
  F(dsplit, (int64_t sections), (sections)) F(dsplit, (IntArrayRef indices), (indices)) \
  W(fill_diagonal_, (const Scalar& fill_value, bool wrap WICK_OR(false)), (fill_value, wrap)) \
  F(histogram, (const Tensor& bins, WICK_MAYBE(const std::optional<Tensor>&, weight), bool density WICK_OR(false)), (bins, weight, \
    density)) W(__or__, (const Tensor& other), (other)) W(__or__, (const Scalar& other), (other)) \
  F(histogram, (int64_t bins WICK_OR(100), WICK_MAYBE(std::optional<ArrayRef<double>>, range), WICK_MAYBE(const std::optional<Tensor>&, \
    weight), bool density WICK_OR(false)), (bins, range, weight, density)) \
  F(igamma, (const Tensor& other), (other)) V(igamma, (const Tensor& other), (other)) F(igammac, (const Tensor& other), (other)) \
  V(igammac, (const Tensor& other), (other)) F(is_same_size, (const Tensor& other), (other)) \
  W(is_set_to, (const Tensor& tensor), (tensor)) W(__xor__, (const Tensor& other), (other)) W(__xor__, (const Scalar& other), (other)) \
  F(istft, (int64_t n_fft, WICK_MAYBE(std::optional<int64_t>, hop_length), WICK_MAYBE(std::optional<int64_t>, win_length), \
    WICK_MAYBE(const std::optional<Tensor>&, window), bool center WICK_OR(true), bool normalized WICK_OR(false), \
    WICK_MAYBE(std::optional<bool>, onesided), WICK_MAYBE(std::optional<int64_t>, length), bool return_complex WICK_OR(false)), (n_fft, \
    hop_length, win_length, window, center, normalized, onesided, length, return_complex)) \
  F(ldexp, (const Tensor& other), (other)) V(ldexp, (const Tensor& other), (other)) \
  F(lu_solve, (const Tensor& LU_data, const Tensor& LU_pivots), (LU_data, LU_pivots)) \
  F(moveaxis, (IntArrayRef source, IntArrayRef destination), (source, destination)) \
  F(moveaxis, (int64_t source, int64_t destination), (source, destination)) F(mvlgamma, (int64_t p), (p)) V(mvlgamma, (int64_t p), (p)) \
  F(narrow_copy, (int64_t dim, int64_t start, int64_t length), (dim, start, length)) \
  W(new_empty_strided, (IntArrayRef size, IntArrayRef stride, TensorOptions options WICK_OR({})), (size, stride, options)) \
  F(orgqr, (const Tensor& input2), (input2)) \
  F(ormqr, (const Tensor& input2, const Tensor& input3, bool left WICK_OR(true), bool transpose WICK_OR(false)), (input2, input3, left, \
    transpose)) \
  W(polygamma_, (int64_t n), (n)) F(resize_as_, (const Tensor& the_template), (the_template)) W(set_, (const Tensor& source), (source)) \
  W(set_, (const Tensor& source, int64_t storage_offset, IntArrayRef size, IntArrayRef stride WICK_OR({})), (source, storage_offset, \
    size, stride)) \
  F(stft, (int64_t n_fft, std::optional<int64_t> hop_length, std::optional<int64_t> win_length, const std::optional<Tensor>& window, \
    bool normalized, WICK_MAYBE(std::optional<bool>, onesided), WICK_MAYBE(std::optional<bool>, return_complex)), (n_fft, hop_length, \
    win_length, window, normalized, onesided, return_complex)) \
  F(stft, (int64_t n_fft, WICK_MAYBE(std::optional<int64_t>, hop_length), WICK_MAYBE(std::optional<int64_t>, win_length), \
    WICK_MAYBE(const std::optional<Tensor>&, window), bool center WICK_OR(true), std::string_view pad_mode WICK_OR("reflect"), bool \
    normalized WICK_OR(false), WICK_MAYBE(std::optional<bool>, onesided), WICK_MAYBE(std::optional<bool>, return_complex)), (n_fft, \
    hop_length, win_length, window, center, pad_mode, normalized, onesided, return_complex)) \
  W(sum_to_size, (IntArrayRef size), (size)) W(swapaxes_, (int64_t axis0, int64_t axis1), (axis0, axis1)) \
  W(swapdims_, (int64_t dim0, int64_t dim1), (dim0, dim1)) \
  F(take_along_dim, (const Tensor& indices, WICK_MAYBE(std::optional<int64_t>, dim)), (indices, dim)) \
  W(to_dense, (WICK_MAYBE(std::optional<ScalarType>, dtype)), (dtype)) \
  F(unsafe_chunk, (int64_t chunks, int64_t dim WICK_OR(0)), (chunks, dim)) \
  F(unsafe_split, (int64_t split_size, int64_t dim WICK_OR(0)), (split_size, dim)) \
  F(unsafe_split_with_sizes, (IntArrayRef split_sizes, int64_t dim WICK_OR(0)), (split_sizes, dim)) N(is_mkldnn) N(is_mps) N(is_xla) \
  N(is_xpu) N(is_hip) N(is_vulkan) N(is_metal) N(is_nested) N(is_sparse_csr) N(is_distributed)
