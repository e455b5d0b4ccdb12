// Kernels for operators of one's own that have no derivative: results remember where they come from, and backward through them is an
// error that names the operator instead of a wrong gradient.
#pragma once

#include <torch/library.h>

namespace torch::autograd {

// For DispatchKey::Autograd.
CppFunction autogradNotImplementedFallback();
// For DispatchKey::ADInplaceOrView: counts what the operator writes to, by (a!) in its schema, and makes what it returns as (a) a view.
CppFunction autogradNotImplementedInplaceOrViewFallback();

}  // namespace torch::autograd
