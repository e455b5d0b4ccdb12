// All of wick.
#pragma once

#include "wick/framework/tensor.h"
