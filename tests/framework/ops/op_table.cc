#include "wick/tests/framework/ops/op_table.h"

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

namespace wick::test {
namespace {

void append(std::vector<Row>& table, std::vector<Row> rows) {
  for (Row& row : rows) table.push_back(std::move(row));
}

}  // namespace

const std::vector<Row>& op_table() {
  static const std::vector<Row> table = [] {
    std::vector<Row> rows;
    append(rows, unary_rows());
    append(rows, binary_rows());
    append(rows, shape_rows());
    append(rows, reduce_rows());
    append(rows, matmul_rows());
    append(rows, index_rows());
    append(rows, loss_rows());
    append(rows, arrange_rows());
    append(rows, nn_rows());
    append(rows, special_rows());
    append(rows, composite_rows());
    append(rows, linalg_rows());
    append(rows, complex_rows());
    return rows;
  }();
  return table;
}

const std::vector<Elsewhere>& tested_elsewhere() {
  static const char* const kCreate = "tests/framework/ops/create_test.cc";
  static const char* const kRandom = "tests/framework/ops/random_test.cc";
  static const char* const kSort = "tests/framework/ops/sort_test.cc";
  static const char* const kLosses = "tests/nn/loss_test.cc";
  static const char* const kConv = "tests/framework/ops/conv_test.cc";
  static const char* const kPool = "tests/framework/ops/pool_test.cc";
  static const char* const kNorm = "tests/framework/ops/norm_test.cc";
  static const char* const kForms = "tests/framework/ops/forms_test.cc";
  static const std::vector<Elsewhere> list = {
      {"conv1d", kConv}, {"conv2d", kConv}, {"conv3d", kConv}, {"conv_transpose1d", kConv}, {"conv_transpose2d", kConv},
      {"conv_transpose3d", kConv}, {"convolution", kConv}, {"max_pool1d", kPool}, {"max_pool2d", kPool}, {"max_pool3d", kPool},
      {"max_pool1d_with_indices", kPool}, {"max_pool2d_with_indices", kPool}, {"max_pool3d_with_indices", kPool},
      {"avg_pool1d", kPool}, {"avg_pool2d", kPool}, {"avg_pool3d", kPool}, {"adaptive_avg_pool1d", kPool},
      {"adaptive_avg_pool2d", kPool}, {"adaptive_avg_pool3d", kPool}, {"adaptive_max_pool1d", kPool},
      {"adaptive_max_pool2d", kPool}, {"adaptive_max_pool3d", kPool}, {"batch_norm", kNorm}, {"layer_norm", kNorm},
      {"group_norm", kNorm}, {"instance_norm", kNorm},
      {"empty", kCreate}, {"empty_strided", kCreate}, {"zeros", kCreate}, {"ones", kCreate}, {"full", kCreate},
      {"scalar_tensor", kCreate}, {"eye", kCreate}, {"arange", kCreate}, {"linspace", kCreate},
      {"empty_like", kCreate}, {"zeros_like", kCreate}, {"ones_like", kCreate}, {"full_like", kCreate},
      {"new_empty", kCreate}, {"new_zeros", kCreate}, {"new_ones", kCreate}, {"new_full", kCreate}, {"rand", kRandom},
      {"randn", kRandom}, {"randint", kRandom}, {"randperm", kRandom}, {"normal", kRandom}, {"rand_like", kRandom},
      {"randn_like", kRandom}, {"randint_like", kRandom}, {"uniform_", kRandom}, {"normal_", kRandom},
      {"log_normal_", kRandom}, {"cauchy_", kRandom}, {"exponential_", kRandom}, {"geometric_", kRandom},
      {"random_", kRandom}, {"bernoulli", kRandom}, {"bernoulli_", kRandom}, {"dropout", kRandom},
      {"dropout_", kRandom}, {"multinomial", kSort}, {"tril_indices", kCreate}, {"triu_indices", kCreate}, {"logspace", kCreate}, {"concat", kForms},
      {"fix", kForms}, {"absolute", kForms}, {"negative", kForms}, {"arccos", kForms}, {"arcsin", kForms},
      {"arctan", kForms}, {"arccosh", kForms}, {"arcsinh", kForms}, {"arctanh", kForms}, {"arctan2", kForms}, {"multiply", kForms},
      {"divide", kForms}, {"true_divide", kForms}, {"subtract", kForms}, {"greater", kForms}, {"greater_equal", kForms}, {"less", kForms},
      {"less_equal", kForms}, {"not_equal", kForms}, {"transpose_", kForms}, {"t_", kForms}, {"hinge_embedding_loss", kLosses}, {"cosine_embedding_loss", kLosses},
  };
  return list;
}

// ---- Values ------------------------------------------------------------------------------------------------------------------------

Tensor make_tensor(IntArrayRef shape, const std::vector<double>& values, ScalarType dtype) {
  const Tensor x = empty_base(shape, dtype, kCPU);
  WICK_CHECK(static_cast<size_t>(x.numel()) == values.size(), "make_tensor: ", values.size(), " values for the shape ", shape);
  dispatch_any_dtype(dtype, "make_tensor", [&]<class T>() {
    for (size_t i = 0; i < values.size(); ++i) static_cast<T*>(x.data_ptr())[i] = convert<T>(values[i]);
  });
  return x;
}

namespace {

double fill_value(const Sample& sample, size_t input, int64_t i, ScalarType dtype) {
  // 389 is odd, so that these are places of their own for 1024 elements.
  const int64_t place = (389 * i + 271 * static_cast<int64_t>(input) + 37) % 1024;
  if (dtype == kBool) return place >= 512;
  if (is_floating(dtype) || is_complex(dtype)) {
    const int64_t offset = 1 + static_cast<int64_t>(input) % 3;  // no two inputs share a place
    return sample.low + (sample.high - sample.low) * (static_cast<double>(4 * place + offset) / 4096);
  }
  const auto low = static_cast<int64_t>(std::ceil(dtype == kByte ? std::max(sample.low, 0.0) : sample.low));
  const auto high = std::max(low, static_cast<int64_t>(std::floor(sample.high)));  // a range may lie between two integers
  return static_cast<double>(low + place % (high - low + 1));
}

}  // namespace

Tensor make_input(const Row& row, size_t input, ScalarType dtype, IntArrayRef shape) {
  const Sample& sample = row.samples[input];
  if (sample.kind == Kind::kIndex) dtype = kLong;
  if (sample.kind == Kind::kMask) dtype = kBool;
  std::vector<double> values(static_cast<size_t>(checked_numel(shape)));
  for (size_t i = 0; i < values.size(); ++i) values[i] = fill_value(sample, input, static_cast<int64_t>(i), dtype);
  return make_tensor(shape, values, dtype);
}

Tensor make_input(const Row& row, size_t input, ScalarType dtype) { return make_input(row, input, dtype, row.samples[input].shape); }

Tensors make_inputs(const Row& row, ScalarType dtype) {
  Tensors inputs;
  for (size_t k = 0; k < row.samples.size(); ++k) inputs.push_back(make_input(row, k, dtype));
  return inputs;
}

Tensors special_inputs(const Row& row, ScalarType dtype) {
  constexpr double inf = HUGE_VAL, nan = NAN;
  static const std::vector<double> kOne = {nan, inf, -inf, 0.0, -0.0, 0.5,  -0.5, 1,     -1,    1.5,    -1.5, 2.5,
                                           -2.5, 30, -30, 100, -100, 1000, -1000, 1e-30, -1e-30, 1e30, -1e30};
  static const std::vector<double> kTwo = {nan, inf, -inf, 0.0, -0.0, 1, -2.5, 3};
  static const std::vector<double> kThree = {nan, inf, 0.0, 1, -2};
  static const std::vector<double> kMaskValues = {0, 1};
  std::vector<const std::vector<double>*> lists;
  for (const Sample& s : row.samples) {
    lists.push_back(s.kind == Kind::kMask ? &kMaskValues : row.samples.size() == 1 ? &kOne : row.samples.size() == 2 ? &kTwo : &kThree);
  }
  size_t total = 1;
  for (const auto* list : lists) total *= list->size();
  Tensors inputs;
  size_t repeat = 1;
  for (size_t k = 0; k < lists.size(); ++k) {
    std::vector<double> values(total);
    for (size_t i = 0; i < total; ++i) values[i] = (*lists[k])[i / repeat % lists[k]->size()];
    repeat *= lists[k]->size();
    inputs.push_back(make_tensor({static_cast<int64_t>(total)}, values, row.samples[k].kind == Kind::kMask ? kBool : dtype));
  }
  return inputs;
}

std::vector<double> values_of(const Tensor& x) {
  std::vector<double> values(static_cast<size_t>(x.numel()));
  dispatch_dtype(x.scalar_type(), "values_of", [&]<class T>() {
    const T* data = static_cast<const T*>(x.data_ptr());
    const IntArrayRef sizes = x.sizes(), strides = x.strides();
    for (size_t i = 0; i < values.size(); ++i) {
      int64_t offset = 0, rest = static_cast<int64_t>(i);
      for (size_t d = sizes.size(); d-- > 0;) {
        offset += rest % sizes[d] * strides[d];
        rest /= sizes[d];
      }
      values[i] = static_cast<double>(data[offset]);
    }
  });
  return values;
}

// ---- Golden numbers ----------------------------------------------------------------------------------------------------------------

std::vector<Case> golden_cases(const Row& row) {
  static const std::vector<ScalarType> kAll = {kDouble, kHalf, kBFloat16, kLong, kInt, kChar, kByte, kBool};
  static const std::vector<ScalarType> kSizes = {kDouble, kBFloat16, kInt, kBool};  // enough where values only move
  std::vector<Case> cases;
  for (ScalarType t : row.family == "shape" ? kSizes : kAll) cases.push_back({dtype_name(t), make_inputs(row, t)});
  if (row.elementwise && row.dtype == kDouble) {
    cases.push_back({"special64", special_inputs(row, kDouble)});
    cases.push_back({"special32", special_inputs(row, kFloat)});
    if (row.order > 0) cases.push_back({"grad64", special_inputs(row, kDouble), true});
  }
  std::erase_if(cases, [&](const Case& c) { return std::find(row.excluded.begin(), row.excluded.end(), c.name) != row.excluded.end(); });
  return cases;
}

namespace {

using GoldenFile = std::map<std::string, std::vector<Golden>>;

std::string key_of(const std::string& row, const std::string& case_name) { return row + " " + case_name; }

// Lines of the fields "row|case|dtype|shape|values", in the order of the outputs; the dtype of a refused case is "refused".
GoldenFile read_golden(const std::string& family) {
  const std::string path = "tests/framework/ops/golden/" + family + ".txt";
  std::ifstream file(path);
  WICK_CHECK(file, "cannot read ", path, ", which the tests look for from the root of the repository");
  GoldenFile result;
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::string row, name, shape, values, word;
    Golden g;
    std::getline(fields, row, '|') && std::getline(fields, name, '|') && std::getline(fields, g.dtype, '|') &&
        std::getline(fields, shape, '|') && std::getline(fields, values);
    g.refused = g.dtype == "refused";
    for (std::istringstream in(shape); in >> word;) g.shape.push_back(std::stoll(word));
    for (std::istringstream in(values); in >> word;) g.values.push_back(std::strtod(word.c_str(), nullptr));
    result[key_of(row, name)].push_back(std::move(g));
  }
  return result;
}

}  // namespace

const std::vector<Golden>& golden(const Row& row, const std::string& case_name) {
  static std::map<std::string, GoldenFile> files;
  static const std::vector<Golden> none;
  auto file = files.find(row.family);
  if (file == files.end()) file = files.emplace(row.family, read_golden(row.family)).first;
  const auto found = file->second.find(key_of(row.name, case_name));
  return found == file->second.end() ? none : found->second;
}

}  // namespace wick::test
