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

// The page's own calls, each once; some functions have a row as well, whose inputs are of few dtypes.
TEST(OperationsPage, TriesNothingTwice) {
  std::set<std::string> tried;
  for (const Row& row : elsewhere_calls()) EXPECT_TRUE(tried.insert(row.name).second) << row.name;
}

}  // namespace
}  // namespace wick::test
