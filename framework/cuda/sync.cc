// The account is kept in every build: without a device nobody waits, and it stays empty.
#include "wick/framework/cuda/sync.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <map>
#include <mutex>
#include <set>
#include <tuple>

#include "wick/framework/core/error.h"

namespace wick::cuda {
namespace {

enum class Mode { kDefault, kWarn, kError };
constexpr std::string_view kModeNames[] = {"default", "warn", "error"};

using SiteKey = std::tuple<std::string, int, std::string>;  // file, line, operation

struct Account {
  std::mutex mutex;
  std::map<SiteKey, SyncSite> sites;
  std::set<SiteKey> warned;
};

// Never destroyed: waits may come as late as the destructors of static objects.
Account& account() {
  static Account& account = *new Account;
  return account;
}

constinit std::atomic<Mode> mode{Mode::kDefault};
constinit std::atomic<int64_t> waits{0};

int64_t now_ns() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

SiteKey key_of(const char* op, const std::source_location& where) {
  return {where.line() ? where.file_name() : "", static_cast<int>(where.line()), op};
}

std::string describe(const char* op, const std::source_location& where) {
  return where.line() ? wick::detail::concat(op, " at ", where.file_name(), ":", where.line()) : std::string(op);
}

}  // namespace

Wait::Wait(const char* op, const std::source_location& where) : op_(op), where_(where), start_ns_(0) {
  const Mode now = mode.load(std::memory_order_relaxed);
  WICK_CHECK(now != Mode::kError, "called a synchronizing CUDA operation\n  ", describe(op, where),
             " makes the host wait for the device, which set_sync_debug_mode(\"error\") forbids.");
  if (now == Mode::kWarn) {
    std::lock_guard lock(account().mutex);
    if (account().warned.insert(key_of(op, where)).second) {
      std::fprintf(stderr, "wick: called a synchronizing CUDA operation: %s\n", describe(op, where).c_str());
    }
  }
  start_ns_ = now_ns();
}

Wait::~Wait() {
  const double seconds = static_cast<double>(now_ns() - start_ns_) * 1e-9;
  waits.fetch_add(1, std::memory_order_relaxed);
  std::lock_guard lock(account().mutex);
  SyncSite& site = account().sites[key_of(op_, where_)];
  ++site.count;
  site.seconds += seconds;
  site.longest = std::max(site.longest, seconds);
}

std::vector<SyncSite> sync_sites() {
  std::vector<SyncSite> sites;
  std::lock_guard lock(account().mutex);
  for (const auto& [key, site] : account().sites) {
    sites.push_back(site);
    std::tie(sites.back().file, sites.back().line, sites.back().op) = key;
  }
  std::stable_sort(sites.begin(), sites.end(), [](const SyncSite& a, const SyncSite& b) { return a.seconds > b.seconds; });
  return sites;
}

std::string sync_report() {
  const std::vector<SyncSite> sites = sync_sites();
  if (sites.empty()) return "The host has not waited for a device.\n";
  std::string text = "   waits    total ms     mean us  longest us  where\n";
  for (const SyncSite& s : sites) {
    char numbers[80];
    std::snprintf(numbers, sizeof numbers, "%8lld %11.3f %11.1f %11.1f  ", static_cast<long long>(s.count), s.seconds * 1e3,
                  s.seconds * 1e6 / static_cast<double>(s.count), s.longest * 1e6);
    text += numbers + (s.line ? wick::detail::concat(s.file, ":", s.line, " ") : std::string()) + s.op + "\n";
  }
  return text;
}

void reset_sync_report() {
  std::lock_guard lock(account().mutex);
  account().sites.clear();
  account().warned.clear();
}

int64_t synchronizations() { return waits.load(std::memory_order_relaxed); }

void set_sync_debug_mode(std::string_view name) {
  const auto* found = std::find(std::begin(kModeNames), std::end(kModeNames), name);
  WICK_CHECK_VALUE(found != std::end(kModeNames), "invalid value of debug_mode, expected one of `default`, `warn`, `error`\n  got ", name);
  mode = static_cast<Mode>(found - kModeNames);
}

std::string_view get_sync_debug_mode() { return kModeNames[static_cast<int>(mode.load())]; }

}  // namespace wick::cuda
