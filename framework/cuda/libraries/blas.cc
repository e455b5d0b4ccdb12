// Matrix products by cuBLAS and cuBLASLt.
//
// The libraries are column-major. A row-major C = A B is the column-major C^T = B^T A^T, and a row-major matrix with a leading dimension
// is, read as column-major, its transpose: so the factors and m and n change places, and nothing is copied.
#include <cublasLt.h>
#include <cublas_v2.h>

#include <climits>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "wick/framework/core/dtype.h"
#include "wick/framework/cuda/install.h"
#include "wick/framework/cuda/kernels/matmul.h"
#include "wick/framework/cuda/precision.h"
#include "wick/framework/cuda/runtime/check.h"
#include "wick/framework/cuda/runtime/graph.h"
#include "wick/framework/cuda/runtime/scratch.h"
#include "wick/framework/cuda/stream.h"
#include "wick/framework/plan/reduce.h"

namespace wick::cuda {
namespace {

void check_blas(cublasStatus_t status, const char* what) {
  WICK_CHECK(status == CUBLAS_STATUS_SUCCESS, "CUDA error: ", cublasGetStatusName(status), " when calling `", what, "`\n  ",
             cublasGetStatusString(status));
}

// ---- Handles and workspaces -----------------------------------------------------------------------------------------------------------

constexpr int64_t kLargeProduct = int64_t{1} << 24;  // multiplications from which on a large workspace is worth its memory
constexpr size_t kSmallWorkspace = size_t{1} << 20, kLargeWorkspace = size_t{32} << 20;

// What one stream needs. A workspace belongs to one stream, whose products come one after the other; a captured graph, which may run
// beside it, takes the workspace from its own memory.
struct Blas {
  cublasHandle_t handle = nullptr;
  std::unique_ptr<Scratch> workspace;
  size_t workspace_size = 0;

  void prepare(cudaStream_t stream, size_t wanted) {
    if (!handle) {
      check_blas(cublasCreate(&handle), "cublasCreate");
      check_blas(cublasSetStream(handle, stream), "cublasSetStream");
    }
    if (workspace_size >= wanted) return;
    workspace = std::make_unique<Scratch>(wanted, stream);
    workspace_size = wanted;
  }
};

struct Libraries {
  std::mutex mutex;  // held while a call is enqueued
  cublasLtHandle_t light[16] = {};
  std::map<std::pair<int, cudaStream_t>, Blas> blas;
};

// Never destroyed: the driver may be gone before the destructors of static objects run.
Libraries& libraries() {
  static Libraries& all = *new Libraries;
  return all;
}

// ---- cuBLAS: plain products -----------------------------------------------------------------------------------------------------------

// Half types are summed up as float.
cudaDataType_t data_type(ScalarType t) {
  return t == kDouble ? CUDA_R_64F : t == kFloat ? CUDA_R_32F : t == kHalf ? CUDA_R_16F : CUDA_R_16BF;
}
cudaDataType_t scale_type(ScalarType t) { return t == kDouble ? CUDA_R_64F : CUDA_R_32F; }
cublasComputeType_t compute_mode(ScalarType t) {
  return t == kDouble ? CUBLAS_COMPUTE_64F : t == kFloat && allow_tf32() ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
}
cublasOperation_t operation(bool transposed) { return transposed ? CUBLAS_OP_T : CUBLAS_OP_N; }

// alpha and beta in the type of the product.
struct Factors {
  alignas(8) unsigned char alpha[8], beta[8];

  Factors(ScalarType t, double a) : beta{} {
    const float narrow = static_cast<float>(a);
    if (t == kDouble) std::memcpy(alpha, &a, sizeof(a));
    else std::memcpy(alpha, &narrow, sizeof(narrow));
  }
};

void multiply(const MatmulArgs& args, Blas& blas, void* workspace, size_t workspace_size) {
  const Factors factors(args.dtype, args.alpha);
  const cudaDataType_t type = data_type(args.dtype);
  check_blas(cublasSetWorkspace(blas.handle, workspace, workspace_size), "cublasSetWorkspace");
  check_blas(cublasGemmStridedBatchedEx(blas.handle, operation(args.trans_b), operation(args.trans_a), static_cast<int>(args.n),
                                        static_cast<int>(args.m), static_cast<int>(args.k), factors.alpha, args.buffers[2].data, type,
                                        static_cast<int>(args.ldb), args.stride_b, args.buffers[1].data, type, static_cast<int>(args.lda),
                                        args.stride_a, factors.beta, args.buffers[0].data, type, static_cast<int>(args.ldc), args.stride_c,
                                        static_cast<int>(args.batch), compute_mode(args.dtype), CUBLAS_GEMM_DEFAULT),
             "cublasGemmStridedBatchedEx");
}

// ---- cuBLASLt: products with an epilogue ----------------------------------------------------------------------------------------------

// Everything about a product but its addresses: what cuBLASLt is asked once, since the answer takes longer than a small product.
struct Shape {
  int64_t m, n, k, lda, ldb, ldc;
  size_t workspace;
  int32_t device;
  ScalarType dtype;
  bool trans_a, trans_b, bias, aux, tf32;
  MatmulEpilogue epilogue;
  uint8_t alignment;  // of the operands, in bytes, up to 16

  friend auto operator<=>(const Shape&, const Shape&) = default;
};

struct Plan {
  cublasLtMatmulDesc_t product = nullptr;
  cublasLtMatrixLayout_t a = nullptr, b = nullptr, c = nullptr;
  cublasLtMatmulAlgo_t algorithm = {};
  bool found = false;
};

template <class T>
void set_attribute(cublasLtMatmulDesc_t product, cublasLtMatmulDescAttributes_t name, const T& value) {
  check_blas(cublasLtMatmulDescSetAttribute(product, name, &value, sizeof(value)), "cublasLtMatmulDescSetAttribute");
}

cublasLtMatrixLayout_t make_layout(cudaDataType_t type, int64_t rows, int64_t cols, int64_t leading) {
  cublasLtMatrixLayout_t layout = nullptr;
  check_blas(cublasLtMatrixLayoutCreate(&layout, type, static_cast<uint64_t>(rows), static_cast<uint64_t>(cols), leading),
             "cublasLtMatrixLayoutCreate");
  return layout;
}

cublasLtEpilogue_t epilogue(const Shape& shape) {
  const bool bias = shape.bias;
  switch (shape.epilogue) {
    case MatmulEpilogue::kRelu: return bias ? CUBLASLT_EPILOGUE_RELU_BIAS : CUBLASLT_EPILOGUE_RELU;
    case MatmulEpilogue::kGelu:
      if (shape.aux) return bias ? CUBLASLT_EPILOGUE_GELU_AUX_BIAS : CUBLASLT_EPILOGUE_GELU_AUX;
      return bias ? CUBLASLT_EPILOGUE_GELU_BIAS : CUBLASLT_EPILOGUE_GELU;
    case MatmulEpilogue::kGeluGradient: return CUBLASLT_EPILOGUE_DGELU;
    case MatmulEpilogue::kRowSums: return CUBLASLT_EPILOGUE_BGRADB;  // our first factor is cuBLASLt's second
    default: return bias ? CUBLASLT_EPILOGUE_BIAS : CUBLASLT_EPILOGUE_DEFAULT;
  }
}

// The addresses that belong to the epilogue. What GELU keeps lies as the result does.
void set_addresses(cublasLtMatmulDesc_t product, const MatmulArgs& args) {
  const bool sums = args.epilogue == MatmulEpilogue::kRowSums;
  const void *const bias = args.buffers[sums ? 4 : 3].data, *const aux = sums ? nullptr : args.buffers[4].data;
  if (bias) set_attribute(product, CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias);
  if (!aux) return;
  set_attribute(product, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, aux);
  set_attribute(product, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, args.n);
}

// cuBLASLt wants what GELU keeps in rows of a multiple of 8 elements, from an address that 16 divides.
bool aux_is_fit(const MatmulArgs& args) {
  const bool kept = args.epilogue != MatmulEpilogue::kRowSums && args.buffers[4].data;
  return !kept || (args.n % 8 == 0 && reinterpret_cast<uintptr_t>(args.buffers[4].data) % 16 == 0);
}

Plan make_plan(cublasLtHandle_t handle, const Shape& shape, const MatmulArgs& args) {
  Plan plan;
  const cudaDataType_t type = data_type(shape.dtype);
  check_blas(cublasLtMatmulDescCreate(&plan.product, compute_mode(shape.dtype), scale_type(shape.dtype)), "cublasLtMatmulDescCreate");
  set_attribute(plan.product, CUBLASLT_MATMUL_DESC_TRANSA, operation(shape.trans_b));
  set_attribute(plan.product, CUBLASLT_MATMUL_DESC_TRANSB, operation(shape.trans_a));
  set_attribute(plan.product, CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue(shape));
  set_addresses(plan.product, args);  // their alignment matters to the choice
  // In column-major terms: the first factor is our second one.
  plan.a = make_layout(type, shape.trans_b ? shape.k : shape.n, shape.trans_b ? shape.n : shape.k, shape.ldb);
  plan.b = make_layout(type, shape.trans_a ? shape.m : shape.k, shape.trans_a ? shape.k : shape.m, shape.lda);
  plan.c = make_layout(type, shape.n, shape.m, shape.ldc);
  cublasLtMatmulPreference_t preference = nullptr;
  check_blas(cublasLtMatmulPreferenceCreate(&preference), "cublasLtMatmulPreferenceCreate");
  const auto prefer = [&](cublasLtMatmulPreferenceAttributes_t name, const auto& value) {
    check_blas(cublasLtMatmulPreferenceSetAttribute(preference, name, &value, sizeof(value)), "cublasLtMatmulPreferenceSetAttribute");
  };
  const uint32_t alignment = shape.alignment;
  prefer(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, shape.workspace);
  prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignment);
  prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignment);
  prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, alignment);
  prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, alignment);
  cublasLtMatmulHeuristicResult_t result = {};
  int count = 0;
  const cublasStatus_t status =
      cublasLtMatmulAlgoGetHeuristic(handle, plan.product, plan.a, plan.b, plan.c, plan.c, preference, 1, &result, &count);
  plan.found = status == CUBLAS_STATUS_SUCCESS && count > 0;
  plan.algorithm = result.algo;
  check_blas(cublasLtMatmulPreferenceDestroy(preference), "cublasLtMatmulPreferenceDestroy");
  return plan;
}

uint8_t common_alignment(const MatmulArgs& args) {
  uintptr_t bits = 16;
  for (const Buffer& buffer : args.buffers) bits |= reinterpret_cast<uintptr_t>(buffer.data);
  return static_cast<uint8_t>(bits & (~bits + 1));  // the lowest bit that is set
}

// False where cuBLASLt has no way of doing it.
bool multiply_with_epilogue(const MatmulArgs& args, int device, cudaStream_t stream, void* workspace, size_t workspace_size) {
  static std::map<Shape, Plan>& plans = *new std::map<Shape, Plan>;  // under the libraries' lock
  constexpr size_t kMaxPlans = 4096;                                 // shapes that change with every batch must not pile up
  const Shape shape{args.m, args.n, args.k, args.lda, args.ldb, args.ldc, workspace_size, device, args.dtype, args.trans_a, args.trans_b,
                    args.buffers[3].data != nullptr, args.buffers[4].data != nullptr, allow_tf32(), args.epilogue, common_alignment(args)};
  cublasLtHandle_t& handle = libraries().light[device];
  if (!handle) check_blas(cublasLtCreate(&handle), "cublasLtCreate");
  auto at = plans.find(shape);
  if (at == plans.end()) {
    if (plans.size() >= kMaxPlans) {
      for (auto& [key, plan] : plans) {
        static_cast<void>(cublasLtMatmulDescDestroy(plan.product));
        for (const cublasLtMatrixLayout_t layout : {plan.a, plan.b, plan.c}) static_cast<void>(cublasLtMatrixLayoutDestroy(layout));
      }
      plans.clear();
    }
    at = plans.emplace(shape, make_plan(handle, shape, args)).first;
  }
  const Plan& plan = at->second;
  if (!plan.found) return false;
  set_addresses(plan.product, args);
  const Factors factors(args.dtype, args.alpha);
  check_blas(cublasLtMatmul(handle, plan.product, factors.alpha, args.buffers[2].data, plan.a, args.buffers[1].data, plan.b, factors.beta,
                            args.buffers[0].data, plan.c, args.buffers[0].data, plan.c, &plan.algorithm, workspace, workspace_size, stream),
             "cublasLtMatmul");
  return true;
}

// ---- The slot -------------------------------------------------------------------------------------------------------------------------

// aux of kRowSums: down the columns of the first factor as it lies in memory.
void sum_rows(const MatmulArgs& args) {
  ReduceArgs sum{};
  sum.buffers[0] = args.buffers[4], sum.buffers[1] = args.buffers[1];
  sum.in = sum.out = args.dtype, sum.compute = reduce_compute_type(args.dtype);
  sum.divisor = 1;
  sum.plan = {ReduceCase::kColumn, 1, args.k, args.m, 1, args.lda, 1, args.k, 1};
  sum_kernel.cuda(sum_kernel, &sum);
}

bool fits_int(std::initializer_list<int64_t> numbers) {
  for (const int64_t n : numbers) {
    if (n > INT_MAX) return false;
  }
  return true;
}

void run_floating(const MatmulArgs& args) {
  WICK_CHECK(fits_int({args.m, args.n, args.k, args.lda, args.ldb, args.ldc, args.batch}),
             "matmul: a dimension of more than 2^31 - 1 is not supported on CUDA");
  Libraries& all = libraries();
  const cudaStream_t stream = current_stream();
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  const size_t wanted = args.m * args.n * args.k * args.batch < kLargeProduct ? kSmallWorkspace : kLargeWorkspace;
  const std::lock_guard<std::mutex> lock(all.mutex);
  Blas& blas = all.blas[{device, stream}];
  const bool capturing = is_capturing();
  blas.prepare(stream, capturing ? 0 : wanted);
  std::unique_ptr<Scratch> of_graph;
  if (capturing) of_graph = std::make_unique<Scratch>(wanted, stream);
  void* const workspace = (capturing ? of_graph : blas.workspace)->as<void>();
  const bool plain = !args.buffers[3].data && args.epilogue == MatmulEpilogue::kNone;
  const bool done = !plain && args.batch == 1 && aux_is_fit(args) && multiply_with_epilogue(args, device, stream, workspace, wanted);
  if (!done) multiply(args, blas, workspace, wanted);
  note_launch("matmul", stream);
  if (done || plain) return;
  if (args.epilogue == MatmulEpilogue::kRowSums) sum_rows(args);
  else finish_product(args);
}

void run_matmul(const KernelInfo&, const void* raw_args) {
  const auto& args = *static_cast<const MatmulArgs*>(raw_args);
  if (args.m * args.n * args.batch == 0) return;
  if (is_floating(args.dtype) && args.k > 0) return run_floating(args);
  multiply_plainly(args);
}

}  // namespace

void install_matmul() { matmul_kernel.cuda = run_matmul; }

}  // namespace wick::cuda
