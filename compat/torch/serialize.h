#pragma once

#include <torch/serialize/archive.h>
#include <torch/serialize/checkpoint.h>
