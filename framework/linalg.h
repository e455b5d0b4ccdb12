// wick::linalg: the functions of linear algebra under LibTorch's short names, as linalg::inv(A) for linalg_inv(A).
#pragma once

#include "wick/framework/tensor.h"

namespace wick::linalg {

#define WICK_LINALG_SHORT(F, R, name, params, args) inline R name params { return ::wick::linalg_##name args; }
WICK_LINALG_NAMED(WICK_LINALG_SHORT, )
#undef WICK_LINALG_SHORT

}  // namespace wick::linalg
