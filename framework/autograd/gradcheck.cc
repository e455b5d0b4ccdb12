#include "wick/framework/autograd/gradcheck.h"

#include <algorithm>
#include <cmath>

namespace wick::autograd {
namespace {

// Element `i` in row-major order of a CPU tensor with any strides.
double& element(const Tensor& x, int64_t i) {
  int64_t offset = 0;
  for (int64_t d = x.dim() - 1; d >= 0; --d) {
    offset += i % x.size(d) * x.stride(d);
    i /= x.size(d);
  }
  return x.data_ptr<double>()[offset];
}

// The multi-index of element `i`: "[1, 2]".
Dims position(const Tensor& x, int64_t i) {
  Dims at(static_cast<size_t>(x.dim()));
  for (size_t d = at.size(); d-- > 0;) {
    at[d] = i % x.size(static_cast<int64_t>(d));
    i /= x.size(static_cast<int64_t>(d));
  }
  return at;
}

bool any_complex(const variable_list& list) {
  return std::any_of(list.begin(), list.end(), [](const Tensor& x) { return x.defined() && x.is_complex(); });
}

// Complex tensors as their parts, and fn as a function of these: its Jacobian says all about a derivative, whatever it is.
variable_list parts_of(const variable_list& list) {
  variable_list parts;
  for (const Tensor& x : list) {
    const bool is_complex = x.defined() && x.is_complex();
    parts.push_back(is_complex ? view_as_real(x.detach()).requires_grad_(x.requires_grad()) : x);
  }
  return parts;
}
DifferentiableFunction of_parts(const DifferentiableFunction& fn, const variable_list& inputs) {
  return [&fn, &inputs](const variable_list& parts) {
    variable_list z = parts;
    for (size_t i = 0; i < z.size(); ++i) {
      if (inputs[i].defined() && inputs[i].is_complex()) z[i] = view_as_complex(z[i]);
    }
    variable_list outputs = fn(z);
    for (Tensor& y : outputs) y = y.defined() && y.is_complex() ? view_as_real(y) : y;
    return outputs;
  };
}

bool is_differentiable(const Tensor& y) { return y.defined() && y.is_floating_point(); }

void check_inputs(const variable_list& inputs) {
  bool any = false;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Tensor& x = inputs[i];
    if (!x.defined() || !x.requires_grad()) continue;
    any = true;
    WICK_CHECK(x.scalar_type() == kDouble && x.is_cpu(), "gradcheck: input ", i,
               " requires a gradient and must be a float64 tensor on the CPU, since the step eps is lost in anything less; got ",
               dtype_name(x.scalar_type()), " on ", x.device());
    for (int64_t d = 0; d < x.dim(); ++d) {
      WICK_CHECK(x.size(d) <= 1 || x.stride(d) != 0, "The ", i,
                 "th input has a dimension with stride 0. gradcheck only supports inputs that are non-overlapping to be able to compute "
                 "the numerical gradients correctly. You should call .contiguous on the input before passing it to gradcheck.");
    }
  }
  WICK_CHECK_VALUE(any, "gradcheck expects at least one input tensor to require gradient, but none of them have requires_grad=True.");
}

// The differentiable outputs in row-major order, one after the other.
std::vector<double> values_of(const DifferentiableFunction& fn, const variable_list& inputs) {
  std::vector<double> values;
  for (const Tensor& y : fn(inputs)) {
    if (!is_differentiable(y)) continue;
    const Tensor wide = y.detach().to(kDouble);
    for (int64_t i = 0; i < wide.numel(); ++i) values.push_back(element(wide, i));
  }
  return values;
}

// d outputs / d x[j] for all elements of the outputs.
std::vector<double> numerical_column(const DifferentiableFunction& fn, const variable_list& inputs, const Tensor& x, int64_t j,
                                     double eps) {
  double& place = element(x, j);
  const double before = place;
  place = before + eps;
  std::vector<double> column = values_of(fn, inputs);
  place = before - eps;
  const std::vector<double> lower = values_of(fn, inputs);
  place = before;
  WICK_CHECK(column.size() == lower.size(), "gradcheck: the size of the outputs depends on the values of the inputs");
  for (size_t i = 0; i < column.size(); ++i) column[i] = (column[i] - lower[i]) / (2 * eps);
  return column;
}

// d y[i] / d inputs, undefined where zero.
variable_list analytical_row(const Tensor& y, int64_t i, const variable_list& wanted) {
  Tensor one_hot = zeros(y.sizes(), y.options());
  one_hot.view(IntArrayRef{-1}).select(0, i).fill_(1);
  return grad({y}, wanted, {one_hot}, true, false, true);
}

struct Mismatch {
  size_t output, input;
  const Tensor &y, &x;
  int64_t i, j;
  double analytical, numerical;
};

[[noreturn]] WICK_COLD void mismatch_error(const Mismatch& m) {
  detail::raise<Error>("Jacobian mismatch for output ", m.output, " with respect to input ", m.input, ",\n  at element ",
                       position(m.y, m.i), " of the output ", m.y.sizes(), " and element ", position(m.x, m.j), " of the input ",
                       m.x.sizes(), ":\nnumerical:", m.numerical, "\nanalytical:", m.analytical);
}

}  // namespace

bool gradcheck(const DifferentiableFunction& fn, const variable_list& inputs, double eps, double atol, double rtol) {
  const auto by_parts = [&] { return gradcheck(of_parts(fn, inputs), parts_of(inputs), eps, atol, rtol); };
  if (any_complex(inputs)) return by_parts();
  check_inputs(inputs);
  variable_list wanted;
  std::vector<size_t> numbers;  // of the wanted inputs
  std::vector<std::vector<std::vector<double>>> numerical;  // [wanted input][its element][element of the outputs]
  for (size_t k = 0; k < inputs.size(); ++k) {
    const Tensor& x = inputs[k];
    if (!x.defined() || !x.requires_grad()) continue;
    numbers.push_back(k);
    wanted.push_back(x);
    auto& columns = numerical.emplace_back();
    NoGradGuard no_grad;
    for (int64_t j = 0; j < x.numel(); ++j) columns.push_back(numerical_column(fn, inputs, x, j, eps));
  }

  const variable_list outputs = fn(inputs);
  if (any_complex(outputs)) return by_parts();
  size_t first = 0;  // where this output's elements begin in a column
  for (size_t o = 0; o < outputs.size(); ++o) {
    const Tensor& y = outputs[o];
    if (!is_differentiable(y)) continue;
    for (int64_t i = 0; i < y.numel(); ++i) {
      const variable_list row = y.requires_grad() ? analytical_row(y, i, wanted) : variable_list(wanted.size());
      for (size_t k = 0; k < wanted.size(); ++k) {
        for (int64_t j = 0; j < wanted[k].numel(); ++j) {
          const double a = row[k].defined() ? element(row[k], j) : 0.0;
          const double n = numerical[k][static_cast<size_t>(j)][first + static_cast<size_t>(i)];
          // Written so that a NaN in either is a mismatch.
          if (!(std::abs(a - n) <= atol + rtol * std::abs(n))) mismatch_error({o, numbers[k], y, wanted[k], i, j, a, n});
        }
      }
    }
    first += static_cast<size_t>(y.numel());
  }
  return true;
}

// Numbers from 0.5 to 1.5 without a pattern that a wrong gradient could share.
static Tensor generic_gradient(const Tensor& y) {
  Tensor g = empty(y.sizes(), TensorOptions(kDouble));
  for (int64_t i = 0; i < g.numel(); ++i) {
    const double turns = 0.6180339887498949 * static_cast<double>(i + 1);
    element(g, i) = 0.5 + (turns - std::floor(turns));
  }
  return g.requires_grad_();
}

bool gradgradcheck(const DifferentiableFunction& fn, const variable_list& inputs, const variable_list& grad_outputs, double eps,
                   double atol, double rtol) {
  if (any_complex(inputs)) return gradgradcheck(of_parts(fn, inputs), parts_of(inputs), parts_of(grad_outputs), eps, atol, rtol);
  check_inputs(inputs);
  const auto differentiable_outputs = [&fn](const variable_list& x) {
    variable_list outputs;
    for (Tensor& y : fn(x)) {
      if (is_differentiable(y) && y.requires_grad()) outputs.push_back(std::move(y));
    }
    return outputs;
  };
  variable_list all = inputs;
  if (grad_outputs.empty()) {
    for (const Tensor& y : differentiable_outputs(inputs)) all.push_back(generic_gradient(y));
  } else {
    all.insert(all.end(), grad_outputs.begin(), grad_outputs.end());
  }
  const size_t count = inputs.size();
  const auto gradients = [&](const variable_list& x) {
    AutoGradMode on(true);  // the numerical side calls this without recording
    const variable_list first(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(count));
    const variable_list upstream(x.begin() + static_cast<std::ptrdiff_t>(count), x.end());
    variable_list wanted;
    for (const Tensor& input : first) {
      if (input.defined() && input.requires_grad()) wanted.push_back(input);
    }
    variable_list result = grad(differentiable_outputs(first), wanted, upstream, true, true, true);
    for (size_t i = 0; i < result.size(); ++i) {
      if (!result[i].defined()) result[i] = zeros_like(wanted[i]);
    }
    return result;
  };
  return gradcheck(gradients, all, eps, atol, rtol);
}

}  // namespace wick::autograd
