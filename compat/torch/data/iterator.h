// The iterator over the batches of a loader, for one pass.
#pragma once

#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "wick/framework/core/error.h"

namespace torch::data {

namespace detail {

// Where a pass is. Without a source it is the end of every pass.
template <class Batch>
class Cursor {
 public:
  using Source = std::function<std::optional<Batch>()>;
  explicit Cursor(Source source = nullptr) : source_(std::move(source)) {}

  bool is_sentinel() const { return !source_; }
  bool at_end() { return is_sentinel() || !current(); }
  Batch& get() {
    WICK_CHECK(!is_sentinel(), "Dereferencing the DataLoader's past-the-end iterator is not allowed");
    WICK_CHECK(current(), "Attempted to dereference iterator that was past the end");
    return *batch_;
  }
  void next() {
    WICK_CHECK(!is_sentinel(), "Incrementing the DataLoader's past-the-end iterator is not allowed");
    WICK_CHECK(current(), "Attempted to increment iterator past the end");
    batch_ = source_();
  }

 private:
  // The first batch is fetched when it is first needed.
  std::optional<Batch>& current() {
    if (!std::exchange(started_, true)) batch_ = source_();
    return batch_;
  }

  Source source_;
  bool started_ = false;
  std::optional<Batch> batch_;
};

}  // namespace detail

// Copies share their position.
template <class Batch>
class Iterator {
 public:
  using difference_type = std::ptrdiff_t;
  using value_type = Batch;
  using pointer = Batch*;
  using reference = Batch&;
  using iterator_category = std::input_iterator_tag;

  explicit Iterator(std::shared_ptr<detail::Cursor<Batch>> cursor) : cursor_(std::move(cursor)) {}

  Iterator& operator++() { return cursor_->next(), *this; }
  Batch& operator*() { return cursor_->get(); }
  Batch* operator->() { return &cursor_->get(); }
  bool operator==(const Iterator& other) const {
    if (cursor_ == other.cursor_) return true;
    const bool to_end = cursor_->is_sentinel() || other.cursor_->is_sentinel();
    return to_end && cursor_->at_end() && other.cursor_->at_end();
  }

  Iterator begin() { return *this; }
  Iterator end() { return Iterator(std::make_shared<detail::Cursor<Batch>>()); }

 private:
  std::shared_ptr<detail::Cursor<Batch>> cursor_;
};

}  // namespace torch::data
