// UTF-8, columns and file names.
#include "wick/viz/terminal.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "wick/tests/viz/support.h"
#include "wick/viz/paths.h"
#include "wick/viz/utf8.h"

namespace wick::viz {
namespace {

std::vector<char32_t> decode(std::string_view text) {
  std::vector<char32_t> out;
  for (std::size_t i = 0; i < text.size();) out.push_back(next_code_point(text, i));
  return out;
}

TEST(Utf8, DecodesEveryLength) {
  EXPECT_EQ(decode("aµ中🚀"), (std::vector<char32_t>{U'a', U'µ', U'中', U'🚀'}));
  EXPECT_EQ(decode("\xf4\x8f\xbf\xbf"), (std::vector<char32_t>{0x10FFFF}));
}

TEST(Utf8, ReplacesInvalidBytesOneByOne) {
  const char32_t bad = kReplacementCharacter;
  EXPECT_EQ(decode("a\xe9z"), (std::vector<char32_t>{U'a', bad, U'z'}));              // Latin-1
  EXPECT_EQ(decode("\xe4\xb8"), (std::vector<char32_t>{bad, bad}));                   // cut off
  EXPECT_EQ(decode("\xc0\xaf"), (std::vector<char32_t>{bad, bad}));                   // overlong, two bytes
  EXPECT_EQ(decode("\xe0\x80\xaf"), (std::vector<char32_t>{bad, bad, bad}));          // overlong, three bytes
  EXPECT_EQ(decode("\xed\xa0\x80"), (std::vector<char32_t>{bad, bad, bad}));          // surrogate
  EXPECT_EQ(decode("\xf4\x90\x80\x80"), (std::vector<char32_t>{bad, bad, bad, bad}));  // above U+10FFFF
  EXPECT_EQ(decode("\xff\x80"), (std::vector<char32_t>{bad, bad}));
}

TEST(Utf8, CleansText) {
  EXPECT_EQ(clean_text("a\tb\x1b[K\nc\u0085中\xff"), "a b [K c 中\uFFFD");
  EXPECT_EQ(clean_text("a\nb\r", /*keep_newlines=*/true), "a\nb ");
}

TEST(DisplayWidth, CountsColumns) {
  EXPECT_EQ(display_width(""), 0);
  EXPECT_EQ(display_width("abc"), 3);
  EXPECT_EQ(display_width("中文"), 4);
  EXPECT_EQ(display_width("ｱ한🚀"), 5);
  EXPECT_EQ(display_width("e\u0301"), 1);
}

TEST(Fit, CutsBetweenCharacters) {
  EXPECT_EQ(fit("abc", 2), "ab");
  EXPECT_EQ(fit("abc", 9), "abc");
  EXPECT_EQ(fit("中文", 3), "中");
  EXPECT_EQ(fit("e\u0301x", 1), "e\u0301");
  EXPECT_EQ(fit("abc", 0), "");
  EXPECT_EQ(fit("abc", -1), "");
}

TEST(UserPath, StartsWhereTheUserStands) {
  {
    const ScopedVariable folder("BUILD_WORKING_DIRECTORY", "/home/me");
    EXPECT_EQ(user_path("loss.png"), "/home/me/loss.png");
    EXPECT_EQ(user_path("../loss.png"), "/home/me/../loss.png");
    EXPECT_EQ(user_path("/data/loss.png"), "/data/loss.png");
    EXPECT_EQ(user_path(".", "loss.png"), "/home/me/loss.png");
    EXPECT_EQ(user_path("out", "loss.png"), "/home/me/out/loss.png");
    EXPECT_EQ(user_path(""), "");
  }
  const ScopedVariable folder("BUILD_WORKING_DIRECTORY", std::nullopt);
  EXPECT_EQ(user_path("loss.png"), "loss.png");
  EXPECT_EQ(user_path(".", "loss.png"), "loss.png");
}

}  // namespace
}  // namespace wick::viz
