#pragma once

#include "wick/framework/tensor.h"

namespace c10 {
using namespace wick;
}
