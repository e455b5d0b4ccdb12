// cuDNN: values, rules, faults.
#include <cudnn.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "wick/tests/cuda_sim/control.h"
#include "wick/tests/cuda_sim/test_memory.h"

namespace cuda_sim {
namespace {

using Floats = std::vector<float>;

// A 3 x 3 picture under a 2 x 2 kernel.
class Cudnn : public testing::Test {
 protected:
  void SetUp() override {
    cudnnCreate(&handle_);
    cudnnCreateTensorDescriptor(&x_);
    cudnnCreateTensorDescriptor(&y_);
    cudnnCreateFilterDescriptor(&w_);
    cudnnCreateConvolutionDescriptor(&convolution_);
    set(x_, {1, 1, 3, 3});
    set(y_, {1, 1, 2, 2});
    const int kernel[] = {1, 1, 2, 2};
    cudnnSetFilterNdDescriptor(w_, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 4, kernel);
    pad(0);
  }
  void TearDown() override {
    cudnnDestroyTensorDescriptor(x_);
    cudnnDestroyTensorDescriptor(y_);
    cudnnDestroyFilterDescriptor(w_);
    cudnnDestroyConvolutionDescriptor(convolution_);
    cudnnDestroy(handle_);
    take_fault();
  }
  static cudnnStatus_t set(cudnnTensorDescriptor_t tensor, const std::vector<int>& sizes) {
    const int strides[] = {sizes[1] * sizes[2] * sizes[3], sizes[2] * sizes[3], sizes[3], 1};
    return cudnnSetTensorNdDescriptor(tensor, CUDNN_DATA_FLOAT, 4, sizes.data(), strides);
  }
  void pad(int by) {
    const int padding[] = {by, by}, ones[] = {1, 1};
    cudnnSetConvolutionNdDescriptor(convolution_, 2, padding, ones, ones, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT);
  }
  cudnnStatus_t forward(const float* x, const float* w, float* y, int algorithm = 0, void* workspace = nullptr, size_t bytes = 0) {
    return cudnnConvolutionForward(handle_, &one_, x_, x, w_, w, convolution_, static_cast<cudnnConvolutionFwdAlgo_t>(algorithm), workspace,
                                   bytes, &zero_, y_, y);
  }

  const float one_ = 1, zero_ = 0;
  cudnnHandle_t handle_ = nullptr;
  cudnnTensorDescriptor_t x_ = nullptr, y_ = nullptr;
  cudnnFilterDescriptor_t w_ = nullptr;
  cudnnConvolutionDescriptor_t convolution_ = nullptr;
  const DeviceArray<float> picture_{Floats{1, 2, 3, 4, 5, 6, 7, 8, 9}}, kernel_{Floats{1, 0, 0, -1}}, result_{4};
};

TEST_F(Cudnn, ConvolvesInAllDirections) {
  EXPECT_EQ(forward(picture_, kernel_, result_), CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(result_.values(), (Floats{-4, -4, -4, -4}));
  const DeviceArray<float> gradient(Floats{1, 2, 3, 4}), of_picture(9), of_kernel(4);
  EXPECT_EQ(cudnnConvolutionBackwardData(handle_, &one_, w_, kernel_, y_, gradient, convolution_, CUDNN_CONVOLUTION_BWD_DATA_ALGO_0,
                                         nullptr, 0, &zero_, x_, of_picture),
            CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(of_picture.values(), (Floats{1, 2, 0, 3, 3, -2, 0, -3, -4}));
  EXPECT_EQ(cudnnConvolutionBackwardFilter(handle_, &one_, x_, picture_, y_, gradient, convolution_, CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0,
                                           nullptr, 0, &zero_, w_, of_kernel),
            CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(of_kernel.values(), (Floats{37, 47, 67, 77}));
}

TEST_F(Cudnn, AWorkspaceMustBeThereAndHoldsNothingAfterwards) {
  EXPECT_EQ(forward(picture_, kernel_, result_, 1), CUDNN_STATUS_BAD_PARAM);
  const DeviceArray<float> workspace(Floats(1024, 1.0f));
  EXPECT_EQ(forward(picture_, kernel_, result_, 1, workspace, 4096), CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(result_.values(), (Floats{-4, -4, -4, -4}));
  EXPECT_TRUE(std::isnan(workspace.values()[1023]));
}

TEST_F(Cudnn, RefusesWhatDoesNotFit) {
  pad(1);
  EXPECT_EQ(forward(picture_, kernel_, result_), CUDNN_STATUS_BAD_PARAM);
  EXPECT_NE(std::string(cudnnGetErrorString(CUDNN_STATUS_BAD_PARAM)).find("the output has size 2 where the convolution gives 4"),
            std::string::npos);
  pad(0);
  cudnnSetConvolutionGroupCount(convolution_, 2);
  EXPECT_EQ(forward(picture_, kernel_, result_), CUDNN_STATUS_BAD_PARAM);
  EXPECT_EQ(set(x_, {1, 0, 3, 3}), CUDNN_STATUS_BAD_PARAM);
}

TEST_F(Cudnn, OperandsThatAreTooSmallAreAFault) {
  const DeviceArray<float> small(3);
  EXPECT_EQ(forward(picture_, kernel_, small), CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_NE(take_fault().find("cudnnConvolutionForward: y needs 16 bytes"), std::string::npos);
  const Floats host(9);
  forward(host.data(), kernel_, result_);
  EXPECT_NE(take_fault().find("x is memory of the host"), std::string::npos);
}

TEST_F(Cudnn, SaysWhichAlgorithmsAreDeterministic) {
  cudnnConvolutionBwdFilterAlgoPerf_t results[4];
  int count = 0;
  ASSERT_EQ(cudnnGetConvolutionBackwardFilterAlgorithm_v7(handle_, x_, y_, convolution_, w_, 4, &count, results), CUDNN_STATUS_SUCCESS);
  ASSERT_EQ(count, 2);
  EXPECT_EQ(results[0].determinism, CUDNN_NON_DETERMINISTIC);
  EXPECT_EQ(results[1].determinism, CUDNN_DETERMINISTIC);
}

}  // namespace
}  // namespace cuda_sim
