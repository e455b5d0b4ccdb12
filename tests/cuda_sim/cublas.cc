// cuBLAS.
#include <cublas_v2.h>

#include <string>

#include "wick/tests/cuda_sim/gemm.h"
#include "wick/tests/cuda_sim/memory.h"
#include "wick/tests/cuda_sim/runtime.h"

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
  cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_HOST;
  void* workspace = nullptr;
  size_t workspace_bytes = 0;
};

namespace cuda_sim {
namespace {

thread_local cublasStatus_t t_refused = CUBLAS_STATUS_SUCCESS;
thread_local std::string t_refusal;

struct Operand {
  const void* data;
  cudaDataType type;
  int64_t ld, stride;
};

// All products of cuBLAS end here.
struct GemmCall {
  const char* name;
  cublasHandle_t handle;
  cublasOperation_t transa, transb;
  int64_t m, n, k, batch;
  const void *alpha, *beta;
  Operand a, b, c;
  cublasComputeType_t compute;
};

cublasStatus_t gemm(const GemmCall& call) {
  if (!call.handle) return refuse(CUBLAS_STATUS_NOT_INITIALIZED, call.name, "no handle");
  if (call.handle->pointers != CUBLAS_POINTER_MODE_HOST)
    return refuse(CUBLAS_STATUS_NOT_SUPPORTED, call.name, "the simulator reads alpha and beta on the host only");
  if (!call.alpha || !call.beta) return refuse(CUBLAS_STATUS_INVALID_VALUE, call.name, "alpha or beta is null");
  Product p;
  p.caller = call.name;
  p.transpose_a = call.transa != CUBLAS_OP_N, p.transpose_b = call.transb != CUBLAS_OP_N;
  p.m = call.m, p.n = call.n, p.k = call.k, p.batch = call.batch;
  p.compute = call.compute;
  if (call.compute == CUBLAS_COMPUTE_32F && call.handle->math == CUBLAS_TF32_TENSOR_OP_MATH) p.compute = CUBLAS_COMPUTE_32F_FAST_TF32;
  const cudaDataType scale = is_double(call.compute) ? CUDA_R_64F : CUDA_R_32F;
  p.alpha = scale_factor(call.alpha, scale), p.beta = scale_factor(call.beta, scale);
  const auto matrix = [](const Operand& operand, bool transpose, int64_t rows, int64_t cols) {
    return Matrix{operand.data, operand.type, transpose ? cols : rows, transpose ? rows : cols, operand.ld, operand.stride};
  };
  p.a = matrix(call.a, p.transpose_a, p.m, p.k);
  p.b = matrix(call.b, p.transpose_b, p.k, p.n);
  p.c = p.d = matrix(call.c, false, p.m, p.n);
  p.workspace = call.handle->workspace, p.workspace_bytes = call.handle->workspace_bytes;
  return submit_product(p, call.handle->stream);
}

cublasStatus_t with_handle(cublasHandle_t handle, const char* name) {
  return handle ? CUBLAS_STATUS_SUCCESS : refuse(CUBLAS_STATUS_NOT_INITIALIZED, name, "no handle");
}

}  // namespace

cublasStatus_t refuse(cublasStatus_t status, const char* caller, const std::string& why) {
  t_refused = status;
  t_refusal = std::string(caller) + ": " + why;
  return status;
}

}  // namespace cuda_sim

using namespace cuda_sim;

extern "C" {

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  *handle = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

// A workspace of the user's belongs to the stream it was set for.
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
  if (!handle) return with_handle(handle, "cublasSetStream");
  handle->stream = stream;
  handle->workspace = nullptr, handle->workspace_bytes = 0;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* stream) {
  if (handle) *stream = handle->stream;
  return with_handle(handle, "cublasGetStream");
}

cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void* workspace, size_t bytes) {
  if (!handle) return with_handle(handle, "cublasSetWorkspace");
  if (reinterpret_cast<uintptr_t>(workspace) % 256 != 0)
    return refuse(CUBLAS_STATUS_INVALID_VALUE, "cublasSetWorkspace", "the workspace is not aligned to 256 bytes");
  handle->workspace = workspace, handle->workspace_bytes = workspace ? bytes : 0;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  if (handle) handle->math = mode;
  return with_handle(handle, "cublasSetMathMode");
}
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
  if (handle) *mode = handle->math;
  return with_handle(handle, "cublasGetMathMode");
}
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode) {
  if (handle) handle->pointers = mode;
  return with_handle(handle, "cublasSetPointerMode");
}
cublasStatus_t cublasGetVersion_v2(cublasHandle_t, int* version) {
  *version = CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH;
  return CUBLAS_STATUS_SUCCESS;
}

const char* cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS: return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_NOT_INITIALIZED: return "CUBLAS_STATUS_NOT_INITIALIZED";
    case CUBLAS_STATUS_INVALID_VALUE: return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_NOT_SUPPORTED: return "CUBLAS_STATUS_NOT_SUPPORTED";
    case CUBLAS_STATUS_EXECUTION_FAILED: return "CUBLAS_STATUS_EXECUTION_FAILED";
    default: return "CUBLAS_STATUS_INTERNAL_ERROR";
  }
}
// The reason for this thread's latest refusal, where it is the one asked about.
const char* cublasGetStatusString(cublasStatus_t status) {
  return status != CUBLAS_STATUS_SUCCESS && status == t_refused ? t_refusal.c_str() : cublasGetStatusName(status);
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
                                          const void* alpha, const void* a, cudaDataType a_type, int lda, long long stride_a, const void* b,
                                          cudaDataType b_type, int ldb, long long stride_b, const void* beta, void* c, cudaDataType c_type,
                                          int ldc, long long stride_c, int batch, cublasComputeType_t compute, cublasGemmAlgo_t) {
  return gemm({"cublasGemmStridedBatchedEx",
               handle,
               transa,
               transb,
               m,
               n,
               k,
               batch,
               alpha,
               beta,
               {a, a_type, lda, stride_a},
               {b, b_type, ldb, stride_b},
               {c, c_type, ldc, stride_c},
               compute});
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
                            const void* alpha, const void* a, cudaDataType a_type, int lda, const void* b, cudaDataType b_type, int ldb,
                            const void* beta, void* c, cudaDataType c_type, int ldc, cublasComputeType_t compute, cublasGemmAlgo_t) {
  return gemm({"cublasGemmEx",
               handle,
               transa,
               transb,
               m,
               n,
               k,
               1,
               alpha,
               beta,
               {a, a_type, lda, 0},
               {b, b_type, ldb, 0},
               {c, c_type, ldc, 0},
               compute});
}

#define CUDA_SIM_GEMM(LETTER, T, TYPE, COMPUTE)                                                                                            \
  cublasStatus_t cublas##LETTER##gemm_v2(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,   \
                                         const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, T* c, int ldc) {         \
    return gemm({"cublas" #LETTER "gemm",                                                                                                  \
                 handle,                                                                                                                   \
                 transa,                                                                                                                   \
                 transb,                                                                                                                   \
                 m,                                                                                                                        \
                 n,                                                                                                                        \
                 k,                                                                                                                        \
                 1,                                                                                                                        \
                 alpha,                                                                                                                    \
                 beta,                                                                                                                     \
                 {a, TYPE, lda, 0},                                                                                                        \
                 {b, TYPE, ldb, 0},                                                                                                        \
                 {c, TYPE, ldc, 0},                                                                                                        \
                 COMPUTE});                                                                                                                \
  }                                                                                                                                        \
  cublasStatus_t cublas##LETTER##gemmStridedBatched(                                                                                       \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const T* alpha, const T* a, int lda, \
      long long stride_a, const T* b, int ldb, long long stride_b, const T* beta, T* c, int ldc, long long stride_c, int batch) {          \
    return gemm({"cublas" #LETTER "gemmStridedBatched",                                                                                    \
                 handle,                                                                                                                   \
                 transa,                                                                                                                   \
                 transb,                                                                                                                   \
                 m,                                                                                                                        \
                 n,                                                                                                                        \
                 k,                                                                                                                        \
                 batch,                                                                                                                    \
                 alpha,                                                                                                                    \
                 beta,                                                                                                                     \
                 {a, TYPE, lda, stride_a},                                                                                                 \
                 {b, TYPE, ldb, stride_b},                                                                                                 \
                 {c, TYPE, ldc, stride_c},                                                                                                 \
                 COMPUTE});                                                                                                                \
  }
CUDA_SIM_GEMM(S, float, CUDA_R_32F, CUBLAS_COMPUTE_32F)
CUDA_SIM_GEMM(D, double, CUDA_R_64F, CUBLAS_COMPUTE_64F)
#undef CUDA_SIM_GEMM

}  // extern "C"
