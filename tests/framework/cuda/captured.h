// What fusion changes in a captured step: the number of launches, and nothing else.
#pragma once

#include <functional>
#include <vector>

#include "wick/tests/framework/cuda/device.h"

namespace wick {

using Tensors = std::vector<Tensor>;

struct Captured {
  Tensors values;    // after a replay, on the host
  int64_t kernels;   // that the graph starts: an epilogue is one with its product, a kernel that stands in for it is one more
};

inline Captured capture(bool fuse, const std::function<Tensors()>& step) {
  Graph graph(GraphOptions().fuse(fuse));
  Tensors results;
  const int64_t before = cuda::launches();
  {
    GraphCapture capture(graph);
    results = step();
  }
  const int64_t kernels = cuda::launches() - before;
  graph.replay();
  graph.replay();
  for (Tensor& x : results) x = x.detach().cpu();
  return {results, kernels};
}

// Captures the step with and without fusion. Its values must not depend on that, nor differ from the eager ones. Returns how many
// launches are spared.
inline int64_t spared(const std::function<Tensors()>& step, double tolerance = 1e-5) {
  const Tensors eager = step();
  const Captured plain = capture(false, step), fused = capture(true, step);
  for (size_t i = 0; i < eager.size(); ++i) {
    EXPECT_TRUE(plain.values[i].equal(eager[i].detach().cpu())) << i;
    EXPECT_TRUE(fused.values[i].allclose(plain.values[i], tolerance, tolerance)) << i << "\n" << fused.values[i] - plain.values[i];
  }
  return plain.kernels - fused.kernels;
}

}  // namespace wick
