// Losses. A mean over nothing (no elements, every target ignored) is NaN, as in PyTorch.
#include "wick/framework/ops/autocast.h"
#include "wick/framework/ops/reduce.h"
#include "wick/framework/plan/softmax.h"

namespace wick::ops {
namespace {

LossReduction checked_reduction(int64_t reduction) {
  WICK_CHECK_VALUE(reduction >= Reduction::None && reduction < Reduction::END, reduction, " is not a valid value for reduction");
  return reduction == Reduction::None ? LossReduction::kNone : reduction == Reduction::Mean ? LossReduction::kMean : LossReduction::kSum;
}

// ---- Losses on class indices -------------------------------------------------------------------------------------------------------

// The kernel leaves the derivative of the result beside it; backward has no more to do than to multiply it. Classes along dimension 1.
template <bool softmax>
struct ClassLoss {
  static Tensor forward(Context& ctx, const Tensor& input, const Tensor& target, const Tensor& weight, LossReduction reduction,
                        int64_t ignore_index) {
    const Tensor x = input.contiguous(), targets = target.contiguous();
    const Tensor weights = weight.defined() ? weight.contiguous() : weight;
    Tensor y = empty_base(reduction == LossReduction::kNone ? target.sizes() : IntArrayRef(), x.scalar_type(), x.device());
    Tensor slope;
    if (ctx.wants(0)) slope = empty_base(x.sizes(), x.scalar_type(), x.device());
    launch(softmax ? cross_entropy_kernel : nll_kernel, x.device(),
           ClassLossArgs{{y, slope, x, targets, weights}, x.scalar_type(), reduction, ignore_index, class_shape(x, 1)});
    ctx.save(slope);
    if (softmax) ctx.save(input, targets, weights);
    ctx.save_numbers(reduction, ignore_index);
    return y;
  }

  static void backward(const Gradients& g) {
    if (!g.wants(0)) return;
    const bool each = static_cast<LossReduction>(g.number(0)) == LossReduction::kNone;
    const Tensor gradient = each ? g.output().unsqueeze(1) : g.output();
    g.set(0, gradient * (softmax && g.create_graph() ? compose_slope(g) : g.saved(0)));
  }

  // w_t (softmax(x) - [class == t]) / divisor
  static Tensor compose_slope(const Gradients& g) {
    const Tensor x = g.saved(1), target = g.saved(2), counted = target.ne(g.number(1));
    const Tensor index = target.masked_fill(counted.logical_not(), 0);
    Tensor scale = counted.to(x.scalar_type());
    if (g.has_saved(3)) scale = scale * g.saved(3).index_select(0, index.reshape({-1})).reshape(index.sizes());
    if (static_cast<LossReduction>(g.number(0)) == LossReduction::kMean) scale = scale / scale.sum();
    const Tensor scales = scale.unsqueeze(1);
    return wick::softmax(x, 1) * scales - zeros_like(x.detach()).scatter_(1, index.unsqueeze(1), scales);
  }
};
using CrossEntropy = Named<ClassLoss<true>, "cross_entropy_loss", "NllLossBackward0">;
using CrossEntropy2d = Named<ClassLoss<true>, "cross_entropy_loss", "NllLoss2DBackward0">;
using Nll = Named<ClassLoss<false>, "nll_loss", "NllLossBackward0">;
using Nll2d = Named<ClassLoss<false>, "nll_loss", "NllLoss2DBackward0">;

// PyTorch's sentences, in its order.
void check_class_shapes(const char* name, const Tensor& x, const Tensor& target) {
  const auto text = [&] { return describe(name, {&x, &target}); };
  WICK_CHECK_VALUE(x.dim() >= 1, "Expected 1 or more dimensions (got 0)\n  ", text());
  if (x.dim() == 1) {
    WICK_CHECK(target.dim() <= 1, "0D or 1D target tensor expected, multi-target not supported\n  ", text());
    WICK_CHECK(target.numel() == 1, "For 1D input, 1D target must have size 1, but got target size: ", target.numel(), "\n  ", text());
    return;
  }
  const int64_t batch = target.dim() ? target.size(0) : 1;
  WICK_CHECK_VALUE(x.size(0) == batch, "Expected input batch_size (", x.size(0), ") to match target batch_size (", batch, ").\n  ", text());
  WICK_CHECK(x.dim() != 2 || target.dim() <= 1, "0D or 1D target tensor expected, multi-target not supported\n  ", text(),
             "\n  One class for each row, shape [N]: squeeze(1) makes it of [N, 1], argmax(1) of one-hot rows.");
  if (x.dim() == 2) return;
  Dims expected(x.sizes());
  expected.erase(1);
  if (target.sizes() == IntArrayRef(expected)) return;
  WICK_CHECK(x.dim() != 4 || target.dim() == 3, "only batches of spatial targets supported (3D tensors) but got targets of dimension: ",
             target.dim(), "\n  ", text());
  WICK_CHECK(x.dim() != 4, "size mismatch (got input: ", x.sizes(), " , target: ", target.sizes(), "\n  ", text());
  WICK_CHECK(false, "Expected target size ", expected, ", got ", target.sizes(), "\n  ", text());
}

void check_class_types(const char* name, const Tensor& x, const Tensor& target, const Tensor& weight) {
  const ScalarType t = target.scalar_type();
  WICK_CHECK(t == kLong || t == kByte, "expected target dtype to be Long or Byte, but got ", t, "\n  ", describe(name, {&x, &target}),
             "\n  Class indices are converted with .to(kLong).");
  if (!weight.defined()) return;
  const int64_t classes = x.size(x.dim() == 1 ? 0 : 1);
  WICK_CHECK(weight.dim() == 1 && weight.numel() == classes, "weight tensor should be defined either for all ", classes,
             " classes or no classes but got weight tensor of shape: ", weight.sizes());
  WICK_CHECK(weight.scalar_type() == x.scalar_type(), "expected scalar type ", x.scalar_type(), " but found ", weight.scalar_type(),
             "\n  ", name, ": the weights must have the dtype of the input");
}

// float16 and bfloat16 compute as float; a single sample is a batch of one.
template <class Op, class Op2d>
Tensor class_loss(const Tensor& self, const Tensor& target, const Tensor& weight, int64_t reduction, int64_t ignore_index) {
  const char* name = Op::info.name;
  check_same_device(name, {&self, &target, &weight});
  const LossReduction how = checked_reduction(reduction);
  check_class_shapes(name, self, target);
  check_class_types(name, self, target, weight);
  WICK_CHECK(!weight.defined() || !weight.requires_grad() || !t_state.grad_enabled, "The function 'nll_loss", self.dim() > 2 ? "2d" : "",
             "_forward' is not differentiable with respect to argument 'weight'. This input cannot have requires_grad True.");
  const ScalarType dtype = self.scalar_type(), compute = dtype == kDouble ? kDouble : kFloat;
  if (WICK_UNLIKELY(dtype != compute)) {
    const Tensor weights = weight.defined() ? weight.to(compute) : weight;
    return class_loss<Op, Op2d>(self.to(compute), target, weights, reduction, ignore_index).to(dtype);
  }
  const Tensor targets = target.scalar_type() == kLong ? target : target.to(kLong);
  if (self.dim() == 1) {
    const Tensor y = apply<Op>(self.unsqueeze(0), targets.reshape({1}), weight, how, ignore_index);
    return y.dim() ? y.reshape(target.sizes()) : y;
  }
  if (self.dim() == 2) return apply<Op>(self, targets.dim() ? targets : targets.unsqueeze(0), weight, how, ignore_index);
  return apply<Op2d>(self, targets, weight, how, ignore_index);
}

// ---- Cross-entropy of probabilities, and with smoothed labels ----------------------------------------------------------------------

// The weights of the classes along dimension `dim` of x, to multiply with.
Tensor along_classes(const Tensor& weight, const Tensor& x, int64_t dim) {
  Dims sizes(x.sizes().size(), 1);
  sizes[static_cast<size_t>(dim)] = weight.numel();
  return weight.reshape(sizes);
}

void check_smoothing(double label_smoothing) {
  WICK_CHECK(label_smoothing >= 0 && label_smoothing <= 1, "label_smoothing must be between 0.0 and 1.0. Got: ", label_smoothing);
}

// -sum_c w_c p_c log softmax(x)_c
Tensor probability_loss(const Tensor& self, const Tensor& target, const Tensor& weight, int64_t reduction, double label_smoothing) {
  WICK_CHECK(is_floating(target.scalar_type()), "Expected floating point type for target with class probabilities, got ",
             target.scalar_type(), "\n  ", describe("cross_entropy_loss", {&self, &target}));
  const int64_t dim = self.dim() == 1 ? 0 : 1, classes = self.size(dim);
  Tensor terms = log_softmax(self, dim) * (label_smoothing > 0 ? target * (1 - label_smoothing) + label_smoothing / classes : target);
  if (weight.defined()) terms = terms * along_classes(weight, self, dim);
  if (reduction == Reduction::None) return -terms.sum(dim);
  const Tensor total = -terms.sum();
  return reduction == Reduction::Mean ? total / (static_cast<double>(self.numel()) / classes) : total;
}

// (1 - s) times the loss on the indices, and s / classes times that on all classes alike.
Tensor smoothed_loss(const Tensor& self, const Tensor& target, const Tensor& weight, int64_t reduction, int64_t ignore_index,
                     double label_smoothing) {
  const int64_t dim = self.dim() == 1 ? 0 : 1;
  const Tensor logp = log_softmax(self, dim);
  const Tensor loss = nll_loss(logp, target, weight, reduction, ignore_index);
  const Tensor ignored = target.eq(ignore_index);
  Tensor all = -(weight.defined() ? logp * along_classes(weight, self, dim) : logp).sum(dim);
  all = all.masked_fill(ignored.reshape(all.sizes()), 0);
  if (reduction == Reduction::None) {
    all = all.reshape(loss.sizes());
  } else {
    all = all.sum();
    if (reduction == Reduction::Mean) {
      Tensor counts = ignored.logical_not().to(self.scalar_type());
      if (weight.defined()) counts = counts * weight.index_select(0, target.masked_fill(ignored, 0).reshape({-1})).reshape(counts.sizes());
      all = all / counts.sum();
    }
  }
  return loss * (1 - label_smoothing) + all * (label_smoothing / self.size(dim));
}

// ---- Losses between tensors --------------------------------------------------------------------------------------------------------

struct MseLoss {
  static constexpr OpInfo info = make_info<MseLoss>("mse_loss", "MseLossBackward0");

  static Tensor forward(Context& ctx, const Tensor& x, const Tensor& target, LossReduction reduction) {
    const Tensor d = x - target;
    const double n = reduction == LossReduction::kMean ? static_cast<double>(d.numel()) : 1;
    ctx.save(x, target);
    ctx.save_numbers(n);
    if (reduction == LossReduction::kNone) return d.square();
    return reduce(sum_squares_kernel, d, all_dims(d), false, d.scalar_type(), {Finish::kDivide, n});
  }
  static void backward(const Gradients& g) {
    const Tensor gx = (g.saved(0) - g.saved(1)) * (g.output() * (2.0 / static_cast<double>(g.number(0))));
    if (g.wants(0)) g.set(0, gx);
    if (g.wants(1)) g.set(1, -gx);
  }
};

}  // namespace
}  // namespace wick::ops

namespace wick {

using namespace ops;

Tensor nll_loss(const Tensor& self, const Tensor& target, const Tensor& weight, int64_t reduction, int64_t ignore_index) {
  WICK_AUTOCAST(kFloat32, nll_loss, self, target, weight, reduction, ignore_index);
  check_floating("nll_loss_out_frame", self, "nll_loss");
  return class_loss<Nll, Nll2d>(self, target, weight, reduction, ignore_index);
}

Tensor cross_entropy_loss(const Tensor& self, const Tensor& target, const Tensor& weight, int64_t reduction, int64_t ignore_index,
                          double label_smoothing) {
  WICK_AUTOCAST(kFloat32, cross_entropy_loss, self, target, weight, reduction, ignore_index, label_smoothing);
  check_floating("log_softmax_lastdim_kernel_impl", self, "cross_entropy_loss");
  if (self.dim() > 0 && self.sizes() == target.sizes()) {
    checked_reduction(reduction);
    check_smoothing(label_smoothing);
    WICK_CHECK(ignore_index < 0, "ignore_index is not supported for floating point target");
    return probability_loss(self, target, weight, reduction, label_smoothing);
  }
  if (label_smoothing != 0) {
    check_smoothing(label_smoothing);
    return smoothed_loss(self, target, weight, reduction, ignore_index, label_smoothing);
  }
  return class_loss<CrossEntropy, CrossEntropy2d>(self, target, weight, reduction, ignore_index);
}

Tensor mse_loss(const Tensor& self, const Tensor& target, int64_t reduction) {
  WICK_AUTOCAST(kFloat32, mse_loss, self, target, reduction);
  check_floating("mse_cpu", is_floating(target.scalar_type()) ? target : self, "mse_loss");
  return apply<MseLoss>(self, target, checked_reduction(reduction));
}

}  // namespace wick
