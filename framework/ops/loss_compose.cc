// Losses that are written with operations, which carry their derivatives.
#include <cmath>

#include "wick/framework/ops/autocast.h"
#include "wick/framework/ops/op.h"

namespace wick::ops {
namespace {

Tensor reduced(const Tensor& losses, int64_t reduction) {
  WICK_CHECK_VALUE(reduction >= Reduction::None && reduction < Reduction::END, reduction, " is not a valid value for reduction");
  return reduction == Reduction::Mean ? losses.mean() : reduction == Reduction::Sum ? losses.sum() : losses;
}

Tensor weighted(const Tensor& losses, const Tensor& weight) { return weight.defined() ? losses * weight : losses; }

// -(t log x + (1 - t) log(1 - x)) with logarithms of at least -100, so that a sure and wrong x costs 100 and not infinity.
struct BinaryCrossEntropy {
  static constexpr OpInfo info = make_info<BinaryCrossEntropy>("binary_cross_entropy", "BinaryCrossEntropyBackward0");

  static Tensor bounded_log(const Tensor& x) { return x.log().clamp_min(-100); }
  static Tensor bounded_log1m(const Tensor& x) { return (-x).log1p().clamp_min(-100); }

  static Tensor forward(Context& ctx, const Tensor& x, const Tensor& target) {
    ctx.save(x, target);
    return (target - 1) * bounded_log1m(x) - target * bounded_log(x);
  }
  static void backward(const Gradients& g) {
    const Tensor x = g.saved(0), target = g.saved(1);
    if (g.wants(0)) g.set(0, g.output() * (x - target) / ((1 - x) * x).clamp_min(1e-12));
    if (g.wants(1)) g.set(1, g.output() * (bounded_log1m(x) - bounded_log(x)));
  }
};

}  // namespace
}  // namespace wick::ops

namespace wick {

using namespace ops;

Tensor binary_cross_entropy(const Tensor& self, const Tensor& target_of_any_rank, const Tensor& weight, int64_t reduction) {
  WICK_AUTOCAST(kFloat32, binary_cross_entropy, self, target_of_any_rank, weight, reduction);
  // As PyTorch's: dimensions of size 1 do not matter here; F::binary_cross_entropy is the one that minds them.
  Tensor target = target_of_any_rank;
  if (self.sizes() != target.sizes()) {
    WICK_CHECK(self.squeeze().sizes() == target.squeeze().sizes(), "Using a target size (", target.sizes(),
               ") that is different to the input size (", self.sizes(), ") is deprecated. Please ensure they have the same size.");
    target = target.reshape(self.sizes());
  }
  WICK_CHECK(self.scalar_type() == target.scalar_type(), "Found dtype ", target.scalar_type(), " but expected ", self.scalar_type(),
             "\n  Convert the target with .to(input.dtype()).");
  check_floating("binary_cross_entropy", self);
  const Tensor x = self.detach();
  WICK_CHECK(x.is_meta() || x.ge(0).logical_and_(x.le(1)).all().item<bool>(), "all elements of input should be between 0 and 1\n  "
             "They are probabilities: put a sigmoid() before, or take binary_cross_entropy_with_logits.");
  return reduced(weighted(apply<BinaryCrossEntropy>(self, target), weight), reduction);
}

Tensor binary_cross_entropy_with_logits(const Tensor& self, const Tensor& target, const Tensor& weight, const Tensor& pos_weight,
                                        int64_t reduction) {
  WICK_AUTOCAST(kFloat32, binary_cross_entropy_with_logits, self, target, weight, pos_weight, reduction);
  WICK_CHECK_VALUE(self.sizes() == target.sizes(), "Target size (", target.sizes(), ") must be the same as input size (", self.sizes(),
                   ")\n  squeeze(1) or unsqueeze(1) one of them where they differ by a dimension of 1.");
  const Tensor log_probability = log_sigmoid(self);
  const Tensor scaled = pos_weight.defined() ? ((pos_weight - 1) * target + 1) * log_probability : log_probability;
  return reduced(weighted((1 - target) * self - scaled, weight), reduction);
}

Tensor l1_loss(const Tensor& self, const Tensor& target, int64_t reduction) {
  WICK_AUTOCAST(kFloat32, l1_loss, self, target, reduction);
  return reduced((self - target).abs(), reduction);
}

// d^2 / 2 up to a distance d of `width`, straight beyond; no branch has an infinite slope, even at an infinite distance.
static Tensor rounded_valley(const Tensor& distance, double width) {
  const Tensor near = distance.clamp_max(width);
  return near * (distance - near * 0.5);
}

Tensor smooth_l1_loss(const Tensor& self, const Tensor& target, int64_t reduction, double beta) {
  WICK_AUTOCAST(kFloat32, smooth_l1_loss, self, target, reduction, beta);
  WICK_CHECK(beta >= 0, "smooth_l1_loss does not support negative values for beta.");
  check_floating("smooth_l1_cpu", is_floating(target.scalar_type()) ? target : self);
  if (beta == 0) return l1_loss(self, target, reduction);
  return reduced(rounded_valley((self - target).abs(), beta) / beta, reduction);
}

Tensor huber_loss(const Tensor& self, const Tensor& target, int64_t reduction, double delta) {
  WICK_AUTOCAST(kFloat32, huber_loss, self, target, reduction, delta);
  WICK_CHECK(delta > 0, "huber_loss does not support non-positive values for delta.");
  check_floating("huber_cpu", is_floating(target.scalar_type()) ? target : self);
  return reduced(rounded_valley((self - target).abs(), delta), reduction);
}

// A target of 0 costs nothing, even where the log-probability is -inf.
Tensor kl_div(const Tensor& self, const Tensor& target, int64_t reduction, bool log_target) {
  WICK_AUTOCAST(kFloat32, kl_div, self, target, reduction, log_target);
  WICK_CHECK(self.is_floating_point() && target.is_floating_point(), "kl_div: Integral inputs not supported.");
  const Tensor none = target.eq(log_target ? -INFINITY : 0.0), share = log_target ? target.exp() : target;
  const Tensor logs = log_target ? target.masked_fill(none, 0) : target.masked_fill(none, 1).log();
  return reduced((share * (logs - self)).masked_fill(none.logical_and(self.detach().isinf()), 0), reduction);
}

Tensor poisson_nll_loss(const Tensor& input, const Tensor& target, bool log_input, bool full, double eps, int64_t reduction) {
  WICK_AUTOCAST(kFloat32, poisson_nll_loss, input, target, log_input, full, eps, reduction);
  Tensor losses = log_input ? input.exp() - target * input : input - target * (input + eps).log();
  if (full) {
    // Stirling's approximation of log(target!).
    const Tensor counts = target.clamp_min(1);
    const Tensor stirling = counts * counts.log() - counts + (counts * (2 * M_PI)).log() * 0.5;
    losses = losses + stirling.masked_fill(target.le(1), 0);
  }
  return reduced(losses, reduction);
}

Tensor hinge_embedding_loss(const Tensor& self, const Tensor& target, double margin, int64_t reduction) {
  WICK_AUTOCAST(kFloat32, hinge_embedding_loss, self, target, margin, reduction);
  const Tensor far = (margin - self).clamp_min(0);
  return reduced(far.masked_fill(target.eq(1), 0) + self.masked_fill(target.eq(-1), 0), reduction);
}

Tensor margin_ranking_loss(const Tensor& input1, const Tensor& input2, const Tensor& target, double margin, int64_t reduction) {
  WICK_AUTOCAST(kFloat32, margin_ranking_loss, input1, input2, target, margin, reduction);
  return reduced((-target * (input1 - input2) + margin).clamp_min(0), reduction);
}

Tensor soft_margin_loss(const Tensor& self, const Tensor& target, int64_t reduction) {
  WICK_AUTOCAST(kFloat32, soft_margin_loss, self, target, reduction);
  return reduced(-log_sigmoid(self.clone().mul_(target)), reduction);  // target broadcasts, self does not
}

Tensor cosine_similarity(const Tensor& x1, const Tensor& x2, int64_t dim, double eps) {
  const ScalarType t = promote_types(x1.scalar_type(), x2.scalar_type());
  WICK_CHECK(is_floating(t), "expected common dtype to be floating point, yet common dtype is ", t);
  const std::vector<Tensor> both = broadcast_tensors({x1.to(t), x2.to(t)});
  const auto unit = [&](const Tensor& x) { return x / x.norm(2, dim, /*keepdim=*/true).clamp_min(eps); };
  return (unit(both[0]) * unit(both[1])).sum(dim);
}

Tensor cosine_embedding_loss(const Tensor& input1, const Tensor& input2, const Tensor& target, double margin, int64_t reduction) {
  WICK_AUTOCAST(kFloat32, cosine_embedding_loss, input1, input2, target, margin, reduction);
  WICK_CHECK(target.dim() <= 1, "0D or 1D target tensor expected, multi-target not supported");
  const int64_t dim = target.dim();
  WICK_CHECK(input1.dim() == dim + 1 && input2.dim() == dim + 1, dim, "D target tensor expects ", dim + 1, "D input tensors, but found "
             "inputs with sizes ", input1.sizes(), " and ", input2.sizes(), ".");
  const Tensor lengths = ((input1 * input1).sum(dim) + 1e-12) * ((input2 * input2).sum(dim) + 1e-12);
  const Tensor cosine = (input1 * input2).sum(dim) / lengths.sqrt();
  const Tensor apart = (cosine - margin).clamp_min(0);
  return reduced((1 - cosine).masked_fill(target.ne(1), 0) + apart.masked_fill(target.ne(-1), 0), reduction);
}

Tensor triplet_margin_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative, double margin, double p, double eps,
                           bool swap, int64_t reduction) {
  WICK_AUTOCAST(kFloat32, triplet_margin_loss, anchor, positive, negative, margin, p, eps, swap, reduction);
  const int64_t a = anchor.dim(), b = positive.dim(), c = negative.dim();
  WICK_CHECK(a == b && a == c, "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: "
             "anchor ", a, "D, positive ", b, "D, and negative ", c, "D inputs");
  const Tensor near = pairwise_distance(anchor, positive, p, eps);
  Tensor far = pairwise_distance(anchor, negative, p, eps);
  if (swap) far = minimum(far, pairwise_distance(positive, negative, p, eps));
  return reduced((margin + near - far).clamp_min(0), reduction);
}

}  // namespace wick
