// The number of threads of oneDNN, which takes it from OpenMP's setting of the calling thread.
#pragma once

#include "wick/framework/core/parallel.h"

namespace wick::cpu {

// While it lives, oneDNN called from this thread uses so many threads; in a process made by fork(), where OpenMP has
// lost its own, one. With WICK_STD_THREADS it does nothing: there OMP_NUM_THREADS=1 keeps oneDNN to the calling thread.
class OneDnnThreads {
 public:
  explicit OneDnnThreads(int count = get_num_threads());
  ~OneDnnThreads();
  OneDnnThreads(const OneDnnThreads&) = delete;
  OneDnnThreads& operator=(const OneDnnThreads&) = delete;

 private:
  int previous_;
};

}  // namespace wick::cpu
