#include "wick/framework/core/call_frame.h"

#include <utility>

namespace wick {

void CallScope::enter(std::string text) { t_state.call = frame_ = new CallFrame{std::move(text), t_state.call}; }

void CallScope::leave() {
  t_state.call = frame_->outer;
  delete frame_;
}

std::string call_path() {
  std::string path;
  for (const CallFrame* frame = t_state.call; frame; frame = frame->outer) path += "\n  " + frame->text;
  return path;
}

}  // namespace wick
