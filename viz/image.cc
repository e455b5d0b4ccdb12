#include "wick/viz/image.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

#include "wick/framework/ops/from_blob.h"
#include "wick/viz/output_file.h"
#include "wick/viz/stb.h"
#include "wick/viz/stb_limit.h"

namespace wick::viz {
namespace {

constexpr int64_t kMostNumbers = int64_t{1} << 28;
// Deflate, the tightest packing of these formats, makes at most 1,032 bytes of one.
constexpr int64_t kMostPerByte = 1032;

std::vector<unsigned char> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  WICK_CHECK(file, "cannot read ", path, ": ", std::generic_category().message(errno));
  std::vector<unsigned char> bytes{std::istreambuf_iterator<char>(file), {}};
  WICK_CHECK(!file.bad() && bytes.size() <= INT32_MAX, "cannot read ", path);
  return bytes;
}

// Whether a JPEG names more than 256 codes in a Huffman table (segment FF C4: a class, 16 counts, as many symbols; perhaps more of them).
// stb_image takes the counts as they are and writes past its own table.
bool overfills_huffman_table(const std::vector<unsigned char>& bytes) {
  const auto at = [&](size_t i) { return i < bytes.size() ? size_t{bytes[i]} : 0; };  // as stb_image reads on behind the end
  size_t first = 0;  // a marker may have any number of FF before it
  while (at(first) == 0xFF) ++first;
  if (first == 0 || at(first) != 0xD8) return false;
  for (size_t i = first; i + 4 < bytes.size(); ++i) {
    if (bytes[i] != 0xFF || bytes[i + 1] != 0xC4) continue;
    const size_t end = std::min(bytes.size(), i + 2 + (at(i + 2) << 8 | at(i + 3)));
    for (size_t table = i + 4; table < end;) {
      size_t codes = 0;
      for (size_t k = 1; k <= 16; ++k) codes += at(table + k);
      if (codes > 256) return true;
      table += 17 + codes;
    }
  }
  return false;
}

// [channels, height, width] of uint8 on the CPU, from whatever write_image takes.
Tensor checked(const Tensor& image) {
  WICK_CHECK_VALUE(image.dim() == 2 || image.dim() == 3, "an image has the shape [height, width] or [channels, height, width], got ",
                   image.sizes());
  const Tensor x = image.dim() == 2 ? image.unsqueeze(0) : image;
  WICK_CHECK_VALUE(x.size(0) >= 1 && x.size(0) <= 4 && x.numel() > 0, "an image has 1 to 4 channels and some pixels, got ", image.sizes());
  WICK_CHECK_VALUE(x.scalar_type() == kByte || x.is_floating_point(), "an image is uint8, or floating point in [0, 1], got ",
                   x.scalar_type());
  NoGradGuard no_grad;
  if (x.scalar_type() == kByte) return x.cpu();
  return (x.cpu().to(kFloat).nan_to_num().clamp(0, 1) * 255).round().to(kByte);
}

void append(void* text, void* data, int size) {
  static_cast<std::string*>(text)->append(static_cast<char*>(data), static_cast<size_t>(size));
}

}  // namespace

Tensor read_image(const std::string& path, ImageMode mode) {
  constexpr int kChannels[] = {0, STBI_grey, STBI_rgb, STBI_rgb_alpha};
  const std::vector<unsigned char> bytes = read_file(path);
  const int size = static_cast<int>(bytes.size());
  int width = 0, height = 0, channels = 0;
  // Besides the numbers themselves some formats need a few bytes for each, and their tables.
  const StbLimit limit((size_t{1} << 20) + 16 * static_cast<size_t>(kMostPerByte) * bytes.size());
  WICK_CHECK(!overfills_huffman_table(bytes), "cannot read ", path, ": the picture is damaged (bad code lengths)");
  WICK_CHECK(stbi_info_from_memory(bytes.data(), size, &width, &height, &channels), "cannot read ", path, ": it is no picture (",
             stbi_failure_reason(), ")");
  WICK_CHECK(width > 0 && height > 0, "cannot read ", path, ": it is no picture (", width, " x ", height, " pixels)");
  if (const int wanted = kChannels[static_cast<int>(mode)]) channels = wanted;
  const int64_t numbers = int64_t{width} * height * channels;
  WICK_CHECK(numbers <= std::min(kMostNumbers, kMostPerByte * size), "cannot read ", path, ": ", width, " x ", height,
             " pixels are too many for ", numbers > kMostNumbers ? "this reader" : "so short a file");
  stbi_uc* pixels = stbi_load_from_memory(bytes.data(), size, &width, &height, nullptr, channels);
  WICK_CHECK(pixels != nullptr, "cannot read ", path, ": the picture is damaged (", stbi_failure_reason(), ")");
  return from_blob(pixels, {height, width, channels}, stbi_image_free, kByte).permute({2, 0, 1}).contiguous();
}

void write_image(const std::string& path, const Tensor& image) {
  const Tensor x = checked(image).permute({1, 2, 0}).contiguous();
  const std::string extension = std::filesystem::path(path).extension().string();
  const int height = static_cast<int>(x.size(0)), width = static_cast<int>(x.size(1)), channels = static_cast<int>(x.size(2));
  std::string file;
  int good = 0;
  if (extension == ".png") {
    good = stbi_write_png_to_func(append, &file, width, height, channels, x.data_ptr(), 0);
  } else if (extension == ".jpg" || extension == ".jpeg") {
    good = stbi_write_jpg_to_func(append, &file, width, height, channels, x.data_ptr(), 90);
  } else if (extension == ".bmp") {
    good = stbi_write_bmp_to_func(append, &file, width, height, channels, x.data_ptr());
  } else {
    wick::detail::raise<ValueError>("cannot write ", path, ": an image's extension must be .png, .jpg or .bmp, not \"", extension, "\"");
  }
  WICK_CHECK(good, "cannot write ", path, ": the picture could not be encoded");
  OutputFile out(path);
  out.write(file);
  out.commit();
}

std::string terminal_image(const Tensor& image, int columns) {
  WICK_CHECK_VALUE(columns > 0, "an image in the terminal is at least one column wide, got ", columns);
  Tensor x = checked(image);
  x = x.size(0) < 3 ? x.slice(0, 0, 1).expand({3, x.size(1), x.size(2)}) : x.slice(0, 0, 3);
  const int64_t height = x.size(1), width = x.size(2);
  const int64_t across = std::min<int64_t>(columns, width), down = std::max<int64_t>(1, height * across / width);
  x = x.permute({1, 2, 0}).contiguous();
  const uint8_t* pixels = x.data_ptr<uint8_t>();
  // The pixel in the middle of what a half block stands for.
  const auto at = [&](int64_t row, int64_t column) {
    return pixels + 3 * ((2 * row + 1) * height / (2 * down) * width + (2 * column + 1) * width / (2 * across));
  };
  std::string text;
  for (int64_t row = 0; row < down; row += 2) {
    for (int64_t column = 0; column < across; ++column) {
      const uint8_t* upper = at(row, column);
      const uint8_t* lower = row + 1 < down ? at(row + 1, column) : nullptr;
      char code[64];
      std::snprintf(code, sizeof code, "\033[38;2;%d;%d;%dm", upper[0], upper[1], upper[2]);
      text += code;
      if (lower) std::snprintf(code, sizeof code, "\033[48;2;%d;%d;%dm", lower[0], lower[1], lower[2]);
      text += lower ? code : "\033[49m";
      text += "▀";
    }
    text += "\033[0m\n";
  }
  return text;
}

}  // namespace wick::viz
