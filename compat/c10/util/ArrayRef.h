#pragma once

#include "wick/framework/core/array_ref.h"

namespace c10 {
using namespace wick;
}
