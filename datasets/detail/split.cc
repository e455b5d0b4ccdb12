#include "wick/datasets/detail/split.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <mutex>
#include <numeric>
#include <string>
#include <utility>

#include "wick/framework/core/error.h"
#include "wick/framework/core/generator.h"
#include "wick/framework/core/mt19937.h"

namespace wick::datasets::detail {

namespace {

// numpy.random.RandomState, as far as it is needed here.
class RandomState {
 public:
  explicit RandomState(uint32_t seed) : engine_(seed) {}

  void shuffle(std::vector<int64_t>& values) {
    for (size_t i = values.size(); i-- > 1;) std::swap(values[i], values[up_to(static_cast<uint32_t>(i))]);
  }

  std::vector<int64_t> permutation(int64_t n) {
    std::vector<int64_t> values(static_cast<size_t>(n));
    std::iota(values.begin(), values.end(), 0);
    shuffle(values);
    return values;
  }

 private:
  // An integer from 0 to `max`, both included: the low bits of an output, drawn again until they are in the range.
  uint32_t up_to(uint32_t max) {
    const uint32_t mask = static_cast<uint32_t>(std::bit_ceil(uint64_t{max} + 1) - 1);
    uint32_t value;
    do value = engine_() & mask;
    while (value > max);
    return value;
  }

  Mt19937 engine_;
};

RandomState make_random_state(const std::optional<int64_t>& seed) {
  if (seed) {
    WICK_CHECK_VALUE(*seed >= 0 && *seed <= 0xffffffff,
                     "The 'random_state' parameter of train_test_split must be an int in the range [0, 4294967295] or None. Got ",
                     *seed, " instead.");
    return RandomState(static_cast<uint32_t>(*seed));
  }
  const Generator& generator = default_cpu_generator();
  std::lock_guard<std::mutex> lock(generator.mutex());
  return RandomState(generator.impl()->random());
}

std::string text_of(const std::optional<SplitSize>& size) { return size ? wick::detail::concat(size->value()) : "None"; }

void check_size(const char* name, const std::optional<SplitSize>& size, int64_t rows) {
  if (!size) return;
  const double value = size->value();
  WICK_CHECK_VALUE(size->is_fraction() ? value > 0 && value < 1 : value >= 1, "The '", name,
                   "' parameter of train_test_split must be a float in the range (0.0, 1.0), an int in the range [1, inf) or None. Got ",
                   value, " instead.");
  WICK_CHECK_VALUE(size->is_fraction() || value < static_cast<double>(rows), name, "=", value,
                   " should be either positive and smaller than the number of samples ", rows, " or a float in the (0, 1) range");
}

struct Sizes {
  int64_t train, test;
};

Sizes resolve_sizes(int64_t rows, const SplitOptions& options) {
  WICK_CHECK_VALUE(rows >= 0 && rows <= 0xffffffff, "train_test_split: the number of samples must be in [0, 4294967295], got ", rows);
  std::optional<SplitSize> test_size = options.test_size;
  const std::optional<SplitSize>& train_size = options.train_size;
  if (!test_size && !train_size) test_size = 0.25;
  check_size("test_size", test_size, rows);
  check_size("train_size", train_size, rows);
  WICK_CHECK_VALUE(!(test_size && train_size && test_size->is_fraction() && train_size->is_fraction()) ||
                       test_size->value() + train_size->value() <= 1,
                   "The sum of test_size and train_size = ", test_size->value() + train_size->value(),
                   ", should be in the (0, 1) range. Reduce test_size and/or train_size.");
  const auto count = [rows](const SplitSize& size, double (*round)(double)) {
    return static_cast<int64_t>(size.is_fraction() ? round(size.value() * static_cast<double>(rows)) : size.value());
  };
  Sizes sizes{};
  if (test_size) sizes.test = count(*test_size, [](double x) { return std::ceil(x); });
  if (train_size) sizes.train = count(*train_size, [](double x) { return std::floor(x); });
  if (!test_size) sizes.test = rows - sizes.train;
  if (!train_size) sizes.train = rows - sizes.test;
  WICK_CHECK_VALUE(sizes.train + sizes.test <= rows, "The sum of train_size and test_size = ", sizes.train + sizes.test,
                   ", should be smaller than the number of samples ", rows, ". Reduce test_size and/or train_size.");
  WICK_CHECK_VALUE(sizes.train > 0, "With n_samples=", rows, ", test_size=", text_of(test_size), " and train_size=",
                   text_of(train_size), ", the resulting train set will be empty. Adjust any of the aforementioned parameters.");
  return sizes;
}

// The rows of each class, in order; the classes from the smallest number to the largest.
std::vector<std::vector<int64_t>> rows_by_class(const std::vector<int64_t>& classes) {
  std::vector<int64_t> order(classes.size());
  std::iota(order.begin(), order.end(), 0);
  const auto class_of = [&](int64_t row) { return classes[static_cast<size_t>(row)]; };
  std::ranges::stable_sort(order, {}, class_of);
  std::vector<std::vector<int64_t>> rows;
  for (size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || class_of(order[i]) != class_of(order[i - 1])) rows.emplace_back();
    rows.back().push_back(order[i]);
  }
  return rows;
}

// How many of `draws` rows to take from each class of `counts` rows: the proportional share rounded down, and one more for the
// classes with the largest remainders until all are given out; among equal remainders chance decides.
std::vector<int64_t> proportional_draws(const std::vector<int64_t>& counts, int64_t draws, RandomState& random) {
  const double total = static_cast<double>(std::accumulate(counts.begin(), counts.end(), int64_t{0}));
  std::vector<int64_t> drawn(counts.size());
  std::vector<double> remainders(counts.size());
  int64_t missing = draws;
  for (size_t i = 0; i < counts.size(); ++i) {
    const double share = static_cast<double>(counts[i]) / total * static_cast<double>(draws);
    drawn[i] = static_cast<int64_t>(std::floor(share));
    remainders[i] = share - std::floor(share);
    missing -= drawn[i];
  }
  std::vector<double> descending = remainders;
  std::ranges::sort(descending, std::greater<>());
  descending.erase(std::unique(descending.begin(), descending.end()), descending.end());
  for (const double remainder : descending) {
    if (missing <= 0) break;
    std::vector<int64_t> tied;
    for (size_t i = 0; i < counts.size(); ++i) {
      if (remainders[i] == remainder) tied.push_back(static_cast<int64_t>(i));
    }
    random.shuffle(tied);
    if (static_cast<int64_t>(tied.size()) > missing) tied.resize(static_cast<size_t>(missing));
    for (const int64_t i : tied) ++drawn[static_cast<size_t>(i)];
    missing -= static_cast<int64_t>(tied.size());
  }
  return drawn;
}

}  // namespace

SplitIndices split_indices(int64_t rows, const SplitOptions& options) {
  const Sizes sizes = resolve_sizes(rows, options);
  SplitIndices split;
  if (!options.shuffle) {
    split.train.resize(static_cast<size_t>(sizes.train));
    split.test.resize(static_cast<size_t>(sizes.test));
    std::iota(split.train.begin(), split.train.end(), 0);
    std::iota(split.test.begin(), split.test.end(), sizes.train);
    return split;
  }
  const std::vector<int64_t> order = make_random_state(options.random_state).permutation(rows);
  split.test.assign(order.begin(), order.begin() + sizes.test);
  split.train.assign(order.begin() + sizes.test, order.begin() + sizes.test + sizes.train);
  return split;
}

SplitIndices stratified_split_indices(const std::vector<int64_t>& classes, const SplitOptions& options) {
  WICK_CHECK_VALUE(options.shuffle, "Stratified train/test split is not implemented for shuffle=False");
  const Sizes sizes = resolve_sizes(static_cast<int64_t>(classes.size()), options);
  const auto rows = rows_by_class(classes);
  const int64_t num_classes = static_cast<int64_t>(rows.size());
  std::vector<int64_t> counts;
  for (const auto& of_class : rows) {
    WICK_CHECK_VALUE(of_class.size() >= 2,
                     "The least populated classes in y have only 1 member, which is too few. The minimum number of groups for any "
                     "class cannot be less than 2.\nRow ", of_class[0], " is alone in class ", classes[static_cast<size_t>(of_class[0])]);
    counts.push_back(static_cast<int64_t>(of_class.size()));
  }
  WICK_CHECK_VALUE(sizes.train >= num_classes, "The train_size = ", sizes.train,
                   " should be greater or equal to the number of classes = ", num_classes);
  WICK_CHECK_VALUE(sizes.test >= num_classes, "The test_size = ", sizes.test,
                   " should be greater or equal to the number of classes = ", num_classes);

  RandomState random = make_random_state(options.random_state);
  const std::vector<int64_t> train = proportional_draws(counts, sizes.train, random);
  for (size_t c = 0; c < counts.size(); ++c) counts[c] -= train[c];
  const std::vector<int64_t> test = proportional_draws(counts, sizes.test, random);
  SplitIndices split;
  for (size_t c = 0; c < rows.size(); ++c) {
    std::vector<int64_t> of_class = rows[c];
    random.shuffle(of_class);
    const auto begin = of_class.begin(), middle = begin + train[c];
    split.train.insert(split.train.end(), begin, middle);
    split.test.insert(split.test.end(), middle, middle + test[c]);
  }
  random.shuffle(split.train);
  random.shuffle(split.test);
  return split;
}

}  // namespace wick::datasets::detail
