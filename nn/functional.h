// nn::functional: layers without state, usually called F. Each takes its options as one struct, F::softmax(x, F::SoftmaxFuncOptions(1)),
// and makes of it a call of one operation. A function stands in the header of its family, beside the module that calls it.
#pragma once

#include "wick/nn/activation.h"
#include "wick/nn/conv.h"
#include "wick/nn/distance.h"
#include "wick/nn/dropout.h"
#include "wick/nn/embedding.h"
#include "wick/nn/linear.h"
#include "wick/nn/loss.h"
#include "wick/nn/normalization.h"
#include "wick/nn/padding.h"
#include "wick/nn/pixel_shuffle.h"
#include "wick/nn/pooling.h"
#include "wick/nn/vision.h"
