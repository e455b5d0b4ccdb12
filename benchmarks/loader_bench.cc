// What workers are worth: pictures a second from a loader whose examples take some time to make, and what a batch costs beyond its
// examples.
//
// Each picture is resized, mirrored and normalised, as training does; a batch has 32. Two workers are twice one where two cores are free.
#include <benchmark/benchmark.h>
#include <torch/torch.h>

namespace {

namespace data = torch::data;

struct Pictures : data::datasets::Dataset<Pictures> {
  data::Example<> get(size_t index) override {
    const torch::Tensor picture = torch::full({1, 3, 64, 64}, static_cast<double>(index));
    const auto options =
        torch::nn::functional::InterpolateFuncOptions().size(std::vector<int64_t>{96, 96}).mode(torch::kBilinear).align_corners(false);
    const torch::Tensor large = torch::nn::functional::interpolate(picture, options)[0];
    return {large.flip(2).sub(0.5).div(0.25), torch::tensor(static_cast<int64_t>(index % 10))};
  }
  std::optional<size_t> size() const override { return 512; }
};

struct Numbers : data::datasets::Dataset<Numbers> {
  data::Example<> get(size_t) override { return {number, number}; }
  std::optional<size_t> size() const override { return 4096; }
  torch::Tensor number = torch::ones({1});
};

template <class Dataset>
void passes(benchmark::State& state) {
  // The workers are what runs at once here, not the threads of an operation.
  torch::set_num_threads(1);
  torch::NoGradGuard no_grad;
  auto loader = data::make_data_loader(Dataset().map(data::transforms::Stack<>()),
                                       data::DataLoaderOptions(32).workers(static_cast<size_t>(state.range(0))));
  int64_t examples = 0;
  for (auto _ : state)
    for (auto& batch : *loader) examples += batch.data.size(0);
  state.SetItemsProcessed(examples);
}
BENCHMARK(passes<Pictures>)->ArgName("workers")->DenseRange(0, 4)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(passes<Numbers>)->ArgName("workers")->DenseRange(0, 4)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
