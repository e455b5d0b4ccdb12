// Random numbers: the in-place fills, bernoulli and dropout. For the same state of the generator the numbers are those of PyTorch's CPU
// streams; cpu/random.h says where they may differ.
#include "wick/framework/ops/random.h"

#include <cmath>
#include <limits>

#include "wick/framework/ops/copy.h"
#include "wick/framework/ops/view.h"
#include "wick/framework/plan/elementwise.h"
#include "wick/framework/plan/layout.h"

namespace wick::ops {
namespace {

// x with its dimensions in another order, from the outermost to the innermost.
TensorBase reordered(const TensorBase& x, const Dims& order) {
  const Geometry to = Geometry(x).permuted(order);
  return alias_base(x, to.sizes, to.strides, to.offset);
}

TensorBase packed(const TensorBase& x) {
  if (!x.defined() || x.is_contiguous()) return x;
  TensorBase y = empty_base(x.sizes(), x.scalar_type(), x.device());
  copy_data(y, x);
  return y;
}

void draw_contiguous(const TensorBase& y, const Kernel<RandomArgs>& kernel, RandomArgs& args, const TensorBase& probabilities) {
  args.buffers[0] = Buffer(y);
  args.buffers[1] = probabilities.defined() ? Buffer(probabilities) : Buffer(nullptr);
  args.dtype = y.scalar_type();
  args.n = y.numel();
  launch(kernel, y.device(), args);
}

RandomArgs parameters(double a, double b = 0) {
  RandomArgs args{};
  args.a = a;
  args.b = b;
  return args;
}

}  // namespace

void draw(const TensorBase& y, const Kernel<RandomArgs>& kernel, RandomArgs args, const std::optional<Generator>& generator,
          const TensorBase& probabilities) {
  const bool given = generator && generator->defined();
  WICK_CHECK(!given || !y.is_cuda(), "Expected a 'cuda' device type for generator but found 'cpu'");
  args.generator = given ? generator->impl() : y.is_cuda() ? nullptr : default_cpu_generator().impl();  // null: the device's own
  if (probabilities.defined()) args.probability_dtype = probabilities.scalar_type();
  if (WICK_LIKELY(y.is_contiguous())) return draw_contiguous(y, kernel, args, packed(probabilities));
  const Dims order = memory_order(y);
  const TensorBase view = reordered(y, order);
  const TensorBase p = probabilities.defined() ? packed(reordered(probabilities, order)) : TensorBase();
  if (view.is_contiguous()) return draw_contiguous(view, kernel, args, p);
  const TensorBase drawn = empty_base(view.sizes(), y.scalar_type(), y.device());
  draw_contiguous(drawn, kernel, args, p);
  copy_data(view, drawn);
}

// ---- Parameters --------------------------------------------------------------------------------------------------------------------

namespace {

// The kernel checks float and double; half types are drawn as float and have bounds of their own.
void check_half_bounds(ScalarType t, double from, double to) {
  if (t != kHalf && t != kBFloat16) return;
  const double max = t == kHalf ? 65504 : 0x1.fep127;
  WICK_CHECK(from >= -max && from <= max, "from is out of bounds for ", cpp_type_name(t));
  WICK_CHECK(to >= -max && to <= max, "to is out of bounds for ", cpp_type_name(t));
  WICK_CHECK(to - from <= max, "uniform_ expects to-from <= std::numeric_limits<", t, ">::max(), but found to=", to, " and from=", from,
             " which result in to-from to exceed the limit");
}

// The integers of a dtype: its lowest and highest within int64, and for floating point how many bits it represents without a gap.
struct IntegerRange {
  int64_t low, high;
  int digits;
};

IntegerRange integer_range(ScalarType t) {
  if (t == kHalf) return {-65504, 65504, 11};
  if (is_floating(t)) return {INT64_MIN, INT64_MAX, t == kDouble ? 53 : t == kFloat ? 24 : 8};
  return dispatch_dtype(t, "random_", []<class T>() {
    if constexpr (std::is_integral_v<T>) {
      using Limits = std::numeric_limits<T>;
      return IntegerRange{static_cast<int64_t>(Limits::min()), static_cast<int64_t>(Limits::max()), Limits::digits};
    } else {
      return IntegerRange{};
    }
  });
}

int64_t rounded(ScalarType t, int64_t x) {
  return dispatch_dtype(t, "random_", [x]<class T>() { return convert<int64_t>(convert<T>(x)); });
}

// The distance of the floating-point numbers around x.
int64_t spacing(int64_t x, int digits) {
  const int log2 = 63 - __builtin_clzll(static_cast<uint64_t>(x < 0 ? -x : x) | 1);
  return int64_t{1} << std::max(log2 - digits + 1, 0);
}

// Moves the bounds inwards to where rounding to the dtype cannot leave [from, to).
int64_t representable_from(ScalarType t, int64_t from, int digits) {
  const int64_t next = rounded(t, from + 1);
  return next < from ? next + spacing(from + 1, digits) : from;
}
int64_t representable_to(ScalarType t, int64_t to, int digits) {
  const int64_t last = rounded(t, to - 1);
  return last >= to ? last - spacing(to - 1, digits) : to;
}

void check_bounds(ScalarType t, const IntegerRange& range, int64_t from, int64_t last) {
  WICK_CHECK(from >= range.low && from <= range.high, "from is out of bounds for ", cpp_type_name(t));
  WICK_CHECK(last >= range.low && last <= range.high, "to - 1 is out of bounds for ", cpp_type_name(t));
}

}  // namespace

// A complex number is drawn as its two parts; that of a normal distribution has the variance in total, and the mean, as PyTorch's, in both.
void draw_uniform(const TensorBase& y, double from, double to, const std::optional<Generator>& generator) {
  if (WICK_UNLIKELY(y.is_complex())) return draw_uniform(parts_of(y), from, to, generator);
  check_half_bounds(y.scalar_type(), from, to);
  draw(y, uniform_kernel, parameters(from, to), generator);
}

void draw_normal(const TensorBase& y, double mean, double std, const std::optional<Generator>& generator) {
  if (WICK_UNLIKELY(y.is_complex())) return draw_normal(parts_of(y), mean, std * M_SQRT1_2, generator);
  draw(y, y.is_contiguous() ? normal_kernel : normal_pairs_kernel, parameters(mean, std), generator);
}

void draw_integers(const TensorBase& y, int64_t from, std::optional<int64_t> to, const std::optional<Generator>& generator) {
  const ScalarType t = y.scalar_type();
  WICK_CHECK(!y.is_complex(), "check_random_bounds handles only integral, floating-point and boolean types");
  const bool floating = is_floating(t);
  const IntegerRange range = integer_range(t);
  RandomArgs args = parameters(0);
  int64_t last;
  if (to) {
    WICK_CHECK(from < *to, "random_ expects 'from' to be less than 'to', but got from=", from, " >= to=", *to);
    int64_t end = *to;
    if (floating) {
      from = representable_from(t, from, range.digits);
      end = representable_to(t, end, range.digits);
      WICK_CHECK(from < end, "random_ expects 'from' casted to dtype to be less than 'to' casted to dtype, but got from=", from,
                 " >= to=", end);
    }
    last = end - 1;
  } else if (from != INT64_MIN) {
    last = floating ? int64_t{1} << range.digits : range.high;
    WICK_CHECK(!floating || from < last, "random_ expects 'from' casted to dtype to be less than or equal to 'to_inc' casted to dtype, "
               "but got from=", from, " > to_inc=", last);
    if (floating) from = representable_from(t, from, range.digits);
  } else {
    WICK_CHECK(t == kLong || (floating && t != kHalf),
               "random_full_64_bits_range_kernel_cpu handles only int64, double, float and bfloat16");
    return draw(y, random_full_range_kernel, args, generator);
  }
  check_bounds(t, range, from, last);
  args.base = from;
  args.range = static_cast<uint64_t>(last) - static_cast<uint64_t>(from) + 1;
  draw(y, random_from_to_kernel, args, generator);
}

// ---- Operations --------------------------------------------------------------------------------------------------------------------

namespace {

// Random numbers do not depend on what they replace or on their parameters, as far as derivatives go.
void zero_gradients(const Gradients& g, int count) {
  if (!g.output().defined()) return;
  for (int i = 0; i < count; ++i) {
    if (g.wants(i)) g.set(i, zeros_like(g.output()));
  }
}

struct Fill {
  template <class Draw>
  static void forward(Context&, const Tensor& self, const Draw& draw_numbers) { draw_numbers(self); }
  static void backward(const Gradients& g) { zero_gradients(g, 1); }
};

// p as the kernel takes it: float or double, in self's shape.
Tensor probabilities(const Tensor& p, IntArrayRef sizes) {
  check_floating("bernoulli_tensor_cpu_p_", p);
  const Tensor wide = p.scalar_type() == kDouble ? p : p.to(kFloat);
  return wide.sizes() == sizes ? wide : wide.expand(sizes);
}

struct BernoulliEach {
  static constexpr OpInfo info = make_info<BernoulliEach>("bernoulli_", "BernoulliBackward1");
  static void forward(Context&, const Tensor& self, const Tensor& p, const std::optional<Generator>& generator) {
    draw(self, bernoulli_each_kernel, parameters(0), generator, probabilities(p, self.sizes()));
  }
  static void backward(const Gradients& g) { zero_gradients(g, 2); }
};

struct Bernoulli {
  static constexpr OpInfo info = make_info<Bernoulli>("bernoulli", "BernoulliBackward0");
  static Tensor forward(Context&, const Tensor& p, const std::optional<Generator>& generator) {
    Tensor y = empty_like(p);
    draw(y, bernoulli_each_kernel, parameters(0), generator, probabilities(p, p.sizes()));
    return y;
  }
  static void backward(const Gradients& g) { zero_gradients(g, 1); }
};

template <class Name>
void check_continuous(const char* distribution, const Tensor& x, const Name& dtype) {
  WICK_CHECK(x.is_floating_point(), distribution, " distribution is a continuous probability distribution. dtype must be a floating "
             "point but you specified ", dtype);
}

bool drops(const Tensor& x, double p, bool train) {
  WICK_CHECK(p >= 0 && p <= 1, "dropout probability has to be between 0 and 1, but got ", p);
  return train && p > 0 && x.numel() > 0;
}

// What dropout multiplies with: 0 with probability p, else 1 / (1 - p), which keeps the mean.
Tensor dropout_mask(const Tensor& x, double p) {
  if (p == 1) return zeros({}, x.options());
  Tensor mask = empty_like(x);
  draw(mask, bernoulli_kernel, parameters(1 - p), std::nullopt);
  return mask.div_(1 - p);
}

}  // namespace
}  // namespace wick::ops

// ---- The public functions ----------------------------------------------------------------------------------------------------------

namespace wick {

using namespace ops;
using OptionalGenerator = std::optional<Generator>;

#define WICK_FILL(name, node_name, params, ...)                                                \
  void method::name params {                                                                   \
    check_no_overlap(self, nullptr, 0);                                                        \
    apply_inplace<Named<Fill, #name, node_name>>(self, [&](const Tensor& y) { __VA_ARGS__; }); \
  }
WICK_FILL(uniform_, "UniformBackward0", (const Tensor& self, double from, double to, OptionalGenerator generator),
          draw_uniform(y, from, to, generator))
WICK_FILL(normal_, "NormalBackward0", (const Tensor& self, double mean, double std, OptionalGenerator generator),
          draw_normal(y, mean, std, generator))
WICK_FILL(log_normal_, "LogNormalBackward0", (const Tensor& self, double mean, double std, OptionalGenerator generator),
          draw(y, log_normal_kernel, parameters(mean, std), generator))
WICK_FILL(cauchy_, "CauchyBackward0", (const Tensor& self, double median, double sigma, OptionalGenerator generator),
          check_continuous("Cauchy", y, cpp_type_name(y.scalar_type())); draw(y, cauchy_kernel, parameters(median, sigma), generator))
WICK_FILL(exponential_, "ExponentialBackward0", (const Tensor& self, double lambd, OptionalGenerator generator),
          check_continuous("Exponential", y, y.scalar_type()); draw(y, exponential_kernel, parameters(lambd), generator))
WICK_FILL(geometric_, "GeometricBackward0", (const Tensor& self, double p, OptionalGenerator generator),
          draw(y, geometric_kernel, parameters(p), generator))
WICK_FILL(random_, "RandomBackward0", (const Tensor& self, int64_t from, std::optional<int64_t> to, OptionalGenerator generator),
          draw_integers(y, from, to, generator))
WICK_FILL(random_, "RandomBackward1", (const Tensor& self, int64_t to, OptionalGenerator generator), draw_integers(y, 0, to, generator))
WICK_FILL(random_, "RandomBackward2", (const Tensor& self, OptionalGenerator generator),
          draw(y, random_default_kernel, parameters(0), generator))
WICK_FILL(bernoulli_, "BernoulliBackward2", (const Tensor& self, double p, OptionalGenerator generator),
          draw(y, bernoulli_kernel, parameters(p), generator))

void method::bernoulli_(const Tensor& self, const Tensor& p, OptionalGenerator generator) {
  check_no_overlap(self, nullptr, 0);
  apply_inplace<BernoulliEach>(self, p, generator);
}

Tensor bernoulli(const Tensor& self, OptionalGenerator generator) { return apply<Bernoulli>(self, generator); }

Tensor dropout(const Tensor& input, double p, bool train) {
  return drops(input, p, train) ? mul(input, dropout_mask(input, p)) : input;
}

Tensor& dropout_(Tensor& self, double p, bool train) {
  if (drops(self, p, train)) self.mul_(dropout_mask(self, p));
  return self;
}

}  // namespace wick
