// Files and folders that are gone when their owner is.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include <unistd.h>

#include <c10/util/Exception.h>

namespace wick::detail {
inline std::string temporary_path(const std::string& name_prefix) {
  for (const char* variable : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"}) {
    if (const char* folder = std::getenv(variable)) return std::string(folder) + '/' + name_prefix + "XXXXXX";
  }
  return "/tmp/" + name_prefix + "XXXXXX";
}
}  // namespace wick::detail

namespace c10 {

struct TempFile {
  TempFile(std::string path, int descriptor) : fd(descriptor), name(std::move(path)) {}
  TempFile(TempFile&& other) noexcept : fd(std::exchange(other.fd, -1)), name(std::exchange(other.name, {})) {}
  TempFile& operator=(TempFile&& other) noexcept {
    std::swap(fd, other.fd);
    std::swap(name, other.name);
    return *this;
  }
  ~TempFile() {
    if (name.empty()) return;
    ::unlink(name.c_str());
    ::close(fd);
  }

  int fd;
  std::string name;
};

struct TempDir {
  explicit TempDir(std::string path) : name(std::move(path)) {}
  TempDir(TempDir&& other) noexcept : name(std::exchange(other.name, {})) {}
  TempDir& operator=(TempDir&& other) noexcept {
    std::swap(name, other.name);
    return *this;
  }
  ~TempDir() {
    if (!name.empty()) ::rmdir(name.c_str());
  }

  std::string name;
};

// Nothing where the system gives none.
inline std::optional<TempFile> try_make_tempfile(std::string name_prefix = "torch-file-") {
  std::string path = wick::detail::temporary_path(name_prefix);
  const int descriptor = ::mkstemp(path.data());
  if (descriptor == -1) return std::nullopt;
  return TempFile(std::move(path), descriptor);
}
inline TempFile make_tempfile(std::string name_prefix = "torch-file-") {
  std::optional<TempFile> file = try_make_tempfile(std::move(name_prefix));
  TORCH_CHECK(file, "Error generating temporary file");
  return std::move(*file);
}
inline std::optional<TempDir> try_make_tempdir(std::string name_prefix = "torch-dir-") {
  std::string path = wick::detail::temporary_path(name_prefix);
  if (!::mkdtemp(path.data())) return std::nullopt;
  return TempDir(std::move(path));
}
inline TempDir make_tempdir(std::string name_prefix = "torch-dir-") {
  std::optional<TempDir> folder = try_make_tempdir(std::move(name_prefix));
  TORCH_CHECK(folder, "Error generating temporary directory");
  return std::move(*folder);
}

}  // namespace c10
