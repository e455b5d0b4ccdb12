#include "wick/framework/core/mt19937.h"

#include <algorithm>

#include "wick/framework/core/error.h"

namespace wick {

static void next_block(uint32_t* words, uint32_t* outputs) { detail::mt19937_next_block(words, outputs); }

Mt19937::Mt19937(uint64_t seed) : seed_(seed), words_{}, outputs_{} {
  words_[0] = static_cast<uint32_t>(seed);
  for (uint32_t j = 1; j < kWords; ++j) words_[j] = 1812433253u * (words_[j - 1] ^ (words_[j - 1] >> 30)) + j;
}

void Mt19937::refill(NextBlock next_block) {
  next_block(words_.data(), outputs_.data());
  ready_ = kWords;
  fresh_ = false;
}

void Mt19937::refill() { refill(next_block); }

Mt19937Data Mt19937::data() const {
  Mt19937Data data;
  data.seed = seed_;
  data.left = ready_ + 1;
  data.seeded = true;
  data.next = fresh_ ? 0 : static_cast<uint32_t>(kWords - ready_);
  std::copy_n(words_.begin(), kWords, data.words.begin());
  return data;
}

void Mt19937::set_data(const Mt19937Data& data) {
  const bool fresh = data.left == 1 && data.next == 0;
  const bool in_block = data.left >= 1 && data.left <= kWords && data.next == static_cast<uint32_t>(kWords + 1 - data.left);
  WICK_CHECK(data.seeded && (fresh || in_block), "Invalid mt19937 state");
  seed_ = data.seed;
  ready_ = data.left - 1;
  fresh_ = fresh;
  std::copy_n(data.words.begin(), kWords, words_.begin());
  for (int j = kWords - ready_; j < kWords; ++j) outputs_[j] = detail::mt19937_output(words_[j]);
}

}  // namespace wick
