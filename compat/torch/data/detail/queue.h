// A queue that threads wait at.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <queue>

#include "wick/framework/core/error.h"

namespace torch::data::detail {

template <class T>
class Queue {
 public:
  void push(T value) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      queue_.push(std::move(value));
    }
    ready_.notify_one();
  }
  // Waits for a value; throws after the timeout.
  T pop(std::optional<std::chrono::milliseconds> timeout = std::nullopt) {
    std::unique_lock<std::mutex> lock(mutex_);
    const auto filled = [this] { return !queue_.empty(); };
    if (!timeout) ready_.wait(lock, filled);
    else if (!ready_.wait_for(lock, *timeout, filled))
      wick::detail::raise<wick::Error>("Timeout in DataLoader queue while waiting for next batch (timeout was ", timeout->count(), " ms)");
    T value = std::move(queue_.front());
    queue_.pop();
    return value;
  }
  // Returns how many values there were.
  size_t clear() {
    std::lock_guard<std::mutex> lock(mutex_);
    return std::exchange(queue_, {}).size();
  }

 private:
  std::queue<T> queue_;
  std::mutex mutex_;
  std::condition_variable ready_;
};

}  // namespace torch::data::detail
