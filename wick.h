// All of wick that a program which trains and runs models needs. Charts and progress bars have headers of their own in wick/viz.
#pragma once

#include "wick/datasets/csv.h"
#include "wick/datasets/iris.h"
#include "wick/datasets/scalers.h"
#include "wick/datasets/train_test_split.h"
#include "wick/framework/autograd/engine.h"
#include "wick/framework/core/parallel.h"
#include "wick/framework/cuda.h"
#include "wick/framework/graph/graph.h"
#include "wick/framework/io/print.h"
#include "wick/framework/ops/from_blob.h"
#include "wick/framework/ops/tensor_index.h"
#include "wick/framework/ops/tensor_literal.h"
#include "wick/framework/tensor.h"
#include "wick/nn/nn.h"
#include "wick/optim/optim.h"
