// All optimisers and learning-rate schedules.
#pragma once

#include "wick/optim/adagrad.h"
#include "wick/optim/adam.h"
#include "wick/optim/grad_scaler.h"
#include "wick/optim/lbfgs.h"
#include "wick/optim/lr_scheduler.h"
#include "wick/optim/optimizer.h"
#include "wick/optim/rmsprop.h"
#include "wick/optim/sgd.h"
