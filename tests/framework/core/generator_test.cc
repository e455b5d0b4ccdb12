#include "wick/framework/core/generator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "wick/framework/core/error.h"
#include "wick/framework/core/mt19937.h"
#include "wick/framework/cpu/random.h"
#include "wick/tests/framework/core/support.h"

namespace wick {
namespace {

using test::message_of;

TEST(Mt19937, GivesTheOutputsOfTheStandardEngine) {
  for (const uint64_t seed : {uint64_t{0}, uint64_t{1}, uint64_t{42}, uint64_t{5489}, (uint64_t{1} << 40) + 5, ~uint64_t{0}}) {
    std::mt19937 expected(static_cast<uint32_t>(seed));
    Mt19937 engine(seed);
    for (int i = 0; i < 5000; ++i) ASSERT_EQ(engine(), expected()) << "seed " << seed << ", output " << i;
  }
}

TEST(Mt19937, PiecesAreTheSameStream) {
  Mt19937 one_by_one(3), pieces(3);
  for (int round = 0; round < 200; ++round) {
    if (pieces.ready() == 0) pieces.refill();
    const int count = std::min(pieces.ready(), 1 + round % 97);
    const uint32_t* piece = pieces.take(count);
    for (int i = 0; i < count; ++i) ASSERT_EQ(piece[i], one_by_one()) << "round " << round;
  }
}

TEST(Mt19937, CopiesAndDataContinueTheStream) {
  for (const int drawn : {0, 1, 623, 624, 625, 1000}) {
    Mt19937 engine(9);
    for (int i = 0; i < drawn; ++i) engine();
    Mt19937 copy = engine, restored(0);
    restored.set_data(engine.data());
    EXPECT_EQ(restored.seed(), 9u);
    for (int i = 0; i < 1300; ++i) {
      const uint32_t expected = engine();
      ASSERT_EQ(copy(), expected) << drawn;
      ASSERT_EQ(restored(), expected) << drawn;
    }
  }
}

TEST(Mt19937, RefusesDataThatNoEngineHas) {
  Mt19937 engine(1);
  const uint32_t first = Mt19937(1)();
  Mt19937Data data = engine.data();
  data.seeded = false;
  EXPECT_EQ(message_of([&] { engine.set_data(data); }), "Invalid mt19937 state");
  for (const auto& [left, next] : {std::pair(0, 1u), std::pair(625, 0u), std::pair(2, 1u), std::pair(1, 625u), std::pair(-1, 626u)}) {
    data = engine.data();
    data.left = left;
    data.next = next;
    EXPECT_EQ(message_of([&] { engine.set_data(data); }), "Invalid mt19937 state") << left << ' ' << next;
  }
  EXPECT_EQ(engine(), first);
}

TEST(Generator, Random64PutsTheFirstDrawInTheUpperHalf) {
  const Generator a = make_generator(5), b = make_generator(5);
  const uint64_t high = a.impl()->random(), low = a.impl()->random();
  EXPECT_EQ(b.impl()->random64(), high << 32 | low);
}

TEST(Generator, HandlesShareAndClonesDoNot) {
  Generator generator = make_generator(5);
  EXPECT_EQ(generator.current_seed(), 5u);
  double waiting[1];
  cpu::normal(*generator.impl(), waiting, 1, 0, 1);  // leaves a sample in the generator, which the clone must have too
  const Generator shared = generator;
  const Generator clone = generator.clone();
  EXPECT_TRUE(shared == generator);
  EXPECT_FALSE(clone == generator);
  EXPECT_EQ(clone.impl()->next_double_normal_sample(), generator.impl()->next_double_normal_sample());
  const uint32_t drawn = shared.impl()->random();
  EXPECT_EQ(clone.impl()->random(), drawn);
  EXPECT_EQ(clone.impl()->random(), generator.impl()->random());
}

TEST(Generator, DefaultHandleIsUndefined) {
  EXPECT_FALSE(Generator().defined());
  EXPECT_TRUE(make_generator().defined());
  EXPECT_EQ(make_generator().current_seed(), 67280421310721u);
}

TEST(Generator, SettingTheSeedForgetsWaitingSamples) {
  Generator generator = make_generator(1);
  generator.impl()->set_next_double_normal_sample(1.5);
  generator.impl()->set_next_float_normal_sample(2.5f);
  generator.set_current_seed(2);
  EXPECT_FALSE(generator.impl()->next_double_normal_sample());
  EXPECT_FALSE(generator.impl()->next_float_normal_sample());
  EXPECT_EQ(generator.impl()->random(), make_generator(2).impl()->random());
}

TEST(Generator, NondeterministicSeedRestartsTheStream) {
  Generator generator = make_generator(1);
  const uint64_t first = generator.seed();
  EXPECT_LT(first, uint64_t{1} << 53);
  EXPECT_EQ(generator.current_seed(), first);
  EXPECT_EQ(generator.impl()->random(), make_generator(first).impl()->random());
  EXPECT_NE(generator.seed(), first);
}

// The bytes are those of torch.Generator().manual_seed(7) after torch.empty(5).normal_(): their FNV-1a hash was taken in Python.
TEST(Generator, StateIsPyTorchs) {
  Generator generator = make_generator(7);
  double five[5];
  cpu::normal(*generator.impl(), five, 5, 0, 1);
  const std::vector<uint8_t> state = generator.get_state();
  ASSERT_EQ(state.size(), 5056u);
  uint64_t hash = 1469598103934665603u;
  for (const uint8_t byte : state) hash = (hash ^ byte) * 1099511628211u;
  EXPECT_EQ(hash, 11651685481793738474u);

  Generator restored = make_generator(0);
  restored.set_state(state);
  EXPECT_EQ(restored.current_seed(), 7u);
  float next[4];
  cpu::normal(*restored.impl(), next, 4, 0, 1);
  const float expected[4] = {-0.894827902f, -0.355625033f, 1.23238575f, 0.138172656f};
  for (int i = 0; i < 4; ++i) EXPECT_EQ(next[i], expected[i]) << i;
}

TEST(Generator, StateKeepsBothWaitingSamples) {
  Generator generator = make_generator(7), restored = make_generator(0);
  generator.impl()->set_next_float_normal_sample(0.25f);
  generator.impl()->set_next_double_normal_sample(-3.5);
  restored.set_state(generator.get_state());
  EXPECT_EQ(restored.impl()->next_float_normal_sample(), 0.25f);
  EXPECT_EQ(restored.impl()->next_double_normal_sample(), -3.5);
}

TEST(Generator, RefusesBytesThatAreNoState) {
  Generator generator = make_generator(7);
  EXPECT_EQ(message_of([&] { generator.set_state(std::vector<uint8_t>(5)); }),
            "Expected a CPUGeneratorImplState of size 5056 but found the input RNG state size to be 5");
  EXPECT_EQ(message_of([&] { generator.set_state(std::vector<uint8_t>(5056)); }), "Invalid mt19937 state");
  EXPECT_EQ(message_of([&] { generator.set_state(std::vector<uint8_t>(5056, 255)); }), "Invalid mt19937 state");
  EXPECT_EQ(generator.impl()->random(), make_generator(7).impl()->random());
}

TEST(Generator, ManualSeedSeedsTheDefaultGenerator) {
  manual_seed(12);
  EXPECT_EQ(default_cpu_generator().current_seed(), 12u);
  EXPECT_EQ(default_cpu_generator().impl()->random(), make_generator(12).impl()->random());
}

TEST(Generator, ThreadsDrawDifferentNumbersUnderTheLock) {
  const Generator generator = make_generator(4);
  std::vector<uint32_t> drawn[2];
  const auto draw = [&](std::vector<uint32_t>& out) {
    for (int i = 0; i < 2000; ++i) {
      std::lock_guard<std::mutex> lock(generator.mutex());
      out.push_back(generator.impl()->random());
    }
  };
  std::thread other([&] { draw(drawn[1]); });
  draw(drawn[0]);
  other.join();
  // Together they are the stream, each in its order.
  Mt19937 engine(4);
  size_t next[2] = {0, 0};
  for (int i = 0; i < 4000; ++i) {
    const uint32_t expected = engine();
    const int who = next[0] < drawn[0].size() && drawn[0][next[0]] == expected ? 0 : 1;
    ASSERT_LT(next[who], drawn[who].size());
    ASSERT_EQ(drawn[who][next[who]], expected);
    ++next[who];
  }
}

}  // namespace
}  // namespace wick
