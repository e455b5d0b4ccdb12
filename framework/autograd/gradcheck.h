// Derivatives compared with what a small step in each input says about them. For the tests of operations, one's own included.
#pragma once

#include <functional>

#include "wick/framework/autograd/engine.h"

namespace wick::autograd {

using DifferentiableFunction = std::function<variable_list(const variable_list&)>;

// Compares, for each floating point or complex output of fn and each input that requires a gradient, the Jacobian d output / d input
// that backward computes with central differences, (fn(x + eps) - fn(x - eps)) / (2 eps), element by element:
//
//   |analytical - numerical| <= atol + rtol * |numerical|
//
// Inputs that require a gradient must be float64 or complex128, which is checked as its two parts, on the CPU, and without elements
// that share memory; each element is changed in place by eps and restored. fn must give the same values for the same inputs, and be
// smooth within eps of them.
//
// Returns true; throws Error, naming the output, the input, the elements and both numbers, where they differ, and ValueError where no
// input requires a gradient.
bool gradcheck(const DifferentiableFunction& fn, const variable_list& inputs, double eps = 1e-6, double atol = 1e-5, double rtol = 1e-3);

// The same for the gradients of fn, as functions of the inputs and of the outputs' own gradients: the second derivatives. Where no
// grad_outputs are given, it takes numbers from 0.5 to 1.5.
bool gradgradcheck(const DifferentiableFunction& fn, const variable_list& inputs, const variable_list& grad_outputs = {},
                   double eps = 1e-6, double atol = 1e-5, double rtol = 1e-3);

}  // namespace wick::autograd
