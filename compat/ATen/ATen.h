// LibTorch's tensor library: the namespace at over wick.
#pragma once

#include <c10/util/ArrayRef.h>
#include <c10/util/Exception.h>
#include <c10/util/Optional.h>
#include <c10/util/typeid.h>

#include "wick.h"

namespace at {
using namespace wick;
using namespace c10;
}  // namespace at
