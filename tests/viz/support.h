// What the tests of viz share: a folder of their own, an environment that is put back, and looks into text.
#pragma once

#include <gtest/gtest.h>
#include <regex.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wick::viz {

using Names = std::vector<std::string>;

// An empty folder that is removed with its content.
class TestFolder {
 public:
  TestFolder() {
    std::string name = testing::TempDir() + "/wick-viz-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "cannot make " << name;
    path_ = name;
  }
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

  // The names of everything in it, sorted, hidden files included.
  Names names() const {
    Names out;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) out.push_back(entry.path().filename().string());
    std::sort(out.begin(), out.end());
    return out;
  }

 private:
  std::filesystem::path path_;
};

inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_file(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

inline testing::AssertionResult contains(std::string_view text, std::string_view part) {
  if (text.find(part) != std::string_view::npos) return testing::AssertionSuccess() << '"' << part << "\" is in\n" << text;
  return testing::AssertionFailure() << '"' << part << "\" is not in\n" << text;
}

// Whether an extended POSIX regular expression matches somewhere.
inline testing::AssertionResult matches(const std::string& text, const std::string& pattern) {
  regex_t regex;
  if (regcomp(&regex, pattern.c_str(), REG_EXTENDED | REG_NOSUB) != 0) return testing::AssertionFailure() << "bad pattern " << pattern;
  const bool found = regexec(&regex, text.c_str(), 0, nullptr, 0) == 0;
  regfree(&regex);
  return (found ? testing::AssertionSuccess() : testing::AssertionFailure()) << pattern << " in\n" << text;
}

// Sets an environment variable, or removes it, for the life of the object.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, std::optional<std::string> value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    set(value);
  }
  ~ScopedVariable() { set(old_); }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;

 private:
  void set(const std::optional<std::string>& value) {
    if (value) setenv(name_, value->c_str(), 1);
    else unsetenv(name_);
  }

  const char* name_;
  std::optional<std::string> old_;
};

}  // namespace wick::viz
