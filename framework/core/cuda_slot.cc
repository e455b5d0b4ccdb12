#include "wick/framework/core/cuda_slot.h"

namespace wick {

constinit CudaSlot cuda_slot = {};

}  // namespace wick
