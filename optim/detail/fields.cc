#include "wick/optim/detail/fields.h"

#include <algorithm>

namespace wick::optim::detail {

IValue to_value(const std::deque<Tensor>& x) { return std::vector<Tensor>(x.begin(), x.end()); }
IValue to_value(const std::tuple<double, double>& x) { return std::vector<double>{std::get<0>(x), std::get<1>(x)}; }

void from_value(const IValue& value, double& to) { to = value.toScalar().to<double>(); }
void from_value(const IValue& value, int64_t& to) { to = value.toInt(); }
void from_value(const IValue& value, bool& to) { to = value.toBool(); }
void from_value(const IValue& value, std::string& to) { to = value.toStringRef(); }
void from_value(const IValue& value, Tensor& to) { to = value.isNone() ? Tensor() : value.toTensor(); }
void from_value(const IValue& value, std::tuple<double, double>& to) {
  to = {value.toDoubleVector().at(0), value.toDoubleVector().at(1)};
}
void from_value(const IValue& value, std::deque<Tensor>& to) {
  const std::vector<Tensor> list = value.toTensorVector();
  to.assign(list.begin(), list.end());
}

bool same(const Tensor& a, const Tensor& b) { return a.defined() == b.defined() && (!a.defined() || equal(a, b)); }
bool same(const std::deque<Tensor>& a, const std::deque<Tensor>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Tensor& x, const Tensor& y) { return same(x, y); });
}

}  // namespace wick::optim::detail
