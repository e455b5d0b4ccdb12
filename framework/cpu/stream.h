// Copying past the caches. An inline of its own in each file that includes it: kernel files use their instruction set's widest store.
#pragma once

#include <immintrin.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace wick::cpu {
namespace {

// Calls that move more than the last cache of a processor (32 MiB is common) and half of it again write past it: a line that is written
// through the caches is read first, a third of what a + b moves. Below, what has just been written is often still there for the next
// operation.
constexpr int64_t kStreamedBytes = 48 << 20;

// Writes one line of 64 bytes, the address of which is a multiple of 64.
inline void stream_line(char* to, const char* from) {
#if defined(WICK_ISA_AVX512)
  _mm512_stream_si512((__m512i*)to, _mm512_loadu_si512(from));
#elif defined(WICK_ISA_AVX2)
  for (int i = 0; i < 64; i += 32) _mm256_stream_si256((__m256i*)(to + i), _mm256_loadu_si256((const __m256i*)(from + i)));
#else
  for (int i = 0; i < 64; i += 16) _mm_stream_si128((__m128i*)(to + i), _mm_loadu_si128((const __m128i*)(from + i)));
#endif
}

// The caller ends with _mm_sfence(), so that whoever waits for its thread sees what was streamed.
inline void stream(char* to, const char* from, int64_t bytes) {
  constexpr int64_t kLine = 64;
  int64_t i = std::min(bytes, -reinterpret_cast<intptr_t>(to) & (kLine - 1));
  std::memcpy(to, from, i);
  for (; i + kLine <= bytes; i += kLine) stream_line(to + i, from + i);
  std::memcpy(to + i, from + i, bytes - i);
}

}  // namespace
}  // namespace wick::cpu
