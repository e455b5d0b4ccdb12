// The door: every kernel call of the library, and of its users, passes through launch().
//
// A call is a record of a kernel and its arguments. The arguments are one trivially copyable struct, which names every buffer that
// the kernel reads or writes; a kernel looks at nothing else. That is what lets a capture keep the record and run it again, a
// profiler time it, and another device take it over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "wick/framework/core/device.h"
#include "wick/framework/core/error.h"
#include "wick/framework/core/isa.h"
#include "wick/framework/core/macros.h"
#include "wick/framework/core/tensor_base.h"
#include "wick/framework/core/thread_state.h"

namespace wick {

// A tensor's memory as a kernel sees it. The storage lets a recorder keep it alive and find it again; kernels use `data` alone.
struct Buffer {
  void* data;
  StorageImpl* storage;

  Buffer() = default;
  constexpr Buffer(std::nullptr_t) : data(nullptr), storage(nullptr) {}
  // Null for an undefined tensor: a call does not use it.
  Buffer(const TensorBase& x) : Buffer(nullptr) {
    if (const TensorImpl* impl = x.unsafeGetTensorImpl(); WICK_LIKELY(impl)) data = impl->data, storage = impl->storage.get();
  }

  template <class T>
  T* as() const { return static_cast<T*>(data); }
};

enum class Access : uint8_t { kRead, kWrite, kReadWrite };

// A kernel slot without its argument type. One object per kernel, initialised by constants: nothing runs before main, and the linker
// keeps the slots of the operations that a program names, and those only.
struct KernelInfo {
  using Run = void (*)(const KernelInfo&, const void* args);

  const char* name;
  uint32_t args_size;
  uint32_t num_buffers;           // how many Buffers stand at the beginning of the arguments
  const Access* access;           // of each of them
  Run cpu[kNumIsas];              // by Isa
  Run cuda;                       // null in a build without CUDA
};

// Args: trivially copyable, starting with `Buffer buffers[N]`; with `static constexpr Access access[N]`. A buffer that one call does
// not use is null.
template <class Args>
struct Kernel : KernelInfo {
  using Fn = void (*)(const Args&);

  template <Fn... Cpu>
  static constexpr Kernel make(const char* name) {
    static_assert(std::is_trivially_copyable_v<Args> && sizeof...(Cpu) == kNumIsas);
    Kernel kernel{};
    kernel.name = name;
    kernel.args_size = sizeof(Args);
    kernel.num_buffers = sizeof(Args::access) / sizeof(Access);
    kernel.access = &Args::access[0];
    int isa = 0;
    ((kernel.cpu[isa++] = &call<Cpu>), ...);
    return kernel;
  }

  template <Fn fn>
  static void call(const KernelInfo&, const void* args) { fn(*static_cast<const Args*>(args)); }
};

// Who wants to see the launches of a thread: a capture, a profiler.
class LaunchListener {
 public:
  virtual ~LaunchListener() = default;
  // Called instead of the kernel; runs it by run_kernel() where that is wanted.
  virtual void launch(const KernelInfo& kernel, Device device, const void* args) = 0;
  // The host is about to read what a kernel computed, in the operation of this name. A capture refuses: nothing has been computed.
  virtual void host_read(const char* op) = 0;
};

// While it lives, kernels of this thread run at once, past a capture: a captured step must find its state, not make it anew.
class PastCapture {
 public:
  PastCapture() : before_(t_state.listener) { t_state.listener = nullptr; }
  ~PastCapture() { t_state.listener = before_; }
  PastCapture(const PastCapture&) = delete;
  PastCapture& operator=(const PastCapture&) = delete;

 private:
  LaunchListener* before_;
};

// To be called by every operation whose result is a value of the host.
inline void note_host_read(const char* op) {
  if (WICK_UNLIKELY(t_state.listener != nullptr)) t_state.listener->host_read(op);
}

[[noreturn]] WICK_COLD void empty_slot_error(const KernelInfo& kernel, Device device);
// Makes the device the current one for as long as the kernel takes to start.
WICK_COLD void run_on_other_device(const KernelInfo& kernel, Device device, const void* args);

// Runs the kernel at once, past any listener.
WICK_INLINE void run_kernel(const KernelInfo& kernel, Device device, const void* args) {
  if (WICK_LIKELY(device.is_cpu())) {
    const KernelInfo::Run run = kernel.cpu[static_cast<int>(isa())];
    if (WICK_UNLIKELY(!run)) empty_slot_error(kernel, device);
    run(kernel, args);
  } else if (device.is_cuda()) {
    if (WICK_UNLIKELY(!kernel.cuda)) empty_slot_error(kernel, device);
    if (WICK_UNLIKELY(device.index() != t_state.cuda_device)) return run_on_other_device(kernel, device, args);
    kernel.cuda(kernel, args);
  }
  // The meta device has shapes and no data: there is nothing to run.
}

// The door itself: hands the record to whoever listens in this thread, and otherwise runs the kernel.
template <class Args>
WICK_INLINE void launch(const KernelInfo& kernel, Device device, const Args& args) {
  if (WICK_UNLIKELY(t_state.listener != nullptr)) return t_state.listener->launch(kernel, device, &args);
  run_kernel(kernel, device, &args);
}

}  // namespace wick
