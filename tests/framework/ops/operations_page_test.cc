// docs/operations.md says what the operations do.
#include "wick/tests/framework/ops/operations_page.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

namespace wick::test {
namespace {

TEST(OperationsPage, SaysWhatTheCodeDoes) {
  std::ifstream file("docs/operations.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}}, expected = operations_page();
  ASSERT_FALSE(page.empty());
  std::set<std::string> lines;
  std::istringstream in(page);
  for (std::string line; std::getline(in, line);) lines.insert(line);
  std::string differences;
  in = std::istringstream(expected);
  for (std::string line; std::getline(in, line);) if (!lines.contains(line)) differences += line + '\n';
  EXPECT_TRUE(page == expected) << "docs/operations.md lacks these lines, or has others:\n" << differences
                                << "./bazelw run //tests/framework/ops:write_operations_page > docs/operations.md";
}

// Every function without a row that this page tries is one, and no row is tried here once more.
TEST(OperationsPage, TriesWhatHasNoRow) {
  std::set<std::string> elsewhere, tried;
  for (const Elsewhere& e : tested_elsewhere()) elsewhere.insert(e.function);
  for (const Row& row : elsewhere_calls()) {
    EXPECT_TRUE(tried.insert(row.name).second) << row.name;
    EXPECT_TRUE(elsewhere.contains(row.name)) << row.name << " has a row: its call here is superfluous";
  }
}

}  // namespace
}  // namespace wick::test
