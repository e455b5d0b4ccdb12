#include "wick/tests/cuda_sim/gemm.h"

#include <cublasLt.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "wick/tests/cuda_sim/memory.h"
#include "wick/tests/cuda_sim/runtime.h"
#include "wick/tests/cuda_sim/streams.h"

namespace cuda_sim {
namespace {

// The bits that cublasLtEpilogue_t is made of.
enum EpilogueBit : unsigned {
  kRelu = 2,
  kBias = 4,
  kDRelu = 8,
  kBiasGradient = 16,
  kGelu = 32,
  kDGelu = 64,
  kAux = 128,
  kGradientA = 256,
  kGradientB = 512
};

double load(const void* data, cudaDataType type, int64_t i) {
  switch (type) {
    case CUDA_R_64F: return static_cast<const double*>(data)[i];
    case CUDA_R_16F: return __half2float(static_cast<const __half*>(data)[i]);
    case CUDA_R_16BF: return __bfloat162float(static_cast<const __nv_bfloat16*>(data)[i]);
    default: return static_cast<const float*>(data)[i];
  }
}

void store(void* data, cudaDataType type, int64_t i, double x) {
  switch (type) {
    case CUDA_R_64F: static_cast<double*>(data)[i] = x; break;
    case CUDA_R_16F: static_cast<__half*>(data)[i] = __float2half(static_cast<float>(x)); break;
    case CUDA_R_16BF: static_cast<__nv_bfloat16*>(data)[i] = __float2bfloat16(static_cast<float>(x)); break;
    default: static_cast<float*>(data)[i] = static_cast<float>(x);
  }
}

// Tensor cores read the upper 10 bits of a float's mantissa.
float to_tf32(float x) {
  if (!std::isfinite(x)) return x;
  const auto bits = std::bit_cast<uint32_t>(x);
  return std::bit_cast<float>((bits + 0xfff + (bits >> 13 & 1)) & ~0x1fffu);
}

// op(matrix), rows x cols, one column after the other.
template <class T>
std::vector<T> packed(const Matrix& matrix, bool transpose, int64_t rows, int64_t cols, int64_t item, bool tf32) {
  std::vector<T> values(static_cast<size_t>(rows * cols));
  const int64_t row_step = transpose ? matrix.ld : 1, col_step = transpose ? 1 : matrix.ld;
  for (int64_t col = 0; col < cols; ++col) {
    for (int64_t row = 0; row < rows; ++row) {
      const T x = static_cast<T>(load(matrix.data, matrix.type, item * matrix.stride + row * row_step + col * col_step));
      values[static_cast<size_t>(col * rows + row)] = tf32 ? static_cast<T>(to_tf32(static_cast<float>(x))) : x;
    }
  }
  return values;
}

// The approximation by tanh, as cuBLASLt has it, and its derivative.
constexpr double kGeluScale = 0.7978845608028654, kGeluCubic = 0.044715;
double gelu(double x) { return 0.5 * x * (1 + std::tanh(kGeluScale * (x + kGeluCubic * x * x * x))); }
double gelu_derivative(double x) {
  const double t = std::tanh(kGeluScale * (x + kGeluCubic * x * x * x));
  return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * kGeluScale * (1 + 3 * kGeluCubic * x * x);
}

bool aux_bit(const Epilogue& e, int64_t i) { return static_cast<const unsigned char*>(e.aux)[i / 8] >> (i % 8) & 1; }
void set_aux_bit(const Epilogue& e, int64_t i, bool bit) {
  unsigned char& byte = static_cast<unsigned char*>(e.aux)[i / 8];
  byte = static_cast<unsigned char>((byte & ~(1u << i % 8)) | static_cast<unsigned>(bit) << i % 8);
}

// Of the element in this row and column; what a forward epilogue leaves for the backward one is stored in aux.
double apply_epilogue(const Epilogue& e, double x, int64_t row, int64_t col, int64_t item) {
  const int64_t at = item * e.aux_stride + col * e.aux_ld + row;
  if (e.kind & kBias) x += load(e.bias, e.bias_type, item * e.bias_stride + row);
  if (e.kind & kRelu) {
    if (e.kind & kAux) set_aux_bit(e, at, x > 0);
    x = x < 0 ? 0 : x;
  }
  if (e.kind & kGelu) {
    if (e.kind & kAux) store(e.aux, e.aux_type, at, x);
    x = gelu(x);
  }
  if (e.kind & kDRelu) x = aux_bit(e, at) ? x : 0;
  if (e.kind & kDGelu) x *= gelu_derivative(load(e.aux, e.aux_type, at));
  return x;
}

// The sums that an epilogue makes a bias gradient of.
template <class T>
void store_bias_gradient(const Product& p, const std::vector<T>& a, const std::vector<T>& b, const std::vector<T>& d, int64_t item) {
  const Epilogue& e = p.epilogue;
  const std::vector<T>& source = e.kind & kGradientA ? a : e.kind & kGradientB ? b : d;
  const bool of_columns = e.kind & kGradientB;
  const int64_t rows = of_columns ? p.k : p.m, cols = e.kind & kGradientA ? p.k : p.n;
  std::vector<double> sums(static_cast<size_t>(of_columns ? cols : rows));
  for (int64_t col = 0; col < cols; ++col) {
    for (int64_t row = 0; row < rows; ++row)
      sums[static_cast<size_t>(of_columns ? col : row)] += source[static_cast<size_t>(col * rows + row)];
  }
  for (size_t i = 0; i < sums.size(); ++i) store(e.bias, e.bias_type, item * e.bias_stride + static_cast<int64_t>(i), sums[i]);
}

template <class T>
void multiply(const Product& p, int64_t item) {
  const bool tf32 = p.compute == CUBLAS_COMPUTE_32F_FAST_TF32;
  const std::vector<T> a = packed<T>(p.a, p.transpose_a, p.m, p.k, item, tf32), b = packed<T>(p.b, p.transpose_b, p.k, p.n, item, tf32);
  std::vector<T> d(static_cast<size_t>(p.m * p.n));
  for (int64_t col = 0; col < p.n; ++col) {
    T* const to = d.data() + col * p.m;
    for (int64_t k = 0; k < p.k; ++k) {
      const T factor = b[static_cast<size_t>(col * p.k + k)];
      const T* const from = a.data() + k * p.m;
      for (int64_t row = 0; row < p.m; ++row) to[row] += factor * from[row];
    }
    for (int64_t row = 0; row < p.m; ++row) {
      double x = p.alpha * to[row];
      if (p.beta != 0) x += p.beta * load(p.c.data, p.c.type, item * p.c.stride + col * p.c.ld + row);
      to[row] = static_cast<T>(apply_epilogue(p.epilogue, x, row, col, item));
      store(const_cast<void*>(p.d.data), p.d.type, item * p.d.stride + col * p.d.ld + row, to[row]);
    }
  }
  if (p.epilogue.kind & (kBiasGradient | kGradientA | kGradientB)) store_bias_gradient(p, a, b, d, item);
}

// ---- What the product reads and writes must be there when the stream comes to it -------------------------------------------------------

bool is_there(const Product& p, const char* name, const void* data, int64_t bytes) {
  return cuda_sim::is_there(p.caller, name, data, static_cast<size_t>(std::max<int64_t>(bytes, 0)));
}

bool is_there(const Product& p, const char* name, const Matrix& matrix) {
  if (matrix.rows == 0 || matrix.cols == 0 || p.batch == 0) return true;
  const int64_t elements = (p.batch - 1) * matrix.stride + (matrix.cols - 1) * matrix.ld + matrix.rows;
  return is_there(p, name, matrix.data, elements * static_cast<int64_t>(size_of(matrix.type)));
}

bool all_there(const Product& p) {
  const Epilogue& e = p.epilogue;
  const bool bits = e.kind & (kRelu | kDRelu);
  const int64_t aux_elements = (p.batch - 1) * e.aux_stride + (p.n - 1) * e.aux_ld + p.m;
  const int64_t aux_bytes = bits ? (aux_elements + 7) / 8 : aux_elements * static_cast<int64_t>(size_of(e.aux_type));
  const int64_t bias_elements = (p.batch - 1) * e.bias_stride + (e.kind & kGradientB ? p.n : p.m);
  const bool has_bias = e.kind & (kBias | kBiasGradient | kGradientA | kGradientB);
  return is_there(p, "A", p.a) && is_there(p, "B", p.b) && (p.beta == 0 || is_there(p, "C", p.c)) && is_there(p, "D", p.d) &&
         (!has_bias || is_there(p, "the bias", e.bias, bias_elements * static_cast<int64_t>(size_of(e.bias_type)))) &&
         (!(e.kind & kAux) || is_there(p, "the auxiliary buffer", e.aux, aux_bytes)) &&
         is_there(p, "the workspace", p.workspace, static_cast<int64_t>(p.workspace_bytes));
}

void run_product(const Product& p) {
  if (!all_there(p)) return;
  OpenMemory open;
  // Nothing is to be expected in a workspace afterwards.
  constexpr size_t kScribbled = 64 << 10;
  if (p.workspace_bytes != 0) std::memset(p.workspace, 0xff, std::min(p.workspace_bytes, kScribbled));
  for (int64_t item = 0; item < p.batch; ++item) is_double(p.compute) ? multiply<double>(p, item) : multiply<float>(p, item);
}

cublasStatus_t check_matrix(const Product& p, const char* name, const Matrix& matrix) {
  if (size_of(matrix.type) == 0)
    return refuse(CUBLAS_STATUS_NOT_SUPPORTED, p.caller, std::string("the simulator does not know the type of ") + name);
  if (matrix.ld < std::max<int64_t>(1, matrix.rows)) {
    return refuse(CUBLAS_STATUS_INVALID_VALUE, p.caller,
                  std::string("the leading dimension of ") + name + " is " + std::to_string(matrix.ld) + ", its columns have " +
                      std::to_string(matrix.rows) + " elements (matrices are column-major)");
  }
  if (reinterpret_cast<uintptr_t>(matrix.data) % size_of(matrix.type) != 0)
    return refuse(CUBLAS_STATUS_INVALID_VALUE, p.caller, std::string("the address of ") + name + " is misaligned");
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace

size_t size_of(cudaDataType type) {
  switch (type) {
    case CUDA_R_64F: return 8;
    case CUDA_R_32F: return 4;
    case CUDA_R_16F:
    case CUDA_R_16BF: return 2;
    default: return 0;
  }
}

bool is_double(cublasComputeType_t compute) { return compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC; }

double scale_factor(const void* p, cudaDataType type) { return load(p, type, 0); }

cublasStatus_t check_product(const Product& p) {
  if (p.m < 0 || p.n < 0 || p.k < 0 || p.batch < 0) return refuse(CUBLAS_STATUS_INVALID_VALUE, p.caller, "a negative dimension");
  const bool wide = is_double(p.compute);
  if (wide != (p.d.type == CUDA_R_64F) || p.a.type != p.b.type || wide != (p.a.type == CUDA_R_64F)) {
    return refuse(CUBLAS_STATUS_NOT_SUPPORTED, p.caller, "the types of the matrices and of the computation do not go together");
  }
  for (const auto& [name, matrix] : {std::pair<const char*, const Matrix*>{"A", &p.a}, {"B", &p.b}, {"C", &p.c}, {"D", &p.d}}) {
    if (const cublasStatus_t status = check_matrix(p, name, *matrix); status != CUBLAS_STATUS_SUCCESS) return status;
  }
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t submit_product(const Product& product, cudaStream_t stream) {
  std::lock_guard lock(runtime_lock());
  if (const cublasStatus_t status = check_product(product); status != CUBLAS_STATUS_SUCCESS) return status;
  if (fault() != cudaSuccess) return refuse(CUBLAS_STATUS_EXECUTION_FAILED, product.caller, fault_text());
  if (product.m == 0 || product.n == 0 || product.batch == 0) return CUBLAS_STATUS_SUCCESS;
  ++mutable_counters().launches;
  const cudaError_t error = submit(stream, {WorkKind::kLibrary, [product] { run_product(product); }, false, nullptr});
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                              : refuse(CUBLAS_STATUS_EXECUTION_FAILED, product.caller, cudaGetErrorString(remember(error)));
}

}  // namespace cuda_sim
