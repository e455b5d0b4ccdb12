// What the CUDA tests share. Each of them runs in the simulator and on a GPU; without either it is skipped.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "wick.h"
#include "wick/tests/framework/core/support.h"

namespace wick {

class CudaTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!cuda::is_available()) GTEST_SKIP() << "there is no CUDA device";
  }
};

using test::message_of;

inline bool caching() { return std::getenv("WICK_CUDA_NO_CACHING") == nullptr; }

}  // namespace wick
