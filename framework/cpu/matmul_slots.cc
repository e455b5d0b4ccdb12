#include "wick/framework/cpu/gemm.h"
#include "wick/framework/plan/matmul.h"

namespace wick {
namespace {

template <class T>
void run(const MatmulArgs& args) {
  const cpu::GemmArgs<T> gemm{
      .m = args.m, .n = args.n, .k = args.k, .trans_a = args.trans_a, .trans_b = args.trans_b,
      .a = args.buffers[1].as<const T>(), .lda = args.lda, .b = args.buffers[2].as<const T>(), .ldb = args.ldb,
      .c = args.buffers[0].as<T>(), .ldc = args.ldc, .alpha = static_cast<T>(args.alpha), .beta = 0, .bias = args.buffers[3].as<const T>(),
      .activation = args.epilogue == MatmulEpilogue::kRelu ? cpu::Activation::kRelu : cpu::Activation::kNone};
  if (args.batch == 1) cpu::gemm(gemm);
  else cpu::gemm_batch(gemm, args.batch, args.stride_a, args.stride_b, args.stride_c);
}

void run_matmul(const MatmulArgs& args) {
  switch (args.dtype) {
    case kFloat: return run<float>(args);
    case kDouble: return run<double>(args);
    case kLong: return run<int64_t>(args);
    case kInt: return run<int32_t>(args);
    case kShort: return run<int16_t>(args);
    case kChar: return run<int8_t>(args);
    case kComplexFloat: return run<Complex<float>>(args);
    case kComplexDouble: return run<Complex<double>>(args);
    default: return run<uint8_t>(args);
  }
}

}  // namespace

constinit Kernel<MatmulArgs> matmul_kernel = Kernel<MatmulArgs>::make<run_matmul, run_matmul>("matmul");

}  // namespace wick
