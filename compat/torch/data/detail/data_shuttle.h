// The way from a loader to its workers and back.
#pragma once

#include <torch/data/detail/queue.h>

namespace torch::data::detail {

// Jobs to workers and their results back. One thread pushes jobs and pops results; any number do the rest.
template <class Job, class Result>
class DataShuttle {
 public:
  void push_job(Job job) {
    jobs_.push(std::move(job));
    ++in_flight_jobs_;
  }
  void push_result(Result result) { results_.push(std::move(result)); }
  Job pop_job() { return jobs_.pop(); }
  // Nothing where no job is in flight; throws after the timeout.
  std::optional<Result> pop_result(std::optional<std::chrono::milliseconds> timeout = std::nullopt) {
    if (in_flight_jobs_ == 0) return std::nullopt;
    Result result = results_.pop(timeout);
    --in_flight_jobs_;
    return result;
  }
  // Forgets the jobs that nobody has begun, and waits for the others.
  void drain() {
    in_flight_jobs_ -= jobs_.clear();
    while (in_flight_jobs_ > 0) pop_result();
  }
  size_t in_flight_jobs() const noexcept { return in_flight_jobs_; }

 private:
  Queue<Job> jobs_;
  size_t in_flight_jobs_ = 0;
  Queue<Result> results_;
};

}  // namespace torch::data::detail
