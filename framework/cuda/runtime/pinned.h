// Pinned memory of the host, cached. A block that a copy still reads or writes when it is freed is kept back until the copy is done.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "wick/framework/core/storage.h"

namespace wick::cuda {

struct PinnedBlock;

// At least `bytes`, aligned to 512 bytes. Throws OutOfMemoryError.
PinnedBlock* allocate_pinned(size_t bytes);
void* data_of(PinnedBlock* block);
// A copy to or from the block was enqueued on the stream.
void note_pinned_use(PinnedBlock* block, int device, cudaStream_t stream);
void free_pinned(PinnedBlock* block) noexcept;
void release_pinned_cache();

Ref<StorageImpl> allocate_pinned_storage(size_t nbytes);
// The block of a storage that allocate_pinned_storage() made; null for another one.
PinnedBlock* pinned_block(const StorageImpl& storage);

}  // namespace wick::cuda
