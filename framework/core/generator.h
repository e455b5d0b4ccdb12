// Generator: a handle to a source of random numbers, with PyTorch's CPU streams.
//
//     auto gen = wick::make_generator(42);
//     std::lock_guard<std::mutex> lock(gen.mutex());
//     cpu::uniform(*gen.impl(), out, n, 0, 1);
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "wick/framework/core/mt19937.h"
#include "wick/framework/core/ref.h"

namespace wick {

// The seed of a generator that nobody seeded (c10::default_rng_seed_val).
inline constexpr uint64_t kDefaultGeneratorSeed = 67280421310721;

// at::CPUGeneratorImpl. Nothing here locks: whoever draws or changes the state holds mutex(), so that the numbers of one call
// follow each other in the stream.
class GeneratorImpl : public RefCounted {
 public:
  explicit GeneratorImpl(uint64_t seed = kDefaultGeneratorSeed) : engine_(seed) {}

  std::mutex& mutex() { return mutex_; }
  Mt19937& engine() { return engine_; }

  // Restarts the stream.
  void set_current_seed(uint64_t seed);
  // The seed from which the stream was started.
  uint64_t current_seed() const { return engine_.seed(); }
  // Restarts the stream from a number that the operating system gives, below 2^53, and returns it.
  uint64_t seed();
  // A generator that goes on from the same state.
  Ref<GeneratorImpl> clone() const;

  // The state in the 5056 bytes that PyTorch's Generator.get_state() gives; either library reads the other's.
  std::vector<uint8_t> get_state() const;
  // Throws Error for bytes that are no state.
  void set_state(const std::vector<uint8_t>& state);

  // The next 32 bits, and 64 bits of which the first draw is the upper half.
  uint32_t random() { return engine_(); }
  uint64_t random64() {
    const uint64_t high = engine_();
    return high << 32 | engine_();
  }

  // Box-Muller gives two normal samples for two uniform ones; the second waits here for the next call.
  std::optional<float> next_float_normal_sample() const { return next_float_normal_sample_; }
  std::optional<double> next_double_normal_sample() const { return next_double_normal_sample_; }
  void set_next_float_normal_sample(std::optional<float> sample) { next_float_normal_sample_ = sample; }
  void set_next_double_normal_sample(std::optional<double> sample) { next_double_normal_sample_ = sample; }

 private:
  std::mutex mutex_;
  Mt19937 engine_;
  std::optional<float> next_float_normal_sample_;
  std::optional<double> next_double_normal_sample_;
};

inline void destroy(GeneratorImpl* generator) { delete generator; }

// at::Generator. Copies share one state; clone() makes another. An undefined handle, the default, stands for "the default
// generator" where an operation takes one. Only manual_seed locks; for the rest hold mutex(), as in LibTorch.
class Generator {
 public:
  Generator() = default;
  explicit Generator(Ref<GeneratorImpl> impl) : impl_(std::move(impl)) {}

  bool defined() const { return static_cast<bool>(impl_); }
  GeneratorImpl* impl() const { return impl_.get(); }
  std::mutex& mutex() const { return impl_->mutex(); }

  void set_current_seed(uint64_t seed) { impl_->set_current_seed(seed); }
  uint64_t current_seed() const { return impl_->current_seed(); }
  uint64_t seed() { return impl_->seed(); }
  Generator clone() const { return Generator(impl_->clone()); }
  std::vector<uint8_t> get_state() const { return impl_->get_state(); }
  void set_state(const std::vector<uint8_t>& state) { impl_->set_state(state); }

  friend bool operator==(const Generator& a, const Generator& b) { return a.impl_ == b.impl_; }

 private:
  Ref<GeneratorImpl> impl_;
};

Generator make_generator(uint64_t seed = kDefaultGeneratorSeed);

// The generator from which operations draw that are given none.
const Generator& default_cpu_generator();

// Restarts the default generator's stream: the numbers that follow are those of PyTorch after torch.manual_seed(seed).
void manual_seed(uint64_t seed);

}  // namespace wick
