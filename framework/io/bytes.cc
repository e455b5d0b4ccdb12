#include "wick/framework/io/bytes.h"

#include <unistd.h>
#include <zlib.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <memory>

namespace wick::io {

static_assert(std::endian::native == std::endian::little, "files are read and written in the byte order of x86-64");

namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

}  // namespace

std::string read_file(const std::string& path) {
  const File file(std::fopen(path.c_str(), "rb"));
  WICK_CHECK(file, "cannot open ", path, ": ", std::strerror(errno));
  std::string content;
  char piece[1 << 16];
  size_t size;
  while ((size = std::fread(piece, 1, sizeof(piece), file.get())) > 0) content.append(piece, size);
  WICK_CHECK(!std::ferror(file.get()), "cannot read ", path, ": ", std::strerror(errno));
  return content;
}

void write_file(const std::string& path, const std::function<void(const Sink&)>& write) {
  static std::atomic<unsigned> counter{0};
  const std::string temporary = wick::detail::concat(path, ".", getpid(), "-", counter++, ".tmp");
  File file(std::fopen(temporary.c_str(), "wbx"));
  WICK_CHECK(file, "cannot write ", path, ": ", std::strerror(errno));
  const auto must = [&](bool ok) { WICK_CHECK(ok, "cannot write ", path, ": ", std::strerror(errno)); };
  try {
    write([&](const void* data, size_t size) { must(size == 0 || std::fwrite(data, 1, size, file.get()) == size); });
    must(std::fflush(file.get()) == 0 && fsync(fileno(file.get())) == 0);
    must(std::fclose(file.release()) == 0 && std::rename(temporary.c_str(), path.c_str()) == 0);
  } catch (...) {
    std::remove(temporary.c_str());
    throw;
  }
}

std::string inflate(std::string_view packed, std::string_view name, bool raw, std::optional<uint64_t> size) {
  // Deflate packs at best 1032 bytes into one.
  WICK_CHECK(!size || *size / 1032 <= packed.size(), name, ": ", *size, " bytes cannot come out of ", packed.size());
  z_stream z{};
  WICK_CHECK(inflateInit2(&z, raw ? -MAX_WBITS : MAX_WBITS + 32) == Z_OK, name, ": zlib has no memory");
  const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&z, inflateEnd);
  std::string content;
  int status = Z_OK;
  while (status == Z_OK) {
    if (z.avail_in == 0 && !packed.empty()) {
      const size_t piece = std::min<size_t>(packed.size(), 1 << 30);
      z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
      z.avail_in = static_cast<uInt>(piece);
      packed.remove_prefix(piece);
    }
    char piece[1 << 15];
    z.next_out = reinterpret_cast<Bytef*>(piece);
    z.avail_out = sizeof(piece);
    status = ::inflate(&z, Z_NO_FLUSH);
    content.append(piece, sizeof(piece) - z.avail_out);
    WICK_CHECK(!size || content.size() <= *size, name, ": unpacks to more than the ", *size, " bytes that it says");
  }
  WICK_CHECK(status == Z_STREAM_END && z.avail_in == 0 && packed.empty(), name, ": the compressed data are damaged or cut short");
  WICK_CHECK(!size || content.size() == *size, name, ": unpacks to ", content.size(), " bytes instead of ", *size);
  return content;
}

Tensor tensor_from_bytes(std::string_view bytes, ScalarType dtype, IntArrayRef sizes, std::string_view name) {
  uint64_t expected = static_cast<uint64_t>(element_size(dtype));
  bool possible = true, empty = false;
  for (const int64_t size : sizes) {
    possible = possible && size >= 0 && !__builtin_mul_overflow(expected, std::max<uint64_t>(1, static_cast<uint64_t>(size)), &expected);
    empty |= size == 0;
  }
  WICK_CHECK(possible && (empty ? 0 : expected) == bytes.size(), name, ": ", bytes.size(), " bytes are not a tensor of shape ", sizes,
             " and dtype ", dtype_name(dtype));
  const Tensor x = wick::empty(sizes, dtype);
  if (dtype == kBool) {  // any other byte than 0 and 1 would be undefined behaviour
    for (size_t i = 0; i < bytes.size(); ++i) x.data_ptr<bool>()[i] = bytes[i] != 0;
  } else if (!bytes.empty()) {
    std::memcpy(x.data_ptr(), bytes.data(), bytes.size());
  }
  return x;
}

std::string_view bytes_of(const Tensor& x) {
  WICK_CHECK(x.is_cpu() && x.is_contiguous(), "bytes_of: the tensor must be contiguous and on the CPU");
  return {static_cast<const char*>(x.const_data_ptr()), static_cast<size_t>(x.nbytes())};
}

}  // namespace wick::io
