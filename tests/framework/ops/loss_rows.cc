#include "wick/tests/framework/ops/op_rows.h"

namespace wick::test {

std::vector<Row> loss_rows() {
  Family f("loss");
  const Sample logits{{4, 5}, -3, 3}, weight{{5}, 0.5, 2, Kind::kWeight}, wide{{3, 37}, -3, 3};
  const Sample target = indices({4}, 5);
  f.add("softmax", {logits}, CALL(softmax(x[0], 1))).as("a.softmax(1)");
  f.add("softmax/first", {logits}, CALL(softmax(x[0], 0))).as("a.softmax(0)");
  f.add("softmax/middle", {{{2, 3, 4}}}, CALL(softmax(x[0], -2))).as("a.softmax(-2)");
  f.add("softmax/wide", {wide}, CALL(softmax(x[0], 1))).as("a.softmax(1)").derivatives(1);
  f.add("log_softmax", {logits}, CALL(log_softmax(x[0], 1))).as("a.log_softmax(1)");
  f.add("log_softmax/first", {logits}, CALL(log_softmax(x[0], 0))).as("a.log_softmax(0)");
  f.add("log_softmax/wide", {wide}, CALL(log_softmax(x[0], 1))).as("a.log_softmax(1)").derivatives(1);

#define LOSS(name, inputs, call, python) f.add(name, inputs, call).as(python)
#define INPUTS(...) std::vector<Sample>{__VA_ARGS__}
  LOSS("nll_loss", INPUTS(logits, target), CALL(nll_loss(x[0], x[1])), "F.nll_loss(a, b)");
  LOSS("nll_loss/none", INPUTS(logits, target), CALL(nll_loss(x[0], x[1], {}, Reduction::None)), "F.nll_loss(a, b, reduction='none')");
  LOSS("nll_loss/weight", INPUTS(logits, target, weight), CALL(nll_loss(x[0], x[1], x[2])), "F.nll_loss(a, b, c)");
  LOSS("nll_loss/ignore", INPUTS(logits, target), CALL(nll_loss(x[0], x[1], {}, Reduction::Sum, 2)),
       "F.nll_loss(a, b, reduction='sum', ignore_index=2)");
  LOSS("cross_entropy_loss", INPUTS(logits, target), CALL(cross_entropy_loss(x[0], x[1])), "F.cross_entropy(a, b)");
  LOSS("cross_entropy_loss/none", INPUTS(logits, target), CALL(cross_entropy_loss(x[0], x[1], {}, Reduction::None)),
       "F.cross_entropy(a, b, reduction='none')");
  LOSS("cross_entropy_loss/weight", INPUTS(logits, target, weight), CALL(cross_entropy_loss(x[0], x[1], x[2])),
       "F.cross_entropy(a, b, c)");
  LOSS("cross_entropy_loss/smooth", INPUTS(logits, target), CALL(cross_entropy_loss(x[0], x[1], {}, Reduction::Mean, -100, 0.125)),
       "F.cross_entropy(a, b, label_smoothing=0.125)");
  LOSS("cross_entropy_loss/ignore", INPUTS(logits, target), CALL(cross_entropy_loss(x[0], x[1], {}, Reduction::Mean, 2)),
       "F.cross_entropy(a, b, ignore_index=2)");
  const Sample a{{3, 4}, -2, 2}, b{{3, 4}, -2, 2};
  LOSS("mse_loss", INPUTS(a, b), CALL(mse_loss(x[0], x[1])), "F.mse_loss(a, b)");
  LOSS("mse_loss/sum", INPUTS(a, b), CALL(mse_loss(x[0], x[1], Reduction::Sum)), "F.mse_loss(a, b, reduction='sum')");
  LOSS("mse_loss/none", INPUTS(a, b), CALL(mse_loss(x[0], x[1], Reduction::None)), "F.mse_loss(a, b, reduction='none')");
  LOSS("l1_loss", INPUTS(a, b), CALL(l1_loss(x[0], x[1])), "F.l1_loss(a, b)");
  LOSS("l1_loss/sum", INPUTS(a, b), CALL(l1_loss(x[0], x[1], Reduction::Sum)), "F.l1_loss(a, b, reduction='sum')");
  LOSS("l1_loss/none", INPUTS(a, b), CALL(l1_loss(x[0], x[1], Reduction::None)), "F.l1_loss(a, b, reduction='none')");
#undef LOSS
#undef INPUTS
  return f.rows();
}

}  // namespace wick::test
