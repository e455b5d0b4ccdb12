// For the C++ half of a Python extension: its functions build and are called from C++. What binds them to Python does not.
#pragma once

#include <torch/torch.h>

#ifndef PYBIND11_MODULE
#define PYBIND11_MODULE(name, variable)                                                                                   \
  static_assert(false, "PYBIND11_MODULE: wick has no Python bindings. Leave this part of the file out and call the "      \
                       "functions from C++, or register them as operators with TORCH_LIBRARY.");                          \
  template <class PythonModule>                                                                                           \
  void wick_has_no_python_module([[maybe_unused]] PythonModule& variable)
#endif
