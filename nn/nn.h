// All of nn: modules, layers, losses, functions and initialisation.
#pragma once

#include "wick/nn/any_module.h"
#include "wick/nn/call.h"
#include "wick/nn/cloneable.h"
#include "wick/nn/functional.h"
#include "wick/nn/hooks.h"
#include "wick/nn/init.h"
#include "wick/nn/module.h"
#include "wick/nn/module_holder.h"
#include "wick/nn/module_list.h"
#include "wick/nn/ordered_dict.h"
#include "wick/nn/repr.h"
#include "wick/nn/rnn.h"
#include "wick/nn/sequential.h"
#include "wick/nn/summary.h"
#include "wick/nn/transformer.h"
#include "wick/nn/utils.h"
