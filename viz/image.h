// Pictures in and out, between files and tensors, and in the terminal.
#pragma once

#include <string>

#include "wick/framework/tensor.h"

namespace wick::viz {

// What read_image makes of a file's channels.
enum class ImageMode { kUnchanged, kGray, kRgb, kRgbAlpha };

// The picture in a PNG, JPEG, BMP, GIF (its first frame), TGA, PSD, PNM file: a uint8 tensor [channels, height, width]. Grey values are
// stb_image's, (77 R + 150 G + 29 B) / 256; 16-bit pictures lose their lower bits. Throws wick::Error naming the path for a file that
// cannot be read, is no picture, or claims more than 2^28 numbers.
Tensor read_image(const std::string& path, ImageMode mode = ImageMode::kUnchanged);

// Writes a picture [height, width] or [channels, height, width], with 1 (grey), 2 (with alpha), 3 or 4 (with alpha) channels: uint8, or
// floating point with black at 0 and white at 1, beyond which values are cut. The extension says how: .png, .jpg (without alpha,
// quality 90), .bmp. The file appears whole or not at all. Throws ValueError for other shapes, dtypes and extensions.
void write_image(const std::string& path, const Tensor& image);

// The picture as text for a terminal with 24-bit colours, at most `columns` characters wide: each character is a half block, the upper
// half in its own colour, the lower in that of the background.
std::string terminal_image(const Tensor& image, int columns = 80);

}  // namespace wick::viz
