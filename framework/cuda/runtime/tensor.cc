#include "wick/framework/tensor.h"

#include "wick/framework/cuda.h"
#include "wick/framework/cuda/runtime/allocator.h"

namespace wick {

void Tensor::record_stream(const cuda::Stream& stream) const {
  if (is_cuda()) cuda::record_stream(*storage_ref(), stream);
}

}  // namespace wick
