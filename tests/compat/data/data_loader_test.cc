// Loaders: the same batches for any number of workers, nothing lost or repeated, errors, early ends, and going on after a load.
#include <torch/torch.h>

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <set>
#include <sstream>

namespace {

using namespace torch::data;

struct Numbers : datasets::Dataset<Numbers, size_t> {
  explicit Numbers(size_t n) : n(n) {}
  size_t get(size_t index) override { return index; }
  std::optional<size_t> size() const override { return n; }
  size_t n;
};

// Takes longer for some examples than for others.
struct Uneven : Numbers {
  using Numbers::Numbers;
  size_t get(size_t index) override {
    if (index % 7 == 0) std::this_thread::sleep_for(std::chrono::microseconds(300));
    return index;
  }
  template <class T>
  auto map(T transform) { return datasets::map(*this, std::move(transform)); }
};

template <class Loader>
std::vector<std::vector<size_t>> batches_of(Loader& loader) {
  std::vector<std::vector<size_t>> batches;
  for (auto& batch : loader) batches.push_back(batch);
  return batches;
}

TEST(DataLoader, GivesTheSameBatchesForAnyNumberOfWorkers) {
  std::vector<std::vector<std::vector<size_t>>> runs;
  for (const size_t workers : {0, 1, 4}) {
    torch::manual_seed(3);
    auto loader = make_data_loader(Uneven(50), DataLoaderOptions(8).workers(workers));
    runs.push_back(batches_of(*loader));
    const auto second = batches_of(*loader);
    runs.back().insert(runs.back().end(), second.begin(), second.end());
  }
  EXPECT_EQ(runs[0].size(), 14u);
  EXPECT_NE(runs[0][0], runs[0][7]);
  EXPECT_EQ(runs[0], runs[1]);
  EXPECT_EQ(runs[0], runs[2]);
}

TEST(DataLoader, LosesAndRepeatsNothingWithoutOrder) {
  auto loader = make_data_loader(Uneven(200), DataLoaderOptions(3).workers(4).enforce_ordering(false));
  for (int epoch = 0; epoch < 3; ++epoch) {
    std::vector<size_t> all;
    for (auto& batch : *loader) all.insert(all.end(), batch.begin(), batch.end());
    std::sort(all.begin(), all.end());
    std::vector<size_t> expected(200);
    std::iota(expected.begin(), expected.end(), size_t{0});
    EXPECT_EQ(all, expected);
  }
}

TEST(DataLoader, StopsWhenTheUserLeavesEarly) {
  for (const size_t workers : {0, 1, 4}) {
    auto loader = make_data_loader(Uneven(1000), DataLoaderOptions(4).workers(workers));
    int count = 0;
    for ([[maybe_unused]] auto& batch : *loader) {
      if (++count == 3) break;
    }
    EXPECT_EQ(count, 3);
  }
}

TEST(DataLoader, BeginsAnewWhenTheIteratorIsGone) {
  auto loader = make_data_loader<samplers::SequentialSampler>(Uneven(40), DataLoaderOptions(4).workers(3));
  const auto all = batches_of(*loader);
  ASSERT_EQ(all.size(), 10u);
  for (int count = 0; [[maybe_unused]] auto& batch : *loader) {
    if (++count == 2) break;
  }
  EXPECT_EQ(batches_of(*loader), all);
  auto left = loader->begin();
  EXPECT_THROW(loader->begin(), c10::Error);
  left = loader->end();
  EXPECT_EQ(batches_of(*loader), all);
}

TEST(DataLoader, GoesOnBehindABatchWhoseWorkerThrew) {
  struct Throws : datasets::Dataset<Throws, size_t> {
    size_t get(size_t index) override {
      if (index == 5) throw std::out_of_range("five");
      if (index == 9) throw 9;
      return index;
    }
    std::optional<size_t> size() const override { return 40; }
  };
  auto loader = make_data_loader<samplers::SequentialSampler>(Throws(), DataLoaderOptions(1).workers(2));
  auto it = loader->begin();
  std::vector<size_t> got;
  std::vector<std::string> errors;
  bool first = true;
  while (true) {
    try {
      if (!first) ++it;
      first = false;
      if (it == loader->end()) break;
      got.push_back((*it)[0]);
    } catch (const WorkerException& error) {
      errors.push_back(error.what());
    }
  }
  EXPECT_EQ(got.size(), 38u);
  EXPECT_EQ(errors, (std::vector<std::string>{"Caught exception in DataLoader worker thread. Original message: five",
                                              "Caught exception in DataLoader worker thread."}));
}

TEST(DataLoader, WaitsNoLongerThanItsTimeout) {
  struct Slow : datasets::Dataset<Slow, size_t> {
    size_t get(size_t index) override {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      return index;
    }
    std::optional<size_t> size() const override { return 10; }
  };
  auto loader = make_data_loader(Slow(), DataLoaderOptions(1).workers(1).timeout(std::chrono::milliseconds(5)));
  try {
    *loader->begin();
    FAIL();
  } catch (const c10::Error& error) {
    EXPECT_STREQ(error.what(), "Timeout in DataLoader queue while waiting for next batch (timeout was 5 ms)");
  }
}

TEST(DataLoader, WorkersHaveTheGradModeOfTheirMaker) {
  struct Mode : datasets::Dataset<Mode, bool> {
    bool get(size_t) override { return torch::GradMode::is_enabled(); }
    std::optional<size_t> size() const override { return 8; }
  };
  const auto modes = [] {
    std::set<bool> found;
    auto loader = make_data_loader(Mode(), DataLoaderOptions(1).workers(2));
    for (auto& batch : *loader) found.insert(batch.begin(), batch.end());
    return found;
  };
  EXPECT_EQ(modes(), std::set<bool>{true});
  torch::NoGradGuard no_grad;
  EXPECT_EQ(modes(), std::set<bool>{false});
}

TEST(DataLoader, GoesOnInTheMiddleOfAPass) {
  for (const size_t workers : {0, 2}) {
    torch::manual_seed(5);
    auto loader = make_data_loader(Numbers(40), DataLoaderOptions(4).workers(workers));
    auto it = loader->begin();
    for (int i = 0; i < 3; ++i) *it, ++it;
    std::stringstream stream;
    torch::save(*loader, stream);
    std::vector<std::vector<size_t>> rest, again;
    for (++it; it != loader->end(); ++it) rest.push_back(*it);

    auto other = make_data_loader(Numbers(40), DataLoaderOptions(4).workers(workers));
    torch::load(*other, stream);
    again = batches_of(*other);
    EXPECT_EQ(rest.size(), 6u);
    EXPECT_EQ(again, rest) << workers;
    EXPECT_EQ(batches_of(*other).size(), 10u);
  }
}

TEST(DataLoader, BadOptions) {
  EXPECT_THROW(make_data_loader(Numbers(4), DataLoaderOptions(0)), c10::ValueError);
  EXPECT_THROW(make_data_loader(Numbers(4), DataLoaderOptions(1).workers(1).max_jobs(0)), c10::ValueError);
  EXPECT_THROW(samplers::DistributedRandomSampler(4, 2, 2), c10::ValueError);
}

TEST(Samplers, TheRandomOneDrawsAsPyTorch) {
  torch::manual_seed(0);
  samplers::RandomSampler sampler(5);
  torch::manual_seed(0);
  const torch::Tensor expected = torch::randperm(5);
  for (int64_t i = 0; i < 5; ++i) EXPECT_EQ(sampler.next(1)->at(0), static_cast<size_t>(expected[i].item<int64_t>()));
  EXPECT_FALSE(sampler.next(1));
}

TEST(Samplers, FilesThatDoNotFit) {
  std::stringstream stream;
  torch::save(torch::ones({2}), stream);
  samplers::RandomSampler sampler(5);
  EXPECT_THROW(torch::load(sampler, stream), c10::Error);
  EXPECT_EQ(sampler.next(10)->size(), 5u);
}

// ---- Chunks ------------------------------------------------------------------------------------------------------------------------

struct Chunks : datasets::ChunkDataReader<size_t> {
  std::vector<size_t> read_chunk(size_t chunk) override {
    if (chunk == bad) throw std::runtime_error("bad chunk");
    std::vector<size_t> data(chunk + 1);  // chunk c has c + 1 examples
    std::iota(data.begin(), data.end(), chunk * 100);
    return data;
  }
  size_t chunk_count() override { return 20; }
  void reset() override {}
  size_t bad = 1000;
};

TEST(ChunkDataset, GivesEachExampleOnce) {
  using Set = datasets::ChunkDataset<Chunks, samplers::RandomSampler, samplers::RandomSampler>;
  for (const size_t preloaders : {1, 3}) {
    for (const size_t workers : {0, 2}) {
      auto set = datasets::make_shared_dataset<Set>(Chunks(), samplers::RandomSampler(0), samplers::RandomSampler(0),
                                                    datasets::ChunkDatasetOptions(preloaders, 8, 32, 2));
      auto loader = make_data_loader(set, DataLoaderOptions(8).workers(workers));
      for (int epoch = 0; epoch < 2; ++epoch) {
        std::set<size_t> seen;
        size_t count = 0;
        for (auto& batch : *loader) seen.insert(batch.begin(), batch.end()), count += batch.size();
        EXPECT_EQ(count, 210u);
        EXPECT_EQ(seen.size(), 210u);
      }
    }
  }
}

TEST(ChunkDataset, ReportsWhatAReaderThrows) {
  using Set = datasets::ChunkDataset<Chunks, samplers::SequentialSampler, samplers::SequentialSampler>;
  Chunks chunks;
  chunks.bad = 3;
  Set set(chunks, samplers::SequentialSampler(0), samplers::SequentialSampler(0), datasets::ChunkDatasetOptions(1, 4));
  EXPECT_THROW(set.get_batch(), c10::Error);
  set.reset();
  size_t count = 0, errors = 0;
  while (true) {
    try {
      const auto batch = set.get_batch();
      if (!batch) break;
      count += batch->size();
    } catch (const WorkerException& error) {
      EXPECT_STREQ(error.what(), "Caught exception in DataLoader worker thread. Original message: bad chunk");
      ++errors;
    }
  }
  EXPECT_EQ(count, 206u);
  EXPECT_EQ(errors, 1u);
}

}  // namespace
