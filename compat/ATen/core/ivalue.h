#pragma once

#include <ATen/ATen.h>

#include "wick/framework/autograd/ivalue.h"
