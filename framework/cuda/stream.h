// The stream on which this thread's work for the current device is enqueued. The public class is cuda::Stream in framework/cuda.h.
#pragma once

#include <cuda_runtime_api.h>

namespace wick::cuda {

// Of the current device and this thread: the default stream (0), unless a StreamGuard or set_current_stream() says otherwise.
cudaStream_t current_stream();

}  // namespace wick::cuda
