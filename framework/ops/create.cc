// The factory functions: tensors of a given content, or like another tensor.
#include <cmath>

#include "wick/framework/core/cuda_slot.h"
#include "wick/framework/ops/copy.h"
#include "wick/framework/ops/random.h"
#include "wick/framework/plan/create.h"

namespace wick {
namespace ops {
namespace {

using OptionalFormat = std::optional<MemoryFormat>;

// What every factory checks, before it allocates or draws anything.
void check_options(const TensorOptions& options) {
  WICK_CHECK_NOT_IMPLEMENTED(options.layout() == kStrided, "only tensors of strided layout are supported");
  const ScalarType t = options.dtype();
  WICK_CHECK(!options.requires_grad() || is_floating(t) || wick::is_complex(t),
             "Only Tensors of floating point and complex dtype can require gradients\n  This one is to be ", dtype_name(t), ".");
}

MemoryFormat chosen_format(const TensorOptions& options, const OptionalFormat& format, MemoryFormat otherwise) {
  WICK_CHECK(!options.has_memory_format() || !format,
             "Cannot set memory_format both in TensorOptions and explicit argument; please delete the redundant setter.");
  return format ? *format : options.memory_format_opt().value_or(otherwise);
}

Tensor finish(Tensor x, const TensorOptions& options) {
  if (options.requires_grad()) x.requires_grad_();
  return x;
}

// A tensor whose content `fill` writes, past autograd, so that it begins its life with version 0 and as a leaf.
template <class Fill>
Tensor make(IntArrayRef size, const TensorOptions& options, const Fill& fill) {
  check_options(options);
  const bool pinned = options.pinned_memory() && options.device().is_cpu();
  Tensor x(empty_base(size, options.dtype(), pinned ? Device(kMeta) : resolve_device(options.device())));
  if (WICK_UNLIKELY(pinned)) x = allocate_pinned_like(x, options.dtype());
  fill(x);
  return finish(std::move(x), options);
}

// The same with the shape, and where options do not say otherwise the dtype, device and memory order, of another tensor.
template <class Fill>
Tensor make_like(const Tensor& like, const TensorOptions& wanted, const OptionalFormat& format, const Fill& fill) {
  const TensorOptions options = like.options().merge_in(wanted);
  check_options(options);
  Tensor x = allocate_like(like, options.dtype(), resolve_device(options.device()), chosen_format(wanted, format, MemoryFormat::Preserve));
  fill(x);
  return finish(std::move(x), options);
}

constexpr auto leave = [](const Tensor&) {};

auto fill_with(const Scalar& value) {
  return [value](const Tensor& x) { fill_data(x, value); };
}

TensorOptions with_dtype_or(const TensorOptions& options, ScalarType otherwise) {
  return options.has_dtype() ? options : options.dtype(otherwise);
}

// ---- Ranges ------------------------------------------------------------------------------------------------------------------------

// How many numbers arange gives; throws PyTorch's sentences.
int64_t arange_size(const Scalar& start, const Scalar& end, const Scalar& step, ScalarType dtype) {
  const double first = start.toDouble(), last = end.toDouble(), by = step.toDouble();
  WICK_CHECK(std::isfinite(by), "step must be finite but got ", by);
  WICK_CHECK(by != 0, "step must be nonzero");
  WICK_CHECK(std::isfinite(first) && std::isfinite(last), "unsupported range: ", first, " -> ", last);
  WICK_CHECK(by > 0 ? last >= first : last <= first, "upper bound and lower bound inconsistent with step sign");
  if (dtype == kLong && start.isIntegral() && end.isIntegral() && step.isIntegral()) {
    // Unsigned, since the distance of two integers may need 64 bits; both are on the same side of 0.
    const auto magnitude = [up = by > 0](uint64_t x) { return up ? x : 0 - x; };
    const uint64_t distance = magnitude(static_cast<uint64_t>(end.toLong()) - static_cast<uint64_t>(start.toLong()));
    const uint64_t stride = magnitude(static_cast<uint64_t>(step.toLong()));
    const uint64_t size = distance / stride + (distance % stride != 0);
    WICK_CHECK(size <= static_cast<uint64_t>(INT64_MAX), "invalid size, possible overflow?");
    return static_cast<int64_t>(size);
  }
  const double size = std::ceil((last - first) / by);
  WICK_CHECK(size >= 0 && size < 0x1p63, "invalid size, possible overflow?");
  return static_cast<int64_t>(size);
}

void launch_range(const Kernel<RangeArgs>& kernel, const Tensor& y, const Scalar& start, const Scalar& end, const Scalar& step) {
  RangeArgs args{};
  args.buffers[0] = Buffer(y);
  args.dtype = y.scalar_type();
  args.n = y.numel();
  args.start = start.toDouble();
  args.end = end.toDouble();
  args.step = step.toDouble();
  if (is_integral(args.dtype, false)) {
    args.first = start.toLong();
    args.stride = step.toLong();
  }
  launch(kernel, y.device(), args);
}

void check_not_bool(const char* kernel, ScalarType dtype) {
  WICK_CHECK_NOT_IMPLEMENTED(dtype != kBool && !is_complex(dtype), "\"", kernel, "\" not implemented for '", dtype, "'");
}

// The largest permutation whose numbers the dtype holds exactly.
void check_permutation(int64_t n, ScalarType dtype) {
  check_not_bool("randperm", dtype);
  if (n > 0) check_fits(n - 1, dtype);
  WICK_CHECK(dtype != kHalf || n <= (1 << 11) + 1, "n cannot be greater than 2049 for Half type.");
  WICK_CHECK(dtype != kFloat || n <= (1 << 24) + 1, "n cannot be greater than 2^24+1 for Float type.");
  WICK_CHECK(dtype != kDouble || n <= (int64_t{1} << 53) + 1, "n cannot be greater than 2^53+1 for Double type.");
}

}  // namespace
}  // namespace ops

// ---- Of a given content ------------------------------------------------------------------------------------------------------------

using ops::fill_with;
using ops::make;
using ops::make_like;
using OptionalGenerator = std::optional<Generator>;
using OptionalFormat = std::optional<MemoryFormat>;

Tensor empty(IntArrayRef size, TensorOptions options, OptionalFormat format) {
  const MemoryFormat chosen = ops::chosen_format(options, format, MemoryFormat::Contiguous);
  WICK_CHECK(chosen != MemoryFormat::Preserve, "unsupported memory format Preserve");
  if (chosen == MemoryFormat::Contiguous) return make(size, options, ops::leave);
  const Tensor shape(empty_base(size, options.dtype(), kMeta));
  return empty_strided(size, ops::strides_for(chosen, shape), options);
}

Tensor empty_strided(IntArrayRef size, IntArrayRef stride, TensorOptions options) {
  ops::check_options(options);
  return ops::finish(empty_strided_base(size, stride, options.dtype(), resolve_device(options.device())), options);
}

Tensor zeros(IntArrayRef size, TensorOptions options) { return make(size, options, fill_with(0)); }
Tensor ones(IntArrayRef size, TensorOptions options) { return make(size, options, fill_with(1)); }

Tensor full(IntArrayRef size, const Scalar& value, TensorOptions options) {
  const ScalarType kind = value.isFloatingPoint() ? default_dtype() : value.isComplex() ? to_complex_type(default_dtype()) : value.type();
  options = ops::with_dtype_or(options, kind);
  ops::check_fits(value, options.dtype());
  return make(size, options, fill_with(value));
}

Tensor eye(int64_t n, int64_t m, TensorOptions options) {
  WICK_CHECK(n >= 0, "n must be greater or equal to 0, got ", n);
  WICK_CHECK(m >= 0, "m must be greater or equal to 0, got ", m);
  return make({n, m}, options, [&](const Tensor& x) {
    ops::fill_data(x, 0);
    ops::fill_data(alias_base(x, {std::min(n, m)}, {m + 1}, 0), 1);
  });
}

Tensor arange(const Scalar& start, const Scalar& end, const Scalar& step, TensorOptions options) {
  const bool integers = start.isIntegral(true) && end.isIntegral(true) && step.isIntegral(true);
  options = ops::with_dtype_or(options, integers ? kLong : default_dtype());
  ops::check_not_bool("arange_cpu", options.dtype());
  const int64_t size = ops::arange_size(start, end, step, options.dtype());
  return make(size, options, [&](const Tensor& x) { ops::launch_range(arange_kernel, x, start, end, step); });
}

Tensor linspace(const Scalar& start, const Scalar& end, int64_t steps, TensorOptions options) {
  WICK_CHECK(steps >= 0, "number of steps must be non-negative");
  const ScalarType number = start.isComplex() || end.isComplex() ? to_complex_type(default_dtype()) : default_dtype();
  options = ops::with_dtype_or(options, number);
  if (is_complex(options.dtype())) {
    const TensorOptions part = TensorOptions(options).dtype(to_real_type(options.dtype()));
    const auto from = start.toComplexDouble(), to = end.toComplexDouble();
    return complex(linspace(from.real(), to.real(), steps, part), linspace(from.imag(), to.imag(), steps, part));
  }
  ops::check_not_bool("linspace_cpu", options.dtype());
  return make(steps, options, [&](const Tensor& x) { ops::launch_range(linspace_kernel, x, start, end, 0); });
}

// ---- Random ------------------------------------------------------------------------------------------------------------------------

Tensor rand(IntArrayRef size, OptionalGenerator generator, TensorOptions options) {
  return make(size, options, [&](const Tensor& x) { ops::draw_uniform(x, 0, 1, generator); });
}

Tensor normal(double mean, double std, IntArrayRef size, OptionalGenerator generator, TensorOptions options) {
  return make(size, options, [&](const Tensor& x) { ops::draw_normal(x, mean, std, generator); });
}

Tensor randint(int64_t low, int64_t high, IntArrayRef size, OptionalGenerator generator, TensorOptions options) {
  return make(size, options, [&](const Tensor& x) { ops::draw_integers(x, low, high, generator); });
}

Tensor randperm(int64_t n, OptionalGenerator generator, TensorOptions options) {
  ops::check_permutation(n, options.dtype());
  return make(n, options, [&](const Tensor& x) {
    // The numbers are drawn alike for every dtype.
    if (x.scalar_type() == kLong) return ops::draw(x, randperm_kernel, RandomArgs{}, generator);
    const TensorBase drawn = empty_base(x.sizes(), kLong, x.device());
    ops::draw(drawn, randperm_kernel, RandomArgs{}, generator);
    ops::copy_data(x, drawn);
  });
}

// ---- Like another tensor -----------------------------------------------------------------------------------------------------------

#define WICK_LIKE(name, ...)                                                             \
  Tensor name##_like(const Tensor& self, TensorOptions options, OptionalFormat format) { \
    return make_like(self, options, format, __VA_ARGS__);                                \
  }
WICK_LIKE(empty, ops::leave)
WICK_LIKE(zeros, fill_with(0))
WICK_LIKE(ones, fill_with(1))
WICK_LIKE(rand, [](const Tensor& x) { ops::draw_uniform(x, 0, 1, std::nullopt); })
WICK_LIKE(randn, [](const Tensor& x) { ops::draw_normal(x, 0, 1, std::nullopt); })
Tensor full_like(const Tensor& self, const Scalar& value, TensorOptions options, OptionalFormat format) {
  ops::check_fits(value, options.dtype_opt().value_or(self.scalar_type()));
  return make_like(self, options, format, fill_with(value));
}
Tensor randint_like(const Tensor& self, int64_t low, int64_t high, TensorOptions options, OptionalFormat format) {
  return make_like(self, options, format, [&](const Tensor& x) { ops::draw_integers(x, low, high, std::nullopt); });
}

}  // namespace wick
