// Results larger than the processor's caches are written past them, line by line; these tests take lengths and offsets that leave
// incomplete lines at either end.
#include <gtest/gtest.h>

#include <cstdint>

#include "wick.h"

namespace {

using namespace wick;

constexpr int64_t kLarge = (int64_t{52} << 20) / 4;  // floats: more than any of the thresholds, with one operand

// Whether out holds f(i) at each i.
template <class T, class F>
bool holds(const Tensor& out, const F& f) {
  const T* p = out.const_data_ptr<T>();
  for (int64_t i = 0; i < out.numel(); ++i) {
    if (p[i] != f(i)) return false;
  }
  return true;
}

Tensor ramp(int64_t n, ScalarType dtype) { return arange(n, kInt).remainder(1000).to(dtype); }

TEST(Stream, SumsOfEveryLengthAndOffset) {
  const Tensor x = ramp(kLarge + 64, kFloat);
  for (const int64_t offset : {0, 1, 15, 16}) {
    const int64_t n = kLarge - 3 * offset;
    Tensor memory = full({n + 64}, -1.0f);
    Tensor out = memory.slice(0, offset, offset + n);
    const Tensor in = x.slice(0, offset, offset + n);
    add_out(out, in, in);
    EXPECT_TRUE(holds<float>(out, [&](int64_t i) { return 2.0f * static_cast<float>((i + offset) % 1000); })) << offset;
    // Nothing beside the output is written.
    EXPECT_TRUE(memory.slice(0, 0, offset).eq(-1).all().item<bool>());
    EXPECT_TRUE(memory.slice(0, offset + n).eq(-1).all().item<bool>());
  }
}

TEST(Stream, OtherTypesAndBroadcasts) {
  const Tensor wide = ramp(kLarge / 2 + 5, kDouble);
  EXPECT_TRUE(holds<double>(wide * 0.5, [](int64_t i) { return 0.5 * static_cast<double>(i % 1000); }));
  const Tensor x = ramp(kLarge + 5, kFloat);
  EXPECT_TRUE(holds<bool>(x > 500, [](int64_t i) { return i % 1000 > 500; }));
  const Tensor rows = ramp(kLarge, kFloat).slice(0, 0, kLarge / 1000 * 1000).view({-1, 1000});
  const Tensor row = arange(1000, kFloat);
  EXPECT_TRUE(holds<float>(rows - row, [](int64_t) { return 0.0f; }));
  EXPECT_TRUE(holds<float>(where(x > 500, x, -x), [](int64_t i) {
    const float v = static_cast<float>(i % 1000);
    return v > 500 ? v : -v;
  }));
}

TEST(Stream, CopiesAndWhatStaysInPlace) {
  const Tensor x = ramp(kLarge + 70, kFloat);
  EXPECT_TRUE(holds<float>(x.slice(0, 3).clone(), [](int64_t i) { return static_cast<float>((i + 3) % 1000); }));
  Tensor memory = zeros({kLarge + 70});
  memory.slice(0, 5, 5 + kLarge).copy_(x.slice(0, 0, kLarge));
  EXPECT_TRUE(holds<float>(memory, [](int64_t i) { return i < 5 || i >= kLarge + 5 ? 0.0f : static_cast<float>((i - 5) % 1000); }));
  memory.add_(memory).mul_(0.5);
  EXPECT_TRUE(holds<float>(memory.slice(0, 5, 5 + kLarge), [](int64_t i) { return static_cast<float>(i % 1000); }));
}

TEST(Stream, Joins) {
  const Tensor x = ramp(kLarge / 2 + 35, kFloat);
  const int64_t n = x.numel();
  EXPECT_TRUE(holds<float>(cat({x, x}), [n](int64_t i) { return static_cast<float>(i % n % 1000); }));
  const Tensor rows = x.slice(0, 0, n / 500 * 500).view({-1, 500});  // parts that begin in the middle of a line
  EXPECT_TRUE(holds<float>(cat({rows, rows.slice(1, 0, 497)}, 1), [](int64_t i) {
    const int64_t column = i % 997;
    return static_cast<float>((i / 997 * 500 + (column < 500 ? column : column - 500)) % 1000);
  }));
}

}  // namespace
