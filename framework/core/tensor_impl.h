// TensorImpl: what a tensor is made of. Shape, strides, element type, memory, and its place in the autograd graph.
#pragma once

#include <atomic>
#include <cstdint>

#include "wick/framework/core/device.h"
#include "wick/framework/core/dims.h"
#include "wick/framework/core/dtype.h"
#include "wick/framework/core/ref.h"
#include "wick/framework/core/storage.h"

namespace wick {

// An object of the autograd graph (a node, a tensor's autograd record), seen from below: core holds it and lets it go, without
// knowing what it is.
struct GraphObject : RefCounted {
  using LetGoFn = void (*)(GraphObject*) noexcept;
  explicit GraphObject(LetGoFn fn) : let_go(fn) {}
  // Of a node: called when the last reference is gone. Of a record: called when its tensor is gone, others may still hold it.
  const LetGoFn let_go;
};
inline void destroy(GraphObject* object) { object->let_go(object); }

// What of a view's history is known, under LibTorch's names.
enum class CreationMeta : uint8_t { DEFAULT, IN_CUSTOM_FUNCTION, MULTI_OUTPUT_NODE, NO_GRAD_MODE, INFERENCE_MODE };

struct TensorImpl : RefCounted {
  enum Flag : uint32_t {
    kRequiresGrad = 1 << 0,    // a leaf that wants a gradient
    kWrappedNumber = 1 << 1,   // made of a C++ number: takes part in promotion as a number does
    kInference = 1 << 2,       // made in InferenceMode: has no version counter and never joins a graph
    kContiguous = 1 << 3,      // cached: row-major without gaps
    kUntracked = 1 << 4,       // shares memory without sharing the version counter (x.data())
    kMultiOutputView = 1 << 5, // one of several views that one operation made (split, unbind): no in-place writes under autograd
    kRetainsGrad = 1 << 6,     // retain_grad() was called
    kNoGradView = 1 << 7,      // a view made while nothing was recorded: does not take part in its base's history
    kInferenceView = 1 << 8,   // of those, one made in InferenceMode
    kCustomView = 1 << 9,      // of those, one that a custom Function returned
    kInferenceLeaf = 1 << 10,  // an inference tensor with requires_grad: has a gradient, but makes no operation record
  };
  // Sizes and strides of up to this many dimensions live in the object, longer ones on the heap.
  static constexpr int kInlineDims = 5;

  ScalarType dtype = kFloat;
  Device device{kCPU};
  uint8_t ndim = 0;
  uint32_t flags = 0;
  uint32_t output_nr = 0;      // which output of grad_fn this is
  uint32_t view_version = 0;   // of a view: the version of the storage that grad_fn belongs to
  Ref<StorageImpl> storage;
  void* data = nullptr;        // storage->data + storage_offset elements
  int64_t storage_offset = 0;  // in elements
  int64_t numel = 0;
  Ref<GraphObject> grad_fn;    // the Node that made this tensor; null for leaves
  GraphObject* autograd = nullptr;  // AutogradRecord: gradient, hooks, ...; made when first needed
  Ref<TensorImpl> base;        // the tensor that this one is a view of; never itself a view

  TensorImpl() = default;
  ~TensorImpl() {
    if (autograd) autograd->let_go(autograd);
    if (ndim > kInlineDims) delete[] dims_.heap;
  }

  bool has(Flag flag) const { return flags & flag; }
  void set(Flag flag, bool on) { flags = on ? flags | flag : flags & ~static_cast<uint32_t>(flag); }
  // A view of a tensor that got a history by an in-place operation has one, too.
  bool requires_grad() const {
    return grad_fn || has(kRequiresGrad) || (base && base->requires_grad());
  }
  CreationMeta get_creation_meta() const {
    if (has(kCustomView)) return CreationMeta::IN_CUSTOM_FUNCTION;
    if (has(kNoGradView)) return has(kInferenceView) ? CreationMeta::INFERENCE_MODE : CreationMeta::NO_GRAD_MODE;
    return has(kMultiOutputView) ? CreationMeta::MULTI_OUTPUT_NODE : CreationMeta::DEFAULT;
  }
  void forget_base() {
    base.reset();
    flags &= ~static_cast<uint32_t>(kNoGradView | kInferenceView | kCustomView | kMultiOutputView);
  }
  // LibTorch keeps these in an object of their own, an AutogradMeta.
  TensorImpl* autograd_meta() { return this; }
  bool has_bw_view() const { return static_cast<bool>(base); }

  const int64_t* sizes() const { return ndim > kInlineDims ? dims_.heap : dims_.here; }
  const int64_t* strides() const { return ndim > kInlineDims ? dims_.heap + ndim : dims_.here + kInlineDims; }

  // Sets the shape with the given strides (in elements), and what is derived from it. The memory is not touched.
  void set_shape(IntArrayRef sizes, IntArrayRef strides);
  // The same with row-major strides.
  void set_contiguous_shape(IntArrayRef sizes, int64_t numel);
  // Takes over another tensor's shape and strides. For a new tensor.
  void copy_shape(const TensorImpl& other) {
    if (WICK_UNLIKELY(other.ndim > kInlineDims)) {
      return set_shape(IntArrayRef(other.sizes(), other.ndim), IntArrayRef(other.strides(), other.ndim));
    }
    ndim = other.ndim;
    dims_ = other.dims_;
    numel = other.numel;
    flags = (flags & ~uint32_t{kContiguous}) | (other.flags & kContiguous);
  }
  // Points `data` at the storage again after that or storage_offset has changed.
  void refresh_data() {
    data = storage->data ? static_cast<char*>(storage->data) + storage_offset * element_size(dtype) : nullptr;
  }

  uint32_t version() const { return has(kUntracked) ? 0 : storage->version.load(std::memory_order_relaxed); }
  void bump_version() {
    if (WICK_LIKELY(!(flags & (kUntracked | kInference)))) storage->bump_version();
    else check_not_inference();
  }
  // LibTorch's way to ask. Throws for an inference tensor.
  struct VersionCounter {
    const TensorImpl* impl;
    uint32_t current_version() const;
  };
  VersionCounter version_counter() const { return {this}; }
  // Throws PyTorch's sentence where this was made in InferenceMode and is to be written to outside of it.
  void check_not_inference() const;

 private:
  int64_t* reserve_dims(size_t count);  // room for sizes and strides; sets ndim

  union {
    int64_t here[2 * kInlineDims];
    int64_t* heap;
  } dims_;
};

TensorImpl* new_tensor_impl();      // from the pool, one reference
void destroy(TensorImpl* impl);

}  // namespace wick
