// Softmax and its logarithm. A row of nothing but -inf gives NaN, as in PyTorch.
#include "wick/framework/plan/softmax.h"

#include "wick/framework/ops/op.h"

namespace wick::ops {
namespace {

template <bool log>
struct SoftmaxOf {
  static Tensor forward(Context& ctx, const Tensor& input, int64_t dim) {
    const ScalarType dtype = input.scalar_type();
    const ScalarType compute = dtype == kDouble ? kDouble : kFloat;
    const Tensor x = input.to(compute).contiguous();
    Tensor y = empty_base(x.sizes(), compute, x.device());
    launch(softmax_kernel, x.device(), SoftmaxArgs{{y, x}, compute, log, class_shape(x, dim)});
    y = y.to(dtype);
    ctx.save_output(y);
    ctx.save_numbers(dim);
    return y;
  }

  static void backward(const Gradients& g) {
    const Tensor y = g.saved(0);
    const int64_t dim = g.number(0);
    const bool fused = !g.create_graph() && g.output().scalar_type() == y.scalar_type() &&
                       (y.scalar_type() == kFloat || y.scalar_type() == kDouble);
    g.set(0, fused ? run_backward(g.output().contiguous(), y, dim) : compose(g.output(), y, dim));
  }

  static Tensor compose(const Tensor& g, const Tensor& y, int64_t dim) {
    if constexpr (log) return g - y.exp() * g.sum(dim, true);
    else return y * (g - (g * y).sum(dim, true));
  }

  static Tensor run_backward(const Tensor& g, const Tensor& y, int64_t dim) {
    Tensor gx = empty_base(y.sizes(), y.scalar_type(), y.device());
    launch(softmax_backward_kernel, y.device(), SoftmaxBackwardArgs{{gx, g, y}, y.scalar_type(), log, class_shape(y, dim)});
    return gx;
  }
};
using Softmax = Named<SoftmaxOf<false>, "softmax", "SoftmaxBackward0">;
using LogSoftmax = Named<SoftmaxOf<true>, "log_softmax", "LogSoftmaxBackward0">;

template <class Op>
Tensor softmax_along(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  const Tensor x = dtype && *dtype != self.scalar_type() ? self.to(*dtype) : self;
  const int64_t d = wrap_dim(dim, x.dim());
  WICK_CHECK_NOT_IMPLEMENTED(is_floating(x.scalar_type()), "\"", Op::info.name, d + 1 >= x.dim() ? "_lastdim" : "",
                             "_kernel_impl\" not implemented for '", x.scalar_type(), "'\n  ", describe(Op::info.name, {&x}),
                             "\n  Convert it with .to(kFloat), or pass a dtype.");
  return apply<Op>(x, d);
}

}  // namespace
}  // namespace wick::ops

namespace wick {

Tensor softmax(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  return ops::softmax_along<ops::Softmax>(self, dim, dtype);
}
Tensor log_softmax(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  return ops::softmax_along<ops::LogSoftmax>(self, dim, dtype);
}

}  // namespace wick
