// The Mersenne Twister MT19937 (Matsumoto and Nishimura, 1998), the generator behind PyTorch's CPU streams and numpy's RandomState.
#pragma once

#include <array>
#include <cstdint>

#include "wick/framework/core/macros.h"

namespace wick {

namespace detail {

// The output that belongs to a word of the state.
WICK_INLINE uint32_t mt19937_output(uint32_t word) {
  word ^= word >> 11;
  word ^= (word << 7) & 0x9d2c5680u;
  word ^= (word << 15) & 0xefc60000u;
  return word ^ (word >> 18);
}

// A new word from the old one at its place, the one after it, and the one 397 further round the ring.
WICK_INLINE uint32_t mt19937_twist(uint32_t word, uint32_t next, uint32_t shifted) {
  const uint32_t joined = (word & 0x80000000u) | (next & 0x7fffffffu);
  return shifted ^ (joined >> 1) ^ ((0u - (next & 1u)) & 0x9908b0dfu);
}

// Turns the 624 words of the state into the next 624, and writes their outputs. `words` has room for 8 more: copies of the first
// new words behind the end make the ring straight, so that every loop below has a constant count and no dependence closer than
// 227 words, and the compiler turns all of them into vector code. Always inlined, for the kernels compile it once more for each
// instruction set.
WICK_INLINE void mt19937_next_block(uint32_t* words, uint32_t* __restrict outputs) {
  constexpr int kWords = 624, kShift = 397, kCopies = 8;
  constexpr int kWrapped = 232;  // the first multiple of 8 past kWords - kShift
  for (int j = 0; j < kCopies; ++j) words[j] = mt19937_twist(words[j], words[j + 1], words[j + kShift]);
  for (int j = 0; j < kCopies; ++j) words[kWords + j] = words[j];
  for (int j = kCopies; j < kWrapped; ++j) words[j] = mt19937_twist(words[j], words[j + 1], words[j + kShift]);
  for (int j = kWrapped; j < kWords; ++j) words[j] = mt19937_twist(words[j], words[j + 1], words[j + kShift - kWords]);
  for (int j = 0; j < kWords; ++j) outputs[j] = mt19937_output(words[j]);
}

}  // namespace detail

// What at::mt19937 calls its data: a state from which the stream goes on. `left` is one more than the number of outputs not yet
// drawn of the current block, `next` the index of the next one; a fresh engine has left = 1, next = 0.
struct Mt19937Data {
  uint64_t seed = 0;
  int left = 1;
  bool seeded = false;
  uint32_t next = 0;
  std::array<uint32_t, 624> words{};
};

// at::mt19937: the same outputs for the same seed, of which the low 32 bits count, and the same as std::mt19937's.
// Outputs are made 624 at a time; take() hands them out in pieces, for loops that want more speed than one call per number.
class Mt19937 {
 public:
  static constexpr int kWords = 624;
  static constexpr uint64_t kDefaultSeed = 5489;
  using NextBlock = void (*)(uint32_t* words, uint32_t* outputs);

  explicit Mt19937(uint64_t seed = kDefaultSeed);

  // The next output, uniform on [0, 2^32).
  uint32_t operator()() {
    if (WICK_UNLIKELY(ready_ == 0)) refill();
    return outputs_[kWords - ready_--];
  }

  // The number of outputs of the current block that are not yet drawn.
  int ready() const { return ready_; }
  // Draws `count` <= ready() outputs at once. The pointer holds until the next draw.
  const uint32_t* take(int count) {
    const uint32_t* first = outputs_.data() + (kWords - ready_);
    ready_ -= count;
    return first;
  }
  // Makes the next block, when ready() is 0 and a draw follows. `next_block` is detail::mt19937_next_block, compiled for some
  // instruction set.
  void refill(NextBlock next_block);
  void refill();

  uint64_t seed() const { return seed_; }
  Mt19937Data data() const;
  // Throws Error "Invalid mt19937 state" for data that no engine has.
  void set_data(const Mt19937Data& data);

 private:
  uint64_t seed_;
  int ready_ = 0;
  bool fresh_ = true;  // no block has been made since the seed was set
  alignas(64) std::array<uint32_t, kWords + 8> words_;
  alignas(64) std::array<uint32_t, kWords> outputs_;
};

}  // namespace wick
