// globalContext(): what this build and this machine have, and LibTorch's switches.
#pragma once

#include <atomic>
#include <cstddef>
#include <type_traits>

#include "wick/framework/core/deterministic.h"
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

  // Switches between ways of cuDNN and cuBLAS to compute the same; wick/framework/cuda/{cudnn,precision}.h document them. Unlike LibTorch
  // wick takes deterministic algorithms only until it is told otherwise.
#define WICK_SWITCH(get, set, variable)                  \
  bool get() const { return wick::cuda::variable(); }    \
  void set(bool on) { wick::cuda::set_##variable(on); }
  WICK_SWITCH(userEnabledCuDNN, setUserEnabledCuDNN, cudnn_enabled)
  WICK_SWITCH(benchmarkCuDNN, setBenchmarkCuDNN, cudnn_benchmark)
  WICK_SWITCH(deterministicCuDNN, setDeterministicCuDNN, cudnn_deterministic)
  WICK_SWITCH(allowTF32CuDNN, setAllowTF32CuDNN, cudnn_allow_tf32)
  WICK_SWITCH(allowTF32CuBLAS, setAllowTF32CuBLAS, allow_tf32)
#undef WICK_SWITCH

  // wick/framework/core/deterministic.h says what it does.
  bool deterministicAlgorithms() const { return wick::is_deterministic(); }
  bool deterministicAlgorithmsWarnOnly() const { return wick::is_deterministic_warn_only(); }
  void setDeterministicAlgorithms(bool on, bool warn_only = false) { wick::set_deterministic(on, warn_only); }
  // Memory is not filled here before it is written.
  bool deterministicFillUninitializedMemory() const { return fill_; }
  void setDeterministicFillUninitializedMemory(bool on) { fill_ = on; }
  static void alertNotDeterministic(std::string_view caller) { wick::alert_not_deterministic(caller); }

  // Kept for who asks: the CPU's kernels have one way.
  bool userEnabledMkldnn() const { return mkldnn_; }
  void setUserEnabledMkldnn(bool on) { mkldnn_ = on; }

 private:
  std::atomic<bool> mkldnn_{true}, fill_{true};
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

using CPUGeneratorImpl = wick::GeneratorImpl;
// make_generator<at::CPUGeneratorImpl>(seed)
template <class Impl>
wick::Generator make_generator(uint64_t seed = wick::kDefaultGeneratorSeed) {
  static_assert(std::is_same_v<Impl, CPUGeneratorImpl>, "make_generator: the CPU's generators have one kind");
  return wick::make_generator(seed);
}

namespace detail {
inline const wick::Generator& getDefaultCPUGenerator() { return wick::default_cpu_generator(); }
inline wick::Generator createCPUGenerator(uint64_t seed = wick::kDefaultGeneratorSeed) { return wick::make_generator(seed); }
}  // namespace detail

}  // namespace at
