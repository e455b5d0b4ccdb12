#include "wick/optim/lbfgs.h"

#include <algorithm>
#include <cmath>

namespace wick::optim {

void LBFGSOptions::validate() const {
  WICK_CHECK_VALUE(lr_ >= 0, "Invalid learning rate: ", lr_);
  WICK_CHECK_VALUE(history_size_ > 0, "Invalid history_size: ", history_size_);
  WICK_CHECK(!line_search_fn_ || *line_search_fn_ == "strong_wolfe", "only 'strong_wolfe' is supported");
}

WICK_OPTIMIZER_STRUCTS(, LBFGS)

std::unique_ptr<OptimizerParamState> LBFGS::new_param_state() const { return std::make_unique<LBFGSParamState>(); }

LBFGS::LBFGS(const std::vector<OptimizerParamGroup>& param_groups, LBFGSOptions defaults)
    : Optimizer(param_groups, std::make_unique<LBFGSOptions>(std::move(defaults))) {
  WICK_CHECK_VALUE(param_groups_.size() == 1, "LBFGS doesn't support per-parameter options (parameter groups)");
}

namespace {

// ---- The line search ---------------------------------------------------------------------------------------------------------------

// A place on the line: how far along the direction, the loss there, its gradient, and the derivative along the line.
struct Point {
  double t, loss;
  Tensor grad;
  double slope;
};

double largest(const Tensor& x) { return x.numel() == 0 ? 0 : x.abs().max().item<double>(); }

// Takes each parameter its part of the direction along.
void move(const std::vector<Tensor>& params, double step, const Tensor& direction) {
  int64_t offset = 0;
  for (const Tensor& param : params) {
    param.add_(direction.slice(0, offset, offset + param.numel()).view(param.sizes()), step);
    offset += param.numel();
  }
}

// Where the cubic through two points with their slopes is least, within bounds.
double cubic_minimum(const Point& a, const Point& b, double low, double high) {
  if (a.t > b.t) return cubic_minimum(b, a, low, high);
  const double d1 = a.slope + b.slope - 3 * (a.loss - b.loss) / (a.t - b.t), square = d1 * d1 - a.slope * b.slope;
  if (!(square >= 0)) return (low + high) / 2;
  const double d2 = std::sqrt(square);
  return std::min(std::max(b.t - (b.t - a.t) * ((b.slope + d2 - d1) / (b.slope - a.slope + 2 * d2)), low), high);
}

// A point where the loss has fallen enough and the slope is flat enough, first bracketed, then closed in on; the best one seen after
// max_points of them. `length` is that of the direction.
template <class At>
Point strong_wolfe(const At& at, const Point& start, double t, double length, double tolerance, int64_t max_points) {
  const auto too_high = [&](const Point& p) { return p.loss > start.loss + 1e-4 * p.t * start.slope; };
  const auto flat = [&](const Point& p) { return std::abs(p.slope) <= -0.9 * start.slope; };
  Point bracket[2] = {start, at(t)};
  Point &before = bracket[0], &now = bracket[1];
  int64_t i = 0;
  for (; i < max_points; ++i) {
    if (too_high(now) || (i > 1 && now.loss >= before.loss)) break;
    if (flat(now)) return now;
    if (now.slope >= 0) break;
    t = cubic_minimum(before, now, now.t + 0.01 * (now.t - before.t), now.t * 10);
    before = now;
    now = at(t);
  }
  if (i == max_points) before = start;

  int best = before.loss <= now.loss ? 0 : 1;
  bool stalled = false;
  for (; i < max_points && std::abs(bracket[1].t - bracket[0].t) * length >= tolerance; ++i) {
    const auto [left, right] = std::minmax(bracket[0].t, bracket[1].t);
    t = cubic_minimum(bracket[0], bracket[1], left, right);
    // Twice in a row near an end of the bracket, or at it, is no progress: go a tenth inwards.
    const double margin = 0.1 * (right - left);
    const bool near = std::min(right - t, t - left) < margin, inwards = near && (stalled || t >= right || t <= left);
    if (inwards) t = std::abs(t - right) < std::abs(t - left) ? right - margin : left + margin;
    stalled = near && !inwards;

    const Point next = at(t);
    if (too_high(next) || next.loss >= bracket[best].loss) {
      bracket[1 - best] = next;
      best = bracket[0].loss <= bracket[1].loss ? 0 : 1;
      continue;
    }
    if (flat(next)) return next;
    if (next.slope * (bracket[1 - best].t - bracket[best].t) >= 0) bracket[1 - best] = bracket[best];
    bracket[best] = next;
  }
  return bracket[best];
}

// The best point from where the parameters are, to which they go back after each try. `evaluate` gives the loss and the gradient.
template <class Evaluate>
Point search_line(const std::vector<Tensor>& params, const Tensor& direction, const Point& start, double first_t, double tolerance,
                  int64_t max_points, const Evaluate& evaluate) {
  std::vector<Tensor> origin;
  for (const Tensor& param : params) origin.push_back(param.clone());
  const auto at = [&](double t) {
    move(params, t, direction);
    const auto [loss, grad] = evaluate();
    for (size_t p = 0; p < origin.size(); ++p) params[p].copy_(origin[p]);
    return Point{t, loss, grad, grad.dot(direction).template item<double>()};
  };
  return strong_wolfe(at, start, first_t, largest(direction), tolerance, max_points);
}

// ---- The direction -----------------------------------------------------------------------------------------------------------------

// The last step and what it did to the gradient become part of the history.
void remember(LBFGSParamState& state, const Tensor& grad, int64_t history_size) {
  const Tensor y = grad - state.prev_flat_grad(), s = state.d() * state.t(), ys = y.dot(s);
  if (!(ys.item<double>() > 1e-10)) return;
  if (static_cast<int64_t>(state.old_dirs().size()) == history_size) {
    for (auto* list : {&state.old_dirs(), &state.old_stps(), &state.ro()}) list->pop_front();
  }
  state.old_dirs().push_back(y);
  state.old_stps().push_back(s);
  state.ro().push_back(1 / ys);
  state.H_diag(ys / y.dot(y));
}

// The inverse Hessian that the history tells of, times the gradient, downhill.
Tensor direction(LBFGSParamState& state, const Tensor& grad) {
  const size_t size = state.old_dirs().size();
  std::vector<Tensor> weights(size);
  Tensor q = -grad;
  for (size_t i = size; i-- > 0;) {
    weights[i] = state.old_stps()[i].dot(q) * state.ro()[i];
    q = q - state.old_dirs()[i] * weights[i];
  }
  if (state.H_diag().defined()) q = q * state.H_diag();
  for (size_t i = 0; i < size; ++i) q = q + state.old_stps()[i] * (weights[i] - state.old_dirs()[i].dot(q) * state.ro()[i]);
  state.al(std::move(weights));
  return q;
}

}  // namespace

// ---- The step ----------------------------------------------------------------------------------------------------------------------

Tensor LBFGS::flat_gradient(bool negated) const {
  std::vector<Tensor> parts;
  for (const Tensor& param : param_groups_[0].params()) {
    const Tensor* grad = gradient_of(param);
    parts.push_back((grad ? *grad : zeros_like(param)).reshape({-1}));
  }
  const Tensor flat = cat(parts);
  return negated ? -flat : flat;
}

Tensor LBFGS::step(LossClosure closure) {
  WICK_CHECK(closure != nullptr, "LBFGS requires a closure function");
  WICK_CHECK_VALUE(param_groups_.size() == 1, "LBFGS doesn't support per-parameter options (parameter groups)");
  const Tensor first_loss = begin_step(closure);
  NoGradGuard no_grad;
  const auto& options = static_cast<const LBFGSOptions&>(param_groups_[0].options());
  const std::vector<Tensor>& params = param_groups_[0].params();
  auto& state = state_of<LBFGSParamState>(params[0]);
  const int64_t max_eval = options.max_eval().value_or(options.max_iter() * 5 / 4);
  const auto value_of = [&](const Tensor& loss) {
    return std::pair((options.maximize() ? -1 : 1) * loss.item<double>(), flat_gradient(options.maximize()));
  };
  int64_t evals = 1;
  const auto evaluate = [&] {
    ++evals;
    return value_of(begin_step(closure));
  };
  auto [loss, grad] = value_of(first_loss);
  for (int64_t i = 1; i <= options.max_iter() && largest(grad) > options.tolerance_grad(); ++i) {
    if (++state.n_iter() > 1) remember(state, grad, options.history_size());
    const Tensor d = direction(state, grad);
    const double loss_before = loss, slope = grad.dot(d).item<double>();
    const double scale = state.n_iter() == 1 ? std::min(1.0, 1 / grad.abs().sum().item<double>()) : 1;
    state.d(d).prev_flat_grad(grad).prev_loss(loss).t(scale * options.lr());
    if (slope > -options.tolerance_change()) break;
    if (options.line_search_fn()) {
      const Point found =
          search_line(params, d, {0, loss, grad, slope}, state.t(), options.tolerance_change(), max_eval - evals, evaluate);
      state.t(found.t);
      loss = found.loss;
      grad = found.grad;
    }
    move(params, state.t(), d);
    if (!options.line_search_fn() && i < options.max_iter()) std::tie(loss, grad) = evaluate();
    if (evals >= max_eval || largest(d) * std::abs(state.t()) <= options.tolerance_change()) break;
    if (std::abs(loss - loss_before) < options.tolerance_change()) break;
  }
  state.func_evals() += evals;
  return first_loss;
}

}  // namespace wick::optim
