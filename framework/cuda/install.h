// Filling the kernel slots with the pointers of the CUDA kernels.
#pragma once

namespace wick::cuda {

// All of them. Called once, when the first CUDA device is asked for.
void install();

// One family each, defined beside the kernels.
void install_elementwise_unary();
void install_elementwise_unary_gradients();
void install_elementwise_plain();
void install_elementwise_binary();
void install_fused();
void install_copy();
void install_reduce_sums();
void install_reduce_extremes();
void install_scan();
void install_softmax();
void install_loss();
void install_random();
void install_optim();
void install_index();
void install_join();
void install_sort();
void install_norm();
void install_pool();
void install_loss_log();
void install_conv();
void install_linalg();
void install_matmul();

}  // namespace wick::cuda
