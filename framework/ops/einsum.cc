// Products over named dimensions, and the products of matrices that add to a third.
#include <algorithm>
#include <array>
#include <cctype>

#include "wick/framework/ops/autocast.h"
#include "wick/framework/ops/elementwise.h"
#include "wick/framework/ops/op.h"

namespace wick::ops {
namespace {

// Labels are the letters, and the dimensions of an ellipsis from the last one backwards.
constexpr int kLetters = 52, kLabels = kLetters + kMaxDims;

int label_of(char c) { return c >= 'a' ? c - 'a' + 26 : c - 'A'; }
char letter_of(int label) { return static_cast<char>(label < 26 ? 'A' + label : 'a' + label - 26); }

using Labels = std::vector<int>;

// A subscript such as "b...ij" of an operand with ndim dimensions. `ellipsis`: how many dimensions the dots stand for.
Labels parse_subscript(std::string_view text, int64_t ndim, int64_t* ellipsis) {
  Labels labels;
  int64_t letters = 0;
  for (char c : text) letters += std::isalpha(static_cast<unsigned char>(c)) != 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ' ') continue;
    if (c == '.') {
      WICK_CHECK(text.substr(i, 3) == "..." && text.find('.', i + 3) == std::string_view::npos, "einsum(): found '.' for operand that is "
                 "not part of any ellipsis");
      const int64_t count = ndim < 0 ? *ellipsis : ndim - letters;
      WICK_CHECK(count >= 0, "einsum(): the number of subscripts in the equation (", letters, ") is more than the number of dimensions (",
                 ndim, ")");
      for (int64_t k = count; k-- > 0;) labels.push_back(kLetters + static_cast<int>(k));
      *ellipsis = std::max(*ellipsis, count);
      i += 2;
      continue;
    }
    WICK_CHECK(std::isalpha(static_cast<unsigned char>(c)), "einsum(): invalid subscript given at index ", i,
               " in the equation string, subscripts must be in [a-zA-Z]");
    labels.push_back(label_of(c));
  }
  return labels;
}

// x with repeated labels joined to their diagonal, and its dimensions as `order` names them, of size 1 where x lacks them.
Tensor aligned(Tensor x, Labels labels, const Labels& order) {
  for (size_t i = 0; i < labels.size(); ++i) {
    for (size_t j = i + 1; j < labels.size();) {
      if (labels[j] != labels[i]) {
        ++j;
        continue;
      }
      WICK_CHECK(x.size(static_cast<int64_t>(i)) == x.size(static_cast<int64_t>(j)), "einsum(): subscript is repeated for an operand but "
                 "the sizes don't match, ", x.size(static_cast<int64_t>(j)), " != ", x.size(static_cast<int64_t>(i)));
      x = x.diagonal(0, static_cast<int64_t>(i), static_cast<int64_t>(j)).movedim(-1, static_cast<int64_t>(i));
      labels.erase(labels.begin() + static_cast<std::ptrdiff_t>(j));
    }
  }
  Dims places;
  int64_t missing = x.dim();
  for (int label : order) {
    const auto found = std::find(labels.begin(), labels.end(), label);
    if (found != labels.end()) {
      places.push_back(found - labels.begin());
    } else {
      x = x.unsqueeze(-1);
      places.push_back(missing++);
    }
  }
  return x.permute(places);
}

// a * b summed over the dimensions of `summed`, which stay with size 1: one product of batches of matrices.
Tensor sum_of_products(Tensor a, Tensor b, const std::vector<bool>& summed) {
  struct Group {
    Dims dims;
    int64_t size = 1;
    void add(int64_t d, int64_t n) { dims.push_back(d), size *= n; }
  };
  Group batch, left, right, sum;  // dimensions of both that stay; of a alone; of b alone; of both that are summed
  for (int64_t d = 0; d < a.dim(); ++d) {
    const bool in_a = a.size(d) != 1, in_b = b.size(d) != 1;
    if (summed[static_cast<size_t>(d)] && in_a && in_b) {
      sum.add(d, a.size(d));
    } else if (summed[static_cast<size_t>(d)]) {
      Tensor& owner = in_a ? a : b;
      if (in_a || in_b) owner = owner.sum(d, /*keepdim=*/true, a.scalar_type());
      left.add(d, 1);
    } else if (in_a && in_b) {
      batch.add(d, a.size(d));
    } else {
      (in_b ? right : left).add(d, in_b ? b.size(d) : a.size(d));
    }
  }
  if (sum.dims.empty()) return a * b;
  const Dims order = joined_dims({batch.dims, left.dims, sum.dims, right.dims});
  const Tensor x = a.permute(order).reshape({batch.size, left.size, sum.size});
  const Tensor y = b.permute(joined_dims({batch.dims, sum.dims, right.dims, left.dims})).reshape({batch.size, sum.size, right.size});
  Dims shape, back(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    const bool is_sum = std::find(sum.dims.begin(), sum.dims.end(), order[i]) != sum.dims.end();
    const int64_t size = a.size(order[i]) == 1 ? b.size(order[i]) : a.size(order[i]);
    shape.push_back(is_sum ? 1 : size);
    back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  }
  return x.bmm(y).reshape(shape).permute(back);
}

struct Equation {
  std::vector<Labels> inputs;
  Labels output;
};

Equation parse_equation(std::string_view text, TensorList operands) {
  const size_t arrow = text.find("->");
  std::string_view left = text.substr(0, arrow);
  Equation equation;
  int64_t ellipsis = 0;
  std::array<int, kLabels> counts{};
  for (size_t i = 0; i < operands.size(); ++i) {
    const size_t comma = left.find(',');
    WICK_CHECK((comma == std::string_view::npos) == (i + 1 == operands.size()), comma == std::string_view::npos
                   ? "einsum(): more operands were provided than specified in the equation"
                   : "einsum(): fewer operands were provided than specified in the equation");
    Labels labels = parse_subscript(left.substr(0, comma), operands[i].dim(), &ellipsis);
    WICK_CHECK(static_cast<int64_t>(labels.size()) == operands[i].dim(), "einsum(): the number of subscripts in the equation (",
               labels.size(), ") does not match the number of dimensions (", operands[i].dim(), ") for operand ", i,
               " and no ellipsis was given");
    for (int label : labels) ++counts[static_cast<size_t>(label)];
    equation.inputs.push_back(std::move(labels));
    if (comma != std::string_view::npos) left.remove_prefix(comma + 1);
  }
  if (arrow != std::string_view::npos) {
    equation.output = parse_subscript(text.substr(arrow + 2), -1, &ellipsis);
    for (int label : equation.output) {
      WICK_CHECK(label >= kLetters || counts[static_cast<size_t>(label)] > 0, "einsum(): output subscript ", letter_of(label),
                 " does not appear in the equation for any input operand");
      WICK_CHECK(std::count(equation.output.begin(), equation.output.end(), label) == 1, "einsum(): output subscript ", letter_of(label),
                 " appears more than once in the output");
    }
    return equation;
  }
  // Without an arrow: the dots, then the letters that occur once, in alphabetical order.
  for (int64_t k = ellipsis; k-- > 0;) equation.output.push_back(kLetters + static_cast<int>(k));
  for (int label = 0; label < kLetters; ++label) {
    if (counts[static_cast<size_t>(label)] == 1) equation.output.push_back(label);
  }
  return equation;
}

}  // namespace
}  // namespace wick::ops

namespace wick {

using namespace ops;

Tensor einsum(std::string_view equation, TensorList tensors, OptionalIntArrayRef) {
  WICK_CHECK(!tensors.empty(), "einsum(): must provide at least one operand");
  const Equation parsed = parse_equation(equation, tensors);
  Labels order = parsed.output;
  for (const Labels& labels : parsed.inputs) {
    for (int label : labels) {
      if (std::find(order.begin(), order.end(), label) == order.end()) order.push_back(label);
    }
  }
  std::vector<Tensor> operands;
  for (size_t i = 0; i < tensors.size(); ++i) operands.push_back(aligned(tensors[i], parsed.inputs[i], order));
  for (int64_t d = 0; d < static_cast<int64_t>(order.size()); ++d) {
    int64_t size = 1;
    for (size_t i = 0; i < operands.size(); ++i) {
      const int64_t own = operands[i].size(d);
      WICK_CHECK(own == 1 || size == 1 || own == size, "einsum(): subscript ", letter_of(order[static_cast<size_t>(d)]), " has size ", own,
                 " for operand ", i, " which does not broadcast with previously seen size ", size);
      if (own != 1) size = own;
    }
  }
  // A dimension is summed in the last product whose later operands lack it.
  Tensor result = operands[0];
  const size_t kept = parsed.output.size();
  for (size_t i = 1; i < operands.size(); ++i) {
    std::vector<bool> summed(order.size());
    for (size_t d = kept; d < order.size(); ++d) {
      summed[d] = std::all_of(operands.begin() + static_cast<std::ptrdiff_t>(i) + 1, operands.end(),
                              [&](const Tensor& later) { return later.size(static_cast<int64_t>(d)) == 1; });
    }
    result = sum_of_products(result, operands[i], summed);
  }
  Dims rest;
  for (size_t d = kept; d < order.size(); ++d) rest.push_back(static_cast<int64_t>(d));
  if (rest.empty()) return result;
  // As in PyTorch, the sum of a single operand widens integers, and products do not.
  return operands.size() == 1 ? result.sum(rest) : result.sum(rest, /*keepdim=*/false, result.scalar_type());
}

Tensor tensordot(const Tensor& self, const Tensor& other, IntArrayRef dims_self, IntArrayRef dims_other) {
  WICK_CHECK(dims_self.size() == dims_other.size(), "both dimension lists should have same length");
  const auto rest_of = [](const Tensor& x, const Dims& used) {
    Dims rest;
    for (int64_t d = 0; d < x.dim(); ++d) {
      if (std::find(used.begin(), used.end(), d) == used.end()) rest.push_back(d);
    }
    return rest;
  };
  const Dims sa = wrap_dims(dims_self, self.dim()), sb = wrap_dims(dims_other, other.dim());
  int64_t inner = 1;
  for (size_t i = 0; i < sa.size(); ++i) {
    WICK_CHECK(self.size(sa[i]) == other.size(sb[i]), "contracted dimensions need to match, but first has size ", self.size(sa[i]),
               " in dim ", sa[i], " and second has size ", other.size(sb[i]), " in dim ", sb[i]);
    inner *= self.size(sa[i]);
  }
  const Dims ra = rest_of(self, sa), rb = rest_of(other, sb);
  Dims shape;
  int64_t rows = 1, columns = 1;
  for (int64_t d : ra) shape.push_back(self.size(d)), rows *= self.size(d);
  for (int64_t d : rb) shape.push_back(other.size(d)), columns *= other.size(d);
  const Tensor a = self.permute(joined_dims({ra, sa})).reshape({rows, inner});
  return a.mm(other.permute(joined_dims({sb, rb})).reshape({inner, columns})).reshape(shape);
}

Scalar ops::factor_of(const Tensor& x, const Scalar& factor) {
  if (x.is_complex() || (x.is_floating_point() && !factor.isComplex())) return factor;
  return full({}, factor, x.scalar_type()).item();
}

static Tensor add_product(const Tensor& self, const Tensor& product, const Scalar& beta, const Scalar& alpha) {
  const Scalar of_self = factor_of(self, beta), of_product = factor_of(product, alpha);
  return of_self.equal(0) ? product * of_product : product * of_product + self * of_self;
}
Tensor addmv(const Tensor& self, const Tensor& mat, const Tensor& vec, const Scalar& beta, const Scalar& alpha) {
  return add_product(self, mat.mv(vec), beta, alpha);
}
Tensor baddbmm(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta, const Scalar& alpha) {
  WICK_AUTOCAST(kLowPrecision, baddbmm, self, batch1, batch2, beta, alpha);
  return add_product(self, batch1.bmm(batch2), beta, alpha);
}
Tensor addbmm(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta, const Scalar& alpha) {
  WICK_AUTOCAST(kLowPrecision, addbmm, self, batch1, batch2, beta, alpha);
  return add_product(self, batch1.bmm(batch2).sum(0, /*keepdim=*/false, batch1.scalar_type()), beta, alpha);
}

Tensor cross(const Tensor& self, const Tensor& other, std::optional<int64_t> dim) {
  WICK_CHECK(self.dim() == other.dim(), "linalg.cross: inputs must have the same number of dimensions.");
  const std::vector<Tensor> both = broadcast_tensors({self, other});
  const Tensor a = both[0], b = both[1];
  int64_t d = 0;
  if (dim) {
    d = wrap_dim(*dim, a.dim());
  } else {
    while (d < a.dim() && self.size(d) != 3) ++d;
    WICK_CHECK(d < a.dim(), "no dimension of size 3 in input");
  }
  WICK_CHECK(a.dim() > 0 && self.size(d) == 3 && other.size(d) == 3, "linalg.cross: inputs dimension ", dim.value_or(d),
             " must have length 3. Got ", self.size(d), " and ", other.size(d));
  return a.roll(-1, d) * b.roll(-2, d) - a.roll(-2, d) * b.roll(-1, d);
}

Tensor bilinear(const Tensor& input1, const Tensor& input2, const Tensor& weight, const Tensor& bias) {
  WICK_CHECK(input1.dim() == input2.dim(), "bilinear(): input dimensions do not match: got ", input1.dim(), " and ", input2.dim());
  WICK_CHECK(input1.size(-1) == weight.size(1), "bilinear(): input1 size does not match weight size: got ", input1.size(-1),
               " but expected ",
             weight.size(1));
  WICK_CHECK(input2.size(-1) == weight.size(2), "bilinear(): input2 size does not match weight size: got ", input2.size(-1),
               " but expected ",
             weight.size(2));
  const Tensor y = einsum("...i,kij,...j->...k", {input1, weight, input2});
  return bias.defined() ? y + bias : y;
}

}  // namespace wick
