#include "wick/framework/io/npy.h"

#include "wick/framework/io/stream.h"
#include "wick/framework/io/zip.h"
#include "wick/framework/ops/tensor_literal.h"
#include "wick/tests/framework/io/support.h"

namespace wick {
namespace {

using test::error_of;
using test::golden;
using test::temporary;
using test::write_bytes;

constexpr ScalarType kAll[] = {kByte, kChar, kShort, kInt, kLong, kHalf, kFloat, kDouble, kBool};

TEST(Npy, ReadsWhatNumpyWrote) {
  const Tensor x = arange(6).view({2, 3});
  EXPECT_TRUE(equal(load_npy(golden("fortran.npy")), x.to(kFloat)));
  EXPECT_TRUE(load_npy(golden("fortran.npy")).is_contiguous());
  EXPECT_TRUE(equal(load_npy(golden("big_endian.npy")), x.to(kInt)));
  const auto arrays = load_npz(golden("arrays.npz"));
  EXPECT_EQ(arrays.size(), 4u);
  EXPECT_EQ(arrays["scalar"].dim(), 0);
  EXPECT_EQ(arrays["scalar"].item<double>(), 2.5);
  EXPECT_EQ(arrays["empty"].sizes(), (IntArrayRef{0, 3}));
  EXPECT_EQ(arrays["empty"].scalar_type(), kByte);
  EXPECT_TRUE(equal(arrays["half"], x.to(kHalf)));
  EXPECT_TRUE(equal(arrays["flags"], x > 2));
}

TEST(Npy, WritesWhatNumpyHasRead) {
  const char* folder = std::getenv("WICK_WRITE_FILES");
  const auto path = [&](const char* name) { return folder ? std::string(folder) + '/' + name : temporary(name); };
  save_npy(arange(6).to(kFloat).view({2, 3}), path("wick.npy"));
  EXPECT_EQ(io::read_file(path("wick.npy")), io::read_file(golden("wick.npy")));
  OrderedDict<std::string, Tensor> arrays;
  for (const ScalarType t : kAll) arrays.insert(dtype_name(t), arange(4).to(t));
  save_npz(arrays, path("wick.npz"));
  EXPECT_EQ(io::read_file(path("wick.npz")), io::read_file(golden("wick.npz")));
}

TEST(Npy, RoundTrip) {
  const Tensor x = arange(24).to(kDouble).view({2, 3, 4});
  for (const Tensor& y : {x, x.transpose(0, 2), x.select(1, 1), x.sum(), x.slice(0, 0, 0), x.view({-1})}) {
    save_npy(y, temporary("file"));
    const Tensor z = load_npy(temporary("file"));
    EXPECT_TRUE(equal(y, z) && z.sizes() == y.sizes()) << y.sizes();
  }
}

TEST(Npy, BadFiles) {
  const auto load = [](const std::string& bytes) {
    write_bytes(temporary("file"), bytes);
    return error_of([] { load_npy(temporary("file")); });
  };
  const auto file = [](std::string header, const std::string& data = std::string(8, '\0')) {
    std::string bytes("\x93NUMPY\x01\x00", 8);
    io::put(bytes, static_cast<uint16_t>(header.size()));
    return bytes + header + data;
  };
  EXPECT_EQ(load(file("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }")), "no error");
  EXPECT_NE(load("").find("this is no .npy file"), std::string::npos);
  EXPECT_NE(load(std::string("\x93NUMPY\x04\x00", 8)).find("version 4"), std::string::npos);
  for (const char* header :
       {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-2,), }", "{'descr': '<f4', 'fortran_order': False, 'shape': (x,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296, 4), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 4611686018427387904, 4611686018427387904), }",
        "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (2,), }", "{'descr': '<f4', 'shape': (2,), }",
        "{'descr': '<c32', 'fortran_order': False, 'shape': (1,), }", "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
        "{'fortran_order': False, 'shape': (2,), }", "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }", "{'descr':", "",
        "'shape'"}) {
    EXPECT_NE(load(file(header)), "no error") << header;
  }
  EXPECT_NE(error_of([] { load_npy(golden("objects.npy")); }).find("which tensors do not have"), std::string::npos);
  EXPECT_NE(error_of([] { save_npy(ones({1}, kBFloat16), temporary("other")); }).find("NumPy has no bfloat16"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(temporary("other")));
}

TEST(Npy, Fuzz) {
  const auto parse = [](const std::string& bytes) {
    write_bytes(temporary("file"), bytes);
    load_npy(temporary("file"));
  };
  test::fuzz(io::read_file(golden("fortran.npy")), 1000, parse);
  test::fuzz(io::read_file(golden("arrays.npz")), 1000, [](const std::string& bytes) {
    write_bytes(temporary("file"), bytes);
    load_npz(temporary("file"));
  });
}

// ---- Zip archives ------------------------------------------------------------------------------------------------------------------

std::string zip_of(const std::vector<std::pair<std::string, std::string>>& members, uint64_t limit = 0xffffffff) {
  std::string bytes;
  io::ZipWriter zip([&](const void* data, size_t size) { bytes.append(static_cast<const char*>(data), size); }, limit);
  for (const auto& [name, content] : members) zip.add(name, content);
  zip.finish();
  return bytes;
}

TEST(Zip, RoundTripAlsoWith64BitNumbers) {
  for (const uint64_t limit : {uint64_t{0xffffffff}, uint64_t{100}, uint64_t{10}}) {
    const std::string file = zip_of({{"a", "content"}, {"folder/b", std::string(1000, 'x')}, {"empty", ""}}, limit);
    const io::ZipReader zip(file, "zip");
    std::string buffer;
    EXPECT_EQ(zip.members().size(), 3u);
    EXPECT_EQ(zip.open("a", buffer), "content");
    EXPECT_EQ(zip.open("folder/b", buffer), std::string(1000, 'x'));
    EXPECT_EQ(zip.open("empty", buffer), "");
    for (const auto& [name, member] : zip.members()) EXPECT_EQ((member.data.data() - file.data()) % 64, 0) << name;
    EXPECT_EQ(error_of([&] { zip.open("c", buffer); }), "zip: the file lacks c");
  }
}

TEST(Zip, ManyMembers) {
  std::vector<std::pair<std::string, std::string>> members;
  for (int i = 0; i < 70000; ++i) members.emplace_back(std::to_string(i), "");
  const std::string file = zip_of(members);
  EXPECT_EQ(io::ZipReader(file, "zip").members().size(), 70000u);
}

TEST(Zip, BadFiles) {
  const std::string good = zip_of({{"a", "content"}});
  EXPECT_NE(error_of([&] { io::ZipReader("", "zip"); }), "no error");
  EXPECT_NE(error_of([&] { io::ZipReader(good.substr(0, good.size() - 1), "zip"); }), "no error");
  EXPECT_NE(error_of([&] { io::ZipReader(good + "x", "zip"); }).find("bytes behind the end"), std::string::npos);
  const std::string twice = zip_of({{"a", "content"}, {"a", "content"}});
  EXPECT_EQ(error_of([&] { io::ZipReader(twice, "zip"); }), "zip: a is there twice");
  std::string damaged = good, buffer;
  damaged[damaged.find("content")] = 'C';
  EXPECT_NE(error_of([&] { io::ZipReader(damaged, "zip").open("a", buffer); }).find("checksum"), std::string::npos);
}

TEST(Zip, MembersMayNotShareBytes) {
  // The second entry of the directory is made to point at the first one's data.
  std::string file = zip_of({{"a", std::string(400, 'x')}, {"b", std::string(400, 'x')}});
  const size_t second = file.rfind(std::string("PK\1\2", 4));
  std::memset(&file[second + 42], 0, 4);
  std::string once = zip_of({{"a", std::string(400, 'x')}});
  const size_t directory = file.find(std::string("PK\1\2", 4)), end = file.rfind(std::string("PK\5\6", 4));
  std::string overlapping =
      once.substr(0, once.find(std::string("PK\1\2", 4))) + file.substr(directory, end - directory) + file.substr(end);
  const uint32_t offset = static_cast<uint32_t>(once.find(std::string("PK\1\2", 4)));
  std::memcpy(&overlapping[overlapping.size() - 6], &offset, 4);
  EXPECT_EQ(error_of([&] { io::ZipReader(overlapping, "zip"); }), "zip: the members of the zip archive overlap");
}

}  // namespace
}  // namespace wick
