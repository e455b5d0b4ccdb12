// OrderedDict, where LibTorch's headers have it.
#pragma once

#include "wick/framework/core/ordered_dict.h"
