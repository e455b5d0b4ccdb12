#include <torch/torch.h>

#include <algorithm>
#include <random>

namespace torch::data::samplers::detail {

void shuffle(std::vector<size_t>& indices, uint32_t seed) {
  std::mt19937 random(seed);
  std::shuffle(indices.begin(), indices.end(), random);
}

}  // namespace torch::data::samplers::detail
