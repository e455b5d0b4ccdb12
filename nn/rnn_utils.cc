#include "wick/nn/rnn_utils.h"

#include "wick/framework/ops/tensor_literal.h"

namespace wick::nn::utils::rnn {

PackedSequence::PackedSequence(Tensor data, Tensor batch_sizes, Tensor sorted_indices, Tensor unsorted_indices)
    : data_(std::move(data)), batch_sizes_(std::move(batch_sizes)), sorted_indices_(std::move(sorted_indices)),
      unsorted_indices_(unsorted_indices.defined() ? std::move(unsorted_indices) : invert_permutation(sorted_indices_)) {
  WICK_CHECK(batch_sizes_.device().is_cpu(), "batch_sizes should always be on CPU. Instances of PackedSequence should never be created "
             "manually. They should be instantiated by functions like pack_sequence and pack_padded_sequences in nn::utils::rnn. "
             "https://pytorch.org/docs/stable/nn.html#torch.nn.utils.rnn.pack_sequence");
}

PackedSequence PackedSequence::to(const TensorOptions& options) const {
  const Tensor data = data_.to(options);
  if (data.is_same(data_)) return *this;
  const auto moved = [&](const Tensor& indices) { return indices.defined() ? indices.to(data.device(), indices.scalar_type()) : indices; };
  return PackedSequence(data, batch_sizes_, moved(sorted_indices_), moved(unsorted_indices_));
}

Tensor invert_permutation(const Tensor& permutation) {
  if (!permutation.defined()) return {};
  return empty_like(permutation).scatter_(0, permutation, arange(permutation.numel(), permutation.options()));
}

PackedSequence pack_padded_sequence(Tensor input, Tensor lengths, bool batch_first, bool enforce_sorted) {
  lengths = lengths.to(kCPU, kLong);
  Tensor order;
  if (!enforce_sorted) {
    std::tie(lengths, order) = lengths.sort(/*dim=*/-1, /*descending=*/true);
    order = order.to(input.device(), kLong);
    input = input.index_select(batch_first ? 0 : 1, order);
  }
  if (batch_first) input = input.transpose(0, 1);
  WICK_CHECK(input.numel() > 0, "Cannot pack empty tensors.");
  WICK_CHECK(lengths.dim() == 1 && lengths.numel() == input.size(1), "Expected `len(lengths)` to be equal to batch_size, but got ",
             lengths.numel(), " (batch_size=", input.size(1), ")");
  lengths = lengths.contiguous();
  const int64_t* length = lengths.data_ptr<int64_t>();
  const int64_t batch = lengths.numel();
  WICK_CHECK(batch > 0 && length[batch - 1] > 0,
             "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0");
  for (int64_t b = 1; b < batch; ++b) {
    WICK_CHECK(length[b] <= length[b - 1],
               "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass `enforce_sorted=False` to "
               "pack_padded_sequence and/or pack_sequence to sidestep this requirement if you do not need ONNX exportability.");
  }
  WICK_CHECK(length[0] <= input.size(0), "Expected all lengths to be at most the padded length ", input.size(0), ", but got ", length[0]);
  const Tensor sizes = empty({length[0]}, kLong);
  std::vector<Tensor> steps;
  for (int64_t t = 0, count = batch; t < length[0]; ++t) {
    while (length[count - 1] <= t) --count;
    sizes.data_ptr<int64_t>()[t] = count;
    steps.push_back(input.select(0, t).narrow(0, 0, count));
  }
  return PackedSequence(cat(steps), sizes, order);
}

std::tuple<Tensor, Tensor> pad_packed_sequence(const PackedSequence& sequence, bool batch_first, double padding_value,
                                               std::optional<int64_t> total_length) {
  const int64_t longest = sequence.batch_sizes().numel();
  WICK_CHECK(total_length.value_or(longest) >= longest, "Expected total_length to be at least the length of the longest sequence in input, "
             "but got total_length=", *total_length, " and max sequence length being ", longest);
  const int64_t* sizes = sequence.batch_sizes().data_ptr<int64_t>();
  const int64_t batch = sizes[0];
  Dims padded(sequence.data().sizes());
  padded[0] = batch;
  padded.insert(0, total_length.value_or(longest));
  Tensor output = full(padded, padding_value, sequence.data().options());
  const Tensor lengths = zeros({batch}, kLong);
  for (int64_t t = 0, row = 0; t < longest; row += sizes[t++]) {
    output.select(0, t).narrow(0, 0, sizes[t]).copy_(sequence.data().narrow(0, row, sizes[t]));
    lengths.narrow(0, 0, sizes[t]).add_(1);
  }
  if (batch_first) output = output.transpose(0, 1);
  const Tensor& order = sequence.unsorted_indices();
  if (!order.defined()) return {output, lengths};
  return {output.index_select(batch_first ? 0 : 1, order), lengths.index_select(0, order.to(kCPU, kLong))};
}

Tensor pad_sequence(TensorList sequences, bool batch_first, double padding_value) {
  WICK_CHECK(!sequences.empty(), "received an empty list of sequences");
  int64_t longest = 0;
  for (const Tensor& s : sequences) longest = std::max(longest, s.size(0));
  std::vector<Tensor> padded;
  for (const Tensor& s : sequences) {
    Dims rest(s.sizes());
    rest[0] = longest - s.size(0);
    padded.push_back(rest[0] == 0 ? s : cat({s, full(rest, padding_value, s.options())}));
  }
  return stack(padded, batch_first ? 0 : 1);
}

PackedSequence pack_sequence(TensorList sequences, bool enforce_sorted) {
  std::vector<int64_t> lengths;
  for (const Tensor& s : sequences) lengths.push_back(s.size(0));
  return pack_padded_sequence(pad_sequence(sequences), tensor(lengths), /*batch_first=*/false, enforce_sorted);
}

}  // namespace wick::nn::utils::rnn
