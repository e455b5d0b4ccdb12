#include <torch/nn/functional_module.h>

namespace wick::nn {

WICK_LAYER_DEFINITION(Functional);

void FunctionalImpl::describe(Fields& fields) const { fields.layer("Functional"); }

}  // namespace wick::nn
