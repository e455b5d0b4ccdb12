// torch::RegisterOperators, the older form of TORCH_LIBRARY.
#pragma once

#include <torch/library.h>
