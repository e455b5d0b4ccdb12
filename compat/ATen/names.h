// LibTorch's names in c10 and at that wick has under the same names. They are brought in one by one: `using namespace torch` gives a
// program these and nothing else of wick's, so that its own Buffer, Kernel or math stay its own.
#pragma once

#include <ATen/packed_accessor.h>
#include <ATen/storage.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/ScalarType.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/Exception.h>
#include <c10/util/Optional.h>

#include "wick.h"

namespace c10 {
using wick::Device;
using wick::DeviceIndex;
using wick::DeviceType;
using wick::DeviceTypeName;
using wick::IValue;
using wick::Layout;
using wick::MemoryFormat;
using wick::OptionalArrayRef;
using wick::OptionalIntArrayRef;
using wick::Scalar;
using wick::Storage;
using wick::StorageImpl;
using wick::TensorImpl;
using wick::TensorOptions;
using wick::kCPU;
using wick::kCUDA;
using wick::kMPS;
inline constexpr DeviceType kHIP = DeviceType::HIP, kXLA = DeviceType::XLA, kXPU = DeviceType::XPU;  // can be named; no tensor lives there
using wick::kMeta;
using wick::kSparse;
using wick::kStrided;
using wick::set_default_dtype;
}  // namespace c10

namespace at {
using namespace c10;

using wick::Generator;
inline TensorOptions device_index(DeviceIndex index) { return TensorOptions().device_index(index); }
using wick::Tensor;
using wick::DefaultPtrTraits;
using wick::GenericPackedTensorAccessor;
using wick::PackedTensorAccessor32;
using wick::PackedTensorAccessor64;
using wick::RestrictPtrTraits;
using wick::TensorAccessor;
using wick::TensorBase;
using wick::TensorList;
namespace Reduction = wick::Reduction;
namespace indexing {
using namespace wick::indexing;
inline constexpr int64_t INDEX_MIN = INT64_MIN;
inline constexpr int64_t INDEX_MAX = INT64_MAX;
}  // namespace indexing

namespace native {
using wick::is_nonzero;
}

// The operations, from wick's own lists.
#define WICK_USING(R, name, ...) using wick::name;
#define WICK_USING_INPLACE(name, ...) using wick::name;
#define WICK_USING_NONE(...)
#define WICK_USING_WITH_OUT(R, name, ...) using wick::name; using wick::name##_out;
WICK_ALL_FUNCTIONS(WICK_USING, WICK_USING_NONE, WICK_USING_INPLACE, WICK_USING_NONE, WICK_USING, WICK_USING_WITH_OUT, WICK_USING_WITH_OUT,
                   WICK_USING_WITH_OUT)
#undef WICK_USING_WITH_OUT
#undef WICK_USING_NONE
#undef WICK_USING_INPLACE
#undef WICK_USING
#define WICK_USING_OP(Op, name, ...) using wick::name;
#define WICK_USING_OUT(Op, name, ...) WICK_USING_OP(Op, name) using wick::name##_out;
#define WICK_USING_UNARY(Op, name, ...) WICK_USING_OUT(Op, name) using wick::name##_;
WICK_UNARY_OPS(WICK_USING_UNARY)
WICK_PREDICATE_OPS(WICK_USING_OP)
WICK_COMPARISON_OPS(WICK_USING_OUT)
WICK_BITWISE_OPS(WICK_USING_OUT)
WICK_EXTREMUM_OPS(WICK_USING_OUT)
WICK_BINARY_INPLACE_OPS(WICK_USING_OUT)
#undef WICK_USING_UNARY
#undef WICK_USING_OUT
#undef WICK_USING_OP
using wick::add_out;
using wick::device;
using wick::div_out;
using wick::dtype;
using wick::from_blob;
using wick::is_complex;
using wick::layout;
using wick::manual_seed;
using wick::mul_out;
using wick::pow_out;
using wick::requires_grad;
using wick::sub_out;
}  // namespace at
