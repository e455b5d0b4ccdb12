// framework/cuda.h in a build without the CUDA backend: there is no device.
#include <chrono>

#include "wick/framework/cuda.h"

namespace wick {
namespace cuda {
namespace {

[[noreturn]] WICK_COLD void no_device(const char* what) {
  wick::detail::raise<Error>("No CUDA GPUs are available\n  ", what, ": this build of wick has no CUDA backend. --config=cuda builds one.");
}

}  // namespace

DeviceProperties get_device_properties(int) { no_device("get_device_properties"); }
std::string get_device_name(int) { no_device("get_device_name"); }
std::pair<int, int> get_device_capability(int) { no_device("get_device_capability"); }
int current_device() { return 0; }
void set_device(int) { no_device("set_device"); }
void synchronize(int, std::source_location) { no_device("synchronize"); }
void manual_seed(uint64_t) {}
void manual_seed_all(uint64_t) {}

bool Stream::query() const { no_device("Stream"); }
void Stream::synchronize(std::source_location) const { no_device("Stream"); }
void Stream::wait_stream(const Stream&) const { no_device("Stream"); }
void Stream::wait_event(const Event&) const { no_device("Stream"); }
Stream current_stream(int) { no_device("current_stream"); }
Stream default_stream(int) { no_device("default_stream"); }
Stream stream_from_pool(bool, int) { no_device("stream_from_pool"); }
void set_current_stream(const Stream&) { no_device("set_current_stream"); }
StreamGuard::StreamGuard(const Stream& stream) : device_before_(0), before_(stream) { no_device("StreamGuard"); }
StreamGuard::~StreamGuard() {}

void Event::reset() noexcept {}
void Event::record() {
  recorded_ = true;
  host_ns_ = std::chrono::steady_clock::now().time_since_epoch().count();
}
void Event::record(const Stream&) { no_device("Event"); }
bool Event::query() const { return true; }
void Event::synchronize(std::source_location) const {}
void Event::wait(const Stream&) const { no_device("Event"); }
double Event::elapsed_time(const Event& end) const {
  WICK_CHECK(timing_ && end.timing_, "Both events must be created with argument 'enable_timing=True'.");
  WICK_CHECK(recorded_ && end.recorded_, "Both events must be recorded before calculating elapsed time.");
  return static_cast<double>(end.host_ns_ - host_ns_) * 1e-6;
}

MemoryStats memory_stats(int) { return {}; }
void reset_peak_memory_stats(int) {}
void empty_cache() {}
int64_t launches() { return 0; }

}  // namespace cuda

void Tensor::record_stream(const cuda::Stream&) const {}

}  // namespace wick
