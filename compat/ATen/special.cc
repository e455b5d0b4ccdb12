#include <ATen/special.h>
#include <ATen/special_values.h>
#include <c10/util/Exception.h>

#include <cmath>
#include <limits>
#include <string_view>

#include "wick/framework/autograd/function.h"
#include "wick/framework/core/launch.h"
#include "wick/framework/core/parallel.h"
#include "wick/framework/ops/elementwise.h"

namespace at {
namespace {

// y = f(x, n) in each place; n is left out by functions of one number.
struct PointwiseArgs {
  wick::Buffer buffers[3];
  static constexpr wick::Access access[] = {wick::Access::kWrite, wick::Access::kRead, wick::Access::kRead};
  int64_t numel;
  double (*f)(double x, double n);
};

void run_pointwise(const PointwiseArgs& args) {
  double* y = args.buffers[0].as<double>();
  const double *x = args.buffers[1].as<double>(), *n = args.buffers[2].as<double>();
  wick::parallel_for(0, args.numel, 512, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) y[i] = args.f(x[i], n ? n[i] : 0);
  });
}
constinit wick::Kernel<PointwiseArgs> pointwise_kernel =
    wick::Kernel<PointwiseArgs>::make<run_pointwise, run_pointwise>("special_function");

Tensor pointwise(double (*f)(double, double), const Tensor& x, const Tensor& n, ScalarType dtype) {
  const Tensor in = x.to(kDouble).contiguous(), second = n.defined() ? n.to(kDouble).contiguous() : Tensor();
  const Tensor y = wick::empty(in.sizes(), in.options());
  if (y.numel() > 0) {
    const PointwiseArgs args{{y, in, second.defined() ? wick::Buffer(second) : wick::Buffer(nullptr)}, y.numel(), f};
    wick::launch(pointwise_kernel, y.device(), args);
  }
  return y.to(dtype);
}

using Derivative = Tensor (*)(const Tensor& x, const Tensor& n);
struct Entry {
  const char* name;
  double (*f)(double, double);
  Derivative by_x, by_n;  // null: no derivative
  const char* missing;    // what the error calls the argument without one; null: the result has no history
};

struct Special : wick::autograd::Function<Special> {
  static Tensor forward(wick::autograd::AutogradContext* ctx, const Tensor& x, const Tensor& n, const Entry* entry, ScalarType dtype) {
    ctx->save_for_backward({x, n});
    ctx->saved_data["entry"] = static_cast<int64_t>(reinterpret_cast<intptr_t>(entry));
    return pointwise(entry->f, x, n, dtype);
  }
  static wick::autograd::variable_list backward(wick::autograd::AutogradContext* ctx, wick::autograd::variable_list g) {
    const Entry* entry = reinterpret_cast<const Entry*>(static_cast<intptr_t>(ctx->saved_data["entry"].toInt()));
    const auto saved = ctx->get_saved_variables();
    Tensor by_x, by_n;
    if (ctx->needs_input_grad(0)) {
      if (!entry->by_x) wick::detail::raise<wick::NotImplementedError>("the derivative for '", entry->missing, "' is not implemented.");
      by_x = g[0] * entry->by_x(saved[0], saved[1]);
    }
    if (saved[1].defined() && ctx->needs_input_grad(1)) by_n = g[0] * entry->by_n(saved[0], saved[1]);
    return {by_x, by_n, Tensor(), Tensor()};
  }
};

// bfloat16 and float16 have the Bessel functions of names that begin with i, the incomplete gamma functions and entr.
void check_kernel(const Entry& entry, ScalarType dtype) {
  const std::string_view name = entry.name;
  const bool half = (dtype == kHalf || dtype == kBFloat16) && name[0] != 'i' && name != "entr", counts = name.starts_with("igamma");
  TORCH_CHECK_NOT_IMPLEMENTED(!wick::is_complex(dtype) && !half && !(counts && wick::is_integral(dtype, true)), '"', name,
                              name == "i0" ? "_vml" : "", "_cpu\" not implemented for '", dtype, "'");
}

Tensor of_one(const Entry& entry, const Tensor& self) {
  check_kernel(entry, self.scalar_type());
  const ScalarType dtype = self.is_floating_point() ? self.scalar_type() : wick::default_dtype();
  if (!entry.by_x) return pointwise(entry.f, self.detach(), {}, dtype);
  return Special::apply(self.is_floating_point() ? self : self.to(dtype), Tensor(), &entry, dtype);
}

// The dtype of both, and that as floats.
ScalarType joint_type(const Tensor& a, const Tensor& b) {
  const wick::ops::Operand both[] = {a, b};
  return wick::ops::result_type(both, 2);
}
ScalarType float_type(const Tensor& a, const Tensor& b) {
  const ScalarType type = joint_type(a, b);
  return wick::is_integral(type, true) ? wick::default_dtype() : type;
}

Tensor of_two(const Entry& entry, const Tensor& x, const Tensor& n) {
  const ScalarType dtype = float_type(x, n);
  check_kernel(entry, joint_type(x, n));
  const auto both = wick::broadcast_tensors({x.to(dtype), n.to(dtype)});
  if (!entry.by_n && !entry.by_x) return pointwise(entry.f, both[0].detach(), both[1].detach(), dtype);
  return Special::apply(both[0], both[1], &entry, dtype);
}

// y / x, and `limit` at 0.
Tensor over(const Tensor& y, const Tensor& x, double limit) {
  const Tensor zero = x.detach().eq(0);
  return (y / x.masked_fill(zero, 1)).masked_fill(zero, limit);
}

#define WICK_BY(formula) [](const Tensor& x, const Tensor& n) -> Tensor { (void)n; return formula; }
constexpr Derivative kByI0 = WICK_BY(special_i1(x));
constexpr Derivative kByI1 = WICK_BY(special_i0(x) - over(special_i1(x), x, 0.5));
constexpr Derivative kByI0e = WICK_BY(special_i1e(x) - x.sgn() * special_i0e(x));
constexpr Derivative kByI1e = WICK_BY(special_i0e(x) - x.sgn() * special_i1e(x) - over(special_i1e(x), x, 0.5));
#define WICK_ENTRY(name, by) {#name, special_values::name, by, nullptr, nullptr}
#define WICK_SMOOTH(name, by)                                           \
  Tensor special_##name(const Tensor& self) {                           \
    static constexpr Entry kEntry = WICK_ENTRY(name, by);               \
    return of_one(kEntry, self);                                        \
  }
#define WICK_ROUGH(name) WICK_SMOOTH(name, nullptr)
#define WICK_POLYNOMIAL(name)                                           \
  Tensor special_##name(const Tensor& x, const Tensor& n) {             \
    static constexpr Entry kEntry = WICK_ENTRY(name, nullptr);          \
    return of_two(kEntry, x, n);                                        \
  }

}  // namespace

WICK_SMOOTH(i0, kByI0)
WICK_SMOOTH(i1, kByI1)
WICK_SMOOTH(i0e, kByI0e)
WICK_SMOOTH(i1e, kByI1e)
WICK_SMOOTH(modified_bessel_i0, kByI0)
WICK_SMOOTH(modified_bessel_i1, kByI1)
WICK_SMOOTH(modified_bessel_k0, WICK_BY(-special_modified_bessel_k1(x)))
WICK_SMOOTH(modified_bessel_k1, WICK_BY(-special_modified_bessel_k0(x) - special_modified_bessel_k1(x) / x))
WICK_SMOOTH(bessel_j0, WICK_BY(-special_bessel_j1(x)))
WICK_SMOOTH(bessel_j1, WICK_BY(special_bessel_j0(x) - over(special_bessel_j1(x), x, 0.5)))
WICK_SMOOTH(bessel_y0, WICK_BY(-special_bessel_y1(x)))
WICK_SMOOTH(bessel_y1, WICK_BY(special_bessel_y0(x) - special_bessel_y1(x) / x))
WICK_SMOOTH(entr, WICK_BY(-(x.log() + 1)))
WICK_SMOOTH(erfcx, WICK_BY(x * 2 * special_erfcx(x) - 2 / std::sqrt(M_PI)))
WICK_SMOOTH(ndtri, WICK_BY((special_ndtri(x).square() / 2).exp() * std::sqrt(2 * M_PI)))
WICK_SPECIAL_ROUGH(WICK_ROUGH)
WICK_SPECIAL_POLYNOMIALS(WICK_POLYNOMIAL)

Tensor special_zeta(const Tensor& x, const Tensor& n) {
  static constexpr Entry kEntry{"zeta", special_values::zeta, nullptr, WICK_BY(-x * special_zeta(x + 1, n)), "zeta"};
  return of_two(kEntry, x, n);
}
// The density of the gamma distribution of shape x at n.
#define WICK_GAMMA_DENSITY ((x - 1) * n.log() - n - x.lgamma()).exp()
Tensor igamma(const Tensor& self, const Tensor& other) {
  static constexpr Entry kEntry{"igamma", special_values::gammainc, nullptr, WICK_BY(WICK_GAMMA_DENSITY), "igamma: input"};
  return of_two(kEntry, self, other);
}
Tensor igammac(const Tensor& self, const Tensor& other) {
  static constexpr Entry kEntry{"igammac", special_values::gammaincc, nullptr, WICK_BY(-WICK_GAMMA_DENSITY), "igammac: input"};
  return of_two(kEntry, self, other);
}

Tensor& i0_(Tensor& self) {
  wick::method::overwrite("i0", self, special_i0(wick::method::source(self)));
  return self;
}

Tensor special_xlog1py(const Tensor& x, const Tensor& n) {
  const ScalarType dtype = float_type(x, n);
  TORCH_CHECK_NOT_IMPLEMENTED(!wick::is_complex(dtype), "\"xlog1py_cpu\" not implemented for '", dtype, "'");
  const Tensor a = x.to(dtype), b = n.to(dtype);
  const Tensor zero = a.detach().eq(0).logical_and(b.detach().le(-1).logical_or(b.detach().eq(std::numeric_limits<double>::infinity())));
  return a * wick::where(zero, 0, b).log1p();
}

Tensor special_ndtr(const Tensor& self) {
  TORCH_CHECK_NOT_IMPLEMENTED(!self.is_complex(), "\"erf_vml_cpu\" not implemented for '", self.scalar_type(), "'");
  return special_erfc(self * -M_SQRT1_2) / 2;
}
Tensor special_log_ndtr(const Tensor& self) {
  const ScalarType given = self.scalar_type();
  TORCH_CHECK_NOT_IMPLEMENTED(given == kFloat || given == kDouble || wick::is_integral(given, true),
                              "\"log_ndtr_cpu\" not implemented for '", given, "'");
  const Tensor x = self.is_floating_point() ? self : self.to(wick::default_dtype()), left = x.detach().lt(-1);
  const Tensor below = wick::where(left, x, -1.0), above = wick::where(left, -1.0, x);
  return wick::where(left, (special_erfcx(below * -M_SQRT1_2) / 2).log() - below.square() / 2,
                     (special_erfc(above * M_SQRT1_2) / -2).log1p());
}

Tensor mvlgamma(const Tensor& self, int64_t p) {
  TORCH_CHECK(self.scalar_type() != kBool, "The input tensor may not be a boolean tensor.");
  TORCH_CHECK(p >= 1, "p has to be greater than or equal to 1");
  const ScalarType dtype = self.is_floating_point() ? self.scalar_type() : wick::default_dtype();
  const Tensor halves = wick::arange(p, TensorOptions(dtype).device(self.device())) / -2;
  return (self.unsqueeze(-1) + halves).lgamma().sum(-1) + static_cast<double>(p * (p - 1)) / 4 * std::log(M_PI);
}

Tensor special_round(const Tensor& self, int64_t decimals) {
  if (decimals == 0) return self.round();
  const double scale = std::pow(10.0, static_cast<double>(std::abs(decimals)));
  return decimals > 0 ? (self * scale).round() / scale : (self / scale).round() * scale;
}

}  // namespace at

wick::Tensor wick::detail::special_number(const Scalar& number, const Tensor& beside) {
  return scalar_tensor(number, TensorOptions(beside.is_floating_point() ? beside.scalar_type() : default_dtype()).device(beside.device()));
}
