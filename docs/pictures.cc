// Draws the pictures of docs/guide that no example draws: tensors in memory, and a graph.
//
//   bazelw run //docs:pictures -- --out docs/images
#include <cstdio>
#include <string>
#include <vector>

#include "wick/examples/example.h"
#include "wick/viz/draw.h"
#include "wick/viz/figure.h"
#include "wick/viz/paths.h"

using namespace wick;

namespace {

std::vector<std::string> numbered(const char* what, int64_t count) {
  std::vector<std::string> names;
  for (int64_t i = 0; i < count; ++i) names.push_back(what + std::to_string(i));
  return names;
}

std::string list(IntArrayRef numbers) { return wick::detail::concat(numbers); }

// The elements of x, each of which is its place in memory, in the order in which x reads them.
void panel(viz::Axes& axes, const std::string& name, const Tensor& x) {
  const Tensor table = x.dim() == 1 ? x.unsqueeze(0) : x;
  axes.title(name + "\n" + list(x.sizes()) + ", strides " + list(x.strides()))
      .matrix(examples::numbers(table), x.dim() == 1 ? std::vector<std::string>{""} : numbered("", table.size(0)),
              numbered("", table.size(1)));
}

void draw_strides(const std::string& path) {
  const Tensor x = arange(6).view({2, 3});
  viz::Figure figure(1, 4);
  figure.size(11, 2.9);
  figure.axes(0, 0).title("memory").x_label("place").matrix(std::vector<double>{0, 1, 2, 3, 4, 5}, {""}, numbered("", 6));
  panel(figure.axes(0, 1), "x", x);
  panel(figure.axes(0, 2), "x.t()", x.t());
  panel(figure.axes(0, 3), "x.index({Slice(), 1})", x.index({indexing::Slice(), 1}));
  std::printf("%s\n", figure.save_or_csv(path).message.c_str());
}

void draw_graph(const std::string& path) {
  nn::Linear fc1(4, 10), fc2(10, 3);
  const Tensor loss = nn::functional::cross_entropy(fc2(relu(fc1(ones({120, 4})))), zeros({120}, kLong));
  const std::string written = autograd::draw(
      loss, path,
      {{"fc1.weight", fc1->weight}, {"fc1.bias", fc1->bias}, {"fc2.weight", fc2->weight}, {"fc2.bias", fc2->bias}, {"loss", loss}});
  std::printf("graph written to %s\n", written.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  std::string folder = ".";
  return examples::main_of(
      "pictures", "Draws the pictures of docs/guide that no example draws.", argc, argv,
      [&](CLI::App& app) { app.add_option("--out", folder, "the folder for the pictures, which must exist")->capture_default_str(); },
      [&] {
        const auto file = [&](const char* name) { return viz::user_path(folder, name); };
        draw_strides(file("strides.png"));
        draw_graph(file("graph.svg"));
        return 0;
      });
}
