// torch::cuda.
#pragma once

#include <ATen/cuda/CUDAContext.h>
#include <torch/torch.h>
