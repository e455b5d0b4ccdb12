// What a program may ask about CUDA, whether or not this build of wick has it. Nothing here throws for want of a GPU.
#pragma once

namespace wick::cuda {

// Whether tensors can live on an NVIDIA GPU: this build has the CUDA backend, and the machine a driver and a device.
bool is_available();
// How many such devices there are; 0 where is_available() is false.
int device_count();

}  // namespace wick::cuda
