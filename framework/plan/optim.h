// Optimiser steps: one kernel call updates up to kTensorsPerCall parameters.
//
// A parameter comes with the tensors that belong to it (its gradient, its moments), one for each role, all of one dtype and with their
// elements in the same order. What may change from step to step is in buffers: the options of the parameter group that are numbers, as
// float64, and for each parameter the steps it has seen, as one int64, which the kernel counts up.
#pragma once

#include <array>

#include "wick/framework/core/launch.h"

namespace wick {

inline constexpr int kTensorsPerCall = 32;

template <int roles>
constexpr auto tensor_list_access(const Access (&of_role)[roles]) {
  std::array<Access, 1 + roles * kTensorsPerCall> access{Access::kRead};
  for (int i = 0; i < roles * kTensorsPerCall; ++i) access[static_cast<size_t>(1 + i)] = of_role[i % roles];
  return access;
}

template <int roles>
struct TensorListArgs {
  static constexpr int kNumRoles = roles;

  Buffer buffers[1 + roles * kTensorsPerCall];  // the numbers; then the roles of tensor 0, of tensor 1, ...; null from `count` on
  int64_t numel[kTensorsPerCall];
  int count;
  ScalarType dtype;  // kFloat or kDouble

  WICK_INLINE Buffer* tensor(int i) { return buffers + 1 + i * roles; }
  WICK_INLINE const Buffer* tensor(int i) const { return buffers + 1 + i * roles; }
  WICK_INLINE double number(int i) const { return static_cast<const double*>(buffers[0].data)[i]; }
};

// g = gradient (negated if maximize) + weight_decay p;  b = momentum b + (1 - dampening) g, but g itself in the first step;
// p -= lr (nesterov ? g + momentum b : b). Without a momentum buffer p -= lr g. The operations, and so the roundings, are PyTorch's.
struct SgdArgs : TensorListArgs<4> {
  enum Role { kParam, kGrad, kMomentumBuffer, kStep };  // the last two null without momentum
  enum Number { kLr, kMomentum, kDampening, kWeightDecay };
  static constexpr auto access = tensor_list_access({Access::kReadWrite, Access::kRead, Access::kReadWrite, Access::kReadWrite});

  bool nesterov, maximize;
};
extern constinit Kernel<SgdArgs> sgd_kernel;

// g as above, but with decoupled decay p *= 1 - lr weight_decay instead;  m += (1 - beta1) (g - m);  v = beta2 v + (1 - beta2) g^2;
// with t the number of this step, p -= lr / (1 - beta1^t) m / (sqrt(u) / sqrt(1 - beta2^t) + eps), where u is v, or with
// max_exp_avg_sq (AMSGrad) the largest v so far.
struct AdamArgs : TensorListArgs<6> {
  enum Role { kParam, kGrad, kExpAvg, kExpAvgSq, kMaxExpAvgSq, kStep };  // kMaxExpAvgSq null without AMSGrad
  enum Number { kLr, kBeta1, kBeta2, kEps, kWeightDecay };
  static constexpr auto access = tensor_list_access({Access::kReadWrite, Access::kRead, Access::kReadWrite, Access::kReadWrite,
                                                     Access::kReadWrite, Access::kReadWrite});

  bool decoupled_decay, maximize;
};
extern constinit Kernel<AdamArgs> adam_kernel;

// g as in SgdArgs;  s += g^2;  p -= lr / (1 + steps lr_decay) g / (sqrt(s) + eps), where `steps` does not count this one.
struct AdagradArgs : TensorListArgs<4> {
  enum Role { kParam, kGrad, kSum, kStep };
  enum Number { kLr, kLrDecay, kWeightDecay, kInitialValue, kEps };
  static constexpr auto access = tensor_list_access({Access::kReadWrite, Access::kRead, Access::kReadWrite, Access::kReadWrite});

  bool maximize;
};
extern constinit Kernel<AdagradArgs> adagrad_kernel;

// g as in SgdArgs;  v = alpha v + (1 - alpha) g^2;  m += (1 - alpha) (g - m);  d = g / (sqrt(v - m^2) + eps), without m sqrt(v);
// b = momentum b + d;  p -= lr b, without a momentum buffer p -= lr d.
struct RmspropArgs : TensorListArgs<6> {
  enum Role { kParam, kGrad, kSquareAvg, kGradAvg, kMomentumBuffer, kStep };  // kGradAvg null unless centered
  enum Number { kLr, kAlpha, kEps, kWeightDecay, kMomentum };
  static constexpr auto access = tensor_list_access({Access::kReadWrite, Access::kRead, Access::kReadWrite, Access::kReadWrite,
                                                     Access::kReadWrite, Access::kReadWrite});

  bool maximize;
};
extern constinit Kernel<RmspropArgs> rmsprop_kernel;

static_assert(sizeof(SgdArgs) <= 4096 && sizeof(AdamArgs) <= 4096, "the arguments of a CUDA kernel");

}  // namespace wick
