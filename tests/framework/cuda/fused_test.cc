// In a graph elementwise calls that follow each other over the same elements are one launch.
#include "wick/tests/framework/cuda/captured.h"

namespace wick {
namespace {

class Fused : public CudaTest {
 protected:
  void make(IntArrayRef sizes, ScalarType dtype = kFloat) {
    manual_seed(2);
    x = randn(sizes).to(kCUDA, dtype);
    y = randn(sizes).to(kCUDA, dtype);
  }

  Tensor x, y;
};

TEST_F(Fused, AChainIsOneLaunch) {
  for (const int64_t n : {1, 3, 4, 1000, 1027}) {
    make({n});
    // mul, add, tanh, sigmoid, sub: the same functions on the same values, so the same bits.
    EXPECT_EQ(spared([&] { return Tensors{((x * 2 + y).tanh().sigmoid() - x)}; }, 0), 4) << n;
  }
}

TEST_F(Fused, EveryResultOfAChainIsThere) {
  make({37, 5});
  EXPECT_EQ(spared([&] {
              const Tensor a = x * y, b = a.exp(), c = b / (b + 1);
              return Tensors{a, b, c, maximum(a, c), a.clamp(-1, 1).pow(3)};
            }, 0),
            6);
}

TEST_F(Fused, InPlaceAndNumbersOfTheDevice) {
  make({64});
  const Tensor scale = full({}, 3.0).to(kCUDA);
  EXPECT_EQ(spared([&] {
              Tensor z = x.clone();
              z.mul_(scale).add_(y).relu_();
              return Tensors{z};
            }, 0),
            2);
}

TEST_F(Fused, GradientsOfAnActivationAndItsNeighbours) {
  make({20, 6});
  x.requires_grad_();
  const int64_t launches = spared([&] {
    x.mutable_grad() = Tensor();
    const Tensor z = silu(x * y) * y;
    z.backward(y);
    return Tensors{z, x.grad()};
  }, 0);
  EXPECT_GE(launches, 4);  // of three calls forward and three backward
}

// What lies apart, has another type, another length or another function, stays as it is.
TEST_F(Fused, LeavesTheRestAlone) {
  make({32, 8});
  EXPECT_EQ(spared([&] { return Tensors{x.t() * y.t().contiguous(), x.sin().cos()}; }, 0), 0);
  EXPECT_EQ(spared([&] { return Tensors{x + 1, y.slice(0, 0, 16) + 1}; }, 0), 0);
  make({32, 8}, kDouble);
  EXPECT_EQ(spared([&] { return Tensors{(x + 1) * 2}; }, 0), 0);
  make({32, 8}, kHalf);
  EXPECT_EQ(spared([&] { return Tensors{(x + 1) * 2}; }, 0), 0);
}

// Elements that do not begin at a multiple of 16 bytes: the calls of the pass are made one by one.
TEST_F(Fused, UnalignedElements) {
  make({33});
  const Tensor u = x.slice(0, 1), v = y.slice(0, 1);
  spared([&] { return Tensors{(u + v) * v}; }, 0);
}

}  // namespace
}  // namespace wick
