// What the example programs share: the frame of main(), and the choice between English and the words of the Chinese tutorials.
#pragma once

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "wick.h"

namespace examples {

// How many letters must be inserted, left out or exchanged to make b of a.
inline std::size_t letters_apart(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t exchanged = std::exchange(diagonal, row[j + 1]) + (a[i] != b[j]);
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, exchanged});
    }
  }
  return row.back();
}

// What was wrong with arguments that the program does not take, and which option may have been meant.
inline std::string unexpected_text(const CLI::App& app) {
  const std::vector<std::string> unexpected = app.remaining_for_passthrough();
  const auto given = std::find_if(unexpected.begin(), unexpected.end(), [](const std::string& text) { return text.starts_with("-"); });
  if (given == unexpected.end()) return "did not expect " + unexpected.back() + "; --help lists what there is";
  const std::string name = given->substr(0, given->find('='));
  std::string text = "there is no option " + name, nearest;
  std::size_t distance = 3;  // of what differs more, nothing can be guessed
  for (const CLI::Option* option : app.get_options()) {
    const std::size_t away = letters_apart(name, option->get_name());
    if (away < distance) distance = away, nearest = option->get_name();
  }
  if (!nearest.empty()) text += " (did you mean " + nearest + "?)";
  return text + "; --help lists what there is";
}

// Parses the arguments with the options that `add` declares, and runs. An error becomes one line and exit status 1.
inline int main_of(const char* name, const char* description, int argc, char** argv, const std::function<void(CLI::App&)>& add,
                   const std::function<int()>& run) {
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // whoever reads a pipe, too, sees each line when it is written
  CLI::App app(description, name);
  add(app);
  try {
    app.parse(argc, argv);
    return run();
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ExtrasError&) {
    std::fprintf(stderr, "%s: %s\n", name, unexpected_text(app).c_str());
    return 1;
  } catch (const std::exception& error) {
    const std::string text = error.what();
    std::fprintf(stderr, "%s: %s\n", name, text.substr(0, text.find('\n')).c_str());
    return 1;
  }
}

// Checks of options that are numbers. CLI11's own of these two say "not in range 0 to" and the largest double, with all its digits.
inline CLI::Validator number_above(bool zero_as_well, const char* wanted, const char* name) {
  return CLI::Validator(
      [zero_as_well, wanted](std::string& text) {
        double value = 0;
        const bool good = CLI::detail::lexical_cast(text, value) && std::isfinite(value) && (zero_as_well ? value >= 0 : value > 0);
        return good ? std::string() : "wants " + std::string(wanted) + ", got " + text;
      },
      name);
}
inline const CLI::Validator kNumber(
    [](std::string& text) {
      double value = 0;
      return CLI::detail::lexical_cast(text, value) ? std::string() : "wants numbers, got " + text;
    },
    "");
inline const CLI::Validator kPositive = number_above(false, "a number above 0", "POSITIVE");
inline const CLI::Validator kNotNegative = number_above(true, "a number, 0 or above", "NONNEGATIVE");

// say("mean", "均值"): the word in the language of --lang.
class Words {
 public:
  void add_option(CLI::App& app) {
    app.add_option("--lang", lang_, "language of the labels: en, or zh as in the tutorial")
        ->check(CLI::IsMember({"en", "zh"}))
        ->capture_default_str();
  }
  const char* operator()(const char* english, const char* chinese) const { return lang_ == "zh" ? chinese : english; }

 private:
  std::string lang_ = "en";
};

// The device of --device, which must be there.
inline wick::Device device_named(const std::string& name) {
  const wick::Device device(name);
  WICK_CHECK(!device.is_cuda() || wick::cuda::is_available(),
             "no CUDA device: this build of wick or this machine has none. Use --device cpu.");
  WICK_CHECK(!device.is_meta(), "the meta device holds no data. Use --device cpu.");
  return device;
}

// The elements in order, for a chart.
inline std::vector<double> numbers(const wick::Tensor& x) {
  const wick::Tensor y = x.cpu().to(wick::kDouble).contiguous();
  return {y.data_ptr<double>(), y.data_ptr<double>() + y.numel()};
}

}  // namespace examples
