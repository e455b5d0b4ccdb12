// Hashes and rows are scikit-learn 1.9's; the rule of the hash is in hash_of_seeds().
#include "wick/datasets/detail/split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "wick/framework/core/error.h"
#include "wick/framework/core/generator.h"
#include "wick/tests/framework/core/support.h"

namespace wick::datasets::detail {
namespace {

using test::message_of;

using Rows = std::vector<int64_t>;

Rows first(const Rows& rows, size_t n) { return Rows(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(n)); }

// FNV-1a over the training and then the test rows, for random_state 0 to 99.
template <class Split>
uint64_t hash_of_seeds(const Split& split, SplitOptions options) {
  uint64_t hash = 1469598103934665603u;
  for (int64_t seed = 0; seed < 100; ++seed) {
    options.random_state = seed;
    const SplitIndices indices = split(options);
    for (const Rows* rows : {&indices.train, &indices.test}) {
      for (const int64_t row : *rows) hash = (hash ^ static_cast<uint64_t>(row)) * 1099511628211u;
    }
  }
  return hash;
}

uint64_t hash_of(int64_t rows, const SplitOptions& options) {
  return hash_of_seeds([rows](const SplitOptions& o) { return split_indices(rows, o); }, options);
}

uint64_t hash_of(const Rows& classes, const SplitOptions& options) {
  return hash_of_seeds([&](const SplitOptions& o) { return stratified_split_indices(classes, o); }, options);
}

template <class F>
Rows classes_of(int64_t n, const F& f) {
  Rows classes;
  for (int64_t i = 0; i < n; ++i) classes.push_back(f(i));
  return classes;
}

TEST(Split, GivesTheRowsOfTheIrisTutorial) {
  const SplitIndices split = split_indices(150, {.test_size = 0.2, .random_state = 42});
  ASSERT_EQ(split.train.size(), 120u);
  ASSERT_EQ(split.test.size(), 30u);
  EXPECT_EQ(first(split.test, 6), (Rows{73, 18, 118, 78, 76, 31}));
  EXPECT_EQ(first(split.train, 5), (Rows{22, 15, 65, 11, 42}));
}

TEST(Split, GivesScikitLearnsRowsForAHundredSeeds) {
  EXPECT_EQ(hash_of(150, {.test_size = 0.2}), 6171116504859942953u);
  EXPECT_EQ(hash_of(2, {.test_size = 0.5}), 6904920776889151353u);
  EXPECT_EQ(hash_of(7, {.test_size = 0.25}), 10101698374814004703u);
  EXPECT_EQ(hash_of(10, {.test_size = 3}), 14045492080309658507u);
  EXPECT_EQ(hash_of(33, {.test_size = 0.1, .train_size = 0.5}), 14862080645640698039u);
  EXPECT_EQ(hash_of(100, {}), 16122523806444059151u);
  EXPECT_EQ(hash_of(100, {.train_size = 0.3}), 18320602505740005675u);
  EXPECT_EQ(hash_of(257, {.test_size = 0.33}), 16149672790126311431u);
  EXPECT_EQ(hash_of(1000, {.test_size = 200, .train_size = 500}), 8888432905365559568u);
}

TEST(Split, GivesScikitLearnsStratifiedRowsForAHundredSeeds) {
  EXPECT_EQ(hash_of(classes_of(150, [](int64_t i) { return i / 50; }), {.test_size = 0.2}), 8871358027308282593u);
  const Rows uneven = classes_of(47, [](int64_t i) { return i % 7 % 3; });
  EXPECT_EQ(hash_of(uneven, {.test_size = 0.3}), 5070932285913427637u);
  EXPECT_EQ(hash_of(uneven, {.test_size = 11, .train_size = 20}), 17760759350541606024u);
  EXPECT_EQ(hash_of(classes_of(101, [](int64_t i) { return i * i % 5; }), {.test_size = 0.17}), 2135717445571361291u);
}

TEST(Split, StratifiedSetsHaveTheClassesInProportion) {
  const Rows classes = classes_of(90, [](int64_t i) { return i % 3 == 0 ? -7 : 1000; });
  const SplitIndices split = stratified_split_indices(classes, {.test_size = 30, .random_state = 1});
  const auto of_class = [&](int64_t row) { return classes[static_cast<size_t>(row)] == -7; };
  EXPECT_EQ(std::count_if(split.test.begin(), split.test.end(), of_class), 10);
  EXPECT_EQ(std::count_if(split.train.begin(), split.train.end(), of_class), 20);
}

TEST(Split, RoundsTheTestSetUpAndTheTrainingSetDown) {
  EXPECT_EQ(split_indices(11, {.test_size = 0.2}).test.size(), 3u);
  EXPECT_EQ(split_indices(11, {.train_size = 0.2}).train.size(), 2u);
  EXPECT_EQ(split_indices(11, {.train_size = 0.2}).test.size(), 9u);
  const SplitIndices both = split_indices(11, {.test_size = 0.2, .train_size = 0.2});
  EXPECT_EQ(both.test.size() + both.train.size(), 5u);
}

TEST(Split, WithoutShufflingTheTrainingRowsComeFirst) {
  const SplitIndices split = split_indices(5, {.test_size = 2, .shuffle = false});
  EXPECT_EQ(split.train, (Rows{0, 1, 2}));
  EXPECT_EQ(split.test, (Rows{3, 4}));
  const SplitIndices part = split_indices(5, {.test_size = 1, .train_size = 2, .shuffle = false});
  EXPECT_EQ(part.train, (Rows{0, 1}));
  EXPECT_EQ(part.test, Rows{2});
}

TEST(Split, WithoutARandomStateTheDefaultGeneratorDecides) {
  manual_seed(3);
  const SplitIndices a = split_indices(50, {}), b = split_indices(50, {});
  manual_seed(3);
  EXPECT_EQ(split_indices(50, {}).test, a.test);
  EXPECT_NE(a.test, b.test);
}

TEST(Split, RefusesSizesThatDoNotFit) {
  const auto error = [](const SplitOptions& options, int64_t rows = 10) { return message_of<ValueError>([&] { split_indices(rows, options); }); };
  const auto range = [](const std::string& name, const std::string& value) {
    return "The '" + name + "' parameter of train_test_split must be a float in the range (0.0, 1.0), an int in the range [1, inf) or " +
           "None. Got " + value + " instead.";
  };
  EXPECT_EQ(error({.test_size = 1.5}), range("test_size", "1.5"));
  EXPECT_EQ(error({.test_size = 0.0}), range("test_size", "0"));
  EXPECT_EQ(error({.test_size = 1.0}), range("test_size", "1"));
  EXPECT_EQ(error({.test_size = std::nan("")}), range("test_size", "nan"));
  EXPECT_EQ(error({.test_size = 0}), range("test_size", "0"));
  EXPECT_EQ(error({.train_size = -1}), range("train_size", "-1"));
  EXPECT_EQ(error({.test_size = 10}),
            "test_size=10 should be either positive and smaller than the number of samples 10 or a float in the (0, 1) range");
  EXPECT_EQ(error({.train_size = 11}),
            "train_size=11 should be either positive and smaller than the number of samples 10 or a float in the (0, 1) range");
  EXPECT_EQ(error({.test_size = 0.6, .train_size = 0.6}),
            "The sum of test_size and train_size = 1.2, should be in the (0, 1) range. Reduce test_size and/or train_size.");
  EXPECT_EQ(error({.test_size = 6, .train_size = 6}),
            "The sum of train_size and test_size = 12, should be smaller than the number of samples 10. Reduce test_size and/or "
            "train_size.");
  const std::string empty = ", the resulting train set will be empty. Adjust any of the aforementioned parameters.";
  EXPECT_EQ(error({.test_size = 0.95}), "With n_samples=10, test_size=0.95 and train_size=None" + empty);
  EXPECT_EQ(error({}, 0), "With n_samples=0, test_size=0.25 and train_size=None" + empty);
  const std::string seed = "The 'random_state' parameter of train_test_split must be an int in the range [0, 4294967295] or None. Got ";
  EXPECT_EQ(error({.test_size = 0.5, .random_state = -1}), seed + "-1 instead.");
  EXPECT_EQ(error({.random_state = int64_t{1} << 32}), seed + "4294967296 instead.");
}

TEST(Split, RefusesClassesThatCannotBeSplit) {
  const auto error = [](const Rows& classes, const SplitOptions& options) {
    return message_of<ValueError>([&] { stratified_split_indices(classes, options); });
  };
  const Rows halves{0, 0, 0, 0, 0, 1, 1, 1, 1, 1};
  EXPECT_EQ(error(halves, {.shuffle = false}), "Stratified train/test split is not implemented for shuffle=False");
  EXPECT_EQ(error(halves, {.test_size = 1}), "The test_size = 1 should be greater or equal to the number of classes = 2");
  EXPECT_EQ(error(halves, {.train_size = 1}), "The train_size = 1 should be greater or equal to the number of classes = 2");
  EXPECT_EQ(error({0, 0, 0, 5, 0, 0}, {}),
            "The least populated classes in y have only 1 member, which is too few. The minimum number of groups for any class cannot be "
            "less than 2.\nRow 3 is alone in class 5");
}

}  // namespace
}  // namespace wick::datasets::detail
