#include "wick/datasets/images.h"

#include <algorithm>
#include <filesystem>

#include "wick/datasets/detail/tensors.h"
#include "wick/framework/io/bytes.h"

namespace wick::datasets {

Tensor read_idx(const std::string& path) {
  std::string content = io::read_file(path);
  if (content.starts_with("\x1f\x8b")) content = io::inflate(content, path);
  io::ByteReader reader(content, path);
  const auto number = [&] { return __builtin_bswap32(reader.number<uint32_t>()); };
  const uint32_t magic = number();
  if (magic >> 8 != 8) reader.fail("this is no IDX file of bytes");
  std::vector<int64_t> sizes;
  for (uint32_t d = 0; d < (magic & 0xff); ++d) sizes.push_back(number());
  return io::tensor_from_bytes(reader.rest(), kByte, sizes, path);
}

ImageSet read_mnist(const std::string& folder, bool train) {
  const std::string prefix = folder + (train ? "/train" : "/t10k");
  const auto read = [&](const char* name, int64_t dim) {
    const std::string path = prefix + name;
    const std::string found = std::filesystem::exists(path) ? path : path + ".gz";
    WICK_CHECK(std::filesystem::exists(found), "Error opening images file at ", path, "\n  There is no such file, and none with .gz.");
    Tensor x = read_idx(found);
    WICK_CHECK(x.dim() == dim, found, ": the file has ", x.dim(), " dimensions instead of ", dim);
    return x;
  };
  ImageSet set{read("-images-idx3-ubyte", 3), read("-labels-idx1-ubyte", 1).to(kLong)};
  WICK_CHECK(set.images.size(0) == set.labels.size(0), folder, ": there are ", set.images.size(0), " images and ", set.labels.size(0),
             " labels");
  return set;
}

ImageSet read_cifar10(const std::string& folder, bool train) {
  constexpr int64_t kPixels = 3 * 32 * 32;
  std::string content;
  for (int i = 1; i <= (train ? 5 : 1); ++i)
    content += io::read_file(folder + (train ? "/data_batch_" + std::to_string(i) : "/test_batch") + ".bin");
  const Tensor rows = io::tensor_from_bytes(content, kByte, {static_cast<int64_t>(content.size()) / (1 + kPixels), 1 + kPixels}, folder);
  ImageSet set{rows.slice(1, 1).reshape({-1, 3, 32, 32}), rows.select(1, 0).to(kLong)};
  WICK_CHECK(set.labels.numel() == 0 || set.labels.max().item<int64_t>() < 10, folder,
             ": these are no files of CIFAR-10: a label is beyond 9");
  return set;
}

ImageFolder read_image_folder(const std::string& folder, const std::function<Tensor(const std::string& path)>& read_image) {
  namespace fs = std::filesystem;
  const auto names_in = [](const fs::path& path) {
    std::error_code error;
    std::vector<fs::path> names;
    for (const auto& entry : fs::directory_iterator(path, error)) names.push_back(entry.path());
    WICK_CHECK(!error, "cannot open ", path.string(), ": ", error.message());
    std::ranges::sort(names);
    return names;
  };
  ImageFolder set;
  std::vector<Tensor> images;
  std::vector<int64_t> labels;
  for (const fs::path& of_class : names_in(folder)) {
    if (!fs::is_directory(of_class)) continue;
    for (const fs::path& file : names_in(of_class)) {
      images.push_back(read_image(file.string()));
      labels.push_back(static_cast<int64_t>(set.class_names.size()));
      WICK_CHECK(images.back().sizes() == images[0].sizes(), file.string(), ": the picture has shape ", images.back().sizes(),
                 ", others have ", images[0].sizes());
    }
    set.class_names.push_back(of_class.filename().string());
  }
  WICK_CHECK(!images.empty(), folder, ": there is no folder with pictures");
  set.images = stack(images);
  set.labels = detail::to_tensor(labels);
  return set;
}

}  // namespace wick::datasets
