// Matrix products by plain loops, column-major as in cuBLAS: D = epilogue(alpha op(A) op(B) + beta C). What cublas.cc and cublaslt.cc
// enqueue once they have checked their arguments.
#pragma once

#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace cuda_sim {

struct Matrix {
  const void* data = nullptr;
  cudaDataType type = CUDA_R_32F;
  int64_t rows = 0, cols = 0, ld = 0, stride = 0;  // as they lie in memory, stride: from one product of a batch to the next; elements
};

// cuBLASLt's: a sum of cublasLtEpilogue_t bits.
struct Epilogue {
  unsigned kind = 1;
  void* bias = nullptr;  // read, or written by the epilogues that sum gradients
  cudaDataType bias_type = CUDA_R_32F;
  int64_t bias_stride = 0;
  void* aux = nullptr;  // bits of ReLU, arguments of GELU
  cudaDataType aux_type = CUDA_R_32F;
  int64_t aux_ld = 0, aux_stride = 0;
};

struct Product {
  const char* caller = "";
  bool transpose_a = false, transpose_b = false;
  int64_t m = 0, n = 0, k = 0, batch = 1;
  double alpha = 1, beta = 0;
  Matrix a, b, c, d;
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  Epilogue epilogue;
  void* workspace = nullptr;
  size_t workspace_bytes = 0;
};

size_t size_of(cudaDataType type);  // 0: a type that the simulator does not know
bool is_double(cublasComputeType_t compute);
// A scale factor in the type that goes with the computation.
double scale_factor(const void* p, cudaDataType type);

// What the call is refused for; keeps the reason for cublasGetStatusString.
cublasStatus_t refuse(cublasStatus_t status, const char* caller, const std::string& why);
// Shapes and leading dimensions, the types, the alignment of addresses.
cublasStatus_t check_product(const Product& product);
cublasStatus_t submit_product(const Product& product, cudaStream_t stream);

}  // namespace cuda_sim
