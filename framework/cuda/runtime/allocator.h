// The caching allocator of device memory.
//
// A block is taken for a stream. Freed on the host, it may be handed out for the same stream at once, since whatever that stream does
// with it comes after what it did before. A block that another stream uses too must be named to record_stream(): it is then kept back
// until that stream has done what it had to do when the block was freed.
//
// Blocks are cut from segments, which cudaMalloc gives: of 2 MiB for blocks up to 1 MiB, of 20 MiB for blocks up to 10 MiB, of the size
// asked for, rounded up to 2 MiB, above. Sizes are rounded up to 512 bytes. A request takes the smallest free block of its stream that
// is large enough and cuts off what it does not need; a freed block joins its free neighbours. When cudaMalloc fails, the segments that
// are wholly free go back to the driver and the call is made once more; then OutOfMemoryError is thrown.
//
// Blocks that are allocated while a graph is captured come from the graph's own pool and stay there as long as the graph.
//
// WICK_CUDA_NO_CACHING=1 in the environment makes every block a cudaMalloc of its own, for tools that look for overruns.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>

#include "wick/framework/core/storage.h"
#include "wick/framework/cuda/memory.h"

namespace wick::cuda {

// Memory of the current device for the stream, aligned to 512 bytes, not initialised; nullptr for zero bytes. Throws OutOfMemoryError.
void* allocate(size_t bytes, cudaStream_t stream);
// Frees a block of allocate(), from any thread. No wait: what its stream has still to do with it may be under way.
void free(void* block) noexcept;
// Another stream than its own uses the block.
void record_stream(void* block, cudaStream_t stream);

// The same for a tensor's memory, on a device and its current stream.
Ref<StorageImpl> allocate_device_storage(size_t nbytes, Device device);
void record_stream(const StorageImpl& storage, cudaStream_t stream);

// Where blocks come from while a Scope of this thread lives. When it goes, its segments go back to the driver.
class MemoryPool {
 public:
  MemoryPool();
  ~MemoryPool();
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  struct Blocks;

  class Scope {
   public:
    explicit Scope(MemoryPool& pool);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Blocks* before_;
  };

 private:
  std::unique_ptr<Blocks> blocks_;
};

}  // namespace wick::cuda
