// What each thread carries along: the modes of autograd and whoever listens at the door.
#pragma once

namespace wick {

class LaunchListener;
struct CallFrame;
namespace autograd {
struct SavedTensorHooks;
}

// One plain struct, so that entering an operation touches one cache line and a guard saves and restores a byte.
struct ThreadState {
  bool grad_enabled = true;        // NoGradGuard, AutoGradMode
  bool inference = false;          // InferenceMode
  bool anomaly = false;            // AnomalyMode: nodes remember the forward call that made them
  signed char cuda_device = 0;     // the current one; see launch.h
  bool autocast = false;           // operations choose the precision of their inputs; see ops/autocast.h
  bool check_nan = true;           // AnomalyMode looks for NaN in gradients
  LaunchListener* listener = nullptr;  // a capture or a profile of this thread's launches; see launch.h
  const CallFrame* call = nullptr;     // the innermost module call, kept in anomaly mode only
  const autograd::SavedTensorHooks* saved_hooks = nullptr;  // the innermost SavedTensorHooksGuard
};

// initial-exec: the library is linked into the program or loaded with it, and an access is one instruction.
extern constinit thread_local ThreadState t_state __attribute__((tls_model("initial-exec")));

}  // namespace wick
