// make_data_loader: the batches of a data set, in the order of a sampler.
#pragma once

#include <torch/data/dataloader/base.h>
#include <torch/data/samplers.h>

namespace torch::data {

// A loader that reads the data set in the sampler's order.
template <class Dataset, class Sampler>
  requires(!Dataset::is_stateful)
std::unique_ptr<StatelessDataLoader<Dataset, Sampler>> make_data_loader(Dataset dataset, Sampler sampler, DataLoaderOptions options) {
  return std::make_unique<StatelessDataLoader<Dataset, Sampler>>(std::move(dataset), std::move(sampler), std::move(options));
}

// The same with a sampler made for the size of the data set.
template <class Sampler = samplers::RandomSampler, class Dataset>
  requires(!Dataset::is_stateful && std::is_constructible_v<Sampler, size_t>)
std::unique_ptr<StatelessDataLoader<Dataset, Sampler>> make_data_loader(Dataset dataset, DataLoaderOptions options = {}) {
  const std::optional<size_t> size = dataset.size();
  WICK_CHECK(size.has_value(), "Expected the dataset to be sized in order to construct the Sampler");
  return make_data_loader(std::move(dataset), Sampler(*size), std::move(options));
}

template <class Dataset>
  requires(Dataset::is_stateful)
std::unique_ptr<StatefulDataLoader<Dataset>> make_data_loader(Dataset dataset, DataLoaderOptions options = {}) {
  return std::make_unique<StatefulDataLoader<Dataset>>(std::move(dataset), std::move(options));
}

}  // namespace torch::data
