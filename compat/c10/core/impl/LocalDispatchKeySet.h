// What LibTorch's dispatcher would do in this thread, for programs that ask. wick has none: these answer for its modes, of which
// InferenceMode is the one that takes autograd out of the way.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "wick/framework/core/thread_state.h"

namespace c10 {

enum class DispatchKey : uint16_t { Undefined, CPU, CUDA, Meta, ADInplaceOrView, AutogradOther, AutogradCPU, AutogradCUDA, AutogradMeta };

class DispatchKeySet {
 public:
  constexpr DispatchKeySet() = default;
  constexpr explicit DispatchKeySet(DispatchKey key) : bits_(key == DispatchKey::Undefined ? 0 : uint64_t{1} << static_cast<int>(key)) {}
  constexpr DispatchKeySet(std::initializer_list<DispatchKey> keys) {
    for (DispatchKey key : keys) bits_ |= DispatchKeySet(key).bits_;
  }
  constexpr bool has(DispatchKey key) const { return DispatchKeySet(key).bits_ & bits_; }
  constexpr bool has_all(DispatchKeySet other) const { return (bits_ & other.bits_) == other.bits_; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr uint64_t raw_repr() const { return bits_; }
  friend constexpr DispatchKeySet operator|(DispatchKeySet a, DispatchKeySet b) { return a.bits_ |= b.bits_, a; }
  friend constexpr bool operator==(DispatchKeySet, DispatchKeySet) = default;

 private:
  uint64_t bits_ = 0;
};

inline constexpr DispatchKeySet autograd_dispatch_keyset{DispatchKey::AutogradOther, DispatchKey::AutogradCPU, DispatchKey::AutogradCUDA,
                                                         DispatchKey::AutogradMeta};

namespace impl {
// Of the keys of all tensors: recording (the Autograd keys) is excluded in InferenceMode, and what counts versions and views
// (ADInplaceOrView) is included outside of it.
inline bool tls_is_dispatch_keyset_excluded(DispatchKeySet keys) { return wick::t_state.inference && autograd_dispatch_keyset.has_all(keys); }
inline bool tls_is_dispatch_keyset_included(DispatchKeySet keys) {
  return !wick::t_state.inference && DispatchKeySet(DispatchKey::ADInplaceOrView).has_all(keys);
}
inline bool tls_is_dispatch_key_excluded(DispatchKey key) { return tls_is_dispatch_keyset_excluded(DispatchKeySet(key)); }
inline bool tls_is_dispatch_key_included(DispatchKey key) { return tls_is_dispatch_keyset_included(DispatchKeySet(key)); }
}  // namespace impl
}  // namespace c10
