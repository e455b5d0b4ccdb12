// A vector whose elements are those of a file.
#pragma once

#include <ATen/names.h>

#include <optional>
#include <string_view>

namespace at {

// The first `size` elements, of options.dtype(). shared: what is written goes to the file, which is made or lengthened where it is
// shorter; otherwise the file keeps its bytes, and must have enough of them.
Tensor from_file(std::string_view filename, std::optional<bool> shared = std::nullopt, std::optional<int64_t> size = 0,
                 const TensorOptions& options = {});

}  // namespace at
