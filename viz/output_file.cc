#include "wick/viz/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "wick/framework/core/error.h"

namespace wick::viz {

namespace fs = std::filesystem;
using wick::detail::concat;
using wick::detail::raise;

OutputFile::OutputFile(std::string path) : path_(std::move(path)), target_(path_) {
  WICK_CHECK(fs::path(path_).has_filename(), "cannot write \"", path_, "\": it names no file");
  std::error_code ignored;
  if (fs::exists(target_, ignored)) {
    // A rename would replace a device such as /dev/null, or a file that its owner has made read-only.
    WICK_CHECK(fs::is_regular_file(target_, ignored), "cannot write ", path_, ": it exists and is not a regular file");
    if (faccessat(AT_FDCWD, target_.c_str(), W_OK, AT_EACCESS) != 0) fail(errno);
    target_ = fs::canonical(target_, ignored).string();
  }
  static std::atomic<unsigned> counter{0};
  const fs::path target(target_);
  const std::string name = concat(".", target.filename().string(), ".", getpid(), "-", counter++, ".tmp");
  temporary_ = (target.parent_path() / name).string();
  fd_ = open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd_ < 0) fail(errno);
}

OutputFile::~OutputFile() {
  if (fd_ >= 0) close(fd_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void OutputFile::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void OutputFile::commit() {
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  temporary_.clear();
}

void OutputFile::fail(int error) const {
  raise<Error>("cannot write ", path_, ": ", std::generic_category().message(error));
}

}  // namespace wick::viz
