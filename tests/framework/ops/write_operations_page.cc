// Prints docs/operations.md.
#include <cstdio>

#include "wick/tests/framework/ops/operations_page.h"

int main() { std::fputs(wick::test::operations_page().c_str(), stdout); }
