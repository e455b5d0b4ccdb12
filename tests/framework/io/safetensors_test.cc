#include "wick/framework/io/safetensors.h"

#include "wick/framework/ops/tensor_literal.h"
#include "wick/tests/framework/io/support.h"

namespace wick {
namespace {

using test::error_of;
using test::from_hex;
using test::golden;
using test::temporary;
using test::write_bytes;

constexpr ScalarType kAll[] = {kByte, kChar, kShort, kInt, kLong, kHalf, kFloat, kDouble, kBool, kBFloat16};

// A file with this header and these bytes.
std::string file_of(const std::string& header, const std::string& data) {
  std::string bytes;
  io::put<uint64_t>(bytes, header.size());
  return bytes + header + data;
}

OrderedDict<std::string, Tensor> parse(const std::string& bytes) {
  const std::string path = temporary("file");
  write_bytes(path, bytes);
  return load_safetensors(path);
}

TEST(Safetensors, ReadsWhatTheReferenceWrote) {
  std::map<std::string, std::string> metadata;
  const auto tensors = load_safetensors(golden("dtypes.safetensors"), kCPU, &metadata);
  EXPECT_EQ(metadata, (std::map<std::string, std::string>{{"format", "pt"}}));
  EXPECT_EQ(tensors.size(), std::size(kAll));
  for (const ScalarType t : kAll) EXPECT_TRUE(equal(tensors[dtype_name(t)], arange(6).view({2, 3}).to(t))) << dtype_name(t);
}

TEST(Safetensors, WritesWhatTheReferenceHasRead) {
  OrderedDict<std::string, Tensor> tensors;
  for (const ScalarType t : kAll) tensors.insert(dtype_name(t), arange(4).to(t));
  const char* folder = std::getenv("WICK_WRITE_FILES");
  const std::string path = folder ? std::string(folder) + "/wick.safetensors" : temporary("file");
  save_safetensors(tensors, path, {{"by", "wick"}});
  EXPECT_EQ(io::read_file(path), io::read_file(golden("wick.safetensors")));
}

TEST(Safetensors, RoundTripOfViewsAndEmptyTensors) {
  const Tensor x = arange(6).to(kFloat).view({2, 3});
  save_safetensors({{"t", x.t()}, {"empty", empty({0, 3})}, {"scalar", tensor(2.5)}}, temporary("file"));
  const auto tensors = load_safetensors(temporary("file"));
  EXPECT_TRUE(equal(tensors["t"], x.t()));
  EXPECT_TRUE(tensors["t"].is_contiguous());
  EXPECT_EQ(tensors["empty"].sizes(), (IntArrayRef{0, 3}));
  EXPECT_EQ(tensors["scalar"].item<double>(), 2.5);
  EXPECT_TRUE(load_safetensors(temporary("file"), kMeta)["t"].is_meta());
}

TEST(Safetensors, GoodFiles) {
  const auto tensors =
      parse(from_hex("3600000000000000 7b2274223a7b226474797065223a22463332222c227368617065223a5b325d2c22646174615f6f666673657473223a5b"
                     "302c385d7d7d 0000c03f000000c0"));
  EXPECT_TRUE(equal(tensors["t"], tensor({1.5f, -2.f})));
  EXPECT_EQ(parse(file_of(R"({"t":{"dtype":"F32","shape":[0,3],"data_offsets":[0,0]}})", ""))["t"].sizes(), (IntArrayRef{0, 3}));
  EXPECT_EQ(parse(file_of(R"({"__metadata__":{"a":"b"},"t":{"dtype":"F32","shape":[],"data_offsets":[0,4]}})", std::string(4, '\0')))["t"]
                .item<float>(),
            0);
  EXPECT_TRUE(parse(file_of("{}", "")).is_empty());
}

TEST(Safetensors, BadFiles) {
  const auto entry = [](const std::string& dtype, const std::string& shape, const std::string& offsets) {
    return "{\"t\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}}";
  };
  const std::string eight(8, '\0'), four(4, '\0');
  const std::string pair =
      R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})";
  const std::string twice =
      R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})";
  const std::string bad[] = {
      "1234567", from_hex("ffffffffffffffff") + "{}", from_hex("fdffffffffffffff") + "{}", from_hex("e803000000000000") + "{}", "",
      file_of(entry("F32", "[1024]", "[0,4096]"), eight), file_of(entry("F32", "[2]", "[8,0]"), eight),
      file_of(entry("F32", "[2]", "[0]"), eight), file_of(entry("F32", "[2]", "[18446744073709551600,4]"), eight),
      file_of(entry("F32", "[1000,1000]", "[0,4]"), four), file_of(entry("F32", "[4294967296,4294967296,4]", "[0,0]"), ""),
      file_of(entry("F32", "[18446744073709551615]", "[0,0]"), ""), file_of(entry("F32", "[-1]", "[0,4]"), four),
      file_of(entry("F32", "[1.0]", "[0,4]"), four), file_of(entry("X9", "[1]", "[0,4]"), four), file_of(pair, eight + four),
      file_of(twice, eight), file_of(std::string(100000, '['), ""), file_of("[]", ""), file_of("{\"t\":3}", ""), file_of("{", ""),
      file_of("{}", "x"), file_of(R"({"__metadata__":{"a":1}})", ""), file_of(entry("F32", "[1]", "[4,8]"), eight)};
  for (const std::string& bytes : bad) {
    EXPECT_NE(error_of([&] { parse(bytes); }).find("Safetensors.BadFiles.file: "), std::string::npos) << bytes.substr(0, 200);
  }
  EXPECT_NE(error_of([&] { parse(file_of(twice, eight)); }).find("\"a\" is there twice"), std::string::npos);
  EXPECT_NE(error_of([] { load_safetensors("no/such/file"); }).find("cannot open no/such/file: No such file"), std::string::npos);
}

TEST(Safetensors, WritesNothingThatItCouldNotRead) {
  const std::string path = temporary("file");
  const auto error_saving = [&](const char* name, const Tensor& x) {
    return error_of([&] { save_safetensors({{name, x}}, path); });
  };
  EXPECT_EQ(error_saving("__metadata__", ones({1})), "save_safetensors: a tensor cannot be called __metadata__");
  EXPECT_EQ(error_saving("a\xff", ones({1})).find("save_safetensors: a name is not UTF-8"), 0u);
  EXPECT_EQ(error_saving("a", ones({1}, kComplexDouble)).find("safetensors has no complex128"), 0u);
}

TEST(Safetensors, AFailedSaveLeavesTheOldFile) {
  const std::string path = temporary("file");
  write_bytes(path, "old");
  EXPECT_NE(error_of([&] { save_safetensors({{"t", Tensor()}}, path); }), "no error");
  EXPECT_EQ(io::read_file(path), "old");
  EXPECT_EQ(error_of([] { save_safetensors(OrderedDict<std::string, Tensor>(), "no/such/folder/file"); }),
            "cannot write no/such/folder/file: No such file or directory");
}

TEST(Safetensors, Fuzz) {
  test::fuzz(io::read_file(golden("dtypes.safetensors")), 1000, [](const std::string& bytes) { parse(bytes); });
}

}  // namespace
}  // namespace wick
