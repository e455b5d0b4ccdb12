#include "wick/framework/core/generator.h"

#include <algorithm>
#include <cstring>
#include <random>

#include "wick/framework/core/cuda_slot.h"
#include "wick/framework/core/error.h"

namespace wick {

namespace {

// PyTorch's CPUGeneratorImplState, byte for byte. The double sample that waits is in normal_y, a name from Lua Torch's generator;
// normal_x and normal_rho are no longer used.
struct StateBytes {
  uint64_t seed;
  int32_t left;
  int32_t seeded;
  uint64_t next;
  uint64_t words[Mt19937::kWords];
  double normal_x;
  double normal_y;
  double normal_rho;
  int32_t normal_is_valid;
  int32_t padding;
  float next_float_normal_sample;
  bool next_float_normal_sample_is_valid;
  uint8_t more_padding[3];
};
static_assert(sizeof(StateBytes) == 5056 && offsetof(StateBytes, next_float_normal_sample) == 5048);

}  // namespace

void GeneratorImpl::set_current_seed(uint64_t seed) {
  engine_ = Mt19937(seed);
  next_float_normal_sample_.reset();
  next_double_normal_sample_.reset();
}

uint64_t GeneratorImpl::seed() {
  std::random_device device;
  const uint64_t high = device();
  const uint64_t seed = ((high << 32) | device()) & ((uint64_t{1} << 53) - 1);  // a double holds it exactly
  set_current_seed(seed);
  return seed;
}

Ref<GeneratorImpl> GeneratorImpl::clone() const {
  auto copy = Ref<GeneratorImpl>::adopt(new GeneratorImpl);
  copy->engine_ = engine_;
  copy->next_float_normal_sample_ = next_float_normal_sample_;
  copy->next_double_normal_sample_ = next_double_normal_sample_;
  return copy;
}

std::vector<uint8_t> GeneratorImpl::get_state() const {
  const Mt19937Data data = engine_.data();
  StateBytes state{};
  state.seed = data.seed;
  state.left = data.left;
  state.seeded = data.seeded;
  state.next = data.next;
  std::copy(data.words.begin(), data.words.end(), state.words);
  state.normal_y = next_double_normal_sample_.value_or(0);
  state.normal_is_valid = next_double_normal_sample_.has_value();
  state.next_float_normal_sample = next_float_normal_sample_.value_or(0);
  state.next_float_normal_sample_is_valid = next_float_normal_sample_.has_value();
  std::vector<uint8_t> bytes(sizeof(state));
  std::memcpy(bytes.data(), &state, sizeof(state));
  return bytes;
}

void GeneratorImpl::set_state(const std::vector<uint8_t>& bytes) {
  WICK_CHECK(bytes.size() == sizeof(StateBytes), "Expected a CPUGeneratorImplState of size ", sizeof(StateBytes),
             " but found the input RNG state size to be ", bytes.size());
  StateBytes state;
  std::memcpy(&state, bytes.data(), sizeof(state));
  const bool float_is_valid = bytes[offsetof(StateBytes, next_float_normal_sample_is_valid)] != 0;  // any byte, unlike a bool
  WICK_CHECK(state.next <= Mt19937::kWords, "Invalid mt19937 state");
  Mt19937Data data;
  data.seed = state.seed;
  data.left = state.left;
  data.seeded = state.seeded != 0;
  data.next = static_cast<uint32_t>(state.next);
  std::transform(state.words, state.words + Mt19937::kWords, data.words.begin(),
                 [](uint64_t word) { return static_cast<uint32_t>(word); });
  engine_.set_data(data);
  next_float_normal_sample_ = float_is_valid ? std::optional(state.next_float_normal_sample) : std::nullopt;
  next_double_normal_sample_ = state.normal_is_valid ? std::optional(state.normal_y) : std::nullopt;
}

Generator make_generator(uint64_t seed) { return Generator(Ref<GeneratorImpl>::adopt(new GeneratorImpl(seed))); }

const Generator& default_cpu_generator() {
  static const Generator generator = make_generator();
  return generator;
}

void manual_seed(uint64_t seed) {
  const Generator& generator = default_cpu_generator();
  std::lock_guard<std::mutex> lock(generator.mutex());
  generator.impl()->set_current_seed(seed);
  if (cuda_slot()) cuda_slot()->seed(seed);
}

}  // namespace wick
