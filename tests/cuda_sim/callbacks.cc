// What g++ -fsanitize=thread calls before each load and store, in place of ThreadSanitizer's runtime. Never compiled with that flag.
//
// The host's part of a .cu file is compiled in the same way: only what a kernel does is looked at (in_kernel). Its atomic operations,
// std::atomic and the like, are calls, too, and must be carried out here.
#include <cstddef>
#include <cstdint>

#include "wick/tests/cuda_sim/accesses.h"
#include "wick/tests/cuda_sim/fibers.h"

namespace {

using cuda_sim::AccessKind;

inline void check(AccessKind kind, const void* address, size_t bytes, size_t alignment, const void* return_address) {
  if (!cuda_sim::in_kernel) return;
  cuda_sim::SimulatorCode simulator;
  cuda_sim::check_access({kind, static_cast<const char*>(address), bytes, alignment, cuda_sim::Site(return_address)});
}

}  // namespace

extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}

// A load of 16 bytes may be that of a struct of two 8-byte numbers, which nvcc takes apart.
#define CUDA_SIM_CALLBACK(BYTES)                                                                                                        \
  void __tsan_read##BYTES(void* p) { check(AccessKind::kRead, p, BYTES, BYTES < 8 ? BYTES : 8, __builtin_return_address(0)); }          \
  void __tsan_write##BYTES(void* p) { check(AccessKind::kWrite, p, BYTES, BYTES < 8 ? BYTES : 8, __builtin_return_address(0)); }        \
  void __tsan_volatile_read##BYTES(void* p) { check(AccessKind::kRead, p, BYTES, BYTES < 8 ? BYTES : 8, __builtin_return_address(0)); } \
  void __tsan_volatile_write##BYTES(void* p) { check(AccessKind::kWrite, p, BYTES, BYTES < 8 ? BYTES : 8, __builtin_return_address(0)); }
CUDA_SIM_CALLBACK(1)
CUDA_SIM_CALLBACK(2)
CUDA_SIM_CALLBACK(4)
CUDA_SIM_CALLBACK(8)
CUDA_SIM_CALLBACK(16)

void __tsan_read_range(void* p, size_t bytes) {
  if (bytes != 0) check(AccessKind::kRead, p, bytes, 1, __builtin_return_address(0));
}
void __tsan_write_range(void* p, size_t bytes) {
  if (bytes != 0) check(AccessKind::kWrite, p, bytes, 1, __builtin_return_address(0));
}

#define CUDA_SIM_ATOMIC(BITS, T)                                                                                      \
  T __tsan_atomic##BITS##_load(const volatile T* p, int) { return __atomic_load_n(p, __ATOMIC_SEQ_CST); }             \
  void __tsan_atomic##BITS##_store(volatile T* p, T v, int) { __atomic_store_n(p, v, __ATOMIC_SEQ_CST); }             \
  T __tsan_atomic##BITS##_exchange(volatile T* p, T v, int) { return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST); }   \
  T __tsan_atomic##BITS##_fetch_add(volatile T* p, T v, int) { return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST); }   \
  T __tsan_atomic##BITS##_fetch_sub(volatile T* p, T v, int) { return __atomic_fetch_sub(p, v, __ATOMIC_SEQ_CST); }   \
  T __tsan_atomic##BITS##_fetch_and(volatile T* p, T v, int) { return __atomic_fetch_and(p, v, __ATOMIC_SEQ_CST); }   \
  T __tsan_atomic##BITS##_fetch_or(volatile T* p, T v, int) { return __atomic_fetch_or(p, v, __ATOMIC_SEQ_CST); }     \
  T __tsan_atomic##BITS##_fetch_xor(volatile T* p, T v, int) { return __atomic_fetch_xor(p, v, __ATOMIC_SEQ_CST); }   \
  T __tsan_atomic##BITS##_fetch_nand(volatile T* p, T v, int) { return __atomic_fetch_nand(p, v, __ATOMIC_SEQ_CST); } \
  int __tsan_atomic##BITS##_compare_exchange_strong(volatile T* p, T* expected, T v, int, int) {                      \
    return __atomic_compare_exchange_n(p, expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                    \
  }                                                                                                                   \
  int __tsan_atomic##BITS##_compare_exchange_weak(volatile T* p, T* expected, T v, int, int) {                        \
    return __atomic_compare_exchange_n(p, expected, v, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                     \
  }
CUDA_SIM_ATOMIC(8, uint8_t)
CUDA_SIM_ATOMIC(16, uint16_t)
CUDA_SIM_ATOMIC(32, uint32_t)
CUDA_SIM_ATOMIC(64, uint64_t)
void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

}  // extern "C"
