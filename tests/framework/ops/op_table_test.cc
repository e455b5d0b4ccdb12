// What is tested of each row of the table of operations.
#include "wick/tests/framework/ops/op_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "wick/framework/core/allocator.h"
#include "wick/tests/framework/core/support.h"

namespace wick::test {
namespace {

using autograd::gradcheck;
using autograd::gradgradcheck;

class OpTable : public testing::TestWithParam<size_t> {
 protected:
  const Row& row = op_table()[GetParam()];

  bool differentiable(int order = 1) const { return row.order >= order; }
};

// ---- Comparing ---------------------------------------------------------------------------------------------------------------------

bool close(double got, double want, Tolerance t) {
  if (std::isnan(want)) return std::isnan(got);
  if (std::isinf(want)) return got == want;
  return std::abs(got - want) <= t.absolute + t.relative * std::abs(want);
}

void expect_close(const std::vector<double>& got, const std::vector<double>& want, Tolerance t, const std::string& what) {
  ASSERT_EQ(got.size(), want.size()) << what;
  for (size_t i = 0; i < got.size(); ++i) {
    EXPECT_TRUE(close(got[i], want[i], t)) << what << ": element " << i << " is " << testing::PrintToString(got[i]) << ", not "
                                           << testing::PrintToString(want[i]);
  }
}

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b)); }

void expect_equal(const Tensor& got, const Tensor& want, const std::string& what) {
  ASSERT_EQ(got.sizes().vec(), want.sizes().vec()) << what;
  ASSERT_EQ(got.scalar_type(), want.scalar_type()) << what;
  const std::vector<double> a = values_of(got), b = values_of(want);
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_TRUE(same_bits(a[i], b[i])) << what << ": element " << i << " is " << a[i] << ", not " << b[i];
  }
}

void expect_equal(const Tensors& got, const Tensors& want, const std::string& what) {
  ASSERT_EQ(got.size(), want.size()) << what;
  for (size_t i = 0; i < got.size(); ++i) expect_equal(got[i], want[i], what);
}

void expect_close(const Tensors& got, const Tensors& want, Tolerance t, const std::string& what) {
  ASSERT_EQ(got.size(), want.size()) << what;
  for (size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(got[i].sizes().vec(), want[i].sizes().vec()) << what;
    expect_close(values_of(got[i]), values_of(want[i]), t, what);
  }
}

Tolerance tolerance(const Row& row, ScalarType dtype) { return dtype == kDouble ? row.in_double : row.in_float; }

// ---- Inputs ------------------------------------------------------------------------------------------------------------------------

bool is_real(const Row& row, size_t k) { return row.samples[k].kind == Kind::kReal; }

// Leaves that want a gradient, in the inputs' own layout.
Tensors with_grad(const Row& row, const Tensors& inputs) {
  Tensors leaves;
  for (size_t k = 0; k < inputs.size(); ++k) {
    leaves.push_back(inputs[k].detach());
    if (is_real(row, k)) leaves.back().requires_grad_();
  }
  return leaves;
}

Tensors inputs_of(const Row& row, const std::vector<std::vector<int64_t>>& shapes) {
  Tensors inputs;
  for (size_t k = 0; k < row.samples.size(); ++k) inputs.push_back(make_input(row, k, row.dtype, shapes[k % shapes.size()]));
  return inputs;
}

// The same values in memory of another order: first and last dimension swapped.
Tensor transposed(const Tensor& x) {
  if (x.dim() < 2) return x;
  const Tensor y = x.transpose(0, -1);
  return make_tensor(y.sizes(), values_of(y), x.scalar_type()).transpose(0, -1);
}

// The same values, each third element of the last dimension of a larger tensor whose other elements are NaN, or 1 in integers.
Tensor sliced(const Tensor& x) {
  if (x.dim() == 0) return x;
  Dims sizes(x.sizes());
  sizes.back() = 3 * sizes.back() + 2;
  const auto count = static_cast<size_t>(checked_numel(sizes));
  const Tensor whole = make_tensor(sizes, std::vector<double>(count, x.is_floating_point() ? NAN : 1), x.scalar_type());
  const Tensor part = whole.slice(-1, 1, 1 + 3 * x.size(-1), 3);
  return part.copy_(x), part;
}

// Every row along the first dimension is the first one, at stride 0.
Tensor expanded(const Tensor& x) { return x.dim() == 0 || x.size(0) == 0 ? x : x.slice(0, 0, 1).expand(x.sizes()); }

// The same values in contiguous memory of their own.
Tensor materialised(const Tensor& x) { return make_tensor(x.sizes(), values_of(x), x.scalar_type()); }

template <class F>
Tensors map(const Tensors& inputs, const F& f) {
  Tensors result;
  for (const Tensor& x : inputs) result.push_back(f(x));
  return result;
}

Tensors gradients_of(const Row& row, const Tensors& inputs, bool create_graph = false) {
  const Tensors leaves = with_grad(row, inputs);
  Tensors outputs, wanted;
  for (const Tensor& y : row.call(leaves)) {
    if (y.requires_grad()) outputs.push_back(y);
  }
  for (const Tensor& x : leaves) {
    if (x.requires_grad()) wanted.push_back(x);
  }
  Tensors ones = map(outputs, [](const Tensor& y) { return ones_like(y); });
  Tensors result = autograd::grad(outputs, wanted, ones, std::nullopt, create_graph, true);
  for (size_t i = 0; i < result.size(); ++i) result[i] = result[i].defined() ? result[i].detach() : zeros_like(wanted[i]);
  return result;
}

// ---- Values ------------------------------------------------------------------------------------------------------------------------

// Special values are written with seven digits, half precisions are one rounding apart.
Tolerance tolerance_of_case(const Row& row, const std::string& name) {
  if (name == "float64") return row.in_double;
  if (name == "float16") return {2e-3, 2e-3};
  if (name == "bfloat16") return {1.6e-2, 1.6e-2};
  return {name == "special64" ? 1e-38 : name == "grad64" ? 1e-15 : 1e-7, std::max(1e-6, row.in_float.relative)};
}

TEST_P(OpTable, EqualsPyTorch) {
  for (const Case& c : golden_cases(row)) {
    const std::string what = row.name + " " + c.name;
    const std::vector<Golden>& want = golden(row, c.name);
    ASSERT_FALSE(want.empty()) << what << " is not in the golden file: see op_table.h for how to make it";
    if (want[0].refused) {
      EXPECT_THROW(row.call(c.inputs), Error) << what;
      continue;
    }
    Tensors got;
    try {
      got = c.gradients ? gradients_of(row, c.inputs) : row.call(c.inputs);
    } catch (const Error& error) {
      ADD_FAILURE() << what << ": " << error.what();
      continue;
    }
    ASSERT_EQ(got.size(), want.size()) << what;
    for (size_t i = 0; i < got.size(); ++i) {
      EXPECT_EQ(dtype_name(got[i].scalar_type()), want[i].dtype) << what;
      ASSERT_EQ(got[i].sizes().vec(), want[i].shape) << what;
      expect_close(values_of(got[i]), want[i].values, tolerance_of_case(row, c.name), what);
    }
  }
}

TEST_P(OpTable, FloatAgreesWithDouble) {
  if (row.dtype != kDouble) GTEST_SKIP() << "an operation on integers";
  const Tensors in_float = make_inputs(row, kFloat), in_double = make_inputs(row, kDouble);
  expect_close(row.call(in_float), row.call(in_double), row.in_float, row.name);
  if (differentiable()) {
    const Tolerance t{std::max(row.in_float.absolute, 1e-5), std::max(row.in_float.relative, 1e-5)};
    expect_close(gradients_of(row, in_float), gradients_of(row, in_double), t, row.name + ", gradients");
  }
}

// A value must not depend on where in memory, or how many others are computed with it.
TEST_P(OpTable, ValuesDoNotDependOnTheirPosition) {
  if (!row.elementwise) GTEST_SKIP() << "not elementwise";
  for (ScalarType dtype : {row.dtype, row.dtype == kDouble ? kFloat : kInt}) {
    Tensors all;
    for (size_t k = 0; k < row.samples.size(); ++k) all.push_back(make_input(row, k, dtype, {80}));
    const std::vector<double> whole = values_of(row.call(all)[0]);
    for (int64_t start : {0, 1, 5}) {
      for (int64_t length = 1; length <= 40; ++length) {
        const Tensor part = row.call(map(all, [&](const Tensor& x) { return x.slice(0, start, start + length); }))[0];
        const std::vector<double> got = values_of(part);
        for (size_t i = 0; i < got.size(); ++i) {
          ASSERT_TRUE(same_bits(got[i], whole[static_cast<size_t>(start) + i]))
              << row.name << " of " << dtype_name(dtype) << ": element " << i << " of " << length << " from " << start;
        }
      }
    }
  }
}

// More than a block of a kernel, and than one thread's share. The values repeat after 1024 elements, so all rows are equal.
TEST_P(OpTable, LargeInputsGiveTheSameValues) {
  if (!row.elementwise) GTEST_SKIP() << "not elementwise";
  constexpr int64_t kRows = 33, kLength = 1024;
  const Tensors line = inputs_of(row, {{kLength}});
  const std::vector<double> want = values_of(row.call(line)[0]);
  const auto expect_rows = [&](const Tensors& inputs, const std::string& what) {
    const std::vector<double> got = values_of(row.call(inputs)[0]);
    ASSERT_EQ(got.size(), static_cast<size_t>(kRows * kLength));
    for (size_t i = 0; i < got.size(); ++i) ASSERT_TRUE(same_bits(got[i], want[i % kLength])) << row.name << what << ": element " << i;
  };
  const Tensors full = map(line, [](const Tensor& x) { return materialised(x.expand({kRows, kLength})); });
  expect_rows(full, " of contiguous inputs");
  Tensors mixed = line;  // the first one contiguous, the others repeated along the first dimension
  mixed[0] = full[0];
  expect_rows(mixed, " of inputs that broadcast");
  expect_rows(map(full, transposed), " of transposed inputs");
}

// ---- Derivatives -------------------------------------------------------------------------------------------------------------------

TEST_P(OpTable, FirstDerivatives) {
  if (!differentiable()) GTEST_SKIP() << "not differentiable";
  const Tensors inputs = make_inputs(row, kDouble);
  EXPECT_TRUE(gradcheck(row.call, with_grad(row, inputs)));
  if (row.any_layout) {
    EXPECT_TRUE(gradcheck(row.call, with_grad(row, map(inputs, transposed))));
    EXPECT_TRUE(gradcheck(row.call, with_grad(row, map(inputs, sliced))));
  }
}

TEST_P(OpTable, SecondDerivatives) {
  if (!differentiable(2)) GTEST_SKIP() << "not differentiable twice";
  EXPECT_TRUE(gradgradcheck(row.call, with_grad(row, make_inputs(row, kDouble))));
}

// The gradient that a kernel computes and the one that is composed of operations, so that it can be differentiated.
TEST_P(OpTable, RecordedGradientsEqualFusedOnes) {
  if (!differentiable()) GTEST_SKIP() << "not differentiable";
  for (ScalarType dtype : {kDouble, kFloat}) {
    const Tensors inputs = make_inputs(row, dtype);
    const Tolerance t = tolerance(row, dtype);
    expect_close(gradients_of(row, inputs, true), gradients_of(row, inputs), {10 * t.absolute, 10 * t.relative}, row.name);
  }
}

// A graph that is dropped without a backward pass, or whose backward pass was recorded, holds nothing of itself.
TEST_P(OpTable, GraphsAreFreed) {
  if (!differentiable()) GTEST_SKIP() << "not differentiable";
  const Tensors inputs = make_inputs(row, kDouble);
  const auto record = [&] {
    row.call(with_grad(row, inputs));
    gradients_of(row, inputs, true);
  };
  record();  // whatever is made once
  const int64_t before = memory_stats().allocated;
  record();
  EXPECT_EQ(memory_stats().allocated, before) << row.name;
}

// ---- Layouts and shapes ------------------------------------------------------------------------------------------------------------

TEST_P(OpTable, TakesAnyLayout) {
  if (!row.any_layout) GTEST_SKIP() << "a view of the memory as it lies";
  const Tensors inputs = make_inputs(row, row.dtype);
  const Tolerance t = tolerance(row, row.dtype);
  const Tensors want = row.call(inputs);
  expect_close(row.call(map(inputs, transposed)), want, t, row.name + " of transposed inputs");
  expect_close(row.call(map(inputs, sliced)), want, t, row.name + " of sliced inputs");
  const Tensors repeated = map(inputs, expanded);
  expect_close(row.call(repeated), row.call(map(repeated, materialised)), t, row.name + " of expanded inputs");
}

// Inputs of shapes that broadcast to [2, 3, 5].
const std::vector<std::vector<int64_t>> kBroadcast = {{3, 1}, {2, 1, 5}, {5}};

TEST_P(OpTable, Broadcasts) {
  if (!row.elementwise || row.samples.size() < 2) GTEST_SKIP() << "does not broadcast";
  const Tensors inputs = inputs_of(row, kBroadcast);
  const std::vector<int64_t> shape = {2, 3, 5};
  const Tensors full = map(inputs, [&](const Tensor& x) { return materialised(x.expand(shape)); });
  expect_equal(row.call(inputs), row.call(full), row.name);
  if (differentiable()) {
    EXPECT_TRUE(gradcheck(row.call, with_grad(row, inputs)));
  }
  if (differentiable(2)) {
    EXPECT_TRUE(gradgradcheck(row.call, with_grad(row, inputs_of(row, {{2, 1}, {3}, {}}))));
  }
}

TEST_P(OpTable, TakesZeroDimAndEmptyInputs) {
  if (!row.elementwise) GTEST_SKIP() << "has rows of its own for these";
  const Tensors numbers = inputs_of(row, {{}});
  const Tensor y = row.call(numbers)[0], vector = row.call(inputs_of(row, {{1}}))[0];
  EXPECT_EQ(y.dim(), 0);
  EXPECT_TRUE(same_bits(values_of(y)[0], values_of(vector)[0])) << row.name;
  const Tensor none = row.call(inputs_of(row, {{0, 3}}))[0];
  EXPECT_EQ(none.sizes().vec(), (std::vector<int64_t>{0, 3}));
  EXPECT_EQ(none.scalar_type(), y.scalar_type());
  const Tensor stretched = row.call(inputs_of(row, {{2, 0, 1}, {1, 4}}))[0];
  EXPECT_EQ(stretched.numel(), 0);
  EXPECT_EQ(stretched.sizes().vec(), (row.samples.size() == 1 ? std::vector<int64_t>{2, 0, 1} : std::vector<int64_t>{2, 0, 4}));
  if (differentiable()) {
    EXPECT_TRUE(gradcheck(row.call, with_grad(row, numbers)));
    for (const Tensor& g : gradients_of(row, inputs_of(row, {{0, 3}}))) EXPECT_EQ(g.sizes().vec(), (std::vector<int64_t>{0, 3}));
  }
}

TEST_P(OpTable, MetaTensorsHaveTheSameShapes) {
  if (row.reads_values) GTEST_SKIP() << "the host reads the values";
  const Tensors inputs = make_inputs(row, row.dtype);
  const Tensors want = row.call(inputs);
  Tensors got;
  try {
    got = row.call(map(inputs, [](const Tensor& x) { return Tensor(empty_base(x.sizes(), x.scalar_type(), Device(kMeta))); }));
  } catch (const Error& error) {
    FAIL() << row.name << ": " << error.what();
  }
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i) {
    EXPECT_TRUE(got[i].is_meta()) << row.name;
    EXPECT_EQ(got[i].sizes().vec(), want[i].sizes().vec()) << row.name;
    EXPECT_EQ(got[i].strides().vec(), want[i].strides().vec()) << row.name;
    EXPECT_EQ(got[i].scalar_type(), want[i].scalar_type()) << row.name;
  }
}

// ---- In place and out=... ----------------------------------------------------------------------------------------------------------

TEST_P(OpTable, InPlaceEqualsOutOfPlace) {
  if (!row.inplace) GTEST_SKIP() << "no such form";
  const Tensors inputs = make_inputs(row, row.dtype);
  const Tensor want = row.call(inputs)[0].to(row.dtype);  // comparisons write 0 and 1
  const auto layouts = {+[](const Tensor& x) { return materialised(x); }, +[](const Tensor& x) { return transposed(x); },
                        +[](const Tensor& x) { return sliced(x); }};
  for (const auto layout : layouts) {
    Tensors x = inputs;
    x[0] = layout(inputs[0]);
    const int64_t version = x[0]._version();
    row.inplace(x);
    expect_equal(x[0], want, row.name);
    EXPECT_GT(x[0]._version(), version) << row.name;
  }
  if (row.elementwise && row.samples.size() > 1) {
    Tensors x = inputs_of(row, {{2, 3, 5}, {3, 1}, {5}});
    const Tensor broadcast = row.call(x)[0].to(row.dtype);
    row.inplace(x);
    expect_equal(x[0], broadcast, row.name + " of inputs that broadcast");
  }
}

TEST_P(OpTable, InPlaceHasTheSameDerivatives) {
  if (!row.inplace || !differentiable()) GTEST_SKIP() << "no such form";
  const auto call = [this](const Tensors& inputs) {
    Tensors x = inputs;
    x[0] = inputs[0] * 1;
    row.inplace(x);
    return Tensors{x[0]};
  };
  const Tensors inputs = with_grad(row, make_inputs(row, kDouble));
  EXPECT_TRUE(gradcheck(call, inputs));
  if (differentiable(2)) {
    EXPECT_TRUE(gradgradcheck(call, inputs));
  }
}

TEST_P(OpTable, OutEqualsOutOfPlace) {
  if (!row.out) GTEST_SKIP() << "no such form";
  const Tensors inputs = make_inputs(row, row.dtype);
  const Tensor want = row.call(inputs)[0];
  const auto expect_out = [&](Tensor out, const std::string& what) {
    const Tensor before = out;
    row.out(out, inputs);
    expect_equal(out, want, row.name + what);
    EXPECT_EQ(out.unsafeGetTensorImpl(), before.unsafeGetTensorImpl()) << row.name;
  };
  const std::vector<double> other(15, 1);
  expect_out(make_tensor({3, 5}, other, want.scalar_type()), " into a tensor of its shape");
  expect_out(make_tensor({0}, {}, want.scalar_type()), " into an empty tensor");
  expect_out(make_tensor({5, 3}, other, want.scalar_type()).t(), " into a transposed tensor");
  expect_out(sliced(make_tensor({3, 5}, other, want.scalar_type())), " into a slice");
  if (want.scalar_type() == kDouble) {
    Tensor narrow = make_tensor({3, 5}, other, kFloat);
    row.out(narrow, inputs);
    expect_equal(narrow, want.to(kFloat), row.name + " into float32");
  }
}

// ---- Errors ------------------------------------------------------------------------------------------------------------------------

TEST_P(OpTable, RefusesShapesThatDoNotBroadcast) {
  if (!row.elementwise || row.samples.size() < 2) GTEST_SKIP() << "any shape will do";
  const Tensors wrong = inputs_of(row, {{2, 3}, {2, 4}});
  const std::string message = message_of([&] { row.call(wrong); });
  EXPECT_TRUE(message.find("The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1") == 0 ||
              message.find("The size of tensor a (4) must match the size of tensor b (3) at non-singleton dimension 1") == 0)
      << row.name << ": " << message;
  if (!row.inplace) return;
  const auto expect_untouched = [&](const Tensors& x, const std::string& sentence) {
    const Tensor before = materialised(x[0]);
    const int64_t version = x[0]._version();
    const std::string message = message_of([&] { row.inplace(x); });
    EXPECT_NE(message.find(sentence), std::string::npos) << row.name << ": " << message;
    expect_equal(x[0], before, row.name);
    EXPECT_EQ(x[0]._version(), version);
  };
  expect_untouched(wrong, "must match the size of tensor b (4) at non-singleton dimension 1");
  expect_untouched(inputs_of(row, {{3}, {2, 3}}), "output with shape [3] doesn't match the broadcast shape [2, 3]");
}

TEST_P(OpTable, InPlaceRefusesLeavesAndDtypes) {
  if (!row.inplace) GTEST_SKIP() << "no such form";
  if (differentiable()) {
    const Tensors leaves = with_grad(row, make_inputs(row, kDouble));
    const Tensor before = materialised(leaves[0]);
    const std::string message = message_of([&] { row.inplace(leaves); });
    EXPECT_EQ(message.find("a leaf Variable that requires grad is being used in an in-place operation."), 0u)
        << row.name << ": " << message;
    expect_equal(leaves[0].detach(), before, row.name);
    EXPECT_EQ(leaves[0]._version(), 0);
  }
  // An operation whose result is floating point cannot write it to integers.
  const Tensors integers = make_inputs(row, kLong);
  Tensors result;
  try {
    result = row.call(integers);
  } catch (const Error&) {
    return;  // not defined on integers at all
  }
  if (!result[0].is_floating_point()) return;
  const Tensor before = materialised(integers[0]);
  EXPECT_NE(message_of([&] { row.inplace(integers); }).find("result type Float can't be cast to the desired output type Long"),
            std::string::npos)
      << row.name << ": " << message_of([&] { row.inplace(integers); });
  expect_equal(integers[0], before, row.name);
}

INSTANTIATE_TEST_SUITE_P(All, OpTable, testing::Range(size_t{0}, op_table().size()), [](const testing::TestParamInfo<size_t>& info) {
  std::string name = op_table()[info.param].name;
  std::replace_if(name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return std::to_string(info.param) + "_" + name;
});

// ---- The table itself --------------------------------------------------------------------------------------------------------------

// Without the in-place and _out forms that the lists make of any function alike: forms_test.cc has these.
std::set<std::string> public_functions() {
  std::set<std::string> names;
#define NAME_B(R, name, ...) names.insert(#name);
#define NAME_I(name, ...) names.insert(#name);
  WICK_ALL_FUNCTIONS(NAME_B, NAME_B, NAME_I, NAME_I, NAME_B, NAME_B, NAME_B, NAME_B)
#define NAME_ELEMENTWISE(Op, name, node) names.insert(#name);
  WICK_ELEMENTWISE_OPS(NAME_ELEMENTWISE)
#define NAME_INPLACE(Op, name, node) names.insert(#name "_");
  WICK_UNARY_OPS(NAME_INPLACE)
  WICK_COMPARISON_OPS(NAME_INPLACE)
  WICK_BITWISE_OPS(NAME_INPLACE)
  WICK_BINARY_INPLACE_OPS(NAME_INPLACE)
#define NAME_OUT(Op, name, node) names.insert(#name "_out");
  WICK_UNARY_OPS(NAME_OUT)
  WICK_COMPARISON_OPS(NAME_OUT)
  WICK_BITWISE_OPS(NAME_OUT)
  WICK_EXTREMUM_OPS(NAME_OUT)
  WICK_BINARY_INPLACE_OPS(NAME_OUT)
  names.insert({"logical_not_", "add_out", "sub_out", "mul_out", "div_out", "pow_out"});
  return names;
}

TEST(Coverage, EveryFunctionHasARowOrATestElsewhere) {
  std::set<std::string> covered;
  for (const Row& row : op_table()) {
    covered.insert(row.op());
    if (row.inplace) covered.insert(row.op() + "_");
    if (row.out) covered.insert(row.op() + "_out");
  }
  const std::set<std::string> functions = public_functions();
  for (const Elsewhere& e : tested_elsewhere()) {
    EXPECT_TRUE(covered.insert(e.function).second) << e.function << " has a row, and stands in tested_elsewhere() as well";
    EXPECT_TRUE(functions.count(e.function)) << e.function << " in tested_elsewhere() is no function";
  }
  for (const std::string& name : functions) {
    EXPECT_TRUE(covered.count(name)) << name << " has no row in the table of operations: add one, or name its test in tested_elsewhere()";
  }
}

TEST(Coverage, RowsHaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const Row& row : op_table()) EXPECT_TRUE(names.insert(row.name).second) << row.name;
}

}  // namespace
}  // namespace wick::test
