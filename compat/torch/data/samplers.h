// Samplers: in which order a data set is read.
#pragma once

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include <torch/serialize/archive.h>
#include <torch/types.h>

namespace torch::data::samplers {

// What next() may return instead of indices.
struct CustomBatchRequest {
  virtual ~CustomBatchRequest() = default;
  virtual size_t size() const = 0;
};

template <class BatchRequest = std::vector<size_t>>
class Sampler {
 public:
  using BatchRequestType = BatchRequest;

  virtual ~Sampler() = default;
  // Begins a new pass, over a data set of another size if one is given.
  virtual void reset(std::optional<size_t> new_size) = 0;
  // The next batch, of at most so many examples; nothing at the end of the pass.
  virtual std::optional<BatchRequest> next(size_t batch_size) = 0;
  virtual void save(serialize::OutputArchive& archive) const = 0;
  virtual void load(serialize::InputArchive& archive) = 0;
};

template <class BatchRequest>
serialize::OutputArchive& operator<<(serialize::OutputArchive& archive, const Sampler<BatchRequest>& sampler) {
  return sampler.save(archive), archive;
}
template <class BatchRequest>
serialize::InputArchive& operator>>(serialize::InputArchive& archive, Sampler<BatchRequest>& sampler) {
  return sampler.load(archive), archive;
}

namespace detail {

inline void write_number(serialize::OutputArchive& archive, const char* key, size_t value) {
  archive.write(key, wick::tensor(static_cast<int64_t>(value), wick::kInt64), /*is_buffer=*/true);
}
// Throws where the number is more than `max`.
inline size_t read_number(serialize::InputArchive& archive, const char* key, size_t max) {
  Tensor number;
  archive.read(key, number, /*is_buffer=*/true);
  const int64_t value = number.item<int64_t>();
  WICK_CHECK(value >= 0 && static_cast<size_t>(value) <= max, "the file says that ", key, " is ", value, "; it can be up to ", max);
  return static_cast<size_t>(value);
}

}  // namespace detail

// 0, 1, 2, ...
class SequentialSampler : public Sampler<> {
 public:
  explicit SequentialSampler(size_t size) : size_(size) {}

  void reset(std::optional<size_t> new_size = std::nullopt) override {
    size_ = new_size.value_or(size_);
    index_ = 0;
  }
  std::optional<std::vector<size_t>> next(size_t batch_size) override {
    if (index_ >= size_) return std::nullopt;
    std::vector<size_t> batch(std::min(batch_size, size_ - index_));
    std::iota(batch.begin(), batch.end(), index_);
    index_ += batch.size();
    return batch;
  }
  void save(serialize::OutputArchive& archive) const override { detail::write_number(archive, "index", index_); }
  void load(serialize::InputArchive& archive) override { index_ = detail::read_number(archive, "index", SIZE_MAX); }
  size_t index() const noexcept { return index_; }

 private:
  size_t size_, index_ = 0;
};

// Each index once, in the order of torch::randperm by the default generator, a new one for each pass.
class RandomSampler : public Sampler<> {
 public:
  explicit RandomSampler(int64_t size, Dtype index_dtype = wick::kInt64) : indices_(wick::randperm(size, index_dtype)) {}

  void reset(std::optional<size_t> new_size = std::nullopt) override {
    const int64_t size = new_size ? static_cast<int64_t>(*new_size) : indices_.numel();
    indices_ = wick::randperm(size, indices_.options());
    index_ = 0;
  }
  std::optional<std::vector<size_t>> next(size_t batch_size) override {
    const int64_t left = indices_.numel() - index_;
    if (left <= 0) return std::nullopt;
    const int64_t count = static_cast<int64_t>(std::min(batch_size, static_cast<size_t>(left)));
    const Tensor slice = indices_.slice(0, index_, index_ + count).to(wick::kInt64).contiguous();
    index_ += count;
    return std::vector<size_t>(slice.data_ptr<int64_t>(), slice.data_ptr<int64_t>() + count);
  }
  void save(serialize::OutputArchive& archive) const override {
    detail::write_number(archive, "index", static_cast<size_t>(index_));
    archive.write("indices", indices_, /*is_buffer=*/true);
  }
  void load(serialize::InputArchive& archive) override {
    Tensor indices;
    archive.read("indices", indices, /*is_buffer=*/true);
    const bool is_list = indices.dim() == 1 && wick::is_integral(indices.scalar_type(), false);
    const auto within = [&] { return indices.min().item<int64_t>() >= 0 && indices.max().item<int64_t>() < indices.numel(); };
    WICK_CHECK(is_list && (indices.numel() == 0 || within()), "RandomSampler: the file has no indices of a sampler");
    index_ = static_cast<int64_t>(detail::read_number(archive, "index", static_cast<size_t>(indices.numel())));
    indices_ = indices;
  }
  size_t index() const noexcept { return static_cast<size_t>(index_); }

 private:
  Tensor indices_;
  int64_t index_ = 0;
};

// A number of examples, for data sets that are read as a stream.
struct BatchSize : CustomBatchRequest {
  explicit BatchSize(size_t size) : size_(size) {}
  size_t size() const noexcept override { return size_; }
  operator size_t() const noexcept { return size_; }

  size_t size_;
};

class StreamSampler : public Sampler<BatchSize> {
 public:
  explicit StreamSampler(size_t epoch_size) : epoch_size_(epoch_size) {}

  void reset(std::optional<size_t> new_size = std::nullopt) override {
    epoch_size_ = new_size.value_or(epoch_size_);
    examples_retrieved_so_far_ = 0;
  }
  std::optional<BatchSize> next(size_t batch_size) override {
    if (examples_retrieved_so_far_ >= epoch_size_) return std::nullopt;
    const size_t count = std::min(batch_size, epoch_size_ - examples_retrieved_so_far_);
    examples_retrieved_so_far_ += count;
    return BatchSize(count);
  }
  void save(serialize::OutputArchive& archive) const override {
    detail::write_number(archive, "examples_retrieved_so_far", examples_retrieved_so_far_);
  }
  void load(serialize::InputArchive& archive) override {
    examples_retrieved_so_far_ = detail::read_number(archive, "examples_retrieved_so_far", SIZE_MAX);
  }

 private:
  size_t examples_retrieved_so_far_ = 0, epoch_size_;
};

// The part of a data set that one of num_replicas processes reads. The parts are of equal size: with allow_duplicates the first examples
// come twice to fill them up, without it the last ones are left out. The epoch seeds the order, the same in all processes.
template <class BatchRequest = std::vector<size_t>>
class DistributedSampler : public Sampler<BatchRequest> {
 public:
  DistributedSampler(size_t size, size_t num_replicas = 1, size_t rank = 0, bool allow_duplicates = true)
      : size_(size), num_replicas_(num_replicas), rank_(rank), allow_duplicates_(allow_duplicates) {
    WICK_CHECK_VALUE(rank < num_replicas, "DistributedSampler: the rank must be less than the ", num_replicas, " replicas, got ", rank);
  }
  // Takes effect with the next reset().
  void set_epoch(size_t epoch) { epoch_ = epoch; }
  size_t epoch() const { return epoch_; }

 protected:
  size_t local_sample_count() { return (size_ + (allow_duplicates_ ? num_replicas_ - 1 : 0)) / num_replicas_; }

  size_t size_, num_replicas_, rank_, epoch_ = 0;
  bool allow_duplicates_;
};

namespace detail {

// Into the order that the seed stands for.
void shuffle(std::vector<size_t>& indices, uint32_t seed);

template <bool kShuffle>
class DistributedIndices : public DistributedSampler<> {
 public:
  DistributedIndices(size_t size, size_t num_replicas = 1, size_t rank = 0, bool allow_duplicates = true)
      : DistributedSampler(size, num_replicas, rank, allow_duplicates) {
    DistributedIndices::reset(size);
  }

  void reset(std::optional<size_t> new_size = std::nullopt) override {
    size_ = new_size.value_or(size_);
    const size_t local = local_sample_count();
    all_indices_.resize(num_replicas_ == 1 ? size_ : local * num_replicas_);
    for (size_t i = 0; i < all_indices_.size(); ++i) all_indices_[i] = i % size_;
    if constexpr (kShuffle) shuffle(all_indices_, static_cast<uint32_t>(epoch_));
    sample_index_ = rank_ * local;
    end_index_ = sample_index_ + local;
  }
  std::optional<std::vector<size_t>> next(size_t batch_size) override {
    if (sample_index_ == end_index_) return std::nullopt;
    const auto begin = all_indices_.begin() + static_cast<std::ptrdiff_t>(sample_index_);
    const size_t count = std::min(batch_size, end_index_ - sample_index_);
    sample_index_ += count;
    return std::vector<size_t>(begin, begin + static_cast<std::ptrdiff_t>(count));
  }
  // A file has the epoch, from which the order comes anew, and the position.
  void save(serialize::OutputArchive& archive) const override {
    write_number(archive, "sample_index_", sample_index_);
    write_number(archive, "epoch_", epoch_);
  }
  void load(serialize::InputArchive& archive) override {
    const size_t index = read_number(archive, "sample_index_", end_index_);
    epoch_ = read_number(archive, "epoch_", SIZE_MAX);
    reset();
    sample_index_ = index;
  }
  size_t index() const noexcept { return sample_index_; }

 private:
  size_t sample_index_ = 0, end_index_ = 0;
  std::vector<size_t> all_indices_;
};

}  // namespace detail

class DistributedRandomSampler : public detail::DistributedIndices<true> {
 public:
  using DistributedIndices::DistributedIndices;
};
class DistributedSequentialSampler : public detail::DistributedIndices<false> {
 public:
  using DistributedIndices::DistributedIndices;
};

}  // namespace torch::data::samplers
