// How a loader makes batches, and with how many threads.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

#include "wick/framework/core/arg.h"

namespace torch::data {

struct DataLoaderOptions {
  DataLoaderOptions() = default;
  DataLoaderOptions(size_t batch_size) : batch_size_(batch_size) {}

  WICK_ARG(size_t, batch_size) = 1;
  // Threads that load batches; with 0 the caller does.
  WICK_ARG(size_t, workers) = 0;
  // Batches that are loaded ahead; 2 for each worker by default.
  WICK_ARG(std::optional<size_t>, max_jobs);
  // How long to wait for a batch of a worker before an Error; without one, for ever.
  WICK_ARG(std::optional<std::chrono::milliseconds>, timeout);
  // Whether batches come in the order of the sampler, or as they are ready.
  WICK_ARG(bool, enforce_ordering) = true;
  // Whether the last batch is left out when it is smaller than the others.
  WICK_ARG(bool, drop_last) = false;
};

// The options with all values known.
struct FullDataLoaderOptions {
  explicit FullDataLoaderOptions(DataLoaderOptions options)
      : batch_size(options.batch_size()),
        workers(options.workers()),
        max_jobs(options.max_jobs().value_or(2 * workers)),
        timeout(options.timeout()),
        enforce_ordering(options.enforce_ordering()),
        drop_last(options.drop_last()) {}

  size_t batch_size, workers, max_jobs;
  std::optional<std::chrono::milliseconds> timeout;
  bool enforce_ordering, drop_last;
};

}  // namespace torch::data
