// Looking at a loss without making the host wait: on a GPU an item() in each step costs more than a small step does.
//
//   AsyncItem value = loss.item_async();   // on its way; the host goes on
//   ...
//   if (value.ready()) show(value.get<float>());
//
//   LossLog log;
//   for (...) {
//     step();
//     log.record(loss);                    // every step
//   }
//   draw(log.values());                    // one wait, for all of them
//
// Both work on every device; on the CPU the value is there at once.
#pragma once

#include <memory>
#include <vector>

#include "wick/framework/cuda/event.h"
#include "wick/framework/tensor.h"

namespace wick {

// The value that a tensor of one element has when item_async() is called; later changes of the tensor do not matter.
class AsyncItem {
 public:
  // Whether get() will not wait.
  bool ready() const { return !event_ || event_->query(); }
  // The value; waits until it has arrived.
  Scalar get(WICK_CALL_SITE) const;
  template <class T>
  T get(WICK_CALL_SITE) const { return get(where).to<T>(); }

 private:
  friend class Tensor;
  Tensor value_;  // on the host
  std::shared_ptr<cuda::Event> event_;
};

// Collects the values of tensors of one element in a ring on their device and fetches them in blocks.
//
// What is recorded is kept alive until 128 values are together, which one kernel then writes into the ring; so a step costs no launch of
// its own. A tensor that is written to in place, the result of a graph's replay above all, is copied at once, by a kernel of its own.
// Inside of a GraphCapture record() becomes part of the graph: each replay then records the value of that step.
class LossLog {
 public:
  // `capacity`: values in the ring, at least 256. Replayed graphs record without the host's knowing: when more than so many values come
  // between two calls of values() or arrived(), the oldest are lost, and NaN stands for each.
  explicit LossLog(int64_t capacity = 4096);

  // Throws for a tensor of more than one element, or of another device than those before.
  void record(const Tensor& value);
  // All values so far, in order. Waits for the device, once.
  const std::vector<double>& values(WICK_CALL_SITE);
  // Those that have arrived; waits for nothing.
  const std::vector<double>& arrived();
  // Forgets everything.
  void reset();

 private:
  struct Kept {
    Ref<StorageImpl> storage;
    void* data;
    uint32_t version;
  };

  void write(const Kept* kept, size_t count);
  void flush();
  void take(const Tensor& ring);

  int64_t capacity_, recorded_ = 0;
  ScalarType dtype_ = kFloat;
  std::vector<Kept> kept_;
  Tensor ring_;  // float64 [capacity + 1]: the values, value i at i % capacity, and how many there have been
  Tensor arriving_;
  cuda::Event event_;
  bool in_flight_ = false;
  std::vector<double> values_;
};

}  // namespace wick
