// Sequences of unequal length in one batch (namespace nn::utils::rnn).
#pragma once

#include "wick/framework/tensor.h"

namespace wick::nn {
namespace utils::rnn {

// Sequences, the longest first, cut into steps: the rows of step t of all sequences that are at least t + 1 long follow those of step
// t - 1. batch_sizes[t], on the CPU, says how many they are. Where the sequences were sorted for that, sorted_indices is the order, and
// unsorted_indices undoes it.
class PackedSequence {
 public:
  explicit PackedSequence(Tensor data, Tensor batch_sizes, Tensor sorted_indices = {}, Tensor unsorted_indices = {});

  const Tensor& data() const { return data_; }
  const Tensor& batch_sizes() const { return batch_sizes_; }
  const Tensor& sorted_indices() const { return sorted_indices_; }
  const Tensor& unsorted_indices() const { return unsorted_indices_; }

  // The same steps of other rows.
  PackedSequence with_data(Tensor data) const { return PackedSequence(std::move(data), batch_sizes_, sorted_indices_, unsorted_indices_); }
  PackedSequence to(const TensorOptions& options) const;
  PackedSequence cpu() const { return to(kCPU); }
  PackedSequence cuda() const { return to(kCUDA); }
  bool is_cuda() const { return data_.is_cuda(); }

 private:
  Tensor data_, batch_sizes_, sorted_indices_, unsorted_indices_;
};

// The permutation that undoes one; undefined for an undefined one.
Tensor invert_permutation(const Tensor& permutation);

// input [T, B, ...], or [B, T, ...] with batch_first; lengths [B], from the longest down unless enforce_sorted is false.
PackedSequence pack_padded_sequence(Tensor input, Tensor lengths, bool batch_first = false, bool enforce_sorted = true);
// The padded sequences, of total_length if it is given, and their lengths.
std::tuple<Tensor, Tensor> pad_packed_sequence(const PackedSequence& sequence, bool batch_first = false, double padding_value = 0.0,
                                               std::optional<int64_t> total_length = std::nullopt);
// Sequences [length, ...] side by side: [T, B, ...], or [B, T, ...] with batch_first.
Tensor pad_sequence(TensorList sequences, bool batch_first = false, double padding_value = 0);
PackedSequence pack_sequence(TensorList sequences, bool enforce_sorted = true);

}  // namespace utils::rnn

using utils::rnn::PackedSequence;

}  // namespace wick::nn
