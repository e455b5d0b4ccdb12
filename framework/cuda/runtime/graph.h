// CUDA graphs, as framework/graph replays them.
#pragma once

#include <functional>
#include <memory>

#include "wick/framework/core/cuda_slot.h"

namespace wick::cuda {

// Records what `issue` launches on the current stream of this thread into a CUDA graph, in order. Memory that kernels allocate
// meanwhile belongs to the graph.
std::unique_ptr<DeviceGraph> capture_graph(Device device, const std::function<void()>& issue);

// Whether this thread is inside of capture_graph().
bool is_capturing();

}  // namespace wick::cuda
