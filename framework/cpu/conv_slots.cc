#include "wick/framework/cpu/conv.h"
#include "wick/framework/cpu/dnnl/conv.h"

namespace wick {
namespace {

// oneDNN blocks channels, and takes a slow way to the gradient of an image of few (64x1x28x28, 16 kernels of 5x5: 10.7 ms, products 1.2).
template <cpu::ConvKind kind>
bool suits_dnnl(const ConvShape& s) { return kind != cpu::ConvKind::kBackwardInput || s.groups > 1 || s.in_channels > 3; }

// oneDNN for float; matrix products for double and for what oneDNN does not take.
template <cpu::ConvKind kind, void (*of_float)(const ConvArgs&), void (*of_double)(const ConvArgs&)>
void run(const ConvArgs& args) {
  if (args.dtype == kDouble) of_double(args);
  else if (!suits_dnnl<kind>(args.shape) || !cpu::dnnl_conv(kind, args)) of_float(args);
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
