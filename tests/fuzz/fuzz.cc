#include "wick/tests/fuzz/fuzz.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "wick/framework/io/bytes.h"

namespace wick::fuzz {
namespace {

// A folder that goes when the process ends.
struct Folder {
  Folder() {
    const char* parent = std::getenv("TEST_TMPDIR");
    std::string name = (parent ? std::string(parent) : std::filesystem::temp_directory_path().string()) + "/wick-fuzz-XXXXXX";
    require(mkdtemp(name.data()) != nullptr, "there is no folder for the inputs");
    path = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::string path;
};

}  // namespace

std::string file_with(const std::string& bytes, const std::string& name) {
  static const Folder folder;
  const std::string path = folder.path + '/' + name;
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return path;
}

std::string golden(const std::string& name) { return io::read_file("tests/framework/io/files/" + name); }

}  // namespace wick::fuzz
