// cuBLASLt. Its descriptors are public structs of a fixed size: ours lie inside.
#include <cublasLt.h>

#include <cstring>
#include <string>
#include <type_traits>

#include "wick/tests/cuda_sim/gemm.h"
#include "wick/tests/cuda_sim/runtime.h"

struct cublasLtContext {};

namespace cuda_sim {
namespace {

struct Layout {
  cudaDataType type;
  int32_t order, batch;
  uint64_t rows, cols;
  int64_t ld, stride;
};

struct Description {
  cublasComputeType_t compute;
  cudaDataType scale;
  int32_t transpose_a, transpose_b, transpose_c;
  uint32_t epilogue;
  void* bias;
  int64_t bias_stride;
  int32_t bias_type;  // cudaDataType; -1: that of D
  void* aux;
  int64_t aux_ld, aux_stride;
  int32_t aux_type;  // as bias_type
  int32_t pointers;
};

struct Preference {
  uint64_t max_workspace;
  uint32_t alignment[4];  // of A, B, C, D
};

// What is kept in one of cuBLASLt's structs.
template <class T, class Opaque>
T& inside(Opaque* opaque) {
  static_assert(sizeof(T) <= sizeof(Opaque) && std::is_trivially_copyable_v<T>);
  return *reinterpret_cast<T*>(opaque);
}

constexpr int32_t kAsD = -1;

cublasStatus_t set(void* field, size_t field_bytes, const void* value, size_t bytes, const char* caller) {
  if (!value || bytes != field_bytes)
    return refuse(CUBLAS_STATUS_INVALID_VALUE, caller,
                  "a value of " + std::to_string(bytes) + " bytes for an attribute of " + std::to_string(field_bytes));
  std::memcpy(field, value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

#define CUDA_SIM_FIELD(NAME, FIELD) \
  case NAME: return set(&(FIELD), sizeof(FIELD), value, bytes, caller)

cublasStatus_t set_layout(Layout& layout, cublasLtMatrixLayoutAttribute_t attribute, const void* value, size_t bytes) {
  const char* const caller = "cublasLtMatrixLayoutSetAttribute";
  switch (attribute) {
    CUDA_SIM_FIELD(CUBLASLT_MATRIX_LAYOUT_TYPE, layout.type);
    CUDA_SIM_FIELD(CUBLASLT_MATRIX_LAYOUT_ORDER, layout.order);
    CUDA_SIM_FIELD(CUBLASLT_MATRIX_LAYOUT_ROWS, layout.rows);
    CUDA_SIM_FIELD(CUBLASLT_MATRIX_LAYOUT_COLS, layout.cols);
    CUDA_SIM_FIELD(CUBLASLT_MATRIX_LAYOUT_LD, layout.ld);
    CUDA_SIM_FIELD(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, layout.batch);
    CUDA_SIM_FIELD(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, layout.stride);
    default: return refuse(CUBLAS_STATUS_NOT_SUPPORTED, caller, "the simulator does not know attribute " + std::to_string(attribute));
  }
}

cublasStatus_t set_description(Description& d, cublasLtMatmulDescAttributes_t attribute, const void* value, size_t bytes) {
  const char* const caller = "cublasLtMatmulDescSetAttribute";
  switch (attribute) {
    CUDA_SIM_FIELD(CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, d.compute);
    CUDA_SIM_FIELD(CUBLASLT_MATMUL_DESC_SCALE_TYPE, d.scale);
    CUDA_SIM_FIELD(CUBLASLT_MATMUL_DESC_POINTER_MODE, d.pointers);
    CUDA_SIM_FIELD(CUBLASLT_MATMUL_DESC_TRANSA, d.transpose_a);
    CUDA_SIM_FIELD(CUBLASLT_MATMUL_DESC_TRANSB, d.transpose_b);
    CUDA_SIM_FIELD(CUBLASLT_MATMUL_DESC_TRANSC, d.transpose_c);
    CUDA_SIM_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE, d.epilogue);
    CUDA_SIM_FIELD(CUBLASLT_MATMUL_DESC_BIAS_POINTER, d.bias);
    CUDA_SIM_FIELD(CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, d.bias_stride);
    CUDA_SIM_FIELD(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, d.bias_type);
    CUDA_SIM_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, d.aux);
    CUDA_SIM_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, d.aux_ld);
    CUDA_SIM_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, d.aux_stride);
    CUDA_SIM_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, d.aux_type);
    default: return refuse(CUBLAS_STATUS_NOT_SUPPORTED, caller, "the simulator does not know attribute " + std::to_string(attribute));
  }
}

cublasStatus_t set_preference(Preference& p, cublasLtMatmulPreferenceAttributes_t attribute, const void* value, size_t bytes) {
  const char* const caller = "cublasLtMatmulPreferenceSetAttribute";
  switch (attribute) {
    CUDA_SIM_FIELD(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, p.max_workspace);
    CUDA_SIM_FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, p.alignment[0]);
    CUDA_SIM_FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, p.alignment[1]);
    CUDA_SIM_FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, p.alignment[2]);
    CUDA_SIM_FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, p.alignment[3]);
    default: return CUBLAS_STATUS_SUCCESS;  // the others choose among algorithms: there is one
  }
}
#undef CUDA_SIM_FIELD

// The rules of the epilogue's pointers and strides; see CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD.
cublasStatus_t check_epilogue(const Product& p) {
  const Epilogue& e = p.epilogue;
  constexpr unsigned kBiasBits = CUBLASLT_EPILOGUE_BIAS | 16 | CUBLASLT_EPILOGUE_BGRADA | CUBLASLT_EPILOGUE_BGRADB;
  if ((e.kind & kBiasBits) && !e.bias)
    return refuse(CUBLAS_STATUS_INVALID_VALUE, p.caller, "the epilogue needs CUBLASLT_MATMUL_DESC_BIAS_POINTER");
  if (!(e.kind & 128)) return CUBLAS_STATUS_SUCCESS;
  const int64_t unit = e.kind & (CUBLASLT_EPILOGUE_RELU | 8) ? 128 : 8;
  if (!e.aux || reinterpret_cast<uintptr_t>(e.aux) % 16 != 0)
    return refuse(CUBLAS_STATUS_INVALID_VALUE, p.caller,
                  "the epilogue needs CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, aligned to 16 bytes");
  if (e.aux_ld < p.m || e.aux_ld % unit != 0 || e.aux_stride % unit != 0) {
    return refuse(CUBLAS_STATUS_INVALID_VALUE, p.caller,
                  "CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD " + std::to_string(e.aux_ld) + " and its batch stride must be multiples of " +
                      std::to_string(unit) + " and not below m = " + std::to_string(p.m));
  }
  return CUBLAS_STATUS_SUCCESS;
}

Matrix matrix_of(const Layout& layout, const void* data) {
  return {data, layout.type, static_cast<int64_t>(layout.rows), static_cast<int64_t>(layout.cols), layout.ld, layout.stride};
}

// From the descriptors; without the addresses of the matrices where only the shapes matter.
cublasStatus_t make_product(const Description& d, const Layout& a, const Layout& b, const Layout& c, const Layout& out, Product& p) {
  p.transpose_a = d.transpose_a != CUBLAS_OP_N, p.transpose_b = d.transpose_b != CUBLAS_OP_N;
  p.a = matrix_of(a, nullptr), p.b = matrix_of(b, nullptr), p.c = matrix_of(c, nullptr), p.d = matrix_of(out, nullptr);
  p.m = p.d.rows, p.n = p.d.cols, p.k = p.transpose_a ? p.a.rows : p.a.cols;
  p.batch = out.batch;
  p.compute = d.compute;
  const auto or_d = [&](int32_t type) { return type == kAsD ? out.type : static_cast<cudaDataType>(type); };
  p.epilogue = {d.epilogue, d.bias, or_d(d.bias_type), d.bias_stride, d.aux, or_d(d.aux_type), d.aux_ld, d.aux_stride};
  if (d.transpose_c != CUBLAS_OP_N || d.pointers != 0 || a.order != 0 || b.order != 0 || c.order != 0 || out.order != 0) {
    return refuse(CUBLAS_STATUS_NOT_SUPPORTED, p.caller,
                  "the simulator knows column-major matrices, scale factors on the host and no transposed C");
  }
  if ((p.transpose_a ? p.a.cols : p.a.rows) != p.m || (p.transpose_b ? p.b.cols : p.b.rows) != p.k ||
      (p.transpose_b ? p.b.rows : p.b.cols) != p.n || p.c.rows != p.m || p.c.cols != p.n) {
    return refuse(CUBLAS_STATUS_INVALID_VALUE, p.caller, "the layouts do not fit together");
  }
  if (a.batch != out.batch || b.batch != out.batch || c.batch != out.batch)
    return refuse(CUBLAS_STATUS_INVALID_VALUE, p.caller, "batch counts differ");
  if (const cublasStatus_t status = check_epilogue(p); status != CUBLAS_STATUS_SUCCESS) return status;
  return check_product(p);
}

}  // namespace
}  // namespace cuda_sim

using namespace cuda_sim;

extern "C" {

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  *handle = new cublasLtContext;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t layout, size_t, cudaDataType type, uint64_t rows, uint64_t cols,
                                                 int64_t ld) {
  inside<Layout>(layout) = {type, 0, 1, rows, cols, ld, 0};
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type, uint64_t rows, uint64_t cols, int64_t ld) {
  *layout = new cublasLtMatrixLayoutOpaque_t;
  return cublasLtMatrixLayoutInit_internal(*layout, sizeof(**layout), type, rows, cols, ld);
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  delete layout;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t attribute, const void* value,
                                                size_t bytes) {
  return set_layout(inside<Layout>(layout), attribute, value, bytes);
}

cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t description, size_t, cublasComputeType_t compute,
                                               cudaDataType_t scale) {
  Description& d = inside<Description>(description);
  d = {};
  d.compute = compute, d.scale = scale;
  d.epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  d.bias_type = d.aux_type = kAsD;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* description, cublasComputeType_t compute, cudaDataType_t scale) {
  *description = new cublasLtMatmulDescOpaque_t;
  return cublasLtMatmulDescInit_internal(*description, sizeof(**description), compute, scale);
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t description) {
  delete description;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t description, cublasLtMatmulDescAttributes_t attribute, const void* value,
                                              size_t bytes) {
  return set_description(inside<Description>(description), attribute, value, bytes);
}

cublasStatus_t cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t preference, size_t) {
  inside<Preference>(preference) = {0, {256, 256, 256, 256}};
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  *preference = new cublasLtMatmulPreferenceOpaque_t;
  return cublasLtMatmulPreferenceInit_internal(*preference, sizeof(**preference));
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  delete preference;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference, cublasLtMatmulPreferenceAttributes_t attribute,
                                                    const void* value, size_t bytes) {
  return set_preference(inside<Preference>(preference), attribute, value, bytes);
}

// One algorithm for everything that can be done; it remembers what was promised of the addresses.
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t description, cublasLtMatrixLayout_t a,
                                              cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int wanted, cublasLtMatmulHeuristicResult_t* results,
                                              int* count) {
  *count = 0;
  if (wanted < 1) return refuse(CUBLAS_STATUS_INVALID_VALUE, "cublasLtMatmulAlgoGetHeuristic", "no result is wanted");
  Product p;
  p.caller = "cublasLtMatmulAlgoGetHeuristic";
  const cublasStatus_t status =
      make_product(inside<Description>(description), inside<Layout>(a), inside<Layout>(b), inside<Layout>(c), inside<Layout>(d), p);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  results[0] = {};
  results[0].state = CUBLAS_STATUS_SUCCESS;
  results[0].wavesCount = 1;
  inside<Preference>(&results[0].algo) = inside<Preference>(preference);
  *count = 1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t description, const void* alpha, const void* a,
                              cublasLtMatrixLayout_t a_layout, const void* b, cublasLtMatrixLayout_t b_layout, const void* beta,
                              const void* c, cublasLtMatrixLayout_t c_layout, void* d, cublasLtMatrixLayout_t d_layout,
                              const cublasLtMatmulAlgo_t* algorithm, void* workspace, size_t workspace_bytes, cudaStream_t stream) {
  const Description& how = inside<Description>(description);
  Product p;
  p.caller = "cublasLtMatmul";
  const cublasStatus_t status =
      make_product(how, inside<Layout>(a_layout), inside<Layout>(b_layout), inside<Layout>(c_layout), inside<Layout>(d_layout), p);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  p.a.data = a, p.b.data = b, p.c.data = c, p.d.data = d;
  p.alpha = scale_factor(alpha, how.scale), p.beta = scale_factor(beta, how.scale);
  p.workspace = workspace, p.workspace_bytes = workspace ? workspace_bytes : 0;
  if (algorithm) {
    const Preference& promised = inside<const Preference>(algorithm);
    const void* const addresses[] = {a, b, c, d};
    for (int i = 0; i < 4; ++i) {
      if (reinterpret_cast<uintptr_t>(addresses[i]) % promised.alignment[i] == 0) continue;
      return refuse(
          CUBLAS_STATUS_INVALID_VALUE, p.caller,
          std::string("the algorithm was chosen for ") + "ABCD"[i] + " aligned to " + std::to_string(promised.alignment[i]) + " bytes");
    }
  }
  return submit_product(p, stream);
}

}  // extern "C"
