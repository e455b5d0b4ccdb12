#include "wick/datasets/images.h"

#include <zlib.h>

#include "wick/framework/ops/tensor_literal.h"
#include "wick/tests/framework/io/support.h"

namespace wick::datasets {
namespace {

using test::message_of;
using test::from_hex;
using test::temporary;
using test::write_bytes;

std::string new_folder() {
  const std::string folder = temporary("folder");
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

Tensor parse(const std::string& bytes) {
  write_bytes(temporary("file"), bytes);
  return read_idx(temporary("file"));
}

const std::string kImages = from_hex("00000803 00000001 00000002 00000002 0001feff");

std::string gzip(const std::string& bytes) {
  std::string packed(1000, '\0');
  z_stream z{};
  deflateInit2(&z, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  z.avail_in = static_cast<uInt>(bytes.size());
  z.next_out = reinterpret_cast<Bytef*>(packed.data());
  z.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&z, Z_FINISH), Z_STREAM_END);
  packed.resize(packed.size() - z.avail_out);
  deflateEnd(&z);
  return packed;
}

TEST(Idx, GoodFiles) {
  const Tensor expected = tensor({0, 1, 254, 255}, kByte).view({1, 2, 2});
  EXPECT_TRUE(equal(parse(kImages), expected));
  EXPECT_TRUE(equal(parse(gzip(kImages)), expected));
  EXPECT_EQ(parse(from_hex("00000803 00000000 0000001c 0000001c")).sizes(), (IntArrayRef{0, 28, 28}));
}

TEST(Idx, BadFiles) {
  for (const std::string& bytes :
       {std::string(), from_hex("00000803 ffffffff 0000001c 0000001c"), from_hex("03080000 00000001 00000002 00000002 0001feff"),
        kImages.substr(0, kImages.size() - 1), kImages + "x", from_hex("00000803 00000001"), from_hex("00000d01 00000001 00000000"),
        from_hex("000008ff ffffffff ffffffff ffffffff"), gzip(kImages).substr(0, 20), gzip(kImages) + "x", from_hex("1f8b")}) {
    EXPECT_NE(message_of([&] { parse(bytes); }).find("Idx.BadFiles.file: "), std::string::npos);
  }
}

TEST(Idx, Fuzz) {
  test::fuzz(kImages, 1000, parse);
  test::fuzz(gzip(kImages), 1000, parse);
}

TEST(Mnist, ImagesAndLabelsMustAgree) {
  const std::string folder = new_folder();
  EXPECT_NE(message_of([&] { read_mnist(folder); }).find("Error opening images file at "), std::string::npos);
  write_bytes(folder + "/train-images-idx3-ubyte.gz", gzip(kImages));
  write_bytes(folder + "/train-labels-idx1-ubyte", from_hex("00000801 00000001 07"));
  const ImageSet set = read_mnist(folder);
  EXPECT_EQ(set.images.sizes(), (IntArrayRef{1, 2, 2}));
  EXPECT_EQ(set.labels.scalar_type(), kLong);
  EXPECT_EQ(set.labels.item<int64_t>(), 7);
  write_bytes(folder + "/train-labels-idx1-ubyte", from_hex("00000801 00000002 0707"));
  EXPECT_NE(message_of([&] { read_mnist(folder); }).find("there are 1 images and 2 labels"), std::string::npos);
  write_bytes(folder + "/train-labels-idx1-ubyte", kImages);
  EXPECT_NE(message_of([&] { read_mnist(folder); }).find("the file has 3 dimensions instead of 1"), std::string::npos);
}

TEST(Cifar, ReadsRecords) {
  const std::string folder = new_folder();
  std::string record(1 + 3072, '\0');
  record[0] = 3;
  record[1 + 1024] = 77;  // the first green pixel
  write_bytes(folder + "/test_batch.bin", record + record);
  const ImageSet set = read_cifar10(folder, /*train=*/false);
  EXPECT_EQ(set.images.sizes(), (IntArrayRef{2, 3, 32, 32}));
  EXPECT_TRUE(equal(set.labels, tensor({3, 3}, kLong)));
  EXPECT_EQ(set.images[1][1][0][0].item<int>(), 77);
  write_bytes(folder + "/test_batch.bin", record.substr(1));
  EXPECT_NE(message_of([&] { read_cifar10(folder, false); }).find("3072 bytes are not a tensor"), std::string::npos);
  record[0] = 10;
  write_bytes(folder + "/test_batch.bin", record);
  EXPECT_NE(message_of([&] { read_cifar10(folder, false); }).find("a label is beyond 9"), std::string::npos);
  EXPECT_NE(message_of([&] { read_cifar10(folder, true); }).find("cannot open"), std::string::npos);
}

TEST(ImageFolder, TakesClassesFromFolders) {
  const std::string folder = new_folder();
  for (const char* name : {"/b", "/a"}) std::filesystem::create_directories(folder + name);
  const auto read = [](const std::string& path) { return full({1, 2}, static_cast<int64_t>(io::read_file(path).size()), kByte); };
  EXPECT_EQ(message_of([&] { read_image_folder(folder, read); }), folder + ": there is no folder with pictures");
  write_bytes(folder + "/b/2", "22");
  write_bytes(folder + "/b/1", "1");
  write_bytes(folder + "/a/3", "333");
  write_bytes(folder + "/readme", "");
  const ImageFolder set = read_image_folder(folder, read);
  EXPECT_EQ(set.class_names, (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(equal(set.labels, tensor({0, 1, 1}, kLong)));
  EXPECT_TRUE(equal(set.images, tensor({3, 3, 1, 1, 2, 2}, kByte).view({3, 1, 2})));
  const auto uneven = [](const std::string& path) { return zeros({static_cast<int64_t>(io::read_file(path).size())}); };
  EXPECT_NE(message_of([&] { read_image_folder(folder, uneven); }).find("the picture has shape [1], others have [3]"), std::string::npos);
  EXPECT_NE(message_of([&] { read_image_folder(folder + "/none", read); }).find("cannot open"), std::string::npos);
}

}  // namespace
}  // namespace wick::datasets
