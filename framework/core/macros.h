// Compiler and language helpers that the whole library uses. No other header defines a general macro.
#pragma once

// Always inlined, and callable from host and device code: what the vocabulary of math/ and the operation definitions are made of.
// Inlining is not a matter of speed alone: kernel files are compiled once per instruction set, and an inline function that was
// emitted out of line by the AVX-512 copy could be the one that the linker keeps for the whole program.
#if defined(__CUDACC__)
#define WICK_HD __host__ __device__ __forceinline__
#else
#define WICK_HD inline __attribute__((always_inline))
#endif

#define WICK_INLINE inline __attribute__((always_inline))
#define WICK_COLD __attribute__((cold, noinline))
#define WICK_LIKELY(x) __builtin_expect(!!(x), 1)
#define WICK_UNLIKELY(x) __builtin_expect(!!(x), 0)

#define WICK_CONCAT_INNER(a, b) a##b
#define WICK_CONCAT(a, b) WICK_CONCAT_INNER(a, b)
