#include <zlib.h>

#include "wick/datasets/images.h"
#include "wick/tests/fuzz/fuzz.h"

namespace wick::fuzz {

const char* const kName = "idx";

namespace {

std::string packed(std::string bytes) {
  z_stream z{};
  require(deflateInit2(&z, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK, "zlib has no memory");
  std::string out(deflateBound(&z, bytes.size()), '\0');
  z.next_in = reinterpret_cast<Bytef*>(bytes.data());
  z.avail_in = static_cast<uInt>(bytes.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  deflate(&z, Z_FINISH);
  out.resize(z.total_out);
  deflateEnd(&z);
  return out;
}

}  // namespace

std::vector<std::string> seeds() {
  const std::string images = std::string("\0\0\10\3\0\0\0\2\0\0\0\3\0\0\0\4", 16) + std::string(24, 'x');
  const std::string labels = std::string("\0\0\10\1\0\0\0\5", 8) + std::string("\0\1\2\3\4", 5);
  return {images, labels, packed(images), packed(labels)};
}

void parse(const std::string& bytes) {
  const Tensor x = datasets::read_idx(file_with(bytes));
  require(x.nbytes() <= 1032 * static_cast<int64_t>(bytes.size()), "more elements than gzip can pack");
}

}  // namespace wick::fuzz
