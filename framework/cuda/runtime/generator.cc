#include "wick/framework/cuda/runtime/generator.h"

#include <cuda_runtime_api.h>

#include <mutex>
#include <utility>
#include <vector>

#include "wick/framework/core/generator.h"
#include "wick/framework/cuda/runtime/check.h"
#include "wick/framework/cuda/stream.h"

namespace wick::cuda {

void set_philox_state(PhiloxState* state, PhiloxState value, cudaStream_t stream);  // random.cu

namespace {

struct Generators {
  std::mutex mutex;
  uint64_t seed = kDefaultGeneratorSeed;
  std::vector<PhiloxState> devices;

  PhiloxState& current() {
    int device = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    const size_t index = static_cast<size_t>(device);
    if (devices.size() <= index) devices.resize(index + 1, PhiloxState{seed, 0});
    return devices[index];
  }
};

Generators& generators() {
  static Generators all;
  return all;
}

constinit thread_local GraphGenerator* t_graph_generator = nullptr;

}  // namespace

void seed_generators(uint64_t seed) {
  Generators& all = generators();
  const std::lock_guard<std::mutex> lock(all.mutex);
  all.seed = seed;
  all.devices.clear();
}

PhiloxState generator_state() {
  Generators& all = generators();
  const std::lock_guard<std::mutex> lock(all.mutex);
  return all.current();
}

void set_generator_state(PhiloxState state) {
  Generators& all = generators();
  const std::lock_guard<std::mutex> lock(all.mutex);
  all.current() = state;
}

RandomSource RandomSource::take(uint64_t steps) {
  if (GraphGenerator* const graph = t_graph_generator) {
    // Written before the graph begins: memory of its own, which no kernel of the graph has as scratch before the first one draws.
    if (!graph->state_) {
      void* memory = nullptr;
      check(cudaMalloc(&memory, sizeof(PhiloxState)), "graph capture");
      graph->state_ = static_cast<PhiloxState*>(memory);
    }
    return {graph->state_, {0, std::exchange(graph->used_, graph->used_ + steps)}};
  }
  Generators& all = generators();
  const std::lock_guard<std::mutex> lock(all.mutex);
  PhiloxState& state = all.current();
  return {nullptr, {state.seed, std::exchange(state.offset, state.offset + steps)}};
}

GraphGenerator::~GraphGenerator() { static_cast<void>(cudaFree(state_)); }

GraphGenerator::Scope::Scope(GraphGenerator& generator) : before_(std::exchange(t_graph_generator, &generator)) {}
GraphGenerator::Scope::~Scope() { t_graph_generator = before_; }

void GraphGenerator::refresh(cudaStream_t stream) {
  if (!state_) return;
  PhiloxState next;
  {
    Generators& all = generators();
    const std::lock_guard<std::mutex> lock(all.mutex);
    PhiloxState& state = all.current();
    next = {state.seed, std::exchange(state.offset, state.offset + used_)};
  }
  set_philox_state(state_, next, stream);
}

}  // namespace wick::cuda
