// CUDA: whether there is a device, and all that a program may want of it. Every build has these functions. Where there is no device,
// because this build of wick lacks the backend or the machine a driver, questions are answered and everything else throws.
#pragma once

#include "wick/framework/cuda/cudnn.h"
#include "wick/framework/cuda/device.h"
#include "wick/framework/cuda/event.h"
#include "wick/framework/cuda/loss_log.h"
#include "wick/framework/cuda/memory.h"
#include "wick/framework/cuda/precision.h"
#include "wick/framework/cuda/stream.h"
#include "wick/framework/cuda/sync.h"
