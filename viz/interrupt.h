// Ctrl-C as a request instead of an end.
#pragma once

namespace wick::viz {

// While a guard lives, the first SIGINT only sets a flag that the loop asks for, so that it can save its work and leave:
//
//   InterruptGuard guard;
//   for (int step = 0; step < steps && !guard.interrupted(); ++step) train();
//   save();
//   if (guard.interrupted()) return InterruptGuard::kExitStatus;
//
// The second SIGINT ends the program in the default way. The destructor restores the handler that was there before. A guard inside
// the life of another one shares its flag and changes nothing; where SIGINT was ignored (nohup), it stays ignored.
// Signal handlers belong to the whole process: create and destroy guards on one thread.
class InterruptGuard {
 public:
  // What a shell reports for a program ended by Ctrl-C: 128 + SIGINT.
  static constexpr int kExitStatus = 130;

  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  // True once SIGINT has come. Costs one load.
  bool interrupted() const noexcept;
};

}  // namespace wick::viz
