// Filters a picture by small kernels, as convolutions: blur, sharpen, edges, emboss, and a kernel of one's own.
//
//   bazelw run //examples:image_filter -- --help
//   bazelw run //examples:image_filter -- --image photo.jpg --kernel "0 1 0, 1 -4 1, 0 1 0" --preview
#include <chrono>
#include <cmath>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <thread>
#include <utility>
#include <vector>

#include "wick/examples/example.h"
#include "wick/viz/figure.h"
#include "wick/viz/image.h"
#include "wick/viz/interrupt.h"
#include "wick/viz/paths.h"

using namespace wick;

namespace {

examples::Words say;

struct Options {
  std::string image, kernel, watch, device = "cpu", out = "image_processing_results.png";
  bool preview = false;
};

// A rectangle, a disc and a staircase of 256 x 256 pixels.
Tensor test_picture() {
  constexpr int64_t kSize = 256;
  Tensor picture = zeros({kSize, kSize});
  picture.index_put_({indexing::Slice(50, 100), indexing::Slice(50, 150)}, 1);
  const Tensor y = arange(kSize).unsqueeze(1), x = arange(kSize).unsqueeze(0);
  picture.masked_fill_((x - 180).pow(2) + (y - 180).pow(2) <= 40 * 40, 1);
  for (int64_t i = 0; i < 50; ++i) picture[150 + i].slice(0, 20 + 2 * i, 40 + 2 * i).fill_(1);
  return picture;
}

using Kernels = std::vector<std::pair<std::string, Tensor>>;

Kernels kernels() {
  return {{"blur", ones({3, 3}) / 9},
          {"sharpen", tensor({{0.f, -1.f, 0.f}, {-1.f, 5.f, -1.f}, {0.f, -1.f, 0.f}})},
          {"edge_x", tensor({{-1.f, 0.f, 1.f}, {-2.f, 0.f, 2.f}, {-1.f, 0.f, 1.f}})},
          {"edge_y", tensor({{-1.f, -2.f, -1.f}, {0.f, 0.f, 0.f}, {1.f, 2.f, 1.f}})},
          {"emboss", tensor({{-2.f, -1.f, 0.f}, {-1.f, 1.f, 1.f}, {0.f, 1.f, 2.f}})}};
}

// "0 1 0, 1 -4 1, 0 1 0": rows between commas or line ends, of equal and odd length.
Tensor parse_kernel(const std::string& text) {
  std::vector<float> values;
  int64_t rows = 0, columns = 0;
  std::string lines = text;
  for (char& c : lines) c = c == ',' || c == ';' ? '\n' : c;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) {
    std::istringstream row(line);
    int64_t count = 0;
    for (float value; row >> value; ++count) values.push_back(value);
    WICK_CHECK(row.eof(), "a kernel has numbers only, such as \"0 1 0, 1 -4 1, 0 1 0\", not \"", line, "\"");
    if (count == 0) continue;
    WICK_CHECK(rows == 0 || count == columns, "the rows of a kernel must be equally long, got ", columns, " and ", count, " numbers");
    columns = count;
    ++rows;
  }
  WICK_CHECK(rows % 2 == 1 && columns % 2 == 1, "a kernel needs an odd number of rows and columns, got ", rows, " x ", columns);
  return tensor(values).view({rows, columns});
}

// The picture, [height, width], under the kernel; zeros around it.
Tensor filter(const Tensor& picture, const Tensor& kernel) {
  const int64_t around[] = {kernel.size(0) / 2, kernel.size(1) / 2};
  return conv2d(picture.unsqueeze(0).unsqueeze(0), kernel.unsqueeze(0).unsqueeze(0).to(picture.device()), {}, 1, around).squeeze();
}

// The best of several runs, the first of them apart. A number is fetched, so that the work is really over.
double milliseconds(const Tensor& picture, const Kernels& all) {
  double best = 1e30;
  for (int round = 0; round < 4; ++round) {
    const auto start = std::chrono::steady_clock::now();
    Tensor sum = zeros({}, picture.options());
    for (const auto& [name, kernel] : all) sum += filter(picture, kernel).sum();
    sum.item<float>();
    if (round > 0) best = std::min(best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

void describe(const char* name, const Tensor& x) {
  std::printf("%-10s min %8.4f  max %8.4f  sum %11.4f  sum |.| %11.4f\n", name, x.min().item<double>(), x.max().item<double>(),
              x.sum(kDouble).item<double>(), x.abs().sum(kDouble).item<double>());
}

void draw(const Tensor& picture, const std::vector<Tensor>& results, const std::string& path) {
  const auto panel = [](viz::Axes& axes, const char* title, const Tensor& x) {
    axes.title(title).image(examples::numbers(x), static_cast<int>(x.size(0)), static_cast<int>(x.size(1)));
  };
  viz::Figure figure(2, 3);
  figure.size(12, 8.4);
  panel(figure.axes(0, 0), say("original", "原始图像"), picture);
  panel(figure.axes(0, 1), say("mean (blurred)", "均值滤波(模糊)"), results[0]);
  panel(figure.axes(0, 2), say("sharpened", "锐化"), results[1]);
  panel(figure.axes(1, 0), say("edges, x direction", "边缘检测(X方向)"), results[2].abs());
  panel(figure.axes(1, 1), say("edges, y direction", "边缘检测(Y方向)"), results[3].abs());
  panel(figure.axes(1, 2), say("edges, both", "边缘检测(合并)"), (results[2].pow(2) + results[3].pow(2)).sqrt());
  std::cout << figure.save_or_csv(path).message << "\n";
}

Tensor scaled(const Tensor& x) {
  const Tensor low = x.min(), high = x.max();
  return (x - low) / (high - low).clamp_min(1e-12);
}

std::string read_text(const std::string& path) {
  std::ifstream file(path);
  WICK_CHECK(file, "cannot read ", path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Shows the picture under the kernel in the file, again whenever the file has changed, until Ctrl-C.
int watch(const Tensor& picture, const std::string& path) {
  const viz::InterruptGuard guard;
  std::string shown;
  while (!guard.interrupted()) {
    const std::string text = read_text(path);
    if (text != shown) {
      shown = text;
      try {
        std::cout << "\033[2J\033[H" << viz::terminal_image(scaled(filter(picture, parse_kernel(text)))) << text << std::flush;
      } catch (const Error& error) {
        std::cout << error.what() << std::endl;
      }
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  return viz::InterruptGuard::kExitStatus;
}

int run(const Options& options) {
  const std::string out = viz::user_path(options.out);
  viz::Figure::check_path(out);
  const Device device = examples::device_named(options.device);
  Kernels all = kernels();
  if (!options.kernel.empty()) all.emplace_back("yours", parse_kernel(options.kernel));
  std::cout << say("device: ", "使用设备: ") << device << "\n";
  Tensor picture;
  if (options.image.empty()) {
    std::cout << say("drawing a test picture", "创建测试图像...") << "\n";
    picture = test_picture();
  } else {
    picture = viz::read_image(viz::user_path(options.image), viz::ImageMode::kGray).squeeze(0).to(kFloat) / 255;
  }
  picture = picture.to(device);
  if (!options.watch.empty()) return watch(picture, viz::user_path(options.watch));

  std::vector<Tensor> results;
  for (const auto& [name, kernel] : all) {
    std::printf(say("applying %s\n", "应用 %s 卷积核...\n"), name.c_str());
    results.push_back(filter(picture, kernel));
  }
  std::cout << "\n";
  describe("original", picture);
  for (size_t i = 0; i < all.size(); ++i) describe(all[i].first.c_str(), results[i]);
  describe("magnitude", (results[2].pow(2) + results[3].pow(2)).sqrt());
  std::cout << "\n";
  draw(picture, results, out);
  if (options.preview) std::cout << viz::terminal_image(scaled(options.kernel.empty() ? results[4] : results.back()));
  std::printf(say("all kernels on the CPU: %.3f ms\n", "CPU处理时间: %.3f 毫秒\n"), milliseconds(picture.cpu(), all));
  if (device.is_cuda()) std::printf(say("all kernels on the GPU: %.3f ms\n", "GPU处理时间: %.3f 毫秒\n"), milliseconds(picture, all));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  return examples::main_of(
      "image_filter", "Filters a picture by convolutions and shows six results side by side.", argc, argv,
      [&](CLI::App& app) {
        app.add_option("--image", options.image, "a PNG or JPEG, instead of the test picture");
        app.add_option("--kernel", options.kernel, "a kernel of your own, such as \"0 1 0, 1 -4 1, 0 1 0\"");
        app.add_option("--watch", options.watch, "show the picture under the kernel in this text file, again when it changes");
        app.add_option("--device", options.device, "cpu or cuda")->capture_default_str();
        app.add_option("--out", options.out, "the picture to write (.png, .svg or .pdf)")->capture_default_str();
        app.add_flag("--preview", options.preview, "show the last result in the terminal, too");
        say.add_option(app);
      },
      [&] { return run(options); });
}
