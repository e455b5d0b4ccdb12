// One step of a recurrent layer: what follows the products with the weights.
#pragma once

#include "wick/framework/core/launch.h"

namespace wick {

// Of `rows` sequences with `width` hidden units each; all operands without gaps. x and h are the products of the step's input and of the
// state before with their weights, the biases added: [rows, 4, width] for an LSTM, in the order i, f, g, o, and [rows, 3, width] for a
// GRU, in the order r, z, n (nn/rnn.h has the formulas). The gates that are kept for the way back are [rows, 4, width]: those of an LSTM
// after their functions; r, z, n of a GRU and then the part of h that r multiplies.
struct RecurrentStepArgs {
  static constexpr Access access[6] = {Access::kWrite, Access::kWrite, Access::kWrite, Access::kRead, Access::kRead, Access::kRead};

  Buffer buffers[6];  // gates; the new h; the new c, null for a GRU; x; h; c before for an LSTM, h before for a GRU
  ScalarType dtype;   // float or double, of all of them
  int64_t rows, width;
};
extern constinit Kernel<RecurrentStepArgs> lstm_step_kernel;
extern constinit Kernel<RecurrentStepArgs> gru_step_kernel;

// The way back. `carried` has the gradient of the new c, and becomes that of c before; for a GRU it has the part of the new h's gradient
// that the next step passed on, and becomes the part of h before's that does not go through the weights. The rest of the new h's gradient
// is the sum of two others.
struct RecurrentStepBackwardArgs {
  static constexpr Access access[8] = {Access::kWrite, Access::kWrite, Access::kReadWrite, Access::kRead,
                                       Access::kRead,  Access::kRead,  Access::kRead,      Access::kRead};

  Buffer buffers[8];  // gradients of x and of h, which for an LSTM is the same and null; carried; gates; c or h before; the new c, null for
                      // a GRU; null or: gradients of the new h from the output, from the next step's product
  ScalarType dtype;
  int64_t rows, width;
};
extern constinit Kernel<RecurrentStepBackwardArgs> lstm_step_backward_kernel;
extern constinit Kernel<RecurrentStepBackwardArgs> gru_step_backward_kernel;

}  // namespace wick
