// The account of waits: where a program made the host wait for a device, how often, and what it cost.
//
// A GPU works while the host prepares what comes next. Each time that the host asks for a value (item(), cpu(), nonzero(), printing) it
// has to wait until the GPU has caught up, and then the GPU waits for the host; for a small model that can be most of the time. Every
// wait passes one function, which books it under the line of the program that caused it:
//
//   cuda::reset_sync_report();
//   train();
//   std::puts(cuda::sync_report().c_str());
//
//   {
//     cuda::SyncDebugGuard guard("error");   // in here a wait throws, "warn": it is named on stderr
//     step();
//   }
#pragma once

#include <cstdint>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

namespace wick::cuda {

struct SyncSite {
  std::string op;    // "item"
  std::string file;  // of the call; empty where an operation that takes no call site waited for itself
  int line = 0;
  int64_t count = 0;
  double seconds = 0;   // that the host waited, in all
  double longest = 0;
};

// Since the start or reset_sync_report(), the dearest first.
std::vector<SyncSite> sync_sites();
// The same as a table.
std::string sync_report();
void reset_sync_report();

// How often the host has waited, and how many kernels, library calls and graphs have been started, since the process began.
int64_t synchronizations();
int64_t launches();

// "default", "warn": a wait is named on stderr, once for each line, or "error": it throws before anything is enqueued. For all threads.
void set_sync_debug_mode(std::string_view mode);
std::string_view get_sync_debug_mode();

// A mode for as long as it lives.
class SyncDebugGuard {
 public:
  explicit SyncDebugGuard(std::string_view mode) : before_(get_sync_debug_mode()) { set_sync_debug_mode(mode); }
  ~SyncDebugGuard() { set_sync_debug_mode(before_); }
  SyncDebugGuard(const SyncDebugGuard&) = delete;
  SyncDebugGuard& operator=(const SyncDebugGuard&) = delete;

 private:
  std::string_view before_;
};

// For the backend: a wait of the host, from its construction to its end. The constructor does what the mode says.
class Wait {
 public:
  Wait(const char* op, const std::source_location& where);
  ~Wait();
  Wait(const Wait&) = delete;
  Wait& operator=(const Wait&) = delete;

 private:
  const char* op_;
  std::source_location where_;
  int64_t start_ns_;
};

}  // namespace wick::cuda
