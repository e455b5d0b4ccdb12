#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "wick/framework/ops/from_blob.h"
#include "wick/framework/ops/tensor_literal.h"
#include "wick/tests/framework/core/support.h"

namespace wick {
namespace {

using test::error_of;

std::vector<double> values(const Tensor& x) {
  const Tensor y = x.detach().to(kDouble).contiguous();
  return std::vector<double>(y.data_ptr<double>(), y.data_ptr<double>() + y.numel());
}

using Numbers = std::vector<double>;

// The default dtype within a scope.
struct DefaultDtype {
  explicit DefaultDtype(ScalarType t) { set_default_dtype(t); }
  ~DefaultDtype() { set_default_dtype(kFloat); }
};

// ---- Factories ---------------------------------------------------------------------------------------------------------------------

TEST(Create, Constants) {
  EXPECT_EQ(values(zeros({2, 2})), Numbers(4, 0));
  EXPECT_EQ(values(ones({3}, kBool)), Numbers(3, 1));
  EXPECT_EQ(zeros({2}).scalar_type(), kFloat);
  EXPECT_EQ(ones({}).dim(), 0);
  EXPECT_EQ(values(ones({2}, kBFloat16)), Numbers(2, 1));
  EXPECT_EQ(zeros({0, 3}).sizes(), IntArrayRef({0, 3}));
  const DefaultDtype scope(kDouble);
  EXPECT_EQ(zeros({2}).scalar_type(), kDouble);
}

TEST(Create, FullInfersItsDtype) {
  EXPECT_EQ(full({2}, true).scalar_type(), kBool);
  EXPECT_EQ(full({2}, 3).scalar_type(), kLong);
  EXPECT_EQ(full({2}, 3.0).scalar_type(), kFloat);
  EXPECT_EQ(full({2}, 3, kByte).scalar_type(), kByte);
  EXPECT_EQ(values(full({2}, -1, kByte)), Numbers(2, 255));
  EXPECT_EQ(values(full({2}, 3.7, kLong)), Numbers(2, 3));
  EXPECT_EQ(full({1}, int64_t{1} << 62).data_ptr<int64_t>()[0], int64_t{1} << 62);
  EXPECT_EQ(error_of([] { full({2}, 300, kByte); }), "value cannot be converted to type uint8_t without overflow");
  EXPECT_EQ(scalar_tensor(3).scalar_type(), kFloat);
  EXPECT_EQ(scalar_tensor(3).item<float>(), 3);
}

TEST(Create, Eye) {
  EXPECT_EQ(values(eye(2)), (Numbers{1, 0, 0, 1}));
  EXPECT_EQ(values(eye(2, 3, kBool)), (Numbers{1, 0, 0, 0, 1, 0}));
  EXPECT_EQ(values(eye(3, 2, kLong)), (Numbers{1, 0, 0, 1, 0, 0}));
  EXPECT_EQ(eye(0).sizes(), IntArrayRef({0, 0}));
  EXPECT_EQ(error_of([] { eye(-1); }), "n must be greater or equal to 0, got -1");
  EXPECT_EQ(error_of([] { eye(2, -1); }), "m must be greater or equal to 0, got -1");
}

TEST(Create, Arange) {
  EXPECT_EQ(arange(5).scalar_type(), kLong);
  EXPECT_EQ(arange(5.0).scalar_type(), kFloat);
  EXPECT_EQ(arange(1, 3, 0.5).scalar_type(), kFloat);
  EXPECT_EQ(values(arange(5)), (Numbers{0, 1, 2, 3, 4}));
  EXPECT_EQ(values(arange(5, 0, -2)), (Numbers{5, 3, 1}));
  EXPECT_EQ(values(arange(-5, 5, 3, kChar)), (Numbers{-5, -2, 1, 4}));
  EXPECT_EQ(values(arange(0, 400, 100, kByte)), (Numbers{0, 100, 200, 44}));
  EXPECT_EQ(values(arange(0.5, 3, 0.5, kLong)), (Numbers{0, 0, 0, 0, 0}));  // start and step are taken as integers
  EXPECT_EQ(values(arange(0, 2.5, kLong)), (Numbers{0, 1, 2}));
  EXPECT_EQ(values(arange(0, 3, 0.5, kHalf)), (Numbers{0, 0.5, 1, 1.5, 2, 2.5}));
  EXPECT_EQ(values(arange(1, 2.5, 0.3, kDouble)), (Numbers{1, 1.3, 1.6, 1.9, 2.2}));
  EXPECT_EQ(values(arange(7, -2, -3)), (Numbers{7, 4, 1}));
  EXPECT_EQ(values(arange(0, 7, 3)), (Numbers{0, 3, 6}));
  EXPECT_EQ(values(arange(INT64_MIN, INT64_MAX, INT64_MAX)).size(), 3u);
  EXPECT_EQ(arange(0).numel(), 0);
  const int64_t large = int64_t{1} << 62;
  EXPECT_EQ(arange(large, large + 3).data_ptr<int64_t>()[2], large + 2);
  const Tensor many = arange(100000, kFloat);
  for (int64_t i = 0; i < 100000; ++i) ASSERT_EQ(many.data_ptr<float>()[i], static_cast<float>(i));
}

TEST(Create, ArangeErrors) {
  EXPECT_EQ(error_of([] { arange(0, 3, 0); }), "step must be nonzero");
  EXPECT_EQ(error_of([] { arange(0, 3, -1); }), "upper bound and lower bound inconsistent with step sign");
  EXPECT_EQ(error_of([] { arange(-3); }), "upper bound and lower bound inconsistent with step sign");
  EXPECT_EQ(error_of([] { arange(0, NAN, 1); }), "unsupported range: 0 -> nan");
  EXPECT_EQ(error_of([] { arange(0, INFINITY, 1); }), "unsupported range: 0 -> inf");
  EXPECT_EQ(error_of([] { arange(0, 3, INFINITY); }), "step must be finite but got inf");
  EXPECT_EQ(error_of([] { arange(0, 1e20, 1); }), "invalid size, possible overflow?");
  EXPECT_EQ(error_of([] { arange(INT64_MIN, INT64_MAX, 1); }), "invalid size, possible overflow?");
  EXPECT_EQ(error_of([] { arange(3, kBool); }), "\"arange_cpu\" not implemented for 'Bool'");
}

TEST(Create, Logspace) {
  EXPECT_EQ(values(logspace(0, 3, 4, 10, kDouble)), (Numbers{1, 10, 100, 1000}));
  EXPECT_EQ(values(logspace(-1, 2, 4, 2)), (Numbers{0.5, 1, 2, 4}));
  EXPECT_EQ(logspace(0, 1, 3).scalar_type(), kFloat);
}

TEST(Create, TriangleIndices) {
  EXPECT_EQ(values(tril_indices(3, 2)), (Numbers{0, 1, 1, 2, 2, 0, 0, 1, 0, 1}));
  EXPECT_EQ(tril_indices(3, 2).sizes().vec(), (std::vector<int64_t>{2, 5}));
  EXPECT_EQ(values(triu_indices(2, 3, 1)), (Numbers{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(triu_indices(2, 2, 0, kInt).scalar_type(), kInt);
}

TEST(Create, Linspace) {
  EXPECT_EQ(values(linspace(-1, 1, 5)), (Numbers{-1, -0.5, 0, 0.5, 1}));
  EXPECT_EQ(values(linspace(0.1, 0.7, 6, kDouble)), (Numbers{0.1, 0.22, 0.33999999999999997, 0.45999999999999996, 0.58, 0.7}));
  const Tensor x = linspace(0.1, 0.7, 6);
  const float golden[] = {0.100000001f, 0.219999999f, 0.339999974f, 0.460000008f, 0.579999983f, 0.699999988f};
  for (int i = 0; i < 6; ++i) EXPECT_EQ(x.data_ptr<float>()[i], golden[i]);
  EXPECT_EQ(values(linspace(-3, 10, 7, kHalf)), (Numbers{-3, -0.83349609375, 1.3330078125, 3.5, 5.66796875, 7.83203125, 10}));
  EXPECT_EQ(values(linspace(-7, 9, 6, kInt)), (Numbers{-7, -3, 0, 2, 5, 9}));
  EXPECT_EQ(values(linspace(250, 3, 5, kByte)), (Numbers{250, 188, 126, 64, 3}));
  EXPECT_EQ(linspace(0, 1, 3).scalar_type(), kFloat);
  EXPECT_EQ(values(linspace(2, 1, 1)), Numbers{2});
  EXPECT_EQ(linspace(0, 1, 0).numel(), 0);
  EXPECT_EQ(error_of([] { linspace(0, 1, -1); }), "number of steps must be non-negative");
  EXPECT_EQ(error_of([] { linspace(0, 1, 3, kBool); }), "\"linspace_cpu\" not implemented for 'Bool'");
}

TEST(Create, EmptyAndItsFormats) {
  EXPECT_EQ(empty({2, 3, 4, 5}, {}, MemoryFormat::ChannelsLast).strides(), IntArrayRef({60, 1, 15, 3}));
  EXPECT_EQ(empty({2, 3, 4, 5}, MemoryFormat::ChannelsLast).strides(), IntArrayRef({60, 1, 15, 3}));
  EXPECT_EQ(empty_strided({2, 3}, {1, 2}).strides(), IntArrayRef({1, 2}));
  EXPECT_EQ(error_of([] { empty({-1}); }), "Trying to create tensor with negative dimension -1: [-1]");
  EXPECT_EQ(error_of([] { empty({2, 2}, {}, MemoryFormat::ChannelsLast); }), "required rank 4 tensor to use channels_last format");
  EXPECT_EQ(error_of([] { empty({2, 2}, {}, MemoryFormat::Preserve); }), "unsupported memory format Preserve");
  EXPECT_EQ(error_of([] { empty_strided({2}, {1, 2}); }), "dimensionality of sizes (1) must match dimensionality of strides (2)");
  EXPECT_THROW(empty({2}, kSparse), NotImplementedError);
  const int64_t huge = int64_t{1} << 32;
  EXPECT_THROW(zeros({huge, huge, 16}, kInt), Error);
}

TEST(Create, Devices) {
  EXPECT_EQ(zeros({2}, device("cpu:0")).device(), Device(kCPU));
  EXPECT_TRUE(ones({2, 3}, device(kMeta)).is_meta());
  EXPECT_EQ(eye(3, device(kMeta)).sizes(), IntArrayRef({3, 3}));
  EXPECT_EQ(arange(4, device(kMeta)).numel(), 4);
}

TEST(Create, RequiresGrad) {
  for (const Tensor& x : {zeros({2}, requires_grad()), randn({2}, requires_grad()), arange(3.0, requires_grad()),
                          ones_like(zeros({2}), requires_grad()), tensor({1.0, 2.0}, requires_grad())}) {
    EXPECT_TRUE(x.requires_grad() && x.is_leaf());
    EXPECT_EQ(x._version(), 0);
  }
  EXPECT_EQ(error_of([] { zeros({2}, TensorOptions(kLong).requires_grad(true)); }),
            "Only Tensors of floating point and complex dtype can require gradients");
  EXPECT_FALSE(zeros_like(zeros({2}, requires_grad())).requires_grad());
}

// ---- Like another tensor -----------------------------------------------------------------------------------------------------------

TEST(Like, FollowsDtypeDeviceAndStrides) {
  const Tensor x = zeros({2, 3}, kDouble).t();
  for (const Tensor& y : {empty_like(x), zeros_like(x), ones_like(x), full_like(x, 7), rand_like(x), randn_like(x), randint_like(x, 5)}) {
    EXPECT_EQ(y.scalar_type(), kDouble);
    EXPECT_EQ(y.sizes(), IntArrayRef({3, 2}));
    EXPECT_EQ(y.strides(), IntArrayRef({1, 3}));
  }
  EXPECT_EQ(values(full_like(x, 7)), Numbers(6, 7));
  EXPECT_EQ(ones_like(x, kLong).scalar_type(), kLong);
  EXPECT_TRUE(ones_like(x, {}, MemoryFormat::Contiguous).is_contiguous());
  EXPECT_TRUE(zeros_like(zeros({2}, device(kMeta))).is_meta());
  EXPECT_EQ(empty_like(empty({2, 3, 4, 5}), {}, MemoryFormat::ChannelsLast).strides(), IntArrayRef({60, 1, 15, 3}));
}

// What has gaps or overlaps gives its order of dimensions, without gaps.
TEST(Like, OfTensorsThatAreNotDense) {
  EXPECT_EQ(empty_like(empty({4, 6}).slice(1, 0, 6, 2).t()).strides(), IntArrayRef({1, 3}));
  EXPECT_EQ(empty_like(empty({4, 1}).expand({4, 6})).strides(), IntArrayRef({6, 1}));
  EXPECT_EQ(empty_like(empty({1, 6}).expand({4, 6})).strides(), IntArrayRef({6, 1}));
  EXPECT_EQ(empty_like(empty({2, 3, 4}).permute({2, 0, 1})).strides(), IntArrayRef({1, 12, 4}));
}

TEST(Like, NewTensors) {
  const Tensor x = zeros({2}, kLong);
  EXPECT_EQ(x.new_zeros({3}).scalar_type(), kLong);
  EXPECT_EQ(values(x.new_ones({2})), Numbers(2, 1));
  EXPECT_EQ(values(x.new_full({2}, 3.0)), Numbers(2, 3));
  EXPECT_EQ(x.new_full({2}, 3.0).scalar_type(), kLong);
  EXPECT_EQ(x.new_empty({4}, kFloat).scalar_type(), kFloat);
}

// ---- tensor() ----------------------------------------------------------------------------------------------------------------------

TEST(Literal, ShapesAndDtypes) {
  const auto expect = [](const Tensor& x, ScalarType dtype, IntArrayRef sizes, const Numbers& numbers) {
    EXPECT_EQ(x.scalar_type(), dtype);
    EXPECT_EQ(x.sizes(), sizes);
    EXPECT_EQ(values(x), numbers);
  };
  expect(tensor(3), kLong, {}, {3});
  expect(tensor(3.5), kFloat, {}, {3.5});
  expect(tensor(true), kBool, {}, {1});
  expect(tensor({1, 2, 3}), kLong, {3}, {1, 2, 3});
  expect(tensor({true, false}), kBool, {2}, {1, 0});
  expect(tensor({1.5f, 2.5f}), kFloat, {2}, {1.5, 2.5});
  expect(tensor({{1, 2}}), kLong, {1, 2}, {1, 2});
  expect(tensor({{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}), kLong, {2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  expect(tensor({{{{1}}}}), kLong, {1, 1, 1, 1}, {1});
  expect(tensor({}), kFloat, {0}, {});
  expect(tensor({{}, {}}), kFloat, {2, 0}, {});
  expect(tensor({int8_t{1}, int8_t{-2}}), kChar, {2}, {1, -2});
  expect(tensor({1.0, 2.0}, kDouble), kDouble, {2}, {1, 2});
  expect(tensor({1, 2}, kFloat), kFloat, {2}, {1, 2});
  expect(tensor({1.9, -1.9}, kInt), kInt, {2}, {1, -1});
  expect(tensor({Half(0.5f)}), kHalf, {1}, {0.5});
  expect(tensor({1u, 2u}), kLong, {2}, {1, 2});
}

TEST(Literal, Containers) {
  EXPECT_EQ(tensor(std::vector<int>{1, 2}).scalar_type(), kLong);
  EXPECT_EQ(tensor(std::vector<double>{1, 2}).scalar_type(), kFloat);
  EXPECT_EQ(tensor(std::vector<uint8_t>{1, 2}).scalar_type(), kByte);
  EXPECT_EQ(values(tensor(IntArrayRef({4, 5}))), (Numbers{4, 5}));
  EXPECT_EQ(values(tensor(std::array<float, 2>{4, 5}, kDouble)), (Numbers{4, 5}));
  EXPECT_EQ(tensor(std::vector<float>()).sizes(), IntArrayRef({0}));
  const std::vector<int64_t> row = {1, 2};
  EXPECT_EQ(values(tensor({row, row})), (Numbers{1, 2, 1, 2}));
}

TEST(Literal, FollowsTheDefaultDtype) {
  const DefaultDtype scope(kDouble);
  EXPECT_EQ(tensor({1.0f}).scalar_type(), kDouble);
  EXPECT_EQ(tensor({}).scalar_type(), kDouble);
  EXPECT_EQ(tensor({0.1}).item<double>(), 0.1);
}

TEST(Literal, Errors) {
  EXPECT_EQ(error_of([] { tensor({{1, 2}, {3}}); }),
            "Expected all sub-lists to have sizes: 2 (e.g. {1, 2}), but got sub-list {3} with sizes: 1");
  EXPECT_EQ(error_of([] { tensor({{{1}, {2}}, {{3}, {}}}); }),
            "Expected all sub-lists to have sizes: 1 (e.g. {3}), but got sub-list {} with sizes: 0");
  EXPECT_EQ(error_of([] { tensor({{1, 2}, 3}); }),
            "Expected all sub-lists to have sizes: 2 (e.g. {1, 2}), but got sub-list 3 with sizes: ");
  EXPECT_EQ(error_of([] { tensor({1, 2.0}); }),
            "Expected all elements of the tensor to have the same scalar type: Int, but got element of scalar type: Double");
  EXPECT_EQ(error_of([] { tensor({{1.5, 2.0}, {true, false}}); }),
            "Expected all elements of the tensor to have the same scalar type: Double, but got element of scalar type: Bool");
  EXPECT_EQ(error_of([] { tensor({300}, kByte); }), "value cannot be converted to type uint8_t without overflow");
}

// ---- from_blob() -------------------------------------------------------------------------------------------------------------------

TEST(FromBlob, SharesTheMemory) {
  float data[6] = {0, 1, 2, 3, 4, 5};
  const Tensor x = from_blob(data, {2, 3});
  EXPECT_EQ(x.data_ptr(), data);
  EXPECT_EQ(values(x), (Numbers{0, 1, 2, 3, 4, 5}));
  x.mul_(2);
  EXPECT_EQ(data[5], 10);
  data[0] = 7;
  EXPECT_EQ(x[0][0].item<float>(), 7);
}

TEST(FromBlob, StridesOffsetAndOptions) {
  double data[6] = {0, 1, 2, 3, 4, 5};
  EXPECT_EQ(values(from_blob(data, {3, 2}, {1, 3}, kDouble)), (Numbers{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(values(from_blob(data, {2}, {2}, 1, nullptr, kDouble)), (Numbers{1, 3}));
  int64_t numbers[2] = {1, 2};
  EXPECT_EQ(from_blob(numbers, {2}, kLong).scalar_type(), kLong);
  EXPECT_TRUE(from_blob(data, {2}, TensorOptions(kDouble).requires_grad(true)).requires_grad());
  EXPECT_EQ(from_blob(nullptr, {0}).numel(), 0);
}

TEST(FromBlob, DeleterRunsOnceAfterTheLastView) {
  float data[4] = {1, 2, 3, 4};
  int calls = 0;
  void* deleted = nullptr;
  Tensor view;
  {
    const Tensor x = from_blob(data, {4}, [&](void* p) {
      ++calls;
      deleted = p;
    });
    view = x.slice(0, 1);
  }
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(values(view), (Numbers{2, 3, 4}));
  view = Tensor();
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(deleted, data);
  from_blob(data, {2, 2}, {1, 2}, [&](void*) { ++calls; }, kFloat);
  EXPECT_EQ(calls, 2);
}

TEST(FromBlob, Errors) {
  float data[4] = {};
  int calls = 0;
  EXPECT_THROW(from_blob(data, {2, 2}, {1}), Error);
  EXPECT_THROW(from_blob(data, {2}, {-1}), Error);
  EXPECT_THROW(from_blob(data, {-1}, [&](void*) { ++calls; }), Error);
  EXPECT_THROW(from_blob(data, {2}, {1}, -1, nullptr), Error);
  EXPECT_THROW(from_blob(nullptr, {2}, [&](void*) { ++calls; }), Error);
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(error_of([&] { from_blob(data, {2}).resize_({100}); }), "Trying to resize storage that is not resizable");
  EXPECT_THROW(from_blob(data, {2}, TensorOptions(kInt).requires_grad(true)), Error);
}

}  // namespace
}  // namespace wick
