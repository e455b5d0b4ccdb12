// Every row of the table of operations on a device, against the CPU: values in every dtype, at special values, in other layouts, and
// gradients. Complex tensors are refused by a device, with the sentence that says so.
#include "wick/tests/framework/ops/op_table.h"

#include <cmath>
#include <set>

#include "wick/tests/framework/cuda/device.h"

namespace wick::test {
namespace {

class CudaOpTable : public testing::TestWithParam<size_t> {
 protected:
  void SetUp() override {
    if (!cuda::is_available()) GTEST_SKIP() << "there is no CUDA device";
  }
  const Row& row = op_table()[GetParam()];
};

// Their results are values of the host, which the rows make tensors of.
const std::set<std::string> kAnswers = {"allclose", "equal", "is_nonzero"};

template <class F>
Tensors map(const Tensors& inputs, const F& f) {
  Tensors result;
  for (const Tensor& x : inputs) result.push_back(f(x));
  return result;
}

Tensors on(Device device, const Tensors& tensors) {
  return map(tensors, [&](const Tensor& x) { return x.to(device); });
}

// The two devices round functions differently, and PyTorch's values are checked on the CPU.
Tolerance tolerance(const Row& row, ScalarType dtype) {
  if (dtype == kHalf) return {2e-3, 2e-3};
  if (dtype == kBFloat16) return {1.6e-2, 1.6e-2};
  const Tolerance t = dtype == kDouble ? row.in_double : row.in_float;
  const Tolerance least = dtype == kDouble ? Tolerance{1e-14, 1e-13} : Tolerance{4e-6, 1e-5};
  return {std::max(4 * t.absolute, least.absolute), std::max(4 * t.relative, least.relative)};
}

bool close(double got, double want, Tolerance t) {
  if (std::isnan(want)) return std::isnan(got);
  if (std::isinf(want)) return got == want;
  return std::abs(got - want) <= t.absolute + t.relative * std::abs(want);
}

void expect_close(const Row& row, const Tensors& got, const Tensors& want) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(got[i].is_cuda(), !kAnswers.count(row.op()));
    ASSERT_EQ(got[i].sizes().vec(), want[i].sizes().vec());
    ASSERT_EQ(got[i].scalar_type(), want[i].scalar_type());
    const Tolerance t = tolerance(row, want[i].scalar_type());
    const std::vector<double> a = values_of(got[i].detach().cpu()), b = values_of(want[i].detach());
    for (size_t k = 0; k < a.size(); ++k) {
      ASSERT_TRUE(close(a[k], b[k], t)) << "output " << i << ", element " << k << " is " << testing::PrintToString(a[k]) << ", not "
                                        << testing::PrintToString(b[k]);
    }
  }
}

// What f(inputs) gives on a device, or the error.
template <class F>
Tensors run(const F& f, const Tensors& inputs, std::string& error) {
  try {
    return f(inputs);
  } catch (const Error& e) {
    error = e.what();
    return {};
  }
}

template <class F>
void compare(const Row& row, const F& f, const Tensors& inputs) {
  std::string cpu_error, cuda_error;
  const Tensors want = run(f, inputs, cpu_error);
  const Tensors got = run([&](const Tensors& x) { return f(on(kCUDA, x)); }, inputs, cuda_error);
  if (cuda_error.find("wick's complex tensors live on the CPU") != std::string::npos) return;
  EXPECT_EQ(cpu_error.empty(), cuda_error.empty()) << "CPU: " << cpu_error << "\nCUDA: " << cuda_error;
  if (cpu_error.empty() && cuda_error.empty()) expect_close(row, got, want);
}

Tensors gradients_of(const Row& row, const Tensors& inputs) {
  Tensors leaves, outputs, wanted;
  for (size_t k = 0; k < inputs.size(); ++k) {
    leaves.push_back(inputs[k].detach());
    if (row.samples[k].kind != Kind::kReal) continue;
    leaves.back().requires_grad_();
    wanted.push_back(leaves.back());
  }
  for (const Tensor& y : row.call(leaves)) {
    if (y.requires_grad()) outputs.push_back(y);
  }
  Tensors result = autograd::grad(outputs, wanted, map(outputs, [](const Tensor& y) { return ones_like(y); }), std::nullopt, false, true);
  for (size_t i = 0; i < result.size(); ++i) result[i] = result[i].defined() ? result[i].detach() : zeros_like(wanted[i]);
  return result;
}

// The same values in memory of another order: first and last dimension swapped.
Tensor transposed(const Tensor& x) { return x.dim() < 2 ? x : x.transpose(0, -1).contiguous().transpose(0, -1); }

TEST_P(CudaOpTable, AgreesWithTheCpu) {
  for (const Case& c : golden_cases(row)) {
    SCOPED_TRACE(row.name + " " + c.name);
    if (c.gradients) compare(row, [&](const Tensors& x) { return gradients_of(row, x); }, c.inputs);
    else compare(row, row.call, c.inputs);
  }
  SCOPED_TRACE(row.name);
  if (row.order > 0) compare(row, [&](const Tensors& x) { return gradients_of(row, x); }, make_inputs(row, row.dtype));
  if (!row.any_layout) return;
  SCOPED_TRACE("transposed");
  const auto call = [&](const Tensors& x) { return row.call(map(x, transposed)); };
  compare(row, call, make_inputs(row, row.dtype));
}

INSTANTIATE_TEST_SUITE_P(All, CudaOpTable, testing::Range<size_t>(0, op_table().size()),
                         [](const auto& info) {
                           std::string name = op_table()[info.param].name;
                           for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
                           return name + "_" + std::to_string(info.param);
                         });

}  // namespace
}  // namespace wick::test
