#include <filesystem>

#include "wick/datasets/images.h"
#include "wick/tests/fuzz/fuzz.h"

namespace wick::fuzz {

const char* const kName = "cifar";

std::vector<std::string> seeds() { return {std::string(3073, '\2'), std::string(2 * 3073, '\7')}; }

void parse(const std::string& bytes) {
  const std::filesystem::path file = file_with(bytes, "test_batch.bin");
  const datasets::ImageSet set = datasets::read_cifar10(file.parent_path().string(), /*train=*/false);
  require(set.images.numel() + set.labels.numel() == static_cast<int64_t>(bytes.size()), "bytes that are in no image");
}

}  // namespace wick::fuzz
