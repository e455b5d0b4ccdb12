// How the files of the table write their rows.
#pragma once

#include "wick/tests/framework/ops/op_table.h"

namespace wick::test {

inline Tensors as_list(const Tensor& y) { return {y}; }
inline Tensors as_list(bool y) { return {make_tensor({}, {static_cast<double>(y)}, kBool)}; }
inline Tensors as_list(std::vector<Tensor> list) { return list; }
inline Tensors as_list(const TensorTriple& t) { return {std::get<0>(t), std::get<1>(t), std::get<2>(t)}; }
inline Tensors as_list(const TensorPair& pair) { return {std::get<0>(pair), std::get<1>(pair)}; }

// An expression of the inputs x[0], x[1], ..., and of the output y, as the functions of a row.
#define CALL(...) [](const Tensors& x) { return as_list(__VA_ARGS__); }
#define INPLACE(...) [](const Tensors& x) { __VA_ARGS__; }
#define OUT(...) [](Tensor& y, const Tensors& x) { __VA_ARGS__; }

class Family {
 public:
  explicit Family(const char* name) : name_(name) {}

  Row& add(const char* name, std::vector<Sample> samples, autograd::DifferentiableFunction call) {
    Row& row = rows_.emplace_back();
    row.family = name_;
    row.name = name;
    row.samples = std::move(samples);
    row.call = std::move(call);
    static const char* const kArguments[] = {"", "a", "a, b", "a, b, c", "a, b, c, d"};
    return row.as("torch." + row.op() + "(" + kArguments[row.samples.size()] + ")");
  }
  // Inputs of one shape, each with its range.
  Row& elementwise(const char* name, std::vector<Sample> ranges, autograd::DifferentiableFunction call) {
    for (Sample& s : ranges) s.shape = {3, 5};
    Row& row = add(name, std::move(ranges), std::move(call));
    row.elementwise = true;
    return row;
  }
  std::vector<Row> rows() { return std::move(rows_); }

 private:
  const char* name_;
  std::vector<Row> rows_;
};

inline Sample between(double low, double high, Kind kind = Kind::kReal) { return Sample{{}, low, high, kind}; }
inline Sample mask(std::vector<int64_t> shape = {}) { return Sample{std::move(shape), 0, 1, Kind::kMask}; }
// Indices from 0 to count - 1.
inline Sample indices(std::vector<int64_t> shape, int64_t count) {
  return Sample{std::move(shape), 0, static_cast<double>(count - 1), Kind::kIndex};
}

}  // namespace wick::test
