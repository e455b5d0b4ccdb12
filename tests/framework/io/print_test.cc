// print_golden.txt holds what PyTorch prints; tools/make_golden_prints.py says how to read it.
#include "wick/framework/io/print.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <locale>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "wick/framework/ops/tensor_literal.h"

namespace wick {
namespace {

struct Case {
  std::string head;   // "float32 [2, 3] values ... | flags"
  std::string print;
};

std::vector<Case> read_cases(const char* path) {
  std::ifstream file(path);
  std::vector<Case> cases;
  for (std::string line; std::getline(file, line);) {
    if (line[0] == '#') continue;
    if (line[0] == '>') {
      std::string& print = cases.back().print;
      if (!print.empty()) print += '\n';
      print += line.substr(2);
    } else {
      cases.push_back({line, ""});
    }
  }
  return cases;
}

ScalarType dtype_named(const std::string& name) {
  for (ScalarType t : {kFloat, kDouble, kHalf, kBFloat16, kLong, kInt, kShort, kChar, kByte, kBool, kComplexFloat, kComplexDouble}) {
    if (name == dtype_name(t)) return t;
  }
  throw Error("no dtype " + name);
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

std::vector<int64_t> sizes_in(const std::string& text) {
  std::istringstream in(text);
  std::vector<int64_t> out;
  for (int64_t size; in >> size; in.ignore(1)) out.push_back(size);
  return out;
}

template <class T>
T parse(const std::string& word) {
  if constexpr (std::is_integral_v<T>) return word == "True" ? T(1) : word == "False" ? T(0) : static_cast<T>(std::stoll(word));
  else if constexpr (is_complex_v<T>)
    return static_cast<T>(Complex<double>(parse<double>(word), parse<double>(word.substr(word.find(',') + 1))));
  else return static_cast<T>(std::strtod(word.c_str(), nullptr));
}

void write_content(const Tensor& x, const std::vector<std::string>& content) {
  dispatch_any_dtype(x.scalar_type(), "test", [&]<class T>() {
    T* out = static_cast<T*>(x.data_ptr());
    for (int64_t i = 0; i < x.numel(); ++i) {
      if (content[0] == "values") {
        out[i] = parse<T>(content[static_cast<size_t>(i) + 1]);
      } else if constexpr (std::is_integral_v<T>) {
        out[i] = static_cast<T>(parse<int64_t>(content[1]) + i * parse<int64_t>(content[2]));
      } else {
        out[i] = static_cast<T>(parse<double>(content[1]) + static_cast<double>(i) * parse<double>(content[2]));
      }
    }
  });
}

// The print of a case.
std::string print(const std::string& head) {
  const size_t open = head.find('['), close = head.find(']'), bar = head.find('|');
  const ScalarType dtype = dtype_named(words(head.substr(0, open))[0]);
  Tensor x = empty(sizes_in(head.substr(open + 1, close - open - 1)), dtype);
  write_content(x, words(head.substr(close + 1, bar - close - 1)));
  PrintOptions options;
  bool add = false;
  for (const std::string& flag : words(head.substr(bar + 1))) {
    const std::string name = flag.substr(0, flag.find('=')), value = flag.substr(flag.find('=') + 1);
    if (name == "transpose") x = x.t();
    else if (name == "meta") x = empty(x.sizes(), x.options().device(kMeta));
    else if (name == "requires_grad") x.requires_grad_();
    else if (name == "add") x.requires_grad_(), add = true;
    else if (name == "double_default") set_default_dtype(kDouble);
    else if (name == "precision") options.precision = std::stoi(value);
    else if (name == "threshold") options.threshold = std::stoll(value);
    else if (name == "edgeitems") options.edgeitems = std::stoll(value);
    else if (name == "linewidth") options.linewidth = std::stoll(value);
    else if (name == "sci_mode") options.sci_mode = value == "True";
    else throw Error("no flag " + flag);
  }
  if (add) x = x + 0;
  const std::string text = to_string(x, options);
  set_default_dtype(kFloat);
  return text;
}

TEST(Print, AsPyTorch) {
  const std::vector<Case> cases = read_cases("tests/framework/io/print_golden.txt");
  EXPECT_GE(cases.size(), 200u);
  for (const Case& c : cases) EXPECT_EQ(print(c.head), c.print) << c.head;
}

TEST(Print, StreamAndString) {
  std::ostringstream out;
  out << tensor({{1.5, -2.0}, {0.25, 4.0}}) << '\n' << Tensor() << '\n';
  EXPECT_EQ(out.str(),
            "tensor([[ 1.5000, -2.0000],\n"
            "        [ 0.2500,  4.0000]])\n"
            "[ Tensor (undefined) ]\n");
  EXPECT_EQ(to_string(tensor({1, 2})), "tensor([1, 2])");
}

TEST(Print, SharedOptionsAndTheirErrors) {
  PrintOptions options;
  options.precision = 2;
  set_printoptions(options);
  EXPECT_EQ(to_string(tensor({1.23456})), "tensor([1.23])");
  EXPECT_EQ(get_printoptions().precision, 2);
  options.precision = -1;
  EXPECT_THROW(set_printoptions(options), ValueError);
  options = {};
  options.linewidth = -5;
  EXPECT_THROW(set_printoptions(options), ValueError);
  EXPECT_EQ(get_printoptions().precision, 2);
  set_printoptions({});
  EXPECT_EQ(to_string(tensor({1.23456})), "tensor([1.2346])");
}

// What is shown of an expanded or sliced tensor is its elements, not its memory.
TEST(Print, Views) {
  EXPECT_EQ(to_string(tensor({1, 2, 3, 4}).slice(0, 0, 4, 2)), "tensor([1, 3])");
  EXPECT_EQ(to_string(tensor({7}).expand({2, 3})), "tensor([[7, 7, 7],\n        [7, 7, 7]])");
}

// A view whose base was written to has its history made anew, and that is what the print names.
TEST(Print, GradFnOfAView) {
  const Tensor x = ones({4}, requires_grad());
  const Tensor y = x * 1;
  const Tensor view = y.slice(0, 0, 2);
  EXPECT_EQ(to_string(view), "tensor([1., 1.], grad_fn=<SliceBackward0>)");
  y.mul_(2);
  EXPECT_EQ(to_string(view), "tensor([2., 2.], grad_fn=<AsStridedBackward0>)");
}

struct CommaDecimals : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(Print, WhateverTheLocale) {
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new CommaDecimals));
  std::ostringstream out;
  out << tensor({1234.5, 0.25}) << tensor({1234567});
  std::locale::global(before);
  EXPECT_EQ(out.str(), "tensor([1.2345e+03, 2.5000e-01])tensor([1234567])");
}

TEST(Stream, ShapesTypesAndDevices) {
  std::ostringstream out;
  out << zeros({2, 3}).sizes() << IntArrayRef() << ' ' << kFloat << ' ' << kBFloat16 << ' ' << Device("cuda:1") << ' ' << kCPU << ' '
      << Scalar(3) << ' ' << Scalar(2.5) << ' ' << kStrided << ' ' << MemoryFormat::ChannelsLast;
  EXPECT_EQ(out.str(), "[2, 3][] Float BFloat16 cuda:1 cpu 3 2.5 Strided ChannelsLast");
}

TEST(Stream, Options) {
  std::ostringstream out;
  out << dtype(kLong).requires_grad(true) << '\n' << TensorOptions(MemoryFormat::ChannelsLast);
  EXPECT_EQ(out.str(),
            "TensorOptions(dtype=long int, device=cpu (default), layout=Strided (default), requires_grad=true, "
            "pinned_memory=false (default), memory_format=(nullopt))\n"
            "TensorOptions(dtype=float (default), device=cpu (default), layout=Strided (default), requires_grad=false (default), "
            "pinned_memory=false (default), memory_format=ChannelsLast)");
}

}  // namespace
}  // namespace wick
