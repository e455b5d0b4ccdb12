// docs/operations.md: every public operation, the dtypes it takes, whether it has a derivative, and whether CUDA has its kernels. All of it
// is found by calling the operations (the rows of the table, and elsewhere_calls()) and by reading which slots the sources of
// framework/cuda fill.
//
//   ./bazelw run //tests/framework/ops:write_operations_page > docs/operations.md
#pragma once

#include "wick/tests/framework/ops/op_table.h"

namespace wick::test {

// A call of each function that has no row.
std::vector<Row> elsewhere_calls();

// The text of the page. Reads framework/cuda/ below the working directory.
std::string operations_page();

}  // namespace wick::test
