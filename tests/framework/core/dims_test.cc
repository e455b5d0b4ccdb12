#include "wick/framework/core/dims.h"

#include <cstdint>
#include <string>

#include "gtest/gtest.h"
#include "wick/tests/framework/core/support.h"

namespace wick {
namespace {

using test::error_of;
using test::message_of;

TEST(Dims, HoldsAsManyAsATensorHas) {
  Dims dims{2, 3};
  dims.push_back(4);
  dims.insert(1, 7);
  EXPECT_EQ(dims, (Dims{2, 7, 3, 4}));
  dims.erase(0);
  dims.pop_back();
  EXPECT_EQ(dims, (Dims{7, 3}));
  dims.resize(3);
  EXPECT_EQ(dims, (Dims{7, 3, 0}));
  dims = Dims(static_cast<size_t>(kMaxDims), 1);
  EXPECT_EQ(error_of([&] { dims.push_back(1); }), "a tensor of wick has at most 16 dimensions, got 17");
  EXPECT_EQ(dims, Dims(static_cast<size_t>(kMaxDims), 1));
}

TEST(Dims, CountsAreCheckedForOverflow) {
  EXPECT_EQ(checked_numel({}), 1);
  EXPECT_EQ(checked_numel({2, 3, 4}), 24);
  EXPECT_EQ(checked_numel({INT64_MAX, INT64_MAX, 0}), 0);  // nothing, however large the others are
  EXPECT_NE(error_of([] { checked_numel({int64_t{1} << 32, int64_t{1} << 32}); }).find("overflowed"), std::string::npos);
  EXPECT_EQ(error_of([] { checked_numel({2, -1}); }), "Trying to create tensor with negative dimension -1: [2, -1]");
  EXPECT_EQ(checked_nbytes(3, 8), 24);
  EXPECT_NE(error_of([] { checked_nbytes(INT64_MAX, 2); }).find("overflowed"), std::string::npos);
}

TEST(Dims, StridesAreRowMajor) {
  EXPECT_EQ(contiguous_strides({2, 3, 4}), (Dims{12, 4, 1}));
  EXPECT_EQ(contiguous_strides({2, 0, 4}), (Dims{4, 4, 1}));
  EXPECT_EQ(contiguous_strides({}), Dims());
}

TEST(Dims, ADimensionMayCountFromTheEnd) {
  EXPECT_EQ(wrap_dim(-1, 3), 2);
  EXPECT_EQ(wrap_dim(2, 3), 2);
  EXPECT_EQ(wrap_dim(-1, 0), 0);
  EXPECT_EQ(error_of([] { wrap_dim(3, 3); }), "Dimension out of range (expected to be in range of [-3, 2], but got 3)");
  EXPECT_EQ(error_of([] { wrap_dim(-4, 3); }), "Dimension out of range (expected to be in range of [-3, 2], but got -4)");
}

TEST(Dims, ShapesBroadcastFromTheRight) {
  EXPECT_EQ(broadcast_shapes({5, 1, 3}, {4, 1}), (Dims{5, 4, 3}));
  EXPECT_EQ(broadcast_shapes({}, {2}), Dims{2});
  EXPECT_EQ(broadcast_shapes({1}, {0}), Dims{0});
  EXPECT_EQ(message_of([] { broadcast_shapes({2, 3}, {2}); }),
            "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 1\n  shapes: [2, 3] and [2]\n"
            "  Compared from the last dimension on, sizes must be equal or one of them 1; unsqueeze() adds a 1.");
}

TEST(Dims, ListsAreJoined) {
  EXPECT_EQ(joined_dims({{1, 2}, {}, {3}}), (Dims{1, 2, 3}));
  EXPECT_EQ(joined_text({2, 3, 5}, "x"), "2x3x5");
  EXPECT_EQ(joined_text({7}, ", "), "7");
  EXPECT_EQ(joined_text({}, ", "), "");
}

}  // namespace
}  // namespace wick
