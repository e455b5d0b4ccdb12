// What the tests of files share.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "wick/framework/core/error.h"
#include "wick/framework/io/bytes.h"
#include "wick/tests/framework/core/support.h"

namespace wick::test {

// A file that tools/make_file_goldens.py wrote, or that was checked by it.
inline std::string golden(const std::string& name) { return "tests/framework/io/files/" + name; }

// A file of this test alone.
inline std::string temporary(const std::string& name) {
  const char* folder = std::getenv("TEST_TMPDIR");
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  std::string file = std::string(test->test_suite_name()) + '.' + test->name() + '.' + name;
  std::ranges::replace(file, '/', '_');  // of a parametrised test
  return (folder ? std::string(folder) : ::testing::TempDir()) + '/' + file;
}

inline void write_bytes(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// "00ff" as two bytes; spaces are skipped.
inline std::string from_hex(std::string_view text) {
  std::string digits, bytes;
  for (const char c : text) if (c != ' ') digits += c;
  for (size_t i = 0; i + 1 < digits.size(); i += 2) bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  return bytes;
}

// Some change to the bytes of a file: bits and bytes, numbers at their limits, pieces cut out, doubled or dropped at the end.
inline std::string mutated(std::string bytes, std::mt19937& random) {
  const auto below = [&](size_t n) { return n == 0 ? 0 : random() % n; };
  for (size_t changes = 1 + below(4); changes-- > 0 && !bytes.empty();) {
    const size_t at = below(bytes.size());
    switch (below(7)) {
      case 0: bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8))); break;
      case 1: bytes[at] = static_cast<char>(random()); break;
      case 2: bytes.resize(at); break;
      case 3: bytes.erase(at, 1 + below(8)); break;
      case 4: bytes.insert(at, bytes.substr(below(bytes.size()), 1 + below(16))); break;
      case 5: {
        constexpr uint64_t kLimits[] = {0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0xffffffff, 0x7fffffffffffffff, 0xffffffffffffffff};
        const uint64_t value = kLimits[below(std::size(kLimits))];
        const size_t width = size_t{1} << below(4);
        if (at + width <= bytes.size()) std::memcpy(&bytes[at], &value, width);
        break;
      }
      default: std::swap(bytes[at], bytes[below(bytes.size())]);
    }
  }
  return bytes;
}

// Parses many changed copies of the bytes; nothing but an Error may come of one.
template <class Parse>
void fuzz(const std::string& bytes, int runs, const Parse& parse) {
  std::mt19937 random(20240229);
  int errors = 0;
  for (int i = 0; i < runs; ++i) {
    const std::string changed = mutated(bytes, random);
    try {
      parse(changed);
    } catch (const Error&) {
      ++errors;
    }
  }
  EXPECT_GT(errors, runs / 10);
}

}  // namespace wick::test
