// Random numbers into raw memory: for the same state of the generator the numbers that PyTorch's CPU kernels write, on x86-64 to the
// bit unless a function says otherwise. (Where a PyTorch built with MKL takes MKL's own streams, for bernoulli with one probability
// and for exponential, these are the ones that it gives without MKL.)
//
// Every function continues the generator's stream, writes out[0 .. n), and expects its caller to hold generator.mutex().
// Parameters that make no sense throw wick::Error, PyTorch's sentence, before a number is drawn.
#pragma once

#include <cstdint>

#include "wick/framework/core/generator.h"

namespace wick::cpu {

// Uniform on [from, to): u * (to - from) + from rounded once, with u a multiple of 2^-24 (float) or 2^-53 (double) below 1. A result
// that rounds to `to` becomes `from`.
void uniform(GeneratorImpl& generator, float* out, int64_t n, double from, double to);
void uniform(GeneratorImpl& generator, double* out, int64_t n, double from, double to);

// Normal with mean `mean` and standard deviation `std`, by Box and Muller's transform. Fewer than 16 numbers are computed in double,
// one pair after the other, and the second of a pair waits for the next call; from 16 on, they are computed in blocks of 16, in T,
// and the last block, if incomplete, is drawn anew from the last 16 places. In float blocks the last digit or two may differ from
// PyTorch's, which depends on the processor there.
void normal(GeneratorImpl& generator, float* out, int64_t n, double mean, double std);
void normal(GeneratorImpl& generator, double* out, int64_t n, double mean, double std);

// The path for fewer than 16 numbers at any n. PyTorch takes it for tensors that are not contiguous.
template <class T>
void normal_pairs(GeneratorImpl& generator, T* out, int64_t n, double mean, double std);

// exp of a normal number.
template <class T>
void log_normal(GeneratorImpl& generator, T* out, int64_t n, double mean, double std);

// Density lambda * exp(-lambda x) for x >= 0.
template <class T>
void exponential(GeneratorImpl& generator, T* out, int64_t n, double lambda);

// Density sigma / (pi * ((x - median)^2 + sigma^2)).
template <class T>
void cauchy(GeneratorImpl& generator, T* out, int64_t n, double median, double sigma);

// The functions below are there for uint8_t, int8_t, int16_t, int32_t, int64_t, float, double; all but geometric for bool too.

// How many trials with probability p until the first success: P(k) = (1 - p)^(k - 1) p, k = 1, 2, ...
template <class T>
void geometric(GeneratorImpl& generator, T* out, int64_t n, double p);

// 1 with probability p, else 0; 53 random bits decide.
template <class T>
void bernoulli(GeneratorImpl& generator, T* out, int64_t n, double p);
// 1 with probability p[i]; 53 bits decide for double, 24 for float.
template <class T>
void bernoulli(GeneratorImpl& generator, T* out, int64_t n, const double* p);
template <class T>
void bernoulli(GeneratorImpl& generator, T* out, int64_t n, const float* p);

// Integers base, ..., base + range - 1 with range > 0, all equally likely but for a skew of range / 2^32 (2^64 from range 2^28 on).
template <class T>
void random_from_to(GeneratorImpl& generator, T* out, int64_t n, uint64_t range, int64_t base);
// All 2^64 values of int64, converted to T.
template <class T>
void random_full_range(GeneratorImpl& generator, T* out, int64_t n);
// Tensor::random_(): integers from 0 to the largest of T, or, for float and double, to 2^24 and 2^53.
template <class T>
void random(GeneratorImpl& generator, T* out, int64_t n);

// A permutation of 0, ..., n - 1.
void randperm(GeneratorImpl& generator, int64_t* out, int64_t n);

}  // namespace wick::cpu
