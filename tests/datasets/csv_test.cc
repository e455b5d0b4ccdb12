#include "wick/datasets/detail/csv.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "wick/framework/core/error.h"
#include "wick/tests/framework/core/support.h"

namespace wick::datasets::detail {
namespace {

using test::message_of;

using Values = std::vector<double>;
using Names = std::vector<std::string>;
using Labels = std::vector<int64_t>;

std::string error(std::string_view text, const CsvOptions& options = {}) {
  return message_of([&] { parse_csv(text, options, "t.csv"); });
}

TEST(Csv, ReadsNumbersAndNames) {
  const CsvTable table = parse_csv("a,b,c\n1,-2.5,3e2\n+4,.5,0\n");
  EXPECT_EQ(table.feature_names, (Names{"a", "b", "c"}));
  EXPECT_EQ(table.features.rows, 2);
  EXPECT_EQ(table.features.cols, 3);
  EXPECT_EQ(table.features.values, (Values{1, -2.5, 300, 4, 0.5, 0}));
  EXPECT_TRUE(table.label_name.empty() && table.labels.empty() && table.class_names.empty());
}

TEST(Csv, ReadsEveryDoubleExactly) {
  EXPECT_EQ(parse_csv("x\n0.1\n1.7976931348623157e308\n4.9406564584124654e-324\n-0.30000000000000004\n").features.values,
            (Values{0.1, 1.7976931348623157e308, 4.9406564584124654e-324, -0.30000000000000004}));
}

TEST(Csv, TakesAnyLineEndAByteOrderMarkAndBlankLines) {
  const Values expected{1, 2, 3, 4};
  for (const char* text : {"a,b\n1,2\n3,4", "a,b\r\n1,2\r\n3,4\r\n", "\xef\xbb\xbf" "a,b\n1,2\n3,4\n",
                           "\n\na,b\n\n1,2\r\n\r\n  \n3,4\n\n\n", " a\t, b\n 1 ,2\t\n3, 4"}) {
    const CsvTable table = parse_csv(text);
    EXPECT_EQ(table.features.values, expected) << text;
    EXPECT_EQ(table.feature_names, (Names{"a", "b"})) << text;
  }
  EXPECT_EQ(parse_csv(std::string(1 << 20, '\n') + std::string(1 << 20, ' ') + "\na\n1").features.values, Values{1});
}

TEST(Csv, ReadsQuotedFields) {
  const CsvTable table = parse_csv("\"width, in cm\",\"the \"\"real\"\" one\",\"two\r\nlines\"\n\"1\" ,  \"2\",3\n", {}, "t.csv");
  EXPECT_EQ(table.feature_names, (Names{"width, in cm", "the \"real\" one", "two\r\nlines"}));
  EXPECT_EQ(table.features.values, (Values{1, 2, 3}));
  const CsvTable labels = parse_csv("x,y\n1,\" a\"\n2,a\n3,\"a\"\n", {.label = "y"});
  EXPECT_EQ(labels.class_names, (Names{" a", "a"}));
  EXPECT_EQ(labels.labels, (Labels{0, 1, 1}));
}

TEST(Csv, CountsTheLinesInsideQuotes) {
  EXPECT_EQ(error("a,\"b\nb\n\"\n1,2\n3,x\n"), "t.csv:5: column \"b?b?\" is not a number: \"x\"");
}

TEST(Csv, TakesTheLabelByNameAndByIndex) {
  const char* text = "a,species,b\n1,virginica,2\n3,setosa,4\n5,virginica,6\n";
  for (const CsvColumn& label : {CsvColumn("species"), CsvColumn(1), CsvColumn(-2)}) {
    const CsvTable table = parse_csv(text, {.label = label});
    EXPECT_EQ(table.features.values, (Values{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(table.feature_names, (Names{"a", "b"}));
    EXPECT_EQ(table.label_name, "species");
    EXPECT_EQ(table.class_names, (Names{"setosa", "virginica"}));
    EXPECT_EQ(table.labels, (Labels{1, 0, 1}));
  }
}

TEST(Csv, OrdersClassesAsLabelEncoderDoes) {
  const CsvTable numbers = parse_csv("x,y\n0,10\n0,9\n0,-1\n0,9.0\n", {.label = "y"});
  EXPECT_EQ(numbers.class_names, (Names{"-1", "9", "10"}));
  EXPECT_EQ(numbers.labels, (Labels{2, 1, 0, 1}));
  const CsvTable texts = parse_csv("x,y\n0,10\n0,9\n0,b\n0,B\n0,\xc3\xa4\n", {.label = "y"});
  EXPECT_EQ(texts.class_names, (Names{"10", "9", "B", "b", "\xc3\xa4"}));
  EXPECT_EQ(texts.labels, (Labels{0, 1, 3, 2, 4}));
}

TEST(Csv, ReadsWithoutAHeader) {
  const CsvTable table = parse_csv("1,2,x\n3,4,y", {.header = false, .label = -1});
  EXPECT_EQ(table.feature_names, (Names{"0", "1"}));
  EXPECT_EQ(table.features.values, (Values{1, 2, 3, 4}));
  EXPECT_EQ(table.labels, (Labels{0, 1}));
  EXPECT_EQ(parse_csv("1,2", {.header = false, .label = "1"}).class_names, Names{"2"});
}

TEST(Csv, TakesOtherDelimiters) {
  EXPECT_EQ(parse_csv("a;b\n1;2", {.delimiter = ';'}).features.values, (Values{1, 2}));
  EXPECT_EQ(parse_csv("a\t\"b\"\n1\t2", {.delimiter = '\t'}).features.values, (Values{1, 2}));
  EXPECT_EQ(error("a\n1", {.delimiter = '"'}), "read_csv: the delimiter may not be a quote or a line end");
}

TEST(Csv, RefusesWhatIsNotANumber) {
  EXPECT_EQ(error("a,b,c\n1,,3\n"), "t.csv:2: column \"b\" is empty: \"\"");
  EXPECT_EQ(error("a,b\n1,2\n3,abc\n"), "t.csv:3: column \"b\" is not a number: \"abc\"");
  EXPECT_EQ(error("a\n1e400"), "t.csv:2: column \"a\" is beyond the range of double: \"1e400\"");
  EXPECT_EQ(error("a\n-1e400"), "t.csv:2: column \"a\" is beyond the range of double: \"-1e400\"");
  EXPECT_EQ(error("a\n1e-400"), "t.csv:2: column \"a\" is beyond the range of double: \"1e-400\"");
  for (const char* text : {"nan", "NaN", "-nan", "inf", "-Infinity", "nan(0)"}) {
    EXPECT_EQ(error("a\n" + std::string(text)), "t.csv:2: column \"a\" is not a finite number: \"" + std::string(text) + "\"");
  }
  for (const char* text : {"1.2.3", "1 2", "0x10", "1_000", "1e", "--1", "+-1", "++1", "+", "-", ".", "e5", "1f", "\xd9\xa1"}) {
    EXPECT_EQ(error("a\n" + std::string(text)), "t.csv:2: column \"a\" is not a number: \"" + std::string(text) + "\"");
  }
  EXPECT_EQ(error(std::string("a\n1\0", 4)), "t.csv:2: column \"a\" is not a number: \"1?\"");
  EXPECT_EQ(error("a\n" + std::string(100, 'x')), "t.csv:2: column \"a\" is not a number: \"" + std::string(40, 'x') + "...\"");
}

TEST(Csv, RefusesRowsOfAnotherLength) {
  EXPECT_EQ(error("a,b\n1,2\n3\n"), "t.csv:3: 1 field instead of 2 as in line 1");
  EXPECT_EQ(error("a,b\n1,2,3\n"), "t.csv:2: 3 fields instead of 2 as in line 1");
  EXPECT_EQ(error("a,b\n1,2,\n"), "t.csv:2: 3 fields instead of 2 as in line 1");
  EXPECT_EQ(error("\n\n1,2\n3,4,5\n", {.header = false}), "t.csv:4: 3 fields instead of 2 as in line 3");
}

TEST(Csv, RefusesFilesWithoutData) {
  for (const char* text : {"", "\n", "\r\n  \n", "\xef\xbb\xbf"}) EXPECT_EQ(error(text), "t.csv:1: the file is empty") << text;
  EXPECT_EQ(error("a,b\n"), "t.csv:1: there are no rows below the header");
  EXPECT_EQ(error("1,2\n3,4\n"), "t.csv:1: the header has numbers only; if the file has no header, say so with header = false");
  EXPECT_EQ(error("\xff\xfe" "a"), "t.csv:1: the text is UTF-16; save it as UTF-8");
}

TEST(Csv, RefusesLabelsThatAreNotThere) {
  const char* text = "a,b\n1,2\n";
  EXPECT_EQ(error(text, {.label = "species"}), "t.csv:1: there is no column \"species\"; the columns are \"a\", \"b\"");
  EXPECT_EQ(error(text, {.label = 2}), "t.csv:1: there is no column 2; the columns are \"a\", \"b\"");
  EXPECT_EQ(error(text, {.label = -3}), "t.csv:1: there is no column -3; the columns are \"a\", \"b\"");
  EXPECT_EQ(error("a,b,a\n1,2,3\n", {.label = "a"}), "t.csv:1: there are two columns \"a\"; the columns are \"a\", \"b\", \"a\"");
  EXPECT_EQ(error("a\nx\n", {.label = "a"}), "t.csv:1: the label is the only column");
  EXPECT_EQ(error("a,b\n1,x\n2,\n", {.label = "b"}), "t.csv:3: column \"b\" has no label: \"\"");
  EXPECT_EQ(error("a,b\n1,0\n2,NaN\n", {.label = "b"}), "t.csv:3: column \"b\" has no label: \"NaN\"");
}

TEST(Csv, RefusesFaultyQuotes) {
  EXPECT_EQ(error("a,b\n1,\"2\n3,4\n"), "t.csv:2: the quote before \"2?3,4?\" is never closed");
  EXPECT_EQ(error("a\n\""), "t.csv:2: the quote before \"\" is never closed");
  EXPECT_EQ(error("a\n\"1\"2\n"), "t.csv:2: text after the closing quote of \"1\"");
  EXPECT_EQ(error("a\n1\"2\"\n"), "t.csv:2: a quote inside the field that begins with \"1\"");
  EXPECT_EQ(error("a\r1\r"), "t.csv:1: a carriage return that no line feed follows");
}

TEST(Csv, ReadsFiles) {
  const std::string path = testing::TempDir() + "wick_csv_test.csv";
  std::ofstream(path, std::ios::binary) << "a,b\r\n1,2";
  EXPECT_EQ(read_csv(path).features.values, (Values{1, 2}));
  std::ofstream(path, std::ios::binary) << "a,b\n1\n";
  EXPECT_EQ(message_of([&] { read_csv(path); }), path + ":2: 1 field instead of 2 as in line 1");
  std::remove(path.c_str());
  EXPECT_EQ(message_of([&] { read_csv(path); }), "cannot open " + path + ": No such file or directory");
  EXPECT_EQ(message_of([&] { read_csv(testing::TempDir()); }), "cannot read " + testing::TempDir() + ": Is a directory");
}

// Any change to a good file gives a table whose parts fit together, or an error that names a line.
TEST(Csv, SurvivesDamagedFiles) {
  const std::string good = "a,\"b \"\"x\"\"\",class\r\n1,2.5,u\n\"3\",-4e-3,\"v, w\"\n5,6,u\n";
  const std::string bytes = "\",\n\r\t 0e-.n\x80\xff;";
  std::mt19937 random(1);
  int read = 0, refused = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text = good;
    for (unsigned change = 0; change <= random() % 3; ++change) {
      const size_t at = random() % (text.size() + 1);
      switch (random() % 3) {
        case 0: text.insert(at, 1, bytes[random() % bytes.size()]); break;
        case 1: text.erase(at, 1 + random() % 4); break;
        default: if (at < text.size()) text[at] = bytes[random() % bytes.size()];
      }
    }
    try {
      const CsvTable table = parse_csv(text, {.label = -1});
      const size_t rows = static_cast<size_t>(table.features.rows);
      ASSERT_GT(rows, 0u);
      ASSERT_EQ(table.features.values.size(), rows * table.feature_names.size()) << text;
      ASSERT_EQ(table.labels.size(), rows);
      for (const int64_t label : table.labels) ASSERT_LT(static_cast<size_t>(label), table.class_names.size());
      ++read;
    } catch (const ValueError& error) {
      ASSERT_TRUE(std::string(error.what()).starts_with("csv:")) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(read, 1000);
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace wick::datasets::detail
