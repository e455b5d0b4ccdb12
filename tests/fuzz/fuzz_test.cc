// A target's inputs without libFuzzer: its seeds, what has been found before, and a fixed number of changed copies.
#include "wick/tests/fuzz/fuzz.h"

#include <filesystem>

#include "wick/tests/framework/io/support.h"

namespace wick::fuzz {
namespace {

constexpr int kInputs = 2000;

// Whether the input is a good one.
bool accepts(const std::string& bytes) {
  try {
    parse(bytes);
    return true;
  } catch (const Error&) {
    return false;
  }
}

TEST(Fuzz, SeedsAreGood) {
  EXPECT_FALSE(seeds().empty());
  for (const std::string& seed : seeds()) EXPECT_NO_THROW(parse(seed));
}

TEST(Fuzz, WhatWasFoundBefore) {
  accepts("");
  const std::filesystem::path folder = std::filesystem::path("tests/fuzz/found") / kName;
  if (!std::filesystem::exists(folder)) return;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    SCOPED_TRACE(entry.path().string());
    EXPECT_NO_THROW(accepts(io::read_file(entry.path().string())));
  }
}

TEST(Fuzz, ChangedCopies) {
  std::mt19937 random(20240229);
  const std::vector<std::string> good = seeds();
  int accepted = 0;
  for (int i = 0; i < kInputs; ++i) {
    std::string bytes = test::mutated(good[static_cast<size_t>(i) % good.size()], random);
    for (size_t again = random() % 3; again > 0; --again) bytes = test::mutated(bytes, random);
    ASSERT_NO_THROW(accepted += accepts(bytes)) << "input " << i;
  }
  // Neither all good nor all bad: the changes reach what lies behind the first check.
  EXPECT_GT(accepted, 0);
  EXPECT_LT(accepted, kInputs * 99 / 100);
}

}  // namespace
}  // namespace wick::fuzz
