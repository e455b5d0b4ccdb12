// Files as bytes: what the readers and writers of this folder share. A file's content is not trusted: each length in it is checked
// against what is there before memory is taken for it, and what is wrong is an Error that begins with the file's name.
#pragma once

#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "wick/framework/tensor.h"

namespace wick::io {

// Takes the next bytes of what is written.
using Sink = std::function<void(const void* data, size_t size)>;

// The whole content. Throws Error where the file cannot be read.
std::string read_file(const std::string& path);
// Lets `write` write a temporary file beside `path`, which then takes its place; when it throws, there is what was there before.
void write_file(const std::string& path, const std::function<void(const Sink&)>& write);

// What zlib or gzip (raw: no header) packed; if `size` is given, just so many bytes.
std::string inflate(std::string_view packed, std::string_view name, bool raw = false, std::optional<uint64_t> size = std::nullopt);

// A contiguous tensor on the CPU with these elements, in the machine's byte order. Throws where the number of bytes is another.
Tensor tensor_from_bytes(std::string_view bytes, ScalarType dtype, IntArrayRef sizes, std::string_view name);
// The elements of x in rows, wherever it is.
std::string_view bytes_of(const Tensor& contiguous_on_cpu);

// Reads from the front of some bytes.
class ByteReader {
 public:
  ByteReader(std::string_view bytes, std::string_view name) : rest_(bytes), name_(name) {}

  template <class... Parts>
  [[noreturn]] void fail(const Parts&... parts) const { wick::detail::raise<Error>(name_, ": ", parts...); }
  std::string_view take(uint64_t size) {
    if (size > rest_.size()) fail("the file is cut short, or a length in it is wrong: ", size, " bytes wanted, ", rest_.size(), " left");
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  std::string_view take_line() {
    const std::string_view line = take(std::min(rest_.find('\n'), rest_.size()));
    take(1);
    return line;
  }
  // In little-endian order, as the machine's.
  template <class T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_, name_;
};

// The bytes of a number appended.
template <class T>
void put(std::string& out, T value) { out.append(reinterpret_cast<const char*>(&value), sizeof(T)); }

}  // namespace wick::io
