// Reading tables of numbers from CSV text (RFC 4180).
//
// Fields are separated by commas, rows end in LF or CRLF, the last line end may be missing, blank lines and a UTF-8 byte order mark
// are skipped. A field in double quotes may contain commas, line ends, and quotes written twice; around other fields, spaces and tabs
// are skipped. Every feature must be a finite decimal number. Whatever else a file contains is a ValueError that begins with
// "name:line: ", never a guess: a missing or superfluous field, an empty one, text, nan, a number beyond double's range, a quote
// that is not closed. The line is the one in which the row, or the quote at fault, begins.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "wick/datasets/detail/matrix.h"

namespace wick::datasets {

// A column by its name in the header, or by its index from 0; -1 is the last one.
using CsvColumn = std::variant<std::string, int64_t>;

struct CsvOptions {
  // The first row has the names of the columns. Without, they are called "0", "1", ...
  bool header = true;
  // The column that has the class of a row; nothing (an empty name) for none.
  CsvColumn label = std::string();
  char delimiter = ',';
};

namespace detail {

struct CsvTable {
  Matrix features;
  std::vector<std::string> feature_names;
  // If a label column was asked for: its name, the texts of the classes, and for each row the index of its class. Classes are in
  // the order of scikit-learn's LabelEncoder: by value if all labels are numbers (where 1 and 1.0 are the same class), else by bytes.
  std::string label_name;
  std::vector<std::string> class_names;
  std::vector<int64_t> labels;
};

// Throws Error if the file cannot be read, ValueError for what is in it.
CsvTable read_csv(const std::string& path, const CsvOptions& options = {});

// The same for text in memory; `name` is what messages call it.
CsvTable parse_csv(std::string_view text, const CsvOptions& options = {}, std::string_view name = "csv");

}  // namespace detail
}  // namespace wick::datasets
