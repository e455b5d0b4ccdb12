#include "wick/framework/io/bytes.h"
#include "wick/tests/fuzz/fuzz.h"
#include "wick/viz/image.h"

namespace wick::fuzz {

const char* const kName = "image";

std::vector<std::string> seeds() {
  std::vector<std::string> result;
  for (const int64_t channels : {1, 3}) {
    const Tensor image = arange(channels * 13 * 7).mul(37).remainder(256).to(kByte).view({channels, 13, 7});
    for (const char* name : {"a.png", "a.jpg", "a.bmp"}) {
      const std::string path = file_with("", name);
      viz::write_image(path, image);
      result.push_back(io::read_file(path));
    }
  }
  result.push_back(std::string("P6 2 1 255\n") + "abcdef");
  result.push_back(std::string("P5 2 2 255\n") + "abcd");
  // A GIF of one pixel, and a TGA of two.
  result.push_back(std::string("GIF89a\1\0\1\0\200\0\0\0\0\0\377\377\377,\0\0\0\0\1\0\1\0\0\2\2D\1\0;", 35));
  result.push_back(std::string("\0\0\2\0\0\0\0\0\0\0\0\0\2\0\1\0\30\0", 18) + "abcdef");
  return result;
}

void parse(const std::string& bytes) {
  const Tensor image = viz::read_image(file_with(bytes));
  require(image.scalar_type() == kByte && image.dim() == 3, "no picture");
}

}  // namespace wick::fuzz
