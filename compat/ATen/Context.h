// globalContext(): what this build and this machine have, and LibTorch's switches.
#pragma once

#include <atomic>
#include <cstddef>

#include "wick/framework/core/generator.h"
#include "wick/framework/cuda.h"

namespace at {

class Context {
 public:
  static bool hasCUDA() { return wick::cuda::is_available(); }
  static bool hasCuDNN() { return wick::cuda::is_available(); }
  static bool hasMKLDNN() { return true; }
  static bool hasOpenMP() { return true; }
  static bool hasMKL() { return false; }
  static bool hasLAPACK() { return false; }
  static bool hasMPS() { return false; }
  static bool hasHIP() { return false; }
  static bool hasXLA() { return false; }
  void lazyInitCUDA() const {}

  // Switches between ways of cuDNN and cuBLAS to compute the same. They are kept here for who asks: wick's CPU kernels have one way.
#define WICK_SWITCH(get, set, default_value) \
  bool get() const { return get##_; }        \
  void set(bool on) { get##_ = on; }         \
                                             \
 private:                                    \
  std::atomic<bool> get##_{default_value};   \
                                             \
 public:
  WICK_SWITCH(userEnabledCuDNN, setUserEnabledCuDNN, true)
  WICK_SWITCH(benchmarkCuDNN, setBenchmarkCuDNN, false)
  WICK_SWITCH(deterministicCuDNN, setDeterministicCuDNN, false)
  WICK_SWITCH(allowTF32CuDNN, setAllowTF32CuDNN, true)
  WICK_SWITCH(allowTF32CuBLAS, setAllowTF32CuBLAS, false)
  WICK_SWITCH(userEnabledMkldnn, setUserEnabledMkldnn, true)
#undef WICK_SWITCH
};

inline Context& globalContext() {
  static Context context;
  return context;
}
inline bool hasCUDA() { return Context::hasCUDA(); }
inline bool hasMKL() { return Context::hasMKL(); }
inline bool hasLAPACK() { return Context::hasLAPACK(); }
inline bool hasOpenMP() { return Context::hasOpenMP(); }
inline bool hasMPS() { return Context::hasMPS(); }
inline bool hasHIP() { return Context::hasHIP(); }
inline bool hasXLA() { return Context::hasXLA(); }
inline size_t getNumGPUs() { return static_cast<size_t>(wick::cuda::device_count()); }

namespace detail {
inline const wick::Generator& getDefaultCPUGenerator() { return wick::default_cpu_generator(); }
inline wick::Generator createCPUGenerator(uint64_t seed = wick::kDefaultGeneratorSeed) { return wick::make_generator(seed); }
}  // namespace detail

}  // namespace at
