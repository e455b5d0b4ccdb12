// c10::IValue: wick's, which holds what PyTorch's files and custom functions hold.
#pragma once

#include <ATen/ATen.h>

#include "wick/framework/autograd/ivalue.h"
