#include "wick/framework/core/tensor_impl.h"

#include <memory>
#include <new>

#include "wick/framework/core/pool.h"
#include "wick/framework/core/thread_state.h"

namespace wick {

constinit thread_local ThreadState t_state __attribute__((tls_model("initial-exec")));

void TensorImpl::check_not_inference() const {
  WICK_CHECK(!has(kInference) || t_state.inference,
             "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal tensor before "
             "doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details.");
}

uint32_t TensorImpl::VersionCounter::current_version() const {
  WICK_CHECK(!impl->has(kInference), "Inference tensors do not track version counter.");
  return impl->version();
}

TensorImpl* new_tensor_impl() { return new (pool_allocate<sizeof(TensorImpl)>()) TensorImpl; }

void destroy(TensorImpl* impl) {
  impl->~TensorImpl();
  pool_free<sizeof(TensorImpl)>(impl);
}

int64_t* TensorImpl::reserve_dims(size_t count) {
  WICK_CHECK(count <= kMaxDims, "a tensor of wick has at most ", kMaxDims, " dimensions, got ", count);
  const bool on_heap = ndim > kInlineDims;
  if (count > kInlineDims) {
    if (!on_heap || count != ndim) {
      int64_t* heap = new int64_t[2 * count];
      if (on_heap) delete[] dims_.heap;
      dims_.heap = heap;
    }
  } else if (on_heap) {
    delete[] dims_.heap;
  }
  ndim = static_cast<uint8_t>(count);
  return count > kInlineDims ? dims_.heap : dims_.here;
}

void TensorImpl::set_shape(IntArrayRef sizes, IntArrayRef strides) {
  const size_t count = sizes.size();
  // The arguments may be parts of this tensor's own lists, which are overwritten here: copies first.
  int64_t copies[2 * kInlineDims];
  std::unique_ptr<int64_t[]> many;
  int64_t* from = copies;
  if (WICK_UNLIKELY(count > kInlineDims)) {
    many = std::make_unique<int64_t[]>(2 * count);
    from = many.get();
  }
  for (size_t i = 0; i < count; ++i) {
    from[i] = sizes[i];
    from[count + i] = strides[i];
  }
  int64_t* to = reserve_dims(count);
  int64_t* to_strides = count > kInlineDims ? to + count : to + kInlineDims;
  // Unsigned: the sizes of an empty tensor may multiply to anything before the 0 comes.
  uint64_t elements = 1, expected = 1;
  bool contiguous = true;
  for (size_t i = count; i-- > 0;) {
    to[i] = from[i];
    to_strides[i] = from[count + i];
    elements *= static_cast<uint64_t>(from[i]);
    if (from[i] != 1) {
      contiguous &= static_cast<uint64_t>(from[count + i]) == expected;
      expected *= static_cast<uint64_t>(from[i]);
    }
  }
  numel = static_cast<int64_t>(elements);
  set(kContiguous, contiguous || elements == 0);
}

void TensorImpl::set_contiguous_shape(IntArrayRef sizes, int64_t elements) {
  const size_t count = sizes.size();
  if (WICK_UNLIKELY(count > kInlineDims || ndim > kInlineDims)) return set_shape(sizes, contiguous_strides(sizes));
  // memmove semantics are not needed: inline lists of the same tensor are at the same place.
  int64_t stride = 1;
  ndim = static_cast<uint8_t>(count);
  for (size_t i = count; i-- > 0;) {
    dims_.here[i] = sizes[i];
    dims_.here[kInlineDims + i] = stride;
    stride = static_cast<int64_t>(static_cast<uint64_t>(stride) * static_cast<uint64_t>(sizes[i] > 1 ? sizes[i] : 1));
  }
  numel = elements;
  flags |= kContiguous;
}

}  // namespace wick
