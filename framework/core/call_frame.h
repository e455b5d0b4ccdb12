// In whose call an operation runs: a list of frames from the inside out, kept in anomaly mode only.
#pragma once

#include <string>

#include "wick/framework/core/macros.h"
#include "wick/framework/core/thread_state.h"

namespace wick {

struct CallFrame {
  std::string text;  // "in module fc1 (Linear)"
  const CallFrame* outer = nullptr;
};

// Adds a frame for as long as it lives, once enter() is called.
class CallScope {
 public:
  CallScope() = default;
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;
  ~CallScope() {
    if (WICK_UNLIKELY(frame_ != nullptr)) leave();
  }
  void enter(std::string text);

 private:
  void leave();

  const CallFrame* frame_ = nullptr;
};

// The frames of this thread, a line each: "\n  in module fc1 (Linear)\n  in module Net".
std::string call_path();

}  // namespace wick
