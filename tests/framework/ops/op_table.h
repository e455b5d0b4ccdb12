// The table of operations: one row says all that the tests need to know of an operation. op_table_test.cc makes of a row its values
// against PyTorch's, first and second derivatives, layouts, broadcasting, dtypes, special values and the rest.
//
// PyTorch's numbers lie in golden/, a file for each family of rows. A new or changed row needs, from the root of the repository,
//   ./bazelw run //tests/framework/ops:describe_ops | python3 tools/make_golden.py tests/framework/ops/golden
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "wick/framework/autograd/gradcheck.h"
#include "wick/framework/tensor.h"

namespace wick::test {

using Tensors = std::vector<Tensor>;

enum class Kind {
  kReal,    // of whichever dtype is tested, and differentiable where that is floating point
  kIndex,   // int64
  kMask,    // bool
  kWeight,  // as kReal, but not differentiated
};

// One input of an operation: its shape, and the range of its values, which must keep away from kinks of the function. The bounds are
// multiples of 1/64, so that float32 holds every value that float64 does.
struct Sample {
  std::vector<int64_t> shape;
  double low = -2, high = 2;
  Kind kind = Kind::kReal;
};

// |got - want| <= absolute + relative * |want|
struct Tolerance {
  double absolute, relative;
};

struct Row {
  std::string family;                     // of the golden file
  std::string name;                       // "add", or "add/number" for another form of it
  std::string python;                     // the same in Python, of the inputs a, b, c, d
  std::vector<Sample> samples;            // the inputs
  autograd::DifferentiableFunction call;  // out of place
  std::function<void(const Tensors&)> inplace;           // writes to the first input; empty where there is no such form
  std::function<void(Tensor&, const Tensors&)> out;      // empty where there is no such form
  ScalarType dtype = kDouble;             // for the tests that are not about dtypes
  int order = 2;                          // how many derivatives can be checked
  bool elementwise = false;               // an element of the result depends on one of each input, which broadcast
  bool any_layout = true;                 // the values do not depend on the inputs' strides
  bool reads_values = false;              // the host reads the inputs: nothing for tensors without data
  Tolerance in_double{1e-15, 4e-15}, in_float{1e-6, 2e-6};
  std::vector<std::string> excluded;      // cases where wick differs from PyTorch on purpose; see Case

  // "add" of "add/number".
  std::string op() const { return name.substr(0, name.find('/')); }

  // For the rows' definitions.
  Row& as(std::string expression) { return python = std::move(expression), *this; }
  Row& in_place(std::function<void(const Tensors&)> f) { return inplace = std::move(f), *this; }
  Row& into(std::function<void(Tensor&, const Tensors&)> f) { return out = std::move(f), *this; }
  Row& derivatives(int n) { return order = n, *this; }
  Row& integers() { return dtype = kLong, derivatives(0); }
  Row& contiguous_only() { return any_layout = false, *this; }
  Row& reading_values() { return reads_values = true, *this; }
  Row& within(Tolerance float64, Tolerance float32) { return in_double = float64, in_float = float32, *this; }
  Row& excluding(std::vector<std::string> cases) { return excluded = std::move(cases), *this; }
};

// All rows.
const std::vector<Row>& op_table();

// The rows of a file each; op_table() joins them.
std::vector<Row> unary_rows();
std::vector<Row> binary_rows();
std::vector<Row> shape_rows();
std::vector<Row> reduce_rows();
std::vector<Row> matmul_rows();
std::vector<Row> index_rows();
std::vector<Row> loss_rows();
std::vector<Row> arrange_rows();
std::vector<Row> nn_rows();
std::vector<Row> special_rows();
std::vector<Row> composite_rows();
std::vector<Row> linalg_rows();
std::vector<Row> complex_rows();

// The public functions without a row, each with the test that covers it.
struct Elsewhere {
  const char* function;
  const char* test;
};
const std::vector<Elsewhere>& tested_elsewhere();

// ---- Values ------------------------------------------------------------------------------------------------------------------------

// A contiguous tensor with the given values.
Tensor make_tensor(IntArrayRef shape, const std::vector<double>& values, ScalarType dtype);

// Input number `input` of a row, in its own shape or another. Its values spread over the sample's range without a pattern, and no two
// elements of a tensor or of two inputs are equal. Integers are those within the range.
Tensor make_input(const Row& row, size_t input, ScalarType dtype);
Tensor make_input(const Row& row, size_t input, ScalarType dtype, IntArrayRef shape);
Tensors make_inputs(const Row& row, ScalarType dtype);

// Inputs of one dimension: the values at which functions go wrong, in every combination.
Tensors special_inputs(const Row& row, ScalarType dtype);

// The values of a CPU tensor of any dtype and layout, in row-major order.
std::vector<double> values_of(const Tensor& x);

// ---- Golden numbers ----------------------------------------------------------------------------------------------------------------

// What PyTorch is asked about a row, by name:
//   float64, float16, bfloat16, int64, int32, int8, uint8, bool   the outputs for make_inputs() of that dtype
//   special64, special32                                          those for special_inputs()
//   grad64                                                        the gradients of the outputs' sum at the special values
struct Case {
  std::string name;
  Tensors inputs;
  bool gradients = false;
};
std::vector<Case> golden_cases(const Row& row);

// One output as the file has it; PyTorch refuses a case where `refused` is set.
struct Golden {
  bool refused = false;
  std::string dtype;
  std::vector<int64_t> shape;
  std::vector<double> values;
};
// The outputs for a row's case; empty where the file lacks it.
const std::vector<Golden>& golden(const Row& row, const std::string& case_name);

}  // namespace wick::test
