#include "wick/framework/autograd/checkpoint.h"

#include <mutex>

#include "wick/framework/core/generator.h"

namespace wick::utils::detail {
namespace {

using RandomState = std::vector<uint8_t>;

RandomState random_state() {
  const Generator& generator = default_cpu_generator();
  const std::lock_guard lock(generator.mutex());
  return generator.get_state();
}

// The default generator in an earlier state for as long as this lives.
class RandomStateGuard {
 public:
  explicit RandomStateGuard(const RandomState& state) : before_(random_state()) { set(state); }
  ~RandomStateGuard() { set(before_); }
  RandomStateGuard(const RandomStateGuard&) = delete;
  RandomStateGuard& operator=(const RandomStateGuard&) = delete;

 private:
  static void set(const RandomState& state) {
    Generator generator = default_cpu_generator();
    const std::lock_guard lock(generator.mutex());
    generator.set_state(state);
  }

  const RandomState before_;
};

}  // namespace

struct CheckpointScope::Part {
  std::function<void()> again;
  RandomState random = random_state();
  size_t saved = 0;            // by the first run
  std::vector<Tensor> values;  // of the second run; empty before

  void run_again() {
    const RandomStateGuard random_numbers(random);
    const AutoGradMode recording(true);
    std::vector<Tensor> found;
    const auto keep = [&](const Tensor& x) { return found.push_back(x), std::any(); };
    const autograd::SavedTensorHooksGuard guard(keep, [](const std::any&) { return Tensor(); });
    again();
    WICK_CHECK(found.size() == saved,
               "torch.utils.checkpoint: A different number of tensors was saved during the original forward and recomputation.\n"
               "Number of tensors saved during forward: ", saved, "\nNumber of tensors saved during recomputation: ", found.size());
    values = std::move(found);
  }

  Tensor value(size_t i) {
    if (values.empty()) run_again();
    return values[i];
  }
};

CheckpointScope::CheckpointScope(std::function<void()> again) : part_(std::make_shared<Part>()) {
  part_->again = std::move(again);
  guard_ = std::make_unique<autograd::SavedTensorHooksGuard>(
      [part = part_](const Tensor&) { return std::any(part->saved++); },
      [part = part_](const std::any& number) { return part->value(std::any_cast<size_t>(number)); });
}

CheckpointScope::~CheckpointScope() = default;

}  // namespace wick::utils::detail
