// In which order a loader hands out what its workers finish.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace torch::data::detail::sequencers {

// In which order the results of workers are handed out.
template <class Result>
struct Sequencer {
  using ResultProducer = std::function<std::optional<Result>()>;
  virtual ~Sequencer() = default;
  virtual std::optional<Result> next(ResultProducer next_result) = 0;
};

// As they come.
template <class Result>
struct NoSequencer final : Sequencer<Result> {
  std::optional<Result> next(typename Sequencer<Result>::ResultProducer next_result) override { return next_result(); }
};

// By their sequence numbers, from 0 on; of at most max_jobs results that are on their way.
template <class Result>
struct OrderedSequencer final : Sequencer<Result> {
  explicit OrderedSequencer(size_t max_jobs) : buffer_(max_jobs) {}

  std::optional<Result> next(typename Sequencer<Result>::ResultProducer next_result) override {
    const auto place = [this](size_t number) -> std::optional<Result>& { return buffer_.at(number % buffer_.size()); };
    while (!place(next_sequence_number_)) {
      std::optional<Result> result = next_result();
      if (!result) return std::nullopt;
      const size_t number = result->sequence_number;
      place(number) = std::move(result);
    }
    return std::exchange(place(next_sequence_number_++), std::nullopt);
  }

  size_t next_sequence_number_ = 0;
  std::vector<std::optional<Result>> buffer_;
};

}  // namespace torch::data::detail::sequencers
