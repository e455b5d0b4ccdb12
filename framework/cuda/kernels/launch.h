// How a kernel is launched, in plain C++, so that nvcc and the host compiler take the same source:
//
//   launch<scale<float>>({grid, block, shared_bytes, current_stream()}, x, n, factor);
//
// Under WICK_CUDA_SIM the host compiler builds the kernels for the simulator of tests/cuda_sim, whose header the build includes first.
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <initializer_list>
#include <string_view>
#include <type_traits>
#include <utility>

#include "wick/framework/cuda/runtime/check.h"

namespace wick::cuda {

struct Grid {
  dim3 grid, block;
  size_t shared = 0;  // bytes of dynamic_shared()
  cudaStream_t stream = nullptr;
};

namespace detail {

// How many characters at the beginning of `rest` are of no use to a reader: namespaces, in the spellings of g++, clang and nvcc.
constexpr size_t skipped_length(std::string_view rest) {
  for (const std::string_view skipped :
       std::initializer_list<std::string_view>{"{anonymous}::", "(anonymous namespace)::", "<unnamed>::", "wick::cuda::"}) {
    if (rest.starts_with(skipped)) return skipped.size();
  }
  return rest.starts_with("_GLOBAL__N__") ? rest.find("::") + 2 : 0;
}

// The kernel as __PRETTY_FUNCTION__ spells it behind `Kernel = `.
template <auto Kernel>
constexpr auto make_kernel_name() {
  constexpr std::string_view text = __PRETTY_FUNCTION__, mark = "Kernel";
  std::array<char, text.size() + 1> name{};
  size_t length = 0, depth = 0;
  for (size_t i = text.find(mark) + mark.size(); i < text.size(); ++i) {
    if (depth == 0 && (text[i] == ';' || text[i] == ']')) break;
    if (const size_t skipped = skipped_length(text.substr(i))) {
      i += skipped - 1;
    } else if (length != 0 || std::string_view(" =&(").find(text[i]) == std::string_view::npos) {
      depth += (text[i] == '<') - (text[i] == '>');
      name[length++] = text[i];
    }
  }
  return name;
}
template <auto Kernel>
inline constexpr auto kernel_name_text = make_kernel_name<Kernel>();

// Whether an argument reaches a parameter unchanged: the conversion inside CUDA's header cuts an int64_t off for an int, silently.
template <class P, class A>
inline constexpr bool kFits = !std::is_arithmetic_v<P> || !std::is_arithmetic_v<A> || requires(A a) { P{a}; };

template <class... P, class... A>
void launch_as(const char* name, void (*kernel)(P...), const Grid& g, A&&... args) {
  static_assert(sizeof...(P) == sizeof...(A), "a kernel takes as many arguments as it has parameters");
  static_assert((0 + ... + sizeof(P)) <= 4096 && (std::is_trivially_copyable_v<P> && ...));
  static_assert((kFits<P, std::decay_t<A>> && ...), "narrowing kernel argument");
  if (g.grid.x == 0 || g.grid.y == 0 || g.grid.z == 0) return;  // an empty tensor
#ifdef WICK_CUDA_SIM
  cuda_sim::register_kernel(name, kernel);
#endif
  cudaLaunchConfig_t config{};
  config.gridDim = g.grid;
  config.blockDim = g.block;
  config.dynamicSmemBytes = g.shared;
  config.stream = g.stream;
  check(cudaLaunchKernelEx(&config, kernel, std::forward<A>(args)...), name);
  note_launch(name, g.stream);
}

}  // namespace detail

// "scale<float>": the name in errors and profiles.
template <auto Kernel>
constexpr const char* kernel_name() { return detail::kernel_name_text<Kernel>.data(); }

// Starts the kernel on the stream; nothing happens where the grid has no block. Throws where the launch is refused.
template <auto Kernel, class... A>
void launch(const Grid& g, A&&... args) { detail::launch_as(kernel_name<Kernel>(), Kernel, g, std::forward<A>(args)...); }

// The block's dynamic shared memory (Grid::shared bytes), aligned to 16 bytes. There is one: all calls of a kernel give the same address.
template <class T>
__device__ inline T* dynamic_shared() {
#ifdef WICK_CUDA_SIM
  return static_cast<T*>(cuda_sim::dynamic_shared());
#else
  extern __shared__ __align__(16) unsigned char wick_dynamic_shared[];
  return reinterpret_cast<T*>(wick_dynamic_shared);
#endif
}

}  // namespace wick::cuda
