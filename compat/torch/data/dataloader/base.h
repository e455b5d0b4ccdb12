// Loaders: the batches of a data set, loaded by threads ahead of the program that uses them.
#pragma once

#include <memory>
#include <thread>
#include <type_traits>
#include <vector>

#include <torch/data/dataloader_options.h>
#include <torch/data/detail/data_shuttle.h>
#include <torch/data/detail/sequencers.h>
#include <torch/data/iterator.h>
#include <torch/data/worker_exception.h>
#include <torch/serialize/archive.h>
#include <torch/types.h>

namespace torch::data {

// The thread that iterates asks the sampler, so with enforce_ordering the batches are the same for any number of workers. Workers have
// the grad mode of the thread that made the loader. What a worker throws arrives at the iterator as a WorkerException; the batches after
// it can still be had. The destructor waits for the batches that are being loaded.
template <class Dataset, class Batch, class BatchRequest>
class DataLoaderBase {
 public:
  using BatchType = Batch;
  using BatchRequestType = BatchRequest;

  DataLoaderBase(DataLoaderOptions options, std::unique_ptr<Dataset> main_thread_dataset = nullptr)
      : options_(options), main_thread_dataset_(std::move(main_thread_dataset)), sequencer_(new_sequencer()) {
    WICK_CHECK_VALUE(options_.batch_size > 0, "DataLoader: batch_size must be positive, got ", options_.batch_size);
    WICK_CHECK_VALUE(options_.workers == 0 || options_.max_jobs > 0, "DataLoader: with workers, max_jobs must be positive");
  }
  DataLoaderBase(const DataLoaderBase&) = delete;
  DataLoaderBase& operator=(const DataLoaderBase&) = delete;
  virtual ~DataLoaderBase() { join(); }

  // Begins a pass. Throws where workers still load for an iterator that is not at its end; what an iterator left behind that is gone (after
  // a break, or an exception) is dropped.
  Iterator<Batch> begin() {
    WICK_CHECK(shuttle_.in_flight_jobs() == 0 || pass_.expired(),
               "Attempted to get a new DataLoader iterator while another iterator is not yet exhausted");
    reset();
    const auto cursor = std::make_shared<detail::Cursor<Batch>>([this] { return next(); });
    pass_ = cursor;
    return Iterator<Batch>(cursor);
  }
  Iterator<Batch> end() { return Iterator<Batch>(std::make_shared<detail::Cursor<Batch>>()); }

  // Ends the workers, and with them the current pass.
  void join() {
    if (std::exchange(joined_, true)) return;
    shuttle_.drain();
    for (size_t i = 0; i < workers_.size(); ++i) shuttle_.push_job(Job{});
    for (std::thread& worker : workers_) worker.join();
  }

  const FullDataLoaderOptions& options() const noexcept { return options_; }

 protected:
  struct Job {
    std::optional<BatchRequest> request;  // none: the worker ends
    size_t sequence_number = 0;
  };
  struct Result {
    std::optional<Batch> batch;  // none: the data set is at its end
    std::exception_ptr exception;
    size_t sequence_number = 0;
  };

  // What the next batch consists of; nothing at the end of a pass.
  virtual std::optional<BatchRequest> get_batch_request() = 0;

  // Begins a pass.
  virtual void reset() {
    shuttle_.drain();
    sequence_number_ = 0;
    sequencer_ = new_sequencer();
    if (!workers_.empty() && !joined_) prefetch(options_.max_jobs);
  }

  // The next batch; nothing at the end of a pass.
  virtual std::optional<Batch> next() {
    if (workers_.empty()) {
      std::optional<BatchRequest> request = get_batch_request();
      if (!request) return std::nullopt;
      return main_thread_dataset_->get_batch(std::move(*request));
    }
    while (std::optional<Result> result = sequencer_->next([this] { return shuttle_.pop_result(options_.timeout); })) {
      if (!result->exception && !result->batch) continue;
      prefetch(1);
      if (result->exception) throw WorkerException(result->exception);
      return std::move(result->batch);
    }
    return std::nullopt;
  }

  void start_worker(Dataset& dataset) {
    workers_.emplace_back([this, &dataset, grad = wick::GradMode::is_enabled()] { work(dataset, grad); });
  }
  void start_worker(std::unique_ptr<Dataset> dataset) {
    workers_.emplace_back([this, dataset = std::move(dataset), grad = wick::GradMode::is_enabled()] { work(*dataset, grad); });
  }

  const FullDataLoaderOptions options_;
  std::unique_ptr<Dataset> main_thread_dataset_;

 private:
  void work(Dataset& dataset, bool grad) {
    wick::AutoGradMode mode(grad);
    while (true) {
      Job job = shuttle_.pop_job();
      if (!job.request) return;
      Result result{std::nullopt, nullptr, job.sequence_number};
      try {
        result.batch = dataset.get_batch(std::move(*job.request));
      } catch (...) {
        result.exception = std::current_exception();
      }
      shuttle_.push_result(std::move(result));
    }
  }
  void prefetch(size_t jobs) {
    while (jobs-- > 0) {
      std::optional<BatchRequest> request = get_batch_request();
      if (!request) return;
      shuttle_.push_job(Job{std::move(request), sequence_number_++});
    }
  }
  std::unique_ptr<detail::sequencers::Sequencer<Result>> new_sequencer() {
    if (options_.enforce_ordering) return std::make_unique<detail::sequencers::OrderedSequencer<Result>>(options_.max_jobs);
    return std::make_unique<detail::sequencers::NoSequencer<Result>>();
  }

  std::weak_ptr<detail::Cursor<Batch>> pass_;
  size_t sequence_number_ = 0;
  std::vector<std::thread> workers_;
  detail::DataShuttle<Job, Result> shuttle_;
  std::unique_ptr<detail::sequencers::Sequencer<Result>> sequencer_;
  bool joined_ = false;
};

// For data sets that say themselves when a pass is over; the workers share one.
template <class Dataset>
class StatefulDataLoader : public DataLoaderBase<Dataset, typename Dataset::BatchType::value_type, typename Dataset::BatchRequestType> {
 public:
  using Base = DataLoaderBase<Dataset, typename Dataset::BatchType::value_type, typename Dataset::BatchRequestType>;
  using typename Base::BatchRequestType;

  StatefulDataLoader(Dataset dataset, DataLoaderOptions options) : Base(options, std::make_unique<Dataset>(std::move(dataset))) {
    for (size_t i = 0; i < this->options_.workers; ++i) this->start_worker(*this->main_thread_dataset_);
  }
  ~StatefulDataLoader() override { this->join(); }

 private:
  void reset() override {
    this->main_thread_dataset_->reset();
    Base::reset();
  }
  std::optional<BatchRequestType> get_batch_request() override { return BatchRequestType(this->options_.batch_size); }
};

// For data sets that are asked for the examples which a sampler chooses; each worker has a copy.
template <class Dataset, class Sampler>
class StatelessDataLoader : public DataLoaderBase<Dataset, typename Dataset::BatchType, typename Sampler::BatchRequestType> {
 public:
  using Base = DataLoaderBase<Dataset, typename Dataset::BatchType, typename Sampler::BatchRequestType>;
  using typename Base::BatchRequestType;
  using typename Base::BatchType;

  StatelessDataLoader(Dataset dataset, Sampler sampler, DataLoaderOptions options) : Base(options), sampler_(std::move(sampler)) {
    if constexpr (std::is_copy_constructible_v<Dataset>) {
      for (size_t i = 0; i < this->options_.workers; ++i) this->start_worker(std::make_unique<Dataset>(dataset));
    } else {
      WICK_CHECK(this->options_.workers == 0, "a data set that cannot be copied needs make_shared_dataset() to have workers");
    }
    if (this->options_.workers == 0) this->main_thread_dataset_ = std::make_unique<Dataset>(std::move(dataset));
  }
  ~StatelessDataLoader() override { this->join(); }

  // Where the current pass is: the next begin() of a loader that has load()ed it goes on with the batch after the last one that was
  // handed out here, whatever has been loaded ahead since. The sampler must save and load its state.
  void save(serialize::OutputArchive& archive) const {
    archive.write("batches", static_cast<int64_t>(batches_));
    archive.write("sampler", start_);
  }
  // Throws, and leaves everything as it was, for what is no position of such a loader.
  void load(serialize::InputArchive& archive) {
    wick::IValue batches, start;
    archive.read("batches", batches);
    WICK_CHECK(archive.try_read("sampler", start), "the file has no state of a sampler");
    WICK_CHECK(batches.toInt() >= 0, "the file says that ", batches.toInt(), " batches have been used");
    serialize::OutputArchive now;
    sampler_.save(now);
    take_sampler(start);  // only to see whether it fits: begin() wants it
    take_sampler(now.content());
    batches_ = static_cast<size_t>(batches.toInt());
    start_ = std::move(start);
    resume_ = true;
  }

 private:
  void reset() override {
    if (std::exchange(resume_, false)) {
      take_sampler(start_);
      size_t skipped = 0;
      while (skipped < batches_ && get_batch_request()) ++skipped;
      batches_ = skipped;
    } else {
      sampler_.reset();
      batches_ = 0;
      remember_start();
    }
    Base::reset();
  }
  void take_sampler(const wick::IValue& state) {
    serialize::InputArchive archive(state);
    sampler_.load(archive);
  }
  void remember_start() {
    serialize::OutputArchive archive;
    sampler_.save(archive);
    start_ = archive.content();
  }
  std::optional<BatchType> next() override {
    std::optional<BatchType> batch = Base::next();
    batches_ += batch.has_value();
    return batch;
  }
  std::optional<BatchRequestType> get_batch_request() override {
    std::optional<BatchRequestType> request = sampler_.next(this->options_.batch_size);
    if (request && this->options_.drop_last && request->size() < this->options_.batch_size) return std::nullopt;
    return request;
  }

  Sampler sampler_;
  wick::IValue start_;  // the sampler's state at the begin of the pass
  size_t batches_ = 0;  // handed out in the pass
  bool resume_ = false;  // the next pass begins where load() says
};

template <class Dataset, class Sampler>
serialize::OutputArchive& operator<<(serialize::OutputArchive& archive, const StatelessDataLoader<Dataset, Sampler>& loader) {
  return loader.save(archive), archive;
}
template <class Dataset, class Sampler>
serialize::InputArchive& operator>>(serialize::InputArchive& archive, StatelessDataLoader<Dataset, Sampler>& loader) {
  return loader.load(archive), archive;
}

}  // namespace torch::data
