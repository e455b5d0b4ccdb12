// Pictures through files and back, in the terminal, and files that are none.
#include "wick/viz/image.h"

#include "wick.h"
#include "wick/tests/framework/core/support.h"
#include "wick/tests/viz/support.h"

namespace wick::viz {
namespace {

using test::message_of;

Tensor picture(int64_t channels) { return randint(256, {channels, 13, 7}, kByte); }

TEST(Image, LosslessFormatsGiveBackEveryPixel) {
  const TestFolder folder;
  for (const int64_t channels : {1, 2, 3, 4}) {
    const Tensor image = picture(channels);
    write_image(folder / "a.png", image);
    EXPECT_TRUE(read_image(folder / "a.png").equal(image)) << channels;
  }
  const Tensor image = picture(3);
  write_image(folder / "a.bmp", image);
  EXPECT_TRUE(read_image(folder / "a.bmp", ImageMode::kRgb).equal(image));
  write_image(folder / "a.jpg", ones({3, 20, 20}) * 0.5);
  EXPECT_LE((read_image(folder / "a.jpg").to(kFloat) - 128).abs().max().item<float>(), 2);
}

TEST(Image, ModesAndDtypes) {
  const TestFolder folder;
  write_image(folder / "grey.png", tensor({{0.f, 0.5f, 2.f}, {-1.f, 1.f, 0.25f}}));
  const Tensor grey = read_image(folder / "grey.png");
  EXPECT_TRUE(grey.equal(tensor({{{0, 128, 255}, {0, 255, 64}}}, kByte)));
  EXPECT_EQ(read_image(folder / "grey.png", ImageMode::kRgbAlpha).size(0), 4);
  Tensor red = zeros({3, 2, 2}, kByte);
  red[0] = 255;
  write_image(folder / "red.png", red);
  EXPECT_EQ(read_image(folder / "red.png", ImageMode::kGray)[0][0][0].item<int>(), 255 * 77 / 256);
}

TEST(Image, RefusesWhatItCannotWriteOrRead) {
  const TestFolder folder;
  EXPECT_THROW(write_image(folder / "a.png", ones({2, 2, 2, 2})), ValueError);
  EXPECT_THROW(write_image(folder / "a.png", ones({5, 2, 2})), ValueError);
  EXPECT_THROW(write_image(folder / "a.png", ones({0, 2})), ValueError);
  EXPECT_THROW(write_image(folder / "a.png", ones({2, 2}, kLong)), ValueError);
  EXPECT_TRUE(contains(message_of([&] { write_image(folder / "a.gif", ones({2, 2})); }), ".png, .jpg or .bmp, not \".gif\""));
  EXPECT_NE(message_of([&] { write_image(folder / "none/a.png", ones({2, 2})); }), "");
  EXPECT_EQ(folder.names(), Names{});
  EXPECT_TRUE(contains(message_of([&] { read_image(folder / "a.png"); }), "No such file"));
  write_file(folder / "text.png", "this is no picture");
  EXPECT_TRUE(contains(message_of([&] { read_image(folder / "text.png"); }), "it is no picture"));
}

// 1.4 GB for a chunk of a file of 75 bytes.
TEST(Image, TakesNoMoreMemoryThanTheFileJustifies) {
  const TestFolder folder;
  write_image(folder / "a.png", picture(1));
  std::string bytes = read_file(folder / "a.png");
  bytes[bytes.find("IDAT") - 4] = 0x3F;
  write_file(folder / "a.png", bytes);
  EXPECT_TRUE(contains(message_of([&] { read_image(folder / "a.png"); }), "the picture is damaged (outofmem)"));
  // Large pictures of little content are still read.
  write_image(folder / "b.png", zeros({3, 900, 1100}, kByte));
  EXPECT_TRUE(read_image(folder / "b.png", ImageMode::kRgbAlpha).slice(0, 0, 3).eq(0).all().item<bool>());
}

// Damaged files give an error or some picture, and never harm.
TEST(Image, SurvivesDamagedFiles) {
  const TestFolder folder;
  manual_seed(0);
  for (const char* name : {"a.png", "a.jpg", "a.bmp"}) {
    write_image(folder / name, picture(3));
    const std::string good = read_file(folder / name);
    for (int i = 0; i < 150; ++i) {
      std::string bad =
          good.substr(0, i % 3 == 0 ? static_cast<size_t>(randint(static_cast<int64_t>(good.size()), {1}).item<int64_t>()) : good.size());
      for (int k = 0; k < i % 7 && !bad.empty(); ++k) {
        bad[static_cast<size_t>(randint(static_cast<int64_t>(bad.size()), {1}).item<int64_t>())] =
            static_cast<char>(randint(256, {1}).item<int64_t>());
      }
      write_file(folder / "bad", bad);
      try {
        EXPECT_EQ(read_image(folder / "bad").scalar_type(), kByte);
      } catch (const Error& error) {
        EXPECT_TRUE(contains(error.what(), "cannot read "));
      }
    }
  }
}

TEST(Image, InTheTerminal) {
  const Tensor image = tensor({{0, 255}, {255, 0}, {7, 7}}, kByte);
  EXPECT_EQ(terminal_image(image),
            "\033[38;2;0;0;0m\033[48;2;255;255;255m▀\033[38;2;255;255;255m\033[48;2;0;0;0m▀\033[0m\n"
            "\033[38;2;7;7;7m\033[49m▀\033[38;2;7;7;7m\033[49m▀\033[0m\n");
  const std::string wide = terminal_image(ones({3, 100, 400}), 40);
  EXPECT_EQ(std::count(wide.begin(), wide.end(), '\n'), 5);
}

}  // namespace
}  // namespace wick::viz
