// at::cuda::CUDAGraph over wick::Graph, which captures and replays on either device.
#pragma once

#include <optional>

#include <c10/cuda/CUDAStream.h>

#include "wick/framework/graph/graph.h"

namespace at::cuda {

class CUDAGraph {
 public:
  void capture_begin() { capture_.emplace(graph_); }
  void capture_end() {
    capture_->end();
    capture_.reset();
  }
  void replay() { graph_.replay(); }
  void reset() { graph_.reset(); }

 private:
  wick::Graph graph_;
  std::optional<wick::GraphCapture> capture_;
};

}  // namespace at::cuda
