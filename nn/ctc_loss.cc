#include "wick/nn/loss.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace wick::nn::functional {
namespace {

// The logarithm of no probability: finite, so that no gradient is infinity minus infinity.
constexpr double kNever = -1e30;

std::vector<int64_t> host_lengths(const Tensor& lengths, const char* what, int64_t count, int64_t most) {
  WICK_CHECK(!lengths.is_floating_point() && !lengths.is_complex(), what, " must be integral");
  const Tensor x = lengths.to(kCPU).to(kLong).contiguous().reshape({-1});
  WICK_CHECK(x.numel() == count, what, " must be of size batch_size");
  const std::vector<int64_t> values(x.data_ptr<int64_t>(), x.data_ptr<int64_t>() + count);
  for (int64_t value : values) {
    WICK_CHECK(value >= 0 && value <= most, "Expected ", what, " to have value at ", value < 0 ? "least " : "most ", value < 0 ? 0 : most,
               ", but got value ", value, " (while checking arguments for ctc_loss)");
  }
  return values;
}

// Each target with a blank before, between and behind its symbols, [N, 2 S + 1], filled up with blanks.
Tensor with_blanks(const Tensor& targets, const std::vector<int64_t>& lengths, int64_t blank) {
  const int64_t n = static_cast<int64_t>(lengths.size()), longest = lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
  const Tensor symbols = targets.to(kCPU).to(kLong).contiguous(), path = full({n, 2 * longest + 1}, blank, kLong);
  const bool in_rows = targets.dim() == 2;
  int64_t total = 0;
  for (int64_t length : lengths) total += length;
  WICK_CHECK(in_rows ? targets.size(0) == n && targets.size(1) >= longest : targets.numel() == total,
             "Expected tensor to have size at least ", in_rows ? longest : total, " at dimension ", in_rows ? 1 : 0, ", but got size ",
             targets.sizes(), " (while checking arguments for ctc_loss)");
  const int64_t* from = symbols.data_ptr<int64_t>();
  int64_t* to = path.data_ptr<int64_t>();
  for (int64_t i = 0; i < n; ++i, to += path.size(1)) {
    for (int64_t s = 0; s < lengths[i]; ++s) to[2 * s + 1] = from[s];
    from += in_rows ? targets.size(1) : lengths[i];
  }
  return path.to(targets.device());
}

// x moved by k along dimension 1, behind kNever.
Tensor moved(const Tensor& x, int64_t k) { return constant_pad_nd(x, {k, 0}, kNever).narrow(1, 0, x.size(1)); }

}  // namespace

// alpha[n, s] is the logarithm of the probability of all ways to read the first s + 1 symbols of the path from the inputs so far: the
// last input repeats symbol s, or follows symbol s - 1, or s - 2 if what lies between is a blank that may be left out.
Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths, const Tensor& target_lengths,
                const CTCLossFuncOptions& options) {
  WICK_CHECK(log_probs.dim() == 2 || log_probs.dim() == 3, "ctc_loss: log_probs must be [T, N, C] or [T, C], got ", log_probs.sizes());
  const bool alone = log_probs.dim() == 2;
  const Tensor p = alone ? log_probs.unsqueeze(1) : log_probs;
  const int64_t t = p.size(0), n = p.size(1);
  WICK_CHECK(options.blank() >= 0 && options.blank() < p.size(2), "blank must be in label range");
  const std::vector<int64_t> inputs = host_lengths(input_lengths, "input_lengths", n, t);
  const std::vector<int64_t> lengths = host_lengths(target_lengths, "target_lengths", n, std::numeric_limits<int64_t>::max());
  const Tensor path = with_blanks(targets, lengths, options.blank());
  const Tensor emitted = p.gather(2, path.unsqueeze(0).expand({t, n, path.size(1)}));
  const TensorOptions like = p.options().requires_grad(false);
  const Tensor never = full({}, kNever, like), states = arange(path.size(1), like);
  const Tensor two_before = constant_pad_nd(path, {2, 0}, options.blank()).narrow(1, 0, path.size(1));
  const Tensor may_skip = path.ne(options.blank()).logical_and(path.ne(two_before));
  const Tensor skip = where(may_skip, zeros({}, like), never);
  const Tensor steps = input_lengths.to(p.device()).reshape({-1, 1}), ends = target_lengths.to(p.device()).to(kLong).reshape({-1, 1}) * 2;

  // Before any input: a blank that is not there, from which the first blank or the first symbol follows.
  Tensor alpha = where(states.eq(0), zeros({}, like), never).unsqueeze(0).expand(path.sizes());
  for (int64_t i = 0; i < t; ++i) {
    const Tensor next = i == 0 ? where(states.lt(2), zeros({}, like), never).unsqueeze(0)
                               : stack({alpha, moved(alpha, 1), moved(alpha, 2) + skip}).logsumexp({0}).clamp_min(kNever);
    alpha = where(steps.gt(i), next + emitted[i], alpha);
  }
  const Tensor before_end = where(ends.gt(0), alpha.gather(1, (ends - 1).clamp_min(0)), never);
  Tensor losses = -stack({alpha.gather(1, ends), before_end}).logsumexp({0}).squeeze(1);
  losses = where(losses.gt(-kNever / 2), full({}, options.zero_infinity() ? 0.0 : HUGE_VAL, like), losses);

  const int64_t reduction = enumtype::reduction_get_enum(options.reduction());
  if (reduction == Reduction::Mean) return (losses / target_lengths.to(p.device()).reshape({-1}).clamp_min(1).to(p.scalar_type())).mean();
  if (reduction == Reduction::Sum) return losses.sum();
  return alone ? losses.squeeze(0) : losses;
}

}  // namespace wick::nn::functional
