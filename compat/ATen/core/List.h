// c10::List, which stands beside c10::Dict.
#pragma once

#include <ATen/core/Dict.h>
