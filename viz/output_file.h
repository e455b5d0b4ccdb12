// A file that appears whole or not at all.
#pragma once

#include <string>
#include <string_view>

namespace wick::viz {

// Writes go to a temporary file beside the target (".name.<pid>-<n>.tmp"), and commit() renames it over the target; without commit()
// the destructor removes it, and a target that existed keeps its content. A symbolic link stays a link, its file is replaced.
// The constructor throws wick::Error naming the path when the file cannot be written: no such folder, no permission, a folder or a
// device of that name.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // The open descriptor of the temporary file, for reading and writing.
  int fd() const { return fd_; }
  // Appends text; throws wick::Error naming the path (disk full, say).
  void write(std::string_view text);
  // Moves the file to its place. Call once, last.
  void commit();

 private:
  [[noreturn]] void fail(int error) const;

  std::string path_;  // as the caller wrote it, for messages
  std::string target_;
  std::string temporary_;
  int fd_ = -1;
};

}  // namespace wick::viz
