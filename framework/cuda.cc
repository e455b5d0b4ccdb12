#include "wick/framework/cuda.h"

#include "wick/framework/core/cuda_slot.h"

namespace wick::cuda {

int device_count() { return cuda_slot() ? cuda_slot()->device_count() : 0; }
bool is_available() { return device_count() > 0; }

}  // namespace wick::cuda
