// All the large headers once more, as each file of a program has them.
#include "wick/tests/compat/script_other.h"

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/csrc/jit/script/module.h>
#include <torch/csrc/jit/serialization/import.h>
#include <torch/extension.h>
#include <torch/script.h>
#include <torch/torch.h>

namespace other_file {

at::Tensor doubled(const at::Tensor& x) {
  at::Tensor y = at::empty_like(x);
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "doubled", [&] {
    const scalar_t* from = x.data_ptr<scalar_t>();
    scalar_t* to = y.data_ptr<scalar_t>();
    for (int64_t i = 0; i < x.numel(); ++i) to[i] = 2 * from[i];
  });
  return y;
}

int64_t first_of(const c10::IValue& tuple) { return tuple.toTuple()->elements().at(0).toInt(); }

}  // namespace other_file
