// Laying tensors side by side.
#pragma once

#include "wick/framework/core/launch.h"

namespace wick {

inline constexpr int kMaxParts = 15;

// The result is `rows` rows of row_bytes; part i has the same number of rows, without gaps, and fills the bytes [begin[i], begin[i + 1])
// of each. The parts of one call are neighbours; bytes outside theirs are not touched.
struct CatArgs {
  static constexpr Access access[kMaxParts + 1] = {
      Access::kReadWrite, Access::kRead, Access::kRead, Access::kRead, Access::kRead, Access::kRead, Access::kRead, Access::kRead,
      Access::kRead,      Access::kRead, Access::kRead, Access::kRead, Access::kRead, Access::kRead, Access::kRead, Access::kRead};

  Buffer buffers[kMaxParts + 1];  // the result, the parts
  int64_t rows, row_bytes;
  int32_t num_parts;
  int64_t begin[kMaxParts + 1];
};

extern constinit Kernel<CatArgs> cat_kernel;

}  // namespace wick
