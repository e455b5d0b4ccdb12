// The random numbers of the CUDA devices: Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011), a function
// of a seed and a counter. Every device has one generator, whose counter moves on with every kernel that draws. The streams differ from
// the CPU's mt19937, and from those of PyTorch's CUDA kernels, which depend on the number of multiprocessors; ours depend on the seed and
// on what was drawn since, and on nothing else.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace wick::cuda {

// Where a stream stands. One step of `offset` gives 128 bits.
struct PhiloxState {
  uint64_t seed, offset;
};

// Restarts the streams of all devices.
void seed_generators(uint64_t seed);
// Of the current device.
PhiloxState generator_state();
void set_generator_state(PhiloxState state);

// What a captured graph draws from: the state lies on the device, and each replay gets a stretch of the device's stream of its own.
class GraphGenerator {
 public:
  GraphGenerator() = default;
  ~GraphGenerator();
  GraphGenerator(const GraphGenerator&) = delete;
  GraphGenerator& operator=(const GraphGenerator&) = delete;

  // While it lives, the kernels that this thread launches draw from the graph's state.
  class Scope {
   public:
    explicit Scope(GraphGenerator& generator);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    GraphGenerator* before_;
  };

  // To be called before each launch of the graph on the same stream.
  void refresh(cudaStream_t stream);

 private:
  friend struct RandomSource;
  PhiloxState* state_ = nullptr;  // on the device; null unless something draws
  uint64_t used_ = 0;
};

// What a kernel gets. The counters from `offset` on are its own.
struct RandomSource {
  const PhiloxState* state;  // null: `value` is all; else its offset counts from this one's
  PhiloxState value;

  // Takes the next `steps` counters.
  static RandomSource take(uint64_t steps);
};

}  // namespace wick::cuda
