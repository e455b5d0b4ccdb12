// Memory that a kernel call needs for itself. It goes back when the launches are enqueued: whatever takes it next on the stream comes
// after them.
#pragma once

#include "wick/framework/cuda/runtime/allocator.h"

namespace wick::cuda {

class Scratch {
 public:
  Scratch(size_t bytes, cudaStream_t stream) : block_(allocate(bytes, stream)) {}
  ~Scratch() { cuda::free(block_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  template <class T>
  T* as() const { return static_cast<T*>(block_); }

 private:
  void* block_;
};

}  // namespace wick::cuda
