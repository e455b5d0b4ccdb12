#include "wick/framework/cuda/install.h"

namespace wick::cuda {

void install() {
  install_elementwise_unary();
  install_elementwise_unary_gradients();
  install_elementwise_plain();
  install_elementwise_binary();
  install_fused();
  install_copy();
  install_reduce_sums();
  install_reduce_extremes();
  install_scan();
  install_softmax();
  install_loss();
  install_random();
  install_optim();
  install_matmul();
  install_linalg();
  install_conv();
  install_index();
  install_join();
  install_sort();
  install_norm();
  install_pool();
  install_loss_log();
}

}  // namespace wick::cuda
