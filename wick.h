// All of wick that a program which trains and runs models needs. Charts and progress bars have headers of their own in wick/viz.
#pragma once

#if __cplusplus < 202002L
#error "wick needs C++20: compile with -std=c++20 or later"
#else

#include "wick/datasets/csv.h"
#include "wick/datasets/images.h"
#include "wick/datasets/metrics.h"
#include "wick/datasets/scalers.h"
#include "wick/datasets/tables.h"
#include "wick/datasets/train_test_split.h"
#include "wick/framework/autograd/anomaly_mode.h"
#include "wick/framework/autograd/checkpoint.h"
#include "wick/framework/autograd/engine.h"
#include "wick/framework/autograd/function.h"
#include "wick/framework/autograd/functional.h"
#include "wick/framework/core/deterministic.h"
#include "wick/framework/core/parallel.h"
#include "wick/framework/cuda.h"
#include "wick/framework/fft.h"
#include "wick/framework/graph/graph.h"
#include "wick/framework/io/npy.h"
#include "wick/framework/io/print.h"
#include "wick/framework/io/safetensors.h"
#include "wick/framework/linalg.h"
#include "wick/framework/ops/autocast.h"
#include "wick/framework/ops/from_blob.h"
#include "wick/framework/ops/tensor_index.h"
#include "wick/framework/ops/tensor_literal.h"
#include "wick/framework/tensor.h"
#include "wick/nn/nn.h"
#include "wick/optim/optim.h"

#endif
