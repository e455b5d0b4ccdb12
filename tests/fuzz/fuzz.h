// Fuzz targets: one for each parser of files that wick did not write itself. A target is a source file that defines the functions below.
//
// Every one runs twice. `./bazelw test //tests/fuzz:all` gives each a fixed number of changed copies of its seeds, the same in every run,
// with any compiler and any sanitizer, and what is kept in found/. libFuzzer, which looks for inputs that reach new code, needs clang 16
// or later:
//
//   CC=clang-19 ./bazelw build --config=fuzz //tests/fuzz:npy_fuzz
//   mkdir /tmp/npy && WICK_SEEDS=/tmp/npy bazel-bin/tests/fuzz/npy_fuzz -max_total_time=300 /tmp/npy
//
// Whatever it finds goes to found/<target>/, under a name that says what it is.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "wick/framework/core/error.h"

namespace wick::fuzz {

// ---- What a target defines ---------------------------------------------------------------------------------------------------------

// Of the folder in found/.
extern const char* const kName;
// Good inputs, from which fuzzing starts.
std::vector<std::string> seeds();
// Reads an input. An Error is a right answer to a bad one; whatever else is thrown, and every crash, is a finding.
void parse(const std::string& bytes);

// ---- What targets share ------------------------------------------------------------------------------------------------------------

// For what must hold whatever the input is.
inline void require(bool ok, const char* what) {
  if (!ok) throw std::logic_error(what);
}

// Writes a file of this process alone, and returns its path. The next call with the same name overwrites it.
std::string file_with(const std::string& bytes, const std::string& name = "input");

// A file of tests/framework/io/files.
std::string golden(const std::string& name);

}  // namespace wick::fuzz
