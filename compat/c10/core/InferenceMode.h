#pragma once

#include "wick/framework/tensor.h"

namespace c10 {
using wick::AutoGradMode;
using wick::GradMode;
using wick::InferenceMode;
using wick::NoGradGuard;
}  // namespace c10
