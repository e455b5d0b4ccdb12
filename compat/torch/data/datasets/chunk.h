// Data sets that are too large for memory: read in chunks by threads, shuffled on two levels.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include <torch/data/datasets/base.h>
#include <torch/data/samplers.h>
#include <torch/data/worker_exception.h>

namespace torch::data::datasets {

// Reads the chunks, from several threads at once.
template <class ExampleType_, class ChunkType_ = std::vector<ExampleType_>>
class ChunkDataReader {
 public:
  using ChunkType = ChunkType_;
  using ExampleType = ExampleType_;

  virtual ~ChunkDataReader() = default;
  virtual ChunkType read_chunk(size_t chunk_index) = 0;
  virtual size_t chunk_count() = 0;
  // Called before each pass.
  virtual void reset() = 0;
};

namespace detail {

// Examples from chunks, put together to batches in the order of a sampler.
template <class UnwrappedBatch, class ExampleSampler = samplers::RandomSampler>
class BatchDataBuffer {
 public:
  using UnwrappedBatchType = UnwrappedBatch;
  using BatchType = std::optional<UnwrappedBatch>;

  BatchDataBuffer(size_t batch_size, ExampleSampler& example_sampler, size_t queue_capacity)
      : batch_size_(batch_size), example_sampler_(example_sampler), queue_capacity_(queue_capacity) {}

  // Waits for a full batch. After stop(), gives what is left, and then nothing.
  BatchType get_batch() {
    std::unique_lock<std::mutex> lock(mutex_);
    filled_.wait(lock, [this] { return stopped_ || examples_ >= batch_size_ || (!batches_.empty() && batches_.front().exception); });
    if (batches_.empty()) return std::nullopt;
    Entry entry = std::move(batches_.front());
    batches_.pop_front();
    examples_ -= entry.batch.size();
    lock.unlock();
    drained_.notify_all();
    if (entry.exception) throw WorkerException(entry.exception);
    return std::move(entry.batch);
  }

  // Waits while the buffer is full.
  void add_chunk_data(UnwrappedBatch data) {
    add([&] {
      example_sampler_.reset(data.size());
      for (size_t left = data.size(); left > 0;) {
        if (batches_.empty() || batches_.back().exception || batches_.back().batch.size() >= batch_size_) batches_.emplace_back();
        UnwrappedBatch& batch = batches_.back().batch;
        const size_t wanted = std::min(left, batch_size_ - batch.size());
        const auto indices = example_sampler_.next(wanted);
        WICK_CHECK(indices && indices->size() == wanted, "the sampler of a ChunkDataset gives too few examples of a chunk");
        for (const size_t i : *indices) {
          WICK_CHECK(i < data.size(), "Index out of range");
          batch.emplace_back(std::move(data[i]));
        }
        left -= wanted;
        examples_ += wanted;
      }
    });
  }
  void add_chunk_data(std::exception_ptr exception) {
    add([&] { batches_.push_back({{}, exception}); });
  }

  void stop() {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      stopped_ = true;
    }
    filled_.notify_all();
    drained_.notify_all();
  }

 private:
  struct Entry {
    UnwrappedBatch batch;
    std::exception_ptr exception;
  };

  template <class F>
  void add(const F& f) {
    {
      std::unique_lock<std::mutex> lock(mutex_);
      drained_.wait(lock, [this] { return stopped_ || examples_ < queue_capacity_; });
      if (stopped_) return;
      f();
    }
    filled_.notify_all();
  }

  const size_t batch_size_;
  ExampleSampler& example_sampler_;
  const size_t queue_capacity_;
  std::mutex mutex_;
  std::condition_variable filled_, drained_;
  std::deque<Entry> batches_;
  size_t examples_ = 0;
  bool stopped_ = false;
};

}  // namespace detail

struct ChunkDatasetOptions {
  ChunkDatasetOptions(size_t preloader_count, size_t batch_size, size_t cache_size = 2048, size_t cross_chunk_shuffle_count = 1)
      : preloader_count_(preloader_count),
        batch_size_(batch_size),
        cache_size_(cache_size),
        cross_chunk_shuffle_count_(cross_chunk_shuffle_count) {
    WICK_CHECK(preloader_count_ > 0, "Preloader count is 0. At least one preloader needs to be specified.");
    WICK_CHECK(batch_size_ > 0, "Batch size is 0. A positive batch size needs to be specified.");
    WICK_CHECK(cache_size_ > 0, "Cache size is 0. A positive cache size needs to be specified.");
    WICK_CHECK(cache_size_ >= batch_size_,
               "Cache size is less than batch size. Cache needs to be large enough to hold at least one batch.");
    WICK_CHECK(cross_chunk_shuffle_count_ > 0, "cross_chunk_shuffle_count needs to be greater than 0.");
  }

  // Threads that read chunks.
  WICK_ARG(size_t, preloader_count);
  WICK_ARG(size_t, batch_size);
  // Examples that are read ahead.
  WICK_ARG(size_t, cache_size);
  // Chunks that are shuffled together.
  WICK_ARG(size_t, cross_chunk_shuffle_count);
};

// Chunks in the order of the chunk sampler; a chunk's examples, or those of several together, first changed by preprocessing_policy, in
// the order of the example sampler. With one preloader and deterministic samplers the batches are deterministic. What a reader throws
// arrives at get_batch() as a WorkerException.
template <class ChunkReader, class ChunkSampler = samplers::RandomSampler, class ExampleSampler = samplers::RandomSampler>
class ChunkDataset final
    : public StatefulDataset<ChunkDataset<ChunkReader, ChunkSampler, ExampleSampler>, typename ChunkReader::ChunkType, size_t> {
 public:
  using UnwrappedBatchType = typename ChunkReader::ChunkType;
  using BatchType = std::optional<UnwrappedBatchType>;
  using BatchRequestType = size_t;
  using ChunkSamplerType = ChunkSampler;
  using ExampleSamplerType = ExampleSampler;
  using PreprocessingPolicy = std::function<void(UnwrappedBatchType&)>;

  ChunkDataset(ChunkReader chunk_reader, ChunkSampler chunk_sampler, ExampleSampler example_sampler, ChunkDatasetOptions options,
               PreprocessingPolicy preprocessing_policy = PreprocessingPolicy())
      : chunk_reader_(std::move(chunk_reader)),
        chunk_sampler_(std::move(chunk_sampler)),
        example_sampler_(std::move(example_sampler)),
        options_(std::move(options)),
        preprocessing_policy_(std::move(preprocessing_policy)) {}
  ~ChunkDataset() override { stop(); }

  // batch_size must be that of the options.
  BatchType get_batch(size_t batch_size) override {
    WICK_CHECK(buffer_, "Dataset needs to call reset() before calling get_batch().");
    WICK_CHECK(batch_size == options_.batch_size(),
               "The requested batch size does not match with the initialized batch size.\n The requested batch size is ", batch_size,
               ", while the dataset is created with batch size equal to ", options_.batch_size());
    return buffer_->get_batch();
  }
  BatchType get_batch() { return get_batch(options_.batch_size()); }

  // Begins a pass, or goes on with the one that was loaded.
  void reset() override {
    stop();
    chunk_reader_.reset();
    if (!std::exchange(loaded_, false)) chunk_sampler_.reset(chunk_reader_.chunk_count());
    buffer_ = std::make_unique<Buffer>(options_.batch_size(), example_sampler_, options_.cache_size());
    stopping_ = false;
    running_ = options_.preloader_count();
    for (size_t i = 0; i < options_.preloader_count(); ++i) preloaders_.emplace_back([this] { preload(); });
  }
  // Not known before all chunks have been read.
  std::optional<size_t> size() const override { return std::nullopt; }

  // Must not be used while preloaders run.
  ChunkSamplerType& chunk_sampler() { return chunk_sampler_; }

  // The position of the chunk sampler: chunks that are in the buffer count as used.
  void save(serialize::OutputArchive& archive) const override {
    std::lock_guard<std::mutex> lock(sampler_mutex_);
    chunk_sampler_.save(archive);
  }
  // Takes effect with the next reset().
  void load(serialize::InputArchive& archive) override {
    std::lock_guard<std::mutex> lock(sampler_mutex_);
    chunk_sampler_.reset(chunk_reader_.chunk_count());
    chunk_sampler_.load(archive);
    loaded_ = true;
  }

 private:
  using Buffer = detail::BatchDataBuffer<UnwrappedBatchType, ExampleSampler>;

  // The thread of a preloader.
  void preload() {
    while (true) {
      std::vector<size_t> chunks;
      try {
        {
          std::lock_guard<std::mutex> lock(sampler_mutex_);
          std::optional<std::vector<size_t>> next;
          if (!stopping_) next = chunk_sampler_.next(options_.cross_chunk_shuffle_count());
          if (!next) break;
          chunks = std::move(*next);
        }
        UnwrappedBatchType data = chunk_reader_.read_chunk(chunks.at(0));
        for (size_t i = 1; i < chunks.size(); ++i) {
          UnwrappedBatchType more = chunk_reader_.read_chunk(chunks[i]);
          std::move(more.begin(), more.end(), std::back_inserter(data));
        }
        if (preprocessing_policy_) preprocessing_policy_(data);
        if (!data.empty()) buffer_->add_chunk_data(std::move(data));
      } catch (...) {
        buffer_->add_chunk_data(std::current_exception());
        if (chunks.empty()) break;  // the sampler has thrown, and would again
      }
    }
    std::lock_guard<std::mutex> lock(sampler_mutex_);
    if (--running_ == 0) buffer_->stop();
  }

  void stop() {
    {
      std::lock_guard<std::mutex> lock(sampler_mutex_);
      stopping_ = true;
    }
    if (buffer_) buffer_->stop();
    for (std::thread& preloader : preloaders_) preloader.join();
    preloaders_.clear();
  }

  ChunkReader chunk_reader_;
  ChunkSampler chunk_sampler_;
  ExampleSampler example_sampler_;
  const ChunkDatasetOptions options_;
  const PreprocessingPolicy preprocessing_policy_;
  std::unique_ptr<Buffer> buffer_;
  std::vector<std::thread> preloaders_;
  mutable std::mutex sampler_mutex_;  // guards what follows and chunk_sampler_
  bool stopping_ = false, loaded_ = false;
  size_t running_ = 0;
};

}  // namespace torch::data::datasets
