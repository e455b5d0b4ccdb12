// Loads a network that another program has trained, iris_mlp --save or Python, and predicts with it.
//
//   bazelw run //examples:iris_mlp -- --save iris.safetensors
//   bazelw run //examples:iris_predict -- iris.safetensors                  the 30 flowers that were kept for testing
//   bazelw run //examples:iris_predict -- iris.safetensors 5.1 3.5 1.4 0.2  one of your own, in centimetres
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "wick/examples/example.h"
#include "wick/examples/iris.h"
#include "wick/viz/paths.h"

using namespace wick;

namespace {

void print_row(const char* text, const Tensor& probabilities, const std::vector<std::string>& classes) {
  std::printf("%-24s %-12s", text, classes[static_cast<size_t>(probabilities.argmax().item<int64_t>())].c_str());
  for (int64_t i = 0; i < probabilities.numel(); ++i) std::printf(" %.6f", probabilities[i].item<double>());
  std::printf("\n");
}

std::string text_of(const Tensor& measurements) {
  std::string text;
  for (const double x : examples::numbers(measurements)) {
    char number[32];
    std::snprintf(number, sizeof number, text.empty() ? "%g" : " %g", x);
    text += number;
  }
  return text;
}

void predict(examples::Classifier& classifier, const Tensor& measurements) {
  const Tensor probabilities = classifier(measurements);
  std::printf("%-24s %-12s probability of", "measurements", "prediction");
  for (const std::string& name : classifier.classes) std::printf(" %s", name.c_str());
  std::printf("\n");
  for (int64_t i = 0; i < measurements.size(0); ++i) print_row(text_of(measurements[i]).c_str(), probabilities[i], classifier.classes);
}

int run(const std::string& path, const std::vector<double>& numbers) {
  examples::Classifier classifier = examples::load_classifier(viz::user_path(path));
  const auto features = static_cast<size_t>(classifier.scale.size(0));
  if (!numbers.empty()) {
    WICK_CHECK(numbers.size() == features, "this model wants ", features, " measurements, got ", numbers.size());
    for (const double x : numbers) WICK_CHECK(std::isfinite(x), "a measurement is a finite number, got ", x);
    predict(classifier, tensor(numbers, kDouble).unsqueeze(0));
    return 0;
  }
  const auto iris = datasets::Iris::load();
  WICK_CHECK(classifier.classes == iris.target_names, "this model is not one of Iris: give it ", features, " measurements");
  const auto split = datasets::train_test_split(iris.data, iris.target, {.test_size = 0.2, .random_state = 42});
  predict(classifier, split.x_test);
  std::printf("Test accuracy: %.4f\n", datasets::accuracy(classifier(split.x_test), split.y_test));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::string path;
  std::vector<double> numbers;
  return examples::main_of(
      "iris_predict", "Predicts with a network that iris_mlp --save or tools/iris_weights.py has written.", argc, argv,
      [&](CLI::App& app) {
        app.add_option("file", path, "the model (.safetensors)")->required();
        app.add_option("measurements", numbers,
                       "of one flower: sepal length and width, petal length and width; without them the test flowers")
            ->check(examples::kNumber);
      },
      [&] { return run(path, numbers); });
}
