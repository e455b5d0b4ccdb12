// CUDA: whether there is a device, and all that a program may want of it. Every build has these functions. Where there is no device,
// because this build of wick lacks the backend or the machine a driver, questions are answered and everything else throws.
#pragma once

#include "wick/framework/cuda/device.h"
#include "wick/framework/cuda/event.h"
#include "wick/framework/cuda/loss_log.h"
#include "wick/framework/cuda/memory.h"
#include "wick/framework/cuda/precision.h"
#include "wick/framework/cuda/stream.h"
#include "wick/framework/cuda/sync.h"

namespace wick::cuda {

// Whether tensors can live on an NVIDIA GPU: this build has the CUDA backend, and the machine a driver and a device.
bool is_available();
// How many such devices there are; 0 where is_available() is false.
int device_count();

}  // namespace wick::cuda
