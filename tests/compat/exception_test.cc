#include <c10/util/Exception.h>

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "wick/tests/compat/support.h"

namespace {

struct Kept : c10::WarningHandler {
  Kept() : before(c10::Warning::get_warning_handler()) { c10::Warning::set_warning_handler(this); }
  ~Kept() override { c10::Warning::set_warning_handler(before); }
  void process(const c10::SourceLocation&, const std::string& message, bool) override { messages.push_back(message); }

  c10::WarningHandler* before;
  std::vector<std::string> messages;
};

TEST(Exception, ChecksSayWhatTheyAreGiven) {
  EXPECT_EQ(message_of([] { TORCH_CHECK(1 + 1 == 2, "fine"); }), "");
  EXPECT_EQ(message_of([] { TORCH_CHECK(false, "got ", 3, " of ", 4.5); }), "got 3 of 4.5");
  EXPECT_EQ(message_of([] { TORCH_CHECK(1 > 2); }).rfind("Expected 1 > 2 to be true, but got false.", 0), 0u);
  EXPECT_THROW(TORCH_CHECK_INDEX(false, "i"), c10::IndexError);
  EXPECT_THROW(TORCH_CHECK_VALUE(false, "v"), c10::ValueError);
  EXPECT_THROW(TORCH_CHECK_TYPE(false, "t"), c10::TypeError);
  EXPECT_THROW(TORCH_CHECK_NOT_IMPLEMENTED(false, "n"), c10::NotImplementedError);
  EXPECT_THROW(TORCH_CHECK_LINALG(false, "l"), c10::LinAlgError);
  EXPECT_EQ(message_of([] { AT_ERROR("bad ", 7); }), "bad 7");
  EXPECT_THROW(C10_THROW_ERROR(ValueError, "x"), c10::ValueError);
}

TEST(Exception, ChecksInBranchesWithoutBraces) {
  int branch = 0;
  if (branch == 1) TORCH_CHECK(false, "not taken");
  else branch = 2;
  EXPECT_EQ(branch, 2);
}

TEST(Exception, AssertionsNameTheirPlace) {
  const std::string text = message_of([] { TORCH_INTERNAL_ASSERT(2 < 1, "because ", 1); });
  EXPECT_EQ(text.rfind("2 < 1 INTERNAL ASSERT FAILED at \"", 0), 0u) << text;
  EXPECT_NE(text.find("exception_test.cc"), std::string::npos);
  EXPECT_NE(text.find("because 1"), std::string::npos);
  EXPECT_NE(message_of([] { AT_ASSERT(false); }), "");
  EXPECT_NE(message_of([] { AT_ASSERTM(false, "m"); }).find("m"), std::string::npos);
  EXPECT_EQ(message_of([] { TORCH_INTERNAL_ASSERT_DEBUG_ONLY(true, "never"); }), "");
}

void warn_once() { TORCH_WARN_ONCE("careful ", 1); }

TEST(Exception, Warnings) {
  Kept kept;
  TORCH_WARN("first ", 1);
  for (int i = 0; i < 2; ++i) warn_once();
  EXPECT_EQ(kept.messages, (std::vector<std::string>{"first 1", "careful 1"}));
}

TEST(Exception, Strings) {
  EXPECT_EQ(c10::str(), "");
  EXPECT_EQ(c10::Join(", ", std::vector<int>{1, 2, 3}), "1, 2, 3");
  EXPECT_EQ(c10::Join(", ", std::vector<int>{}), "");
}

TEST(Warning, AlwaysWhileTheGuardLives) {
  EXPECT_FALSE(c10::Warning::get_warnAlways());
  {
    const c10::Warning::WarnAlways always;
    EXPECT_TRUE(c10::Warning::get_warnAlways());
  }
  EXPECT_FALSE(c10::Warning::get_warnAlways());
}

}  // namespace
