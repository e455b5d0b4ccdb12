// Memory and handles of the simulator's own tests.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <vector>

namespace cuda_sim {

// Device memory for the length of a test.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(size_t n) : size_(n) { cudaMalloc(reinterpret_cast<void**>(&data_), n * sizeof(T)); }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;

  operator T*() const { return data_; }
  std::vector<T> values() const {
    std::vector<T> copy(size_);
    cudaMemcpy(copy.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost);
    return copy;
  }

 private:
  T* data_ = nullptr;
  size_t size_;
};

template <class T>
class PinnedArray {
 public:
  explicit PinnedArray(size_t n, T value = {}) {
    cudaMallocHost(reinterpret_cast<void**>(&data_), n * sizeof(T));
    std::fill_n(data_, n, value);
  }
  ~PinnedArray() { cudaFreeHost(data_); }
  PinnedArray(const PinnedArray&) = delete;
  operator T*() const { return data_; }

 private:
  T* data_ = nullptr;
};

// A stream that does not wait for stream 0, unless `flags` says otherwise.
class TestStream {
 public:
  explicit TestStream(unsigned flags = cudaStreamNonBlocking) { cudaStreamCreateWithFlags(&stream_, flags); }
  ~TestStream() { cudaStreamDestroy(stream_); }
  TestStream(const TestStream&) = delete;
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

class TestEvent {
 public:
  TestEvent() { cudaEventCreate(&event_); }
  ~TestEvent() { cudaEventDestroy(event_); }
  TestEvent(const TestEvent&) = delete;
  operator cudaEvent_t() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace cuda_sim
