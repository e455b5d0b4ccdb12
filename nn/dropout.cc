#include "wick/nn/dropout.h"

namespace wick::nn {

WICK_LAYER_DEFINITION(Dropout);

DropoutImpl::DropoutImpl(const DropoutOptions& options_) : options(options_) {
  WICK_CHECK_VALUE(options.p() >= 0 && options.p() <= 1, "dropout probability has to be between 0 and 1, but got ", options.p());
}

void DropoutImpl::describe(Fields& fields) const {
  fields.layer("Dropout").add("p", options.p()).add("inplace", options.inplace());
}

Tensor DropoutImpl::forward(Tensor input) {
  return functional::dropout(std::move(input),
                             functional::DropoutFuncOptions().p(options.p()).training(is_training()).inplace(options.inplace()));
}

}  // namespace wick::nn
