// cuBLAS and cuBLASLt: values, rules, epilogues.
#include <cublasLt.h>
#include <cublas_v2.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "wick/tests/cuda_sim/control.h"
#include "wick/tests/cuda_sim/test_memory.h"

namespace cuda_sim {
namespace {

using Floats = std::vector<float>;

// Numbers that a sum of a few products gives exactly.
Floats numbers(size_t n, unsigned seed) {
  Floats values(n);
  for (float& value : values) value = static_cast<float>((seed = seed * 1103515245u + 12345u) >> 28) - 8;
  return values;
}

// op(A) op(B), column-major.
Floats product(const Floats& a, const Floats& b, bool ta, bool tb, int m, int n, int k) {
  Floats c(static_cast<size_t>(m * n));
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      float sum = 0;
      for (int l = 0; l < k; ++l)
        sum += a[static_cast<size_t>(ta ? i * k + l : l * m + i)] * b[static_cast<size_t>(tb ? l * n + j : j * k + l)];
      c[static_cast<size_t>(j * m + i)] = sum;
    }
  }
  return c;
}

class Blas : public testing::Test {
 protected:
  void SetUp() override { cublasCreate(&handle_); }
  void TearDown() override {
    cublasDestroy(handle_);
    take_fault();
  }
  const float one_ = 1, zero_ = 0;
  cublasHandle_t handle_ = nullptr;
};

TEST_F(Blas, MultipliesInAllFourTransposes) {
  constexpr int m = 3, n = 4, k = 5;
  const Floats a = numbers(m * k, 1), b = numbers(k * n, 2);
  const DeviceArray<float> da(a), db(b), dc(m * n);
  for (const bool ta : {false, true}) {
    for (const bool tb : {false, true}) {
      const auto op = [](bool t) { return t ? CUBLAS_OP_T : CUBLAS_OP_N; };
      EXPECT_EQ(cublasSgemm(handle_, op(ta), op(tb), m, n, k, &one_, da, ta ? k : m, db, tb ? n : k, &zero_, dc, m), CUBLAS_STATUS_SUCCESS);
      EXPECT_EQ(dc.values(), product(a, b, ta, tb, m, n, k));
    }
  }
}

TEST_F(Blas, BetaOfZeroDoesNotReadC) {
  const DeviceArray<float> a(Floats{2}), b(Floats{3}), c(1);  // c is NaN
  cublasSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one_, a, 1, b, 1, &zero_, c, 1);
  EXPECT_EQ(c.values()[0], 6.0f);
  cublasSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one_, a, 1, b, 1, &one_, c, 1);
  EXPECT_EQ(c.values()[0], 12.0f);
}

TEST_F(Blas, TakesBatches) {
  const DeviceArray<double> a(std::vector<double>{1, 2, 3}), b(std::vector<double>{4, 5, 6}), c(3);
  const double one = 1, zero = 0;
  EXPECT_EQ(cublasDgemmStridedBatched(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, a, 1, 1, b, 1, 1, &zero, c, 1, 1, 3),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(c.values(), (std::vector<double>{4, 10, 18}));
}

TEST_F(Blas, RefusesALeadingDimensionOfRowMajorThought) {
  const DeviceArray<float> a(6), b(12), c(8);
  EXPECT_EQ(cublasSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 2, 4, 3, &one_, a, 1, b, 3, &zero_, c, 2), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_NE(std::string(cublasGetStatusString(CUBLAS_STATUS_INVALID_VALUE)).find("leading dimension of A is 1"), std::string::npos);
}

TEST_F(Blas, OperandsThatAreTooSmallAreAFault) {
  const DeviceArray<float> a(6), b(12), c(7);
  EXPECT_EQ(cublasSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 2, 4, 3, &one_, a, 2, b, 3, &zero_, c, 2), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_NE(take_fault().find("cublasSgemm: D needs 32 bytes"), std::string::npos);
  const Floats host(6);
  cublasSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 2, 4, 3, &one_, host.data(), 2, b, 3, &zero_, c, 2);
  EXPECT_NE(take_fault().find("A is memory of the host"), std::string::npos);
}

TEST_F(Blas, WorkspaceHoldsNothingAfterwards) {
  const DeviceArray<float> a(Floats{2}), b(Floats{3}), c(1), workspace(Floats(64, 1.0f));
  EXPECT_EQ(cublasSetWorkspace(handle_, workspace + 1, 128), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasSetWorkspace(handle_, workspace, 256), CUBLAS_STATUS_SUCCESS);
  cublasSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one_, a, 1, b, 1, &zero_, c, 1);
  EXPECT_TRUE(std::isnan(workspace.values()[63]));
}

TEST_F(Blas, Tf32ReadsTenBitsOfTheMantissa) {
  const float x = 1 + 1.0f / 4096;
  const DeviceArray<float> a(Floats{x}), b(Floats{1}), c(1);
  const auto multiply = [&](cublasComputeType_t compute) {
    cublasGemmEx(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one_, a, CUDA_R_32F, 1, b, CUDA_R_32F, 1, &zero_, c, CUDA_R_32F, 1, compute,
                 CUBLAS_GEMM_DEFAULT);
    return c.values()[0];
  };
  EXPECT_EQ(multiply(CUBLAS_COMPUTE_32F), x);
  EXPECT_EQ(multiply(CUBLAS_COMPUTE_32F_FAST_TF32), 1.0f);
}

// ---- cuBLASLt: D = epilogue(A B), A 2 x 3, B 3 x 2 -------------------------------------------------------------------------------------

class BlasLt : public testing::Test {
 protected:
  void SetUp() override {
    cublasLtCreate(&handle_);
    cublasLtMatmulDescCreate(&how_, CUBLAS_COMPUTE_32F, CUDA_R_32F);
    cublasLtMatrixLayoutCreate(&a_layout_, CUDA_R_32F, 2, 3, 2);
    cublasLtMatrixLayoutCreate(&b_layout_, CUDA_R_32F, 3, 2, 3);
    cublasLtMatrixLayoutCreate(&d_layout_, CUDA_R_32F, 2, 2, 2);
  }
  void TearDown() override {
    for (const cublasLtMatrixLayout_t layout : {a_layout_, b_layout_, d_layout_}) cublasLtMatrixLayoutDestroy(layout);
    cublasLtMatmulDescDestroy(how_);
    cublasLtDestroy(handle_);
    take_fault();
  }
  template <class T>
  cublasStatus_t set(cublasLtMatmulDescAttributes_t attribute, T value) {
    return cublasLtMatmulDescSetAttribute(how_, attribute, &value, sizeof(value));
  }
  cublasStatus_t multiply() {
    return cublasLtMatmul(handle_, how_, &one_, a_, a_layout_, b_, b_layout_, &zero_, d_, d_layout_, d_, d_layout_, nullptr, nullptr, 0,
                          nullptr);
  }
  // With the epilogue, its bias vector and its auxiliary buffer.
  Floats result(cublasLtEpilogue_t epilogue, float* bias, void* aux = nullptr, int64_t aux_ld = 0) {
    set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
    set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias);
    set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, aux);
    set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, aux_ld);
    EXPECT_EQ(multiply(), CUBLAS_STATUS_SUCCESS) << cublasGetStatusString(CUBLAS_STATUS_INVALID_VALUE);
    return d_.values();
  }

  const float one_ = 1, zero_ = 0;
  cublasLtHandle_t handle_ = nullptr;
  cublasLtMatmulDesc_t how_ = nullptr;
  cublasLtMatrixLayout_t a_layout_ = nullptr, b_layout_ = nullptr, d_layout_ = nullptr;
  const DeviceArray<float> a_{Floats{1, 2, 3, 4, 5, 6}}, b_{Floats{1, 0, -1, 0, 1, 0}}, d_{4};
  const Floats plain_{-4, -4, 3, 4};
};

double gelu(double x) { return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x))); }

TEST_F(BlasLt, AppliesBiasAndReLU) {
  const DeviceArray<float> bias(Floats{5, -5});
  EXPECT_EQ(result(CUBLASLT_EPILOGUE_DEFAULT, nullptr), plain_);
  EXPECT_EQ(result(CUBLASLT_EPILOGUE_BIAS, bias), (Floats{1, -9, 8, -1}));
  EXPECT_EQ(result(CUBLASLT_EPILOGUE_RELU, nullptr), (Floats{0, 0, 3, 4}));
  EXPECT_EQ(result(CUBLASLT_EPILOGUE_RELU_BIAS, bias), (Floats{1, 0, 8, 0}));
}

TEST_F(BlasLt, AppliesGelu) {
  const Floats y = result(CUBLASLT_EPILOGUE_GELU, nullptr);
  for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(y[i], gelu(plain_[i]), 1e-6);
}

TEST_F(BlasLt, ReLUsBitsMaskItsGradient) {
  const DeviceArray<unsigned char> bits(64);
  const DeviceArray<float> bias(2);
  result(CUBLASLT_EPILOGUE_RELU_AUX, nullptr, bits, 128);
  EXPECT_EQ(result(CUBLASLT_EPILOGUE_DRELU, nullptr, bits, 128), (Floats{0, 0, 3, 4}));
  EXPECT_EQ(result(CUBLASLT_EPILOGUE_DRELU_BGRAD, bias, bits, 128), (Floats{0, 0, 3, 4}));
  EXPECT_EQ(bias.values(), (Floats{3, 4}));
}

TEST_F(BlasLt, GelusGradientUsesItsArgument) {
  const DeviceArray<float> argument(Floats(16)), bias(2);
  result(CUBLASLT_EPILOGUE_GELU_AUX, nullptr, argument, 8);
  const Floats kept = argument.values(), g = result(CUBLASLT_EPILOGUE_DGELU_BGRAD, bias, argument, 8);
  for (size_t i = 0; i < 4; ++i) {
    const double x = plain_[i], h = 1e-5;
    EXPECT_EQ(kept[i / 2 * 8 + i % 2], plain_[i]);
    EXPECT_NEAR(g[i], plain_[i] * (gelu(x + h) - gelu(x - h)) / (2 * h), 1e-5);
  }
  EXPECT_FLOAT_EQ(bias.values()[0], g[0] + g[2]);
}

TEST_F(BlasLt, SumsInputsForBiasGradients) {
  const DeviceArray<float> sums(2);
  EXPECT_EQ(result(CUBLASLT_EPILOGUE_BGRADA, sums), plain_);
  EXPECT_EQ(sums.values(), (Floats{9, 12}));
  result(CUBLASLT_EPILOGUE_BGRADB, sums);
  EXPECT_EQ(sums.values(), (Floats{0, 1}));
}

TEST_F(BlasLt, RefusesWhatDoesNotFit) {
  set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
  EXPECT_EQ(multiply(), CUBLAS_STATUS_INVALID_VALUE);  // without a bias
  set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_DEFAULT);
  EXPECT_EQ(set(CUBLASLT_MATMUL_DESC_EPILOGUE, int64_t{1}), CUBLAS_STATUS_INVALID_VALUE);  // of the wrong size
  set(CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
  EXPECT_EQ(multiply(), CUBLAS_STATUS_INVALID_VALUE);  // 3 x 2 times 3 x 2
  const DeviceArray<unsigned char> bits(64);
  set(CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_N);
  set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_RELU_AUX);
  set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, static_cast<void*>(bits));
  set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, int64_t{2});
  EXPECT_EQ(multiply(), CUBLAS_STATUS_INVALID_VALUE);  // the bits' leading dimension must be a multiple of 128
}

TEST_F(BlasLt, RefusesWhereGeluCannotKeepItsArgument) {
  const DeviceArray<float> argument(Floats(17));
  float* const aligned = argument;
  for (const cublasLtEpilogue_t epilogue : {CUBLASLT_EPILOGUE_GELU_AUX, CUBLASLT_EPILOGUE_DGELU}) {
    set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
    for (const auto& [aux, ld, reason] : {std::tuple<float*, int64_t, const char*>{nullptr, 8, "aligned to 16 bytes"},
                                          {aligned + 1, 8, "aligned to 16 bytes"},
                                          {aligned, 0, "multiples of 8 and not below m = 2"},
                                          {aligned, 2, "multiples of 8 and not below m = 2"}}) {
      set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, aux);
      set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, ld);
      EXPECT_EQ(multiply(), CUBLAS_STATUS_INVALID_VALUE) << epilogue << " " << ld;
      EXPECT_NE(std::string(cublasGetStatusString(CUBLAS_STATUS_INVALID_VALUE)).find(reason), std::string::npos) << reason;
    }
  }
  // The second of two columns would begin at 16 and end at 18: past the buffer.
  set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, int64_t{16});
  EXPECT_EQ(multiply(), CUBLAS_STATUS_SUCCESS);
  EXPECT_NE(take_fault().find("the auxiliary buffer"), std::string::npos);
}

TEST_F(BlasLt, AnAlgorithmIsForTheAlignmentThatWasPromised) {
  cublasLtMatmulPreference_t preference = nullptr;
  cublasLtMatmulPreferenceCreate(&preference);
  cublasLtMatmulHeuristicResult_t found;
  int count = 0;
  ASSERT_EQ(cublasLtMatmulAlgoGetHeuristic(handle_, how_, a_layout_, b_layout_, d_layout_, d_layout_, preference, 1, &found, &count),
            CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(count, 1);
  const DeviceArray<float> larger(7);
  const auto with = [&](const float* a) {
    return cublasLtMatmul(handle_, how_, &one_, a, a_layout_, b_, b_layout_, &zero_, d_, d_layout_, d_, d_layout_, &found.algo, nullptr, 0,
                          nullptr);
  };
  EXPECT_EQ(with(a_), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(with(larger + 1), CUBLAS_STATUS_INVALID_VALUE);
  cublasLtMatmulPreferenceDestroy(preference);
}

}  // namespace
}  // namespace cuda_sim
