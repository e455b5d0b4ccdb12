// The inner loops of random.cc that fill memory faster than one number at a time, compiled for each instruction set (isa.h). They give
// the same bits on each, for every fused multiply-add is spelled out.
#pragma once

#include <cstdint>

namespace wick::cpu {

struct RandomKernels {
  // detail::mt19937_next_block.
  void (*next_block)(uint32_t* words, uint32_t* outputs);
  // out[i] = u * (to - from) + from, u the low 24 bits of words[i] as a fraction; `from` where that rounds to `to`.
  void (*uniform_float)(const uint32_t* words, float* out, int64_t n, float from, float to);
  // The same in double, u the low 53 bits of words[2 * i] << 32 | words[2 * i + 1].
  void (*uniform_double)(const uint32_t* words, double* out, int64_t n, double from, double to);
  // Turns blocks of 16 uniform numbers on [0, 1) into normal ones: of each, u1 = 1 - x[j] and u2 = x[j + 8] become
  // sqrt(-2 log u1) times the cosine and the sine of 2 pi u2 (Box and Muller, 1958).
  void (*normal_blocks)(float* x, int64_t blocks, float mean, float std);
};

namespace avx2 {
extern const RandomKernels kRandomKernels;
}
namespace avx512 {
extern const RandomKernels kRandomKernels;
}

}  // namespace wick::cpu
