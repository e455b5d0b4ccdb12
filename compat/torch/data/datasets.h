// The data sets of torch::data.
#pragma once

#include <torch/data/datasets/base.h>
#include <torch/data/datasets/chunk.h>
#include <torch/data/datasets/mnist.h>
