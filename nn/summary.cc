#include "wick/nn/summary.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

#include "wick/nn/type_name.h"

namespace wick::nn::detail {
namespace {

using Cells = std::array<std::string, 4>;

// 1,234,567
std::string grouped(int64_t value) {
  std::string text = std::to_string(value);
  for (int64_t at = static_cast<int64_t>(text.size()) - 3; at > 0; at -= 3) text.insert(static_cast<size_t>(at), ",");
  return text;
}

std::string mebibytes(int64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f MiB", static_cast<double>(bytes) / (1 << 20));
  return text;
}

int64_t bytes_of(const Tensor& x) { return x.numel() * static_cast<int64_t>(x.element_size()); }

// A weight takes part once for each place of the result: each row, or each pixel of a convolution (of its input, if transposed).
int64_t macs_of(const std::string& type, const std::vector<Tensor>& weights, const Tensor& input, const Tensor& output) {
  if (type.starts_with("Embedding")) return 0;
  int64_t macs = 0;
  for (const Tensor& weight : weights) {
    if (weight.dim() < 2) continue;
    const bool is_conv = type.starts_with("Conv"), transposed = type.starts_with("ConvTranspose");
    const Tensor& at = transposed ? input : output;
    const int64_t channels = is_conv ? weight.size(0) : std::max<int64_t>(at.size(-1), 1);
    macs += at.numel() / channels * weight.numel();
  }
  return macs;
}

std::string table(const std::vector<Cells>& rows) {
  std::array<size_t, 4> widths{};
  for (const Cells& row : rows) {
    for (size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string text;
  for (size_t r = 0; r < rows.size(); ++r) {
    for (size_t c = 0; c < rows[r].size(); ++c) {
      const std::string space(widths[c] - rows[r][c].size(), ' ');
      text += (c ? "  " : "") + (c < 2 ? rows[r][c] + space : space + rows[r][c]);
    }
    text += '\n';
    if (r == 0) text += std::string(widths[0] + widths[1] + widths[2] + widths[3] + 6, '-') + '\n';
  }
  return text;
}

}  // namespace

std::string summary(Module& model, IntArrayRef input_size, const std::function<void(const Tensor&)>& call) {
  std::vector<Cells> rows{{"Layer", "Output shape", "Parameters", "MACs"}};
  std::vector<std::pair<Module*, bool>> modes;
  std::vector<RemovableHandle> handles;
  int64_t macs = 0, output_bytes = 0;
  model.apply(Module::NamedModuleApplyFunction([&](const std::string& path, Module& module) {
    if (std::any_of(modes.begin(), modes.end(), [&](const auto& mode) { return mode.first == &module; })) return;
    const std::string type = short_type_name(typeid(module));
    const std::vector<Tensor> own = module.parameters(/*recurse=*/false);
    int64_t count = 0;
    for (const Tensor& parameter : own) count += parameter.numel();
    const size_t row = rows.size();
    rows.push_back({path.empty() ? type : path + " (" + type + ')', "", count ? grouped(count) : "", ""});
    modes.emplace_back(&module, module.is_training());
    const bool leaf = module.children().empty();
    handles.push_back(module.register_forward_hook([&, row, type, own, leaf, layer_macs = int64_t{0}](
                                                       Module&, const std::vector<Tensor>& inputs, std::vector<Tensor>& outputs) mutable {
      if (outputs.empty() || !outputs[0].defined()) return;
      rows[row][1] = wick::detail::concat(outputs[0].sizes());
      if (leaf) output_bytes += bytes_of(outputs[0]);
      const int64_t now = inputs.empty() ? 0 : macs_of(type, own, inputs[0], outputs[0]);
      macs += now;
      layer_macs += now;
      if (layer_macs) rows[row][3] = grouped(layer_macs);
    }));
  }));
  const auto restore = [&] {
    for (const auto& [module, training] : modes) module->train(training);
    for (RemovableHandle& handle : handles) handle.remove();
  };
  const std::vector<Tensor> parameters = model.parameters();
  try {
    const NoGradGuard no_grad;
    model.eval();
    call(parameters.empty() ? zeros(input_size) : zeros(input_size, parameters[0].options().requires_grad(false)));
  } catch (...) {
    restore();
    throw;
  }
  restore();
  int64_t count = 0, trainable = 0, bytes = 0;
  for (const Tensor& parameter : parameters) {
    count += parameter.numel();
    trainable += parameter.requires_grad() ? parameter.numel() : 0;
    bytes += bytes_of(parameter);
  }
  return table(rows) + "Parameters: " + grouped(count) + ", trainable " + grouped(trainable) + "\nMACs: " + grouped(macs) +
         "\nMemory: parameters " + mebibytes(bytes) + ", outputs " + mebibytes(output_bytes) + '\n';
}

}  // namespace wick::nn::detail
