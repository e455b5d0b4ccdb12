// Activations and losses that are written with other operations.
#include "wick/tests/framework/ops/op_rows.h"

namespace wick::test {
namespace {

void add_activations(Family& f) {
#define ACTIVATION(name, low, high, ...) f.elementwise(name, {between(low, high)}, CALL(__VA_ARGS__))
  ACTIVATION("hardtanh", -3, 3, hardtanh(x[0])).as("F.hardtanh(a)").in_place([](const Tensors& x) { Tensor y = x[0]; hardtanh_(y); });
  ACTIVATION("relu6", -3, 9, relu6(x[0])).as("F.relu6(a)");
  ACTIVATION("hardsigmoid", -5, 5, hardsigmoid(x[0])).as("F.hardsigmoid(a)");
  ACTIVATION("hardswish", -5, 5, hardswish(x[0])).as("F.hardswish(a)");
  ACTIVATION("mish", -4, 4, mish(x[0])).as("F.mish(a)");
  ACTIVATION("selu", -3, 3, selu(x[0]));
  ACTIVATION("celu", -3, 3, celu(x[0], 2)).as("F.celu(a, 2)");
  // The gradient passes at NaN; in PyTorch it does not.
  ACTIVATION("softshrink", -3, 3, softshrink(x[0])).as("F.softshrink(a)").excluding({"grad64"});
  ACTIVATION("hardshrink", -3, 3, hardshrink(x[0])).as("F.hardshrink(a)").excluding({"grad64"});
  ACTIVATION("threshold", -3, 3, threshold(x[0], 0.75, 2)).as("F.threshold(a, 0.75, 2)");
  // Outside of [0, 1], where the value is NaN, PyTorch makes NaN of the gradient as well.
  ACTIVATION("logit", 0.0625, 0.9375, logit(x[0])).as("torch.logit(a)").excluding({"grad64"});
  ACTIVATION("logit/eps", 0.25, 0.75, logit(x[0], 0.125)).as("torch.logit(a, 0.125)");
  ACTIVATION("clip", -3, 3, clip(x[0], -1, 2)).as("a.clip(-1, 2)");
  ACTIVATION("clip_", -3, 3, clone(x[0]).clip_(-1, 2)).as("a.clone().clip_(-1, 2)");
  ACTIVATION("nan_to_num", -3, 3, nan_to_num(x[0], 2)).as("a.nan_to_num(2)");
#undef ACTIVATION
  f.add("glu", {{{3, 4}}}, CALL(glu(x[0]))).as("F.glu(a)");
  f.add("prelu", {{{2, 3, 2}}, {{3}, 0.25, 1}}, CALL(prelu(x[0], x[1]))).as("F.prelu(a, b)");
  f.add("prelu/one", {{{2, 3}}, {{1}, 0.25, 1}}, CALL(prelu(x[0], x[1]))).as("F.prelu(a, b)");
  f.elementwise("isclose", {between(-2, 2), between(-2, 2)}, CALL(isclose(x[0], x[1], 0.25, 0.25, true)))
      .as("torch.isclose(a, b, 0.25, 0.25, True)").derivatives(0);
  f.add("allclose", {{{3}}, {{3}}}, CALL(allclose(x[0], x[1], 0.5, 4))).as("torch.tensor(torch.allclose(a, b, 0.5, 4))").derivatives(0)
      .reading_values();
  f.add("is_nonzero", {{{1}}}, CALL(is_nonzero(x[0]))).as("torch.tensor(torch.is_nonzero(a))").derivatives(0).reading_values();
}

void add_losses(Family& f) {
  const Sample probability{{3, 4}, 0.0625, 0.9375}, part{{3, 4}, 0.125, 0.875}, logits{{3, 4}, -3, 3}, positive{{4}, 0.5, 2};
  const Sample a{{3, 4}, -2, 2}, b{{3, 4}, -2, 2};
#define LOSS(name, inputs, call, python) f.add(name, inputs, call).as(python)
#define INPUTS(...) std::vector<Sample>{__VA_ARGS__}
  LOSS("binary_cross_entropy", INPUTS(probability, part), CALL(binary_cross_entropy(x[0], x[1])), "F.binary_cross_entropy(a, b)")
      .reading_values();
  LOSS("binary_cross_entropy/weight", INPUTS(probability, part, positive), CALL(binary_cross_entropy(x[0], x[1], x[2], Reduction::Sum)),
       "F.binary_cross_entropy(a, b, c, reduction='sum')").reading_values();
  LOSS("binary_cross_entropy_with_logits", INPUTS(logits, part), CALL(binary_cross_entropy_with_logits(x[0], x[1])),
       "F.binary_cross_entropy_with_logits(a, b)");
  LOSS("binary_cross_entropy_with_logits/weights", INPUTS(logits, part, positive, positive),
       CALL(binary_cross_entropy_with_logits(x[0], x[1], x[2], x[3], Reduction::None)),
       "F.binary_cross_entropy_with_logits(a, b, c, reduction='none', pos_weight=d)");
  LOSS("smooth_l1_loss", INPUTS(a, b), CALL(smooth_l1_loss(x[0], x[1], Reduction::Mean, 0.75)), "F.smooth_l1_loss(a, b, beta=0.75)");
  LOSS("huber_loss", INPUTS(a, b), CALL(huber_loss(x[0], x[1], Reduction::Sum, 0.75)), "F.huber_loss(a, b, reduction='sum', delta=0.75)");
  LOSS("kl_div", INPUTS(a, part), CALL(kl_div(x[0], x[1], Reduction::Sum)), "F.kl_div(a, b, reduction='sum')");
  LOSS("kl_div/log", INPUTS(a, b), CALL(kl_div(x[0], x[1], Reduction::None, true)), "F.kl_div(a, b, reduction='none', log_target=True)");
  LOSS("poisson_nll_loss", INPUTS(a, probability), CALL(poisson_nll_loss(x[0], x[1], true, false, 1e-8, Reduction::Mean)),
       "F.poisson_nll_loss(a, b)").excluding({"bool"});
  LOSS("poisson_nll_loss/full", INPUTS(probability, Sample({3, 4}, 1.25, 5)),
       CALL(poisson_nll_loss(x[0], x[1], false, true, 1e-4, Reduction::Sum)),
           "F.poisson_nll_loss(a, b, False, True, eps=1e-4, reduction='sum')")
      .excluding({"bool"});
  LOSS("soft_margin_loss", INPUTS(a, b), CALL(soft_margin_loss(x[0], x[1])), "F.soft_margin_loss(a, b)");
  LOSS("margin_ranking_loss", INPUTS(a, b, probability), CALL(margin_ranking_loss(x[0], x[1], x[2], 0.375)),
       "F.margin_ranking_loss(a, b, c, 0.375)");
  LOSS("cosine_similarity", INPUTS(a, b), CALL(cosine_similarity(x[0], x[1])), "F.cosine_similarity(a, b)");
  LOSS("pairwise_distance", INPUTS(a, b), CALL(pairwise_distance(x[0], x[1])), "F.pairwise_distance(a, b)");
  LOSS("triplet_margin_loss", INPUTS(a, b, logits), CALL(triplet_margin_loss(x[0], x[1], x[2], 2.0)),
      "F.triplet_margin_loss(a, b, c, 2.0)");
  LOSS("triplet_margin_loss/swap", INPUTS(a, b, logits), CALL(triplet_margin_loss(x[0], x[1], x[2], 2.0, 2, 1e-6, true, Reduction::None)),
       "F.triplet_margin_loss(a, b, c, 2.0, swap=True, reduction='none')");
#undef LOSS
#undef INPUTS
}

}  // namespace

std::vector<Row> nn_rows() {
  Family f("nn");
  add_activations(f);
  add_losses(f);
  return f.rows();
}

}  // namespace wick::test
