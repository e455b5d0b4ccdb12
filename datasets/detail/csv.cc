#include "wick/datasets/detail/csv.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "wick/framework/core/error.h"
#include "wick/framework/io/bytes.h"

namespace wick::datasets::detail {

namespace {

constexpr std::string_view kBlanks = " \t";

// A field as an error message shows it: in quotes, on one line, and not too long.
std::string quoted(std::string_view text) {
  constexpr size_t kLongest = 40;
  std::string out = "\"";
  for (const char c : text.substr(0, kLongest)) out += static_cast<unsigned char>(c) < ' ' ? '?' : c;
  return out + (text.size() > kLongest ? "...\"" : "\"");
}

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

struct Row {
  int64_t line = 0;
  std::vector<std::string> fields;
};

// Splits text into rows and rows into fields.
class Reader {
 public:
  Reader(std::string_view text, std::string_view name, char delimiter) : rest_(text), name_(name), delimiter_(delimiter) {
    WICK_CHECK_VALUE(!text.starts_with("\xff\xfe") && !text.starts_with("\xfe\xff"), name, ":1: the text is UTF-16; save it as UTF-8");
    WICK_CHECK_VALUE(std::string_view("\"\r\n").find(delimiter) == std::string_view::npos, 
                     "read_csv: the delimiter may not be a quote or a line end");
    if (rest_.starts_with("\xef\xbb\xbf")) rest_.remove_prefix(3);
  }

  // False at the end of the text.
  bool next(Row& row) {
    while (!rest_.empty()) {
      row.line = line_;
      row.fields.clear();
      do row.fields.push_back(take_field(row.line));
      while (take(delimiter_));
      if (!take_line_end() && !rest_.empty()) fail(row.line, "a carriage return that no line feed follows");
      const bool blank = row.fields.size() == 1 && row.fields[0].empty() && !was_quoted_;
      if (!blank) return true;
    }
    return false;
  }

  template <class... Parts>
  [[noreturn]] void fail(int64_t line, const Parts&... parts) const {
    wick::detail::raise<ValueError>(name_, ":", line, ": ", parts...);
  }

 private:
  bool take(char c) {
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool take_line_end() {
    if (rest_.starts_with("\r\n")) rest_.remove_prefix(1);
    if (!take('\n')) return false;
    ++line_;
    return true;
  }

  std::string take_field(int64_t row_line) {
    const char stops[] = {delimiter_, '\r', '\n', '"'};
    const size_t end = std::min(rest_.find_first_of(std::string_view(stops, sizeof(stops))), rest_.size());
    const std::string_view plain = trimmed(rest_.substr(0, end));
    was_quoted_ = end < rest_.size() && rest_[end] == '"';
    if (was_quoted_ && !plain.empty()) fail(row_line, "a quote inside the field that begins with ", quoted(plain));
    rest_.remove_prefix(end);
    return was_quoted_ ? take_quoted() : std::string(plain);
  }

  std::string take_quoted() {
    const int64_t first_line = line_;
    std::string field;
    take('"');
    do {
      const size_t end = rest_.find('"');
      if (end == std::string_view::npos) fail(first_line, "the quote before ", quoted(field.empty() ? rest_ : field), " is never closed");
      const std::string_view part = rest_.substr(0, end);
      line_ += std::count(part.begin(), part.end(), '\n');
      field += part;
      rest_.remove_prefix(end + 1);
      if (rest_.starts_with('"')) field += '"';
    } while (take('"'));
    while (!rest_.empty() && rest_[0] != delimiter_ && kBlanks.find(rest_[0]) != std::string_view::npos) rest_.remove_prefix(1);
    if (!rest_.empty() && rest_[0] != delimiter_ && rest_[0] != '\r' && rest_[0] != '\n') {
      fail(first_line, "text after the closing quote of ", quoted(field));
    }
    return field;
  }

  std::string_view rest_, name_;
  char delimiter_;
  int64_t line_ = 1;
  bool was_quoted_ = false;
};

struct Number {
  double value = 0;
  const char* error = nullptr;
};

Number parse_number(std::string_view text) {
  text = trimmed(text);
  if (text.empty()) return {0, "is empty"};
  const bool plus = text[0] == '+' && text.size() > 1 && text[1] != '-';
  Number number;
  const auto [end, error] = std::from_chars(text.data() + plus, text.data() + text.size(), number.value);
  if (error == std::errc::result_out_of_range) return {0, "is beyond the range of double"};
  if (error != std::errc() || end != text.data() + text.size()) return {0, "is not a number"};
  if (!std::isfinite(number.value)) return {0, "is not a finite number"};
  return number;
}

bool is_number(std::string_view text) { return parse_number(text).error == nullptr; }

bool is_nan(std::string_view text) {
  return text.size() == 3 && (text[0] | ' ') == 'n' && (text[1] | ' ') == 'a' && (text[2] | ' ') == 'n';
}

// The index of the label column, if one is wanted.
std::optional<size_t> find_label(const CsvColumn& label, const std::vector<std::string>& columns, const Reader& reader, int64_t line) {
  std::string list;
  for (const std::string& column : columns) list += (list.empty() ? "" : ", ") + quoted(column);
  const int64_t count = static_cast<int64_t>(columns.size());
  int64_t found;
  if (const std::string* name = std::get_if<std::string>(&label)) {
    if (name->empty()) return std::nullopt;
    const auto at = std::find(columns.begin(), columns.end(), *name);
    if (at == columns.end()) reader.fail(line, "there is no column ", quoted(*name), "; the columns are ", list);
    if (std::find(at + 1, columns.end(), *name) != columns.end()) {
      reader.fail(line, "there are two columns ", quoted(*name), "; the columns are ", list);
    }
    found = at - columns.begin();
  } else {
    const int64_t index = std::get<int64_t>(label);
    if (index < -count || index >= count) reader.fail(line, "there is no column ", index, "; the columns are ", list);
    found = index < 0 ? index + count : index;
  }
  if (count == 1) reader.fail(line, "the label is the only column");
  return static_cast<size_t>(found);
}

// Numbers the classes; `texts` are the labels of all rows.
void encode_labels(const std::vector<std::string>& texts, CsvTable& table) {
  const auto encode = [&](const auto& key_of) {
    std::map<decltype(key_of(texts[0])), std::pair<int64_t, std::string>> classes;
    for (const std::string& text : texts) classes.try_emplace(key_of(text), 0, text);
    for (auto& [key, value] : classes) {
      value.first = static_cast<int64_t>(table.class_names.size());
      table.class_names.push_back(value.second);
    }
    for (const std::string& text : texts) table.labels.push_back(classes.at(key_of(text)).first);
  };
  if (std::all_of(texts.begin(), texts.end(), is_number)) {
    encode([](const std::string& text) { return parse_number(text).value; });
  } else {
    encode([](const std::string& text) { return text; });
  }
}

// The names of the columns, from the first row.
std::vector<std::string> take_header(Reader& reader, Row& row, bool header) {
  if (!reader.next(row)) reader.fail(1, "the file is empty");
  if (header) {
    if (std::all_of(row.fields.begin(), row.fields.end(), is_number)) {
      reader.fail(row.line, "the header has numbers only; if the file has no header, say so with header = false");
    }
    return row.fields;
  }
  std::vector<std::string> columns;
  for (size_t c = 0; c < row.fields.size(); ++c) columns.push_back(std::to_string(c));
  return columns;
}

}  // namespace

CsvTable parse_csv(std::string_view text, const CsvOptions& options, std::string_view name) {
  Reader reader(text, name, options.delimiter);
  Row row;
  std::vector<std::string> columns = take_header(reader, row, options.header);
  const int64_t first_line = row.line;
  const auto label = find_label(options.label, columns, reader, first_line);
  if (options.header && !reader.next(row)) reader.fail(first_line, "there are no rows below the header");

  CsvTable table;
  table.features.cols = static_cast<int64_t>(columns.size()) - label.has_value();
  std::vector<std::string> label_texts;
  do {
    if (row.fields.size() != columns.size()) {
      reader.fail(row.line, row.fields.size(), row.fields.size() == 1 ? " field" : " fields", " instead of ", columns.size(),
                  " as in line ", first_line);
    }
    for (size_t c = 0; c < columns.size(); ++c) {
      const std::string& field = row.fields[c];
      if (c == label) {
        if (field.empty() || is_nan(field)) reader.fail(row.line, "column ", quoted(columns[c]), " has no label: ", quoted(field));
        label_texts.push_back(field);
        continue;
      }
      const Number number = parse_number(field);
      if (number.error) reader.fail(row.line, "column ", quoted(columns[c]), " ", number.error, ": ", quoted(field));
      table.features.values.push_back(number.value);
    }
    ++table.features.rows;
  } while (reader.next(row));

  if (label) {
    table.label_name = columns[*label];
    columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(*label));
    encode_labels(label_texts, table);
  }
  table.feature_names = std::move(columns);
  return table;
}

CsvTable read_csv(const std::string& path, const CsvOptions& options) { return parse_csv(io::read_file(path), options, path); }

}  // namespace wick::datasets::detail
