// The keys by which operators of TORCH_LIBRARY choose a kernel, and which of them this thread leaves out. wick's own operations have no
// such keys: for them these answer for its modes, of which InferenceMode is the one that takes autograd out of the way.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "wick/framework/core/thread_state.h"

namespace c10 {

// In the order of their precedence, the last first. Those from Autograd on stand for several others, or for what takes part where the
// operator has nothing better.
enum class DispatchKey : uint16_t {
  Undefined, CatchAll = Undefined, CPU, CUDA, MPS, Meta, ADInplaceOrView,
  AutogradOther, AutogradCPU, AutogradCUDA, AutogradMPS, AutogradMeta, AutocastCPU, AutocastCUDA, Autocast = AutocastCUDA,
  Autograd, CompositeImplicitAutograd, CompositeExplicitAutograd
};

class DispatchKeySet {
 public:
  constexpr DispatchKeySet() = default;
  constexpr explicit DispatchKeySet(DispatchKey key) : bits_(key == DispatchKey::Undefined ? 0 : uint64_t{1} << static_cast<int>(key)) {}
  constexpr DispatchKeySet(std::initializer_list<DispatchKey> keys) {
    for (DispatchKey key : keys) bits_ |= DispatchKeySet(key).bits_;
  }
  constexpr bool has(DispatchKey key) const { return DispatchKeySet(key).bits_ & bits_; }
  constexpr bool has_all(DispatchKeySet other) const { return (bits_ & other.bits_) == other.bits_; }
  constexpr bool has_any(DispatchKeySet other) const { return bits_ & other.bits_; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr uint64_t raw_repr() const { return bits_; }
  constexpr DispatchKeySet add(DispatchKey key) const { return *this | DispatchKeySet(key); }
  constexpr DispatchKeySet remove(DispatchKey key) const { return *this - DispatchKeySet(key); }
  constexpr DispatchKey highestPriorityTypeId() const { return static_cast<DispatchKey>(bits_ ? 63 - __builtin_clzll(bits_) : 0); }
  friend constexpr DispatchKeySet operator|(DispatchKeySet a, DispatchKeySet b) { return a.bits_ |= b.bits_, a; }
  friend constexpr DispatchKeySet operator&(DispatchKeySet a, DispatchKeySet b) { return a.bits_ &= b.bits_, a; }
  friend constexpr DispatchKeySet operator-(DispatchKeySet a, DispatchKeySet b) { return a.bits_ &= ~b.bits_, a; }
  friend constexpr bool operator==(DispatchKeySet, DispatchKeySet) = default;

 private:
  uint64_t bits_ = 0;
};

inline constexpr DispatchKeySet autograd_dispatch_keyset{DispatchKey::AutogradOther, DispatchKey::AutogradCPU, DispatchKey::AutogradCUDA,
                                                         DispatchKey::AutogradMPS, DispatchKey::AutogradMeta};
inline constexpr DispatchKeySet autocast_dispatch_keyset{DispatchKey::AutocastCPU, DispatchKey::AutocastCUDA};
inline constexpr DispatchKeySet after_autograd_keyset{DispatchKey::CPU, DispatchKey::CUDA, DispatchKey::MPS, DispatchKey::Meta,
                                                      DispatchKey::ADInplaceOrView};
inline constexpr DispatchKeySet after_ADInplaceOrView_keyset = after_autograd_keyset - DispatchKeySet(DispatchKey::ADInplaceOrView);
const char* toString(DispatchKey key);

namespace impl {

// What guards of this thread leave out.
inline thread_local DispatchKeySet excluded_keys;

// Of the keys of all tensors: recording (the Autograd keys) is excluded in InferenceMode, and what counts versions and views
// (ADInplaceOrView) is included outside of it.
inline bool tls_is_dispatch_keyset_excluded(DispatchKeySet keys) {
  return (excluded_keys | (wick::t_state.inference ? autograd_dispatch_keyset : DispatchKeySet())).has_all(keys);
}
inline bool tls_is_dispatch_keyset_included(DispatchKeySet keys) {
  return !wick::t_state.inference && DispatchKeySet(DispatchKey::ADInplaceOrView).has_all(keys);
}
inline bool tls_is_dispatch_key_excluded(DispatchKey key) { return tls_is_dispatch_keyset_excluded(DispatchKeySet(key)); }
inline bool tls_is_dispatch_key_included(DispatchKey key) { return tls_is_dispatch_keyset_included(DispatchKeySet(key)); }

class ExcludeDispatchKeyGuard {
 public:
  explicit ExcludeDispatchKeyGuard(DispatchKeySet keys) : before_(excluded_keys) { excluded_keys = excluded_keys | keys; }
  explicit ExcludeDispatchKeyGuard(DispatchKey key) : ExcludeDispatchKeyGuard(DispatchKeySet(key)) {}
  ~ExcludeDispatchKeyGuard() { excluded_keys = before_; }
  ExcludeDispatchKeyGuard(const ExcludeDispatchKeyGuard&) = delete;
  ExcludeDispatchKeyGuard& operator=(const ExcludeDispatchKeyGuard&) = delete;

 private:
  DispatchKeySet before_;
};

}  // namespace impl
}  // namespace c10
