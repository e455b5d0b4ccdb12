// Which dtype a result has where the inputs' dtypes differ: what PyTorch gives for every pair.
#include <string_view>

#include "wick/tests/framework/ops/checks.h"

namespace wick::test {
namespace {

// A letter for each dtype, in the order of the tables' rows and columns.
constexpr std::string_view kLetters = "ucsilhfdbg";
constexpr ScalarType kDtypes[] = {kByte, kChar, kShort, kInt, kLong, kHalf, kFloat, kDouble, kBool, kBFloat16};
using Table = const std::string_view (&)[10];

ScalarType dtype_of_letter(char letter) { return kDtypes[kLetters.find(letter)]; }

template <class F>
void expect_table(Table table, const F& result) {
  for (size_t i = 0; i < 10; ++i) {
    for (size_t j = 0; j < 10; ++j) {
      EXPECT_EQ(result(kDtypes[i], kDtypes[j]), dtype_of_letter(table[i][j]))
          << dtype_name(kDtypes[i]) << " and " << dtype_name(kDtypes[j]);
    }
  }
}

TEST(Promotion, OfTensorsWithDimensions) {
  constexpr std::string_view kTable[10] = {"ussilhfdug", "scsilhfdcg", "sssilhfdsg", "iiiilhfdig", "lllllhfdlg",
                                           "hhhhhhfdhf", "fffffffdff", "dddddddddd", "ucsilhfdbg", "gggggffdgg"};
  expect_table(kTable, [](ScalarType a, ScalarType b) { return promote_types(a, b); });
  expect_table(kTable, [](ScalarType a, ScalarType b) { return (ones({2}, a) + ones({2}, b)).scalar_type(); });
}

// A 0-dim tensor counts only where its kind (bool, integer, floating point) is a higher one.
TEST(Promotion, OfATensorWithDimensionsAndOneWithout) {
  constexpr std::string_view kTable[10] = {"uuuuuhfdug", "ccccchfdcg", "ssssshfdsg", "iiiiihfdig", "lllllhfdlg",
                                           "hhhhhhhhhh", "ffffffffff", "dddddddddd", "ucsilhfdbg", "gggggggggg"};
  expect_table(kTable, [](ScalarType a, ScalarType b) { return (ones({2}, a) + ones({}, b)).scalar_type(); });
  expect_table(kTable, [](ScalarType a, ScalarType b) { return (ones({}, b) + ones({2}, a)).scalar_type(); });
}

TEST(Promotion, OfATensorAndANumber) {
  const auto expect_row = [](std::string_view row, const Scalar& number) {
    for (size_t i = 0; i < 10; ++i) {
      EXPECT_EQ((ones({2}, kDtypes[i]) * number).scalar_type(), dtype_of_letter(row[i])) << dtype_name(kDtypes[i]);
      EXPECT_EQ((ones({}, kDtypes[i]) * number).scalar_type(), dtype_of_letter(row[i])) << dtype_name(kDtypes[i]) << ", 0-dim";
    }
  };
  expect_row("ucsilhfdbg", true);
  expect_row("ucsilhfdlg", 1);
  expect_row("fffffhfdfg", 1.5);
  for (size_t i = 0; i < 10; ++i) {
    const Tensor x = ones({2}, kDtypes[i]);
    EXPECT_EQ((x / x).scalar_type(), dtype_of_letter("fffffhfdfg"[i])) << dtype_name(kDtypes[i]);
  }
}

TEST(Promotion, InPlaceKeepsTheDtypeOrRefuses) {
  constexpr std::string_view kAllowed[10] = {"1111100010", "1111100010", "1111100010", "1111100010", "1111100010",
                                             "1111111111", "1111111111", "1111111111", "0000000010", "1111111111"};
  for (size_t i = 0; i < 10; ++i) {
    for (size_t j = 0; j < 10; ++j) {
      const Tensor x = ones({2}, kDtypes[i]);
      const std::string message = error_of([&] { x.mul_(ones({2}, kDtypes[j])); });
      EXPECT_EQ(x.scalar_type(), kDtypes[i]);
      if (kAllowed[i][j] == '1') EXPECT_EQ(message, "no error");
      else EXPECT_EQ(message, detail::concat("result type ", promote_types(kDtypes[i], kDtypes[j]),
                                             " can't be cast to the desired output type ", kDtypes[i]));
    }
  }
}

TEST(Promotion, ComputesInTheCommonDtype) {
  // 2^24 + 1 is no float32, and 300 no uint8.
  EXPECT_EQ(values(tensor({16777217}) * tensor({1.0}, kDouble)), Numbers{16777217});
  EXPECT_EQ(values(tensor({200}, kByte) + tensor({100}, kByte)), Numbers{44});
  EXPECT_EQ(values(tensor({200}, kByte) + tensor({100}, kShort)), Numbers{300});
  EXPECT_EQ(values(tensor({100}, kByte) + 200), Numbers{44});
  // A number that the tensor's dtype cannot hold is still compared as what it is.
  EXPECT_EQ(values(tensor({100}, kByte) < 300), Numbers{1});
  EXPECT_EQ(values(tensor({1}, kInt) < (int64_t{1} << 40)), Numbers{1});
}

}  // namespace
}  // namespace wick::test
