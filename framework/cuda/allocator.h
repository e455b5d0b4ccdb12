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
// Blocks that a graph refers to are taken from the graph's own pool while it is captured (graph.h).
//
// WICK_CUDA_NO_CACHING=1 in the environment makes every block a cudaMalloc of its own, for tools that look for overruns.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace wick::cuda {

// Memory of the current device for the stream, aligned to 512 bytes, not initialised; nullptr for zero bytes. Throws OutOfMemoryError.
void* allocate(size_t bytes, cudaStream_t stream);
// Frees a block of allocate(), from any thread. No wait: what its stream has still to do with it may be under way.
void free(void* block) noexcept;
// Another stream than its own uses the block: it is not handed out again before that stream has done what it has to do when the block
// is freed. Any address inside the block will do.
void record_stream(const void* address, cudaStream_t stream);

}  // namespace wick::cuda
