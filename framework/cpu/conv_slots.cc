#include <vector>

#include "wick/framework/cpu/conv.h"
#include "wick/framework/cpu/dnnl/conv.h"

namespace wick {
namespace {

// oneDNN blocks channels, and takes a slow way to the gradient of an image of few (64x1x28x28, 16 kernels of 5x5: 10.7 ms, products 1.2).
template <cpu::ConvKind kind>
bool suits_dnnl(const ConvShape& s) { return kind != cpu::ConvKind::kBackwardInput || s.groups > 1 || s.in_channels > 3; }

// The gradient of an image behind one channel without strides is that channel's gradient convolved with the kernel turned round, which
// oneDNN does in a third of the time (1x256x256, 15x15). False, with nothing written, where that is not so.
bool turned_backward_input(const ConvArgs& args) {
  const ConvShape& s = args.shape;
  ConvArgs turned = args;
  ConvShape& t = turned.shape;
  std::swap(t.in_channels, t.out_channels);
  bool suits = s.out_channels == 1;
  for (int d = 0; d < kConvDims; ++d) {
    std::swap(t.input[d], t.output[d]);
    t.padding[d] = (s.kernel[d] - 1) * s.dilation[d] - s.padding[d];
    suits = suits && s.stride[d] == 1 && t.padding[d] >= 0;
  }
  if (!suits) return false;
  const float* w = args.buffers[2].as<const float>();
  std::vector<float> kernels;
  for (int64_t c = 0; c < s.in_channels; ++c, w += s.kernel_size()) {
    for (int64_t k = s.kernel_size(); k > 0; --k) kernels.push_back(w[k - 1]);
  }
  turned.buffers[2] = Buffer(nullptr);
  turned.buffers[2].data = kernels.data();
  turned.buffers[3] = Buffer(nullptr);
  return cpu::dnnl_conv(cpu::ConvKind::kForward, turned);
}

// oneDNN for float; matrix products for double and for what oneDNN does not take.
template <cpu::ConvKind kind, void (*of_float)(const ConvArgs&), void (*of_double)(const ConvArgs&)>
void run(const ConvArgs& args) {
  if (args.dtype == kDouble) return of_double(args);
  if (kind == cpu::ConvKind::kBackwardInput && turned_backward_input(args)) return;
  if (!suits_dnnl<kind>(args.shape) || !cpu::dnnl_conv(kind, args)) of_float(args);
}

template <cpu::ConvKind kind, void (*of_float)(const ConvArgs&), void (*of_double)(const ConvArgs&)>
constexpr Kernel<ConvArgs> make(const char* name) {
  return Kernel<ConvArgs>::make<run<kind, of_float, of_double>, run<kind, of_float, of_double>>(name);
}

}  // namespace

constinit Kernel<ConvArgs> conv_forward_kernel =
    make<cpu::ConvKind::kForward, cpu::conv_forward<float>, cpu::conv_forward<double>>("conv_forward");
constinit Kernel<ConvArgs> conv_backward_input_kernel =
    make<cpu::ConvKind::kBackwardInput, cpu::conv_backward_input<float>, cpu::conv_backward_input<double>>("conv_backward_input");
constinit Kernel<ConvArgs> conv_backward_weight_kernel =
    make<cpu::ConvKind::kBackwardWeight, cpu::conv_backward_weight<float>, cpu::conv_backward_weight<double>>("conv_backward_weight");

}  // namespace wick
