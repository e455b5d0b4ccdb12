#include "wick/framework/core/warning.h"

#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace {

struct Kept : wick::WarningHandler {
  Kept() : before(wick::Warning::get_warning_handler()) { wick::Warning::set_warning_handler(this); }
  ~Kept() override { wick::Warning::set_warning_handler(before); }
  void process(const wick::SourceLocation& where, const std::string& message, bool) override {
    messages.push_back(message);
    function = where.function;
  }

  wick::WarningHandler* before;
  std::vector<std::string> messages;
  std::string function;
};

void warn_once(int i) { WICK_WARN_ONCE("once ", i); }

TEST(Warning, GoesToTheHandlerWithItsPlace) {
  Kept kept;
  WICK_WARN("three is ", 3);
  EXPECT_EQ(kept.messages, (std::vector<std::string>{"three is 3"}));
  EXPECT_EQ(kept.function, "TestBody");
}

TEST(Warning, OnceIsOncePerPlaceUnlessAlwaysIsOn) {
  Kept kept;
  for (int i = 0; i < 3; ++i) warn_once(i);
  EXPECT_EQ(kept.messages, (std::vector<std::string>{"once 0"}));
  wick::Warning::set_warnAlways(true);
  EXPECT_TRUE(wick::Warning::get_warnAlways());
  warn_once(7);
  wick::Warning::set_warnAlways(false);
  warn_once(8);
  EXPECT_EQ(kept.messages, (std::vector<std::string>{"once 0", "once 7"}));
}

TEST(Warning, WithoutAHandlerItIsALineOnStderr) {
  testing::internal::CaptureStderr();
  WICK_WARN("mind the gap");
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(text.rfind("[W warning_test.cc:", 0), 0u) << text;
  EXPECT_NE(text.find("] Warning: mind the gap (function TestBody)\n"), std::string::npos) << text;
}

TEST(Warning, HandlersBelongToAThread) {
  Kept kept;
  std::thread([] {
    Kept other;
    WICK_WARN("elsewhere");
    EXPECT_EQ(other.messages.size(), 1u);
  }).join();
  EXPECT_TRUE(kept.messages.empty());
}

}  // namespace
