// Archives: what travels between wick and Python's torch.save and torch.load, and what comes of files that are damaged.
#include <torch/torch.h>

#include <sstream>

#include <torch/serialize/pickle.h>

#include "wick/framework/io/zip.h"
#include "wick/tests/framework/io/support.h"

namespace wick {
namespace {

using test::message_of;
using test::golden;
using test::temporary;
using test::write_bytes;

constexpr ScalarType kAll[] = {kByte, kChar, kShort, kInt, kLong, kHalf, kFloat, kDouble, kBool, kBFloat16};

IValue load_value(const std::string& path) {
  IValue value;
  torch::load(value, path);
  return value;
}

const IValue& at(const IValue& dict, const std::string& key) {
  for (const auto& [name, value] : dict.toGenericDict()) if (name.isString() && name.toStringRef() == key) return value;
  throw std::out_of_range(key);
}

std::string bytes_of(const IValue& value) {
  const std::vector<char> bytes = torch::pickle_save(value);
  return {bytes.begin(), bytes.end()};
}

// 0.25, 0.5, ... as tools/make_file_goldens.py numbers the tensors of a module.
Tensor numbered(IntArrayRef sizes) { return (arange(1, 1 + zeros(sizes).numel()).to(kFloat) * 0.25).view(sizes); }

nn::Sequential model() { return nn::Sequential(nn::Linear(2, 3), nn::BatchNorm1d(3)); }

void expect_numbered(nn::Sequential& net) {
  const auto parameters = net->named_parameters();
  EXPECT_TRUE(equal(parameters["0.weight"], numbered({3, 2})));
  EXPECT_TRUE(equal(parameters["0.bias"], numbered({3})));
  EXPECT_TRUE(equal(parameters["1.weight"], numbered({3})));
  EXPECT_TRUE(equal(net->named_buffers()["1.running_var"], numbered({3})));
  EXPECT_EQ(net->named_buffers()["1.num_batches_tracked"].item<int64_t>(), 1);
  EXPECT_TRUE(parameters["0.weight"].requires_grad());
}

// ---- Python's files ----------------------------------------------------------------------------------------------------------------

TEST(FromPython, StateDict) {
  nn::Sequential net = model();
  torch::load(net, golden("state_dict.pt"));
  expect_numbered(net);
}

TEST(FromPython, TorchScript) {
  nn::Sequential net = model();
  torch::load(net, golden("script.pt"));
  expect_numbered(net);
}

TEST(FromPython, Values) {
  const IValue values = load_value(golden("values.pt"));
  const Tensor x = at(values, "x").toTensor(), t = at(values, "t").toTensor();
  EXPECT_TRUE(equal(x, arange(6).to(kFloat).view({2, 3})));
  EXPECT_TRUE(equal(t, x.t()));
  EXPECT_TRUE(t.is_alias_of(x) && at(values, "column").toTensor().is_alias_of(x));
  EXPECT_TRUE(equal(at(values, "column").toTensor(), x.select(1, 1)));
  EXPECT_TRUE(at(values, "parameter").toTensor().requires_grad());
  EXPECT_EQ(at(values, "parameter").toTensor().scalar_type(), kHalf);
  const auto& list = at(values, "list").toList();
  EXPECT_EQ(list.at(0).toInt(), 1);
  EXPECT_EQ(list.at(1).toDouble(), 2.5);
  EXPECT_TRUE(list.at(2).isNone() && list.at(3).toBool());
  EXPECT_EQ(list.at(4).toStringRef(), "text");
  EXPECT_TRUE(list.at(5).isTuple());
  EXPECT_EQ(at(values, "nested").toGenericDict()[0].second.toGenericDict()[0].first.toInt(), 0);
  EXPECT_EQ(at(values, "big").toInt(), int64_t{1} << 40);
  EXPECT_EQ(at(values, "negative").toInt(), -(int64_t{1} << 40));
  EXPECT_EQ(at(values, "dtype").toStringRef(), "torch.float32");
  EXPECT_EQ(at(values, "size").toList().size(), 2u);
  EXPECT_EQ(at(values, "device").toStringRef(), "cpu");
  EXPECT_EQ(at(values, "empty").toTensor().sizes(), (IntArrayRef{0, 3}));
  for (const ScalarType type : kAll) {
    const Tensor y = at(values, std::string("torch.") + dtype_name(type)).toTensor();
    EXPECT_TRUE(y.scalar_type() == type && equal(y, arange(4).to(type))) << dtype_name(type);
  }
}

TEST(FromPython, OptimizerOfACheckpoint) {
  torch::serialize::InputArchive archive, of_model, of_optimizer;
  archive.load_from(golden("checkpoint.pt"));
  archive.read("model", of_model);
  archive.read("optimizer", of_optimizer);
  nn::Linear linear(2, 1);
  linear->load(of_model);
  optim::Adam adam(linear->parameters());
  serialize::operator>>(of_optimizer, static_cast<optim::Optimizer&>(adam));
  const auto& options = static_cast<const optim::AdamOptions&>(adam.param_groups()[0].options());
  EXPECT_EQ(options.lr(), 0.5);
  const auto dict = adam.state_dict();
  EXPECT_EQ(dict.at("state.0.step").toTensor().item<double>(), 2);
  EXPECT_NEAR(dict.at("state.0.exp_avg").toTensor().sum().item<double>(), 2 * (0.9 * 0.1 + 0.1), 1e-6);
}

TEST(FromPython, ComplexNumbers) {
  const IValue values = load_value(golden("complex.pt"));
  const Tensor x = at(values, "x").toTensor(), y = at(values, "y").toTensor();
  EXPECT_EQ(x.scalar_type(), kComplexFloat);
  EXPECT_TRUE(equal(view_as_real(x), tensor({{1.f, 2.f}, {3.f, -1.f}})));
  EXPECT_EQ(y.scalar_type(), kComplexDouble);
  EXPECT_EQ(imag(y).item<double>(), 0.5);
}

TEST(FromPython, WhatTensorsCannotBe) {
  EXPECT_NE(message_of([] { load_value(golden("complex32.pt")); })
                .find("complex32.pt: Unsupported global: GLOBAL torch._utils._rebuild_tensor_v3 was not an allowed global by default."),
            std::string::npos);
  EXPECT_NE(message_of([] { load_value(golden("dtypes.safetensors")); }).find("this is no file of torch.save"), std::string::npos);
}

// ---- To Python ---------------------------------------------------------------------------------------------------------------------

TEST(ToPython, WritesWhatPythonHasRead) {
  const Tensor x = arange(6).to(kFloat).view({2, 3});
  IValue::Dict values{{"x", x}, {"t", x.t()}, {"list", IValue::List{1, 2.5, IValue(), true, "text", IValue::Tuple{IValue(7)}}},
                      {"big", int64_t{1} << 40}, {3, "three"}, {"leaf", ones({2}).requires_grad_()}, {"empty", empty({0, 3})}};
  for (const ScalarType t : kAll) values.emplace_back(dtype_name(t), arange(4).to(t));
  const char* folder = std::getenv("WICK_WRITE_FILES");
  const std::string path = folder ? std::string(folder) + "/wick.pt" : temporary("file");
  torch::save(IValue(values), path);
  EXPECT_EQ(io::read_file(path), io::read_file(golden("wick.pt")));
}

TEST(ToPython, ASliceIsSavedWithoutTheRest) {
  const Tensor x = arange(1000000).to(kFloat);
  EXPECT_LT(bytes_of(x.slice(0, 0, 2)).size(), 1500u);
  EXPECT_LT(bytes_of(ones({1}).expand({1000000})).size(), 1500u);
  EXPECT_LT(bytes_of(x.slice(0, 0, 1000000, 1000)).size(), 6000u);
}

// ---- Round trips -------------------------------------------------------------------------------------------------------------------

TEST(Archive, TensorsOfAnyLayout) {
  const Tensor x = arange(24).to(kFloat).view({4, 6});
  for (const Tensor& y :
       {x, x.t(), x.slice(1, 0, 6, 2), x.slice(0, 1, 3), x.select(0, 2), x.sum(), x.slice(0, 0, 0), ones({1}).expand({3, 2})}) {
    std::stringstream stream;
    torch::save(y, stream);
    Tensor z;
    torch::load(z, stream);
    EXPECT_TRUE(equal(z, y));
  }
}

TEST(Archive, SharedMemoryStaysShared) {
  const Tensor x = arange(24).to(kFloat);
  const IValue loaded = torch::pickle_load(torch::pickle_save(std::vector<Tensor>{x.slice(0, 4, 10), x.slice(0, 8, 20, 3)}));
  const Tensor a = loaded.toTensorVector()[0], b = loaded.toTensorVector()[1];
  a.fill_(-1);
  EXPECT_TRUE(equal(b, torch::tensor({-1.f, 11.f, 14.f, 17.f})));
}

TEST(Archive, NestedKeysAndValues) {
  torch::serialize::OutputArchive archive, nested;
  nested.write("value", IValue(3));
  nested.write("tensor", ones({2}));
  archive.write("nested", nested);
  archive("name", IValue("wick"));
  EXPECT_EQ(message_of([&] { archive.write("name", IValue(1)); }), "OutputArchive: 'name' has been written already");
  std::string bytes;
  archive.save_to([&](const void* data, size_t size) { return bytes.append(static_cast<const char*>(data), size), size; });

  torch::serialize::InputArchive in, below;
  in.load_from([&](uint64_t at, void* to, size_t size) { return bytes.copy(static_cast<char*>(to), std::min<size_t>(size, 7), at); },
               [&] { return bytes.size(); });
  EXPECT_EQ(in.keys(), (std::vector<std::string>{"nested", "name"}));
  EXPECT_TRUE(in.try_read("nested", below));
  EXPECT_EQ(below.keys(), (std::vector<std::string>{"value", "tensor"}));
  IValue value;
  below("value", value);
  EXPECT_EQ(value.toInt(), 3);
  Tensor tensor = zeros({2});
  const Tensor same = tensor;
  below.read("tensor", tensor);
  EXPECT_TRUE(same.is_same(tensor) && equal(same, ones({2})));
  EXPECT_FALSE(in.try_read("tensor", tensor) || in.try_read("name", below) || in.try_read("none", value));
  EXPECT_EQ(message_of([&] { below.read("other", value); }), "Module does not have a field with name 'nested.other'");
  EXPECT_EQ(message_of([&] { below.read("other", tensor); }), "No such serialized tensor 'nested.other'");
  EXPECT_EQ(message_of([&] { in.read("other", below); }), "No such serialized submodule: 'other'");
}

TEST(Archive, AFailedLoadLeavesTheModule) {
  nn::Sequential net = model();
  torch::load(net, golden("state_dict.pt"));
  nn::Sequential other(nn::Linear(2, 3), nn::BatchNorm1d(3), nn::Linear(3, 1));
  torch::save(other, temporary("other"));
  const auto before = other->parameters()[0].clone();
  EXPECT_EQ(message_of([&] { torch::load(other, golden("state_dict.pt")); }), "No such serialized submodule: '2'");
  EXPECT_TRUE(equal(other->parameters()[0], before));
  nn::Sequential wider(nn::Linear(2, 3), nn::BatchNorm1d(4));
  const auto of_wider = wider->parameters()[0].clone();
  EXPECT_NE(
      message_of([&] { torch::load(wider, golden("state_dict.pt")); })
          .find("size mismatch for 1.weight: copying a param with shape torch.Size([3]) from checkpoint, the shape in current model is "
                "torch.Size([4])."),
      std::string::npos);
  EXPECT_TRUE(equal(wider->parameters()[0], of_wider));
}

TEST(Archive, SharedWeightsAndMissingBias) {
  struct Tied : nn::Module {
    Tied() {
      a = register_module("a", nn::Linear(nn::LinearOptions(2, 2).bias(false)));
      b = register_module("b", a);
    }
    nn::Linear a{nullptr}, b{nullptr};
  };
  auto tied = std::make_shared<Tied>();
  EXPECT_EQ(tied->parameters().size(), 1u);
  EXPECT_EQ(tied->state_dict().size(), 2u);
  std::stringstream stream;
  torch::save(tied, stream);
  auto other = std::make_shared<Tied>();
  torch::load(other, stream);
  EXPECT_TRUE(equal(other->a->weight, tied->a->weight) && other->a->weight.is_same(other->b->weight));
}

TEST(Archive, OptimizerGoesOn) {
  nn::Linear one(2, 1), other(2, 1);
  optim::Adam first(one->parameters(), optim::AdamOptions(0.1)), second(other->parameters(), optim::AdamOptions(1));
  const auto step = [](nn::Linear& net, optim::Optimizer& optimizer) {
    optimizer.zero_grad();
    net(ones({1, 2})).sum().backward();
    optimizer.step();
  };
  step(one, first);
  torch::save(one, temporary("model"));
  serialize::OutputArchive archive;
  first.save(archive);  // what torch::save() does
  archive.save_to(temporary("optimizer"));
  torch::load(other, temporary("model"));
  torch::load(second, temporary("optimizer"));
  torch::load(second, temporary("optimizer"));
  EXPECT_EQ(second.state().size(), 2u);
  step(one, first);
  step(other, second);
  EXPECT_TRUE(equal(one->weight, other->weight));
}

// What LibTorch itself writes: the state of a parameter under its address, options and numbers of parameters in archives of their own.
TEST(Archive, OptimizerOfLibTorch) {
  Tensor p = ones({2}, requires_grad());
  optim::Adam adam(std::vector<Tensor>{p}, optim::AdamOptions(1));
  serialize::OutputArchive file, state, of_param, groups, group, options;
  of_param.write("step", IValue(3));
  of_param.write("exp_avg", tensor({0.5f, 0.25f}));
  of_param.write("exp_avg_sq", tensor({1.f, 4.f}));
  state.write("93824992", of_param);
  options.write("lr", IValue(0.125));
  options.write("betas", IValue(IValue::Tuple{0.5, 0.75}));
  group.write("params/size", tensor(1));
  group.write("params/0", IValue("93824992"));
  group.write("options", options);
  groups.write("param_groups/size", tensor(1));
  groups.write("param_groups/0", group);
  file.write("pytorch_version", IValue("1.5.0"));
  file.write("state", state);
  file.write("param_groups", groups);
  file.save_to(temporary("libtorch_adam"));
  torch::load(adam, temporary("libtorch_adam"));
  const auto& read = static_cast<const optim::AdamOptions&>(adam.param_groups()[0].options());
  EXPECT_EQ(read.lr(), 0.125);
  EXPECT_EQ(read.betas(), std::make_tuple(0.5, 0.75));
  // As programs written for LibTorch up to 2.0 and since then find the state.
  const auto key = c10::guts::to_string(p.unsafeGetTensorImpl());
  const auto& found = static_cast<const optim::AdamParamState&>(*adam.state().at(key));
  EXPECT_EQ(&found, adam.state().find(p.unsafeGetTensorImpl())->second.get());
  EXPECT_EQ(found.step(), 3);
  EXPECT_TRUE(equal(found.exp_avg_sq(), tensor({1.f, 4.f})));
}

TEST(Archive, OptimizerOfLibTorchBefore1Dot5) {
  Tensor p = ones({2}, requires_grad()), q = ones({1}, requires_grad());
  optim::RMSprop rmsprop(std::vector<Tensor>{p, q}, optim::RMSpropOptions(0.5));
  serialize::OutputArchive file;
  file.write("square_average_buffers/size", tensor(1));
  file.write("square_average_buffers/0", tensor({2.f, 3.f}), true);
  file.write("momentum_buffers/size", tensor(0));
  file.write("grad_average_buffers/size", tensor(0));
  file.save_to(temporary("old_rmsprop"));
  struct Handler : WarningHandler {
    void process(const SourceLocation&, const std::string& message, bool) override { text += message; }
    std::string text;
  } handler;
  Warning::set_warning_handler(&handler);
  torch::load(rmsprop, temporary("old_rmsprop"));
  Warning::set_warning_handler(nullptr);
  EXPECT_EQ(handler.text, "Your serialized RMSprop optimizer is still using the old serialization format. You should re-save your RMSprop "
                          "optimizer to use the new serialization format.");
  EXPECT_EQ(rmsprop.state().size(), 1u);
  EXPECT_EQ(rmsprop.param_groups()[0].options().get_lr(), 0.5);
  const auto& state = static_cast<const optim::RMSpropParamState&>(*rmsprop.state().at(p.unsafeGetTensorImpl()));
  EXPECT_TRUE(equal(state.square_avg(), tensor({2.f, 3.f})));
  optim::Adam adam(std::vector<Tensor>{p});
  EXPECT_NE(message_of([&] { torch::load(adam, temporary("old_rmsprop")); }).find("no state of an optimizer Adam"), std::string::npos);
}

TEST(Archive, GeneratorGoesOn) {
  Generator generator = make_generator(7);
  randn({5}, generator);
  std::stringstream stream;
  torch::save(generator, stream);
  const Tensor expected = randn({5}, generator);
  Generator other = make_generator(1);
  torch::load(other, stream);
  EXPECT_TRUE(equal(randn({5}, other), expected));
}

TEST(Archive, AFileAppearsWholeOrNotAtAll) {
  const std::string path = temporary("file");
  write_bytes(path, "old");
  EXPECT_NE(message_of([&] { torch::save(empty({2}, kMeta), path); }).find("meta device"), std::string::npos);
  EXPECT_EQ(io::read_file(path), "old");
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(path).parent_path()))
    EXPECT_EQ(entry.path().string().find(".tmp"), std::string::npos);
  Tensor x;
  EXPECT_NE(message_of([&] { torch::load(x, path); }).find("this is no file of torch.save"), std::string::npos);
  const std::string missing = temporary("none");
  EXPECT_NE(message_of([&] { torch::load(x, missing); })
                .find("open file failed because of errno 2 on fopen: No such file or directory, file path: " + missing),
            std::string::npos);
}

TEST(StateDict, LoadsByName) {
  nn::Linear a(2, 3), b(2, 3);
  b->load_state_dict(a->state_dict());
  EXPECT_TRUE(equal(a->weight, b->weight));
  OrderedDict<std::string, Tensor> dict{{"weight", ones({3, 2}, kDouble)}, {"extra", ones({1})}};
  EXPECT_NE(
      message_of([&] { b->load_state_dict(dict); })
          .find(
              "Error(s) in loading state_dict for Linear:\n\tMissing key(s) in state_dict: \"bias\". \n\tUnexpected key(s) in state_dict: "
              "\"extra\". "),
      std::string::npos);
  EXPECT_TRUE(equal(a->weight, b->weight));
  const auto keys = b->load_state_dict(dict, /*strict=*/false);
  EXPECT_EQ(keys.missing_keys, (std::vector<std::string>{"bias"}));
  EXPECT_EQ(keys.unexpected_keys, (std::vector<std::string>{"extra"}));
  EXPECT_TRUE(equal(b->weight, ones({3, 2})) && b->weight.requires_grad());
}

// ---- Hostile files -----------------------------------------------------------------------------------------------------------------

// A file with this pickle and a storage "0" of 16 bytes.
std::string file_of(std::string_view program) {
  std::string bytes;
  io::ZipWriter zip([&](const void* data, size_t size) { bytes.append(static_cast<const char*>(data), size); });
  zip.add("archive/data.pkl", program);
  zip.add("archive/data/0", std::string(16, '\1'));
  zip.finish();
  return bytes;
}

IValue parse(const std::string& program) { return io::read_pt(file_of(program), "file"); }

std::string text(const std::string& x) {
  std::string program = "X";
  io::put(program, static_cast<uint32_t>(x.size()));
  return program + x;
}
std::string number(int64_t x) {
  std::string program = "\x8a\x08";
  io::put(program, x);
  return program;
}
std::string tuple(const std::vector<int64_t>& x) {
  std::string program = "(";
  for (const int64_t i : x) program += number(i);
  return program + "t";
}

// A tensor on the storage "0", as a pickle.
std::string tensor_with(const std::string& type, int64_t numel, int64_t offset, const std::vector<int64_t>& sizes,
                        const std::vector<int64_t>& strides) {
  const std::string storage = "(" + text("storage") + "ctorch\n" + type + "Storage\n" + text("0") + text("cpu") + number(numel) + "tQ";
  return "ctorch._utils\n_rebuild_tensor_v2\n(" + storage + number(offset) + tuple(sizes) + tuple(strides) + "\x89)tR.";
}

TEST(Pickle, TensorsStayWithinTheirStorage) {
  EXPECT_EQ(parse(tensor_with("Bool", 16, 0, {16}, {1})).toTensor().sum().item<int64_t>(), 16);
  EXPECT_EQ(parse(tensor_with("Float", 4, 0, {4}, {1})).toTensor().numel(), 4);
  EXPECT_EQ(parse(tensor_with("Float", 4, 0, {0}, {1})).toTensor().numel(), 0);
  EXPECT_EQ(parse(tensor_with("Float", 4, 3, {1000}, {0})).toTensor().numel(), 1000);
  struct Case {
    int64_t offset;
    std::vector<int64_t> sizes, strides;
  };
  for (const auto& [offset, sizes, strides] : std::vector<Case>{{0, {5}, {1}},
                                                                {1, {4}, {1}},
                                                                {0, {4}, {2}},
                                                                {-1, {1}, {1}},
                                                                {0, {-1}, {1}},
                                                                {0, {2}, {-1}},
                                                                {0, {INT64_MAX}, {1}},
                                                                {0, {INT64_MAX, INT64_MAX}, {0, 0}},
                                                                {INT64_MAX, {2}, {INT64_MAX}},
                                                                {0, {2}, {INT64_MAX}},
                                                                {0, {2}, {}},
                                                                {INT64_MAX, {1}, {1}}}) {
    const std::string error = message_of([&] { parse(tensor_with("Float", 4, offset, sizes, strides)); });
    EXPECT_NE(error.find("is not within its storage of 4 elements"), std::string::npos) << error;
  }
  for (const int64_t numel : {int64_t{3}, int64_t{5}, int64_t{-1}, int64_t{1} << 62})
    EXPECT_NE(message_of([&] { parse(tensor_with("Float", numel, 0, {1}, {1})); }).find("16 bytes are not a tensor"), std::string::npos);
}

TEST(Pickle, NothingIsExecuted) {
  EXPECT_EQ(message_of([] { parse("cos\nsystem\n" + text("ls") + "\x85R."); }).find(
                "file: Unsupported global: GLOBAL os.system was not an allowed global by default.\nwick reads"),
            0u);
}

TEST(Pickle, Damage) {
  for (const std::string& program : std::vector<std::string>{"",
                                                             ".",
                                                             "N",
                                                             "(.",
                                                             "t.",
                                                             "K",
                                                             "X\xff\xff\xff\xff",
                                                             "]N]e.",
                                                             "}NNa.",
                                                             "(N}u.",
                                                             "h\1.",
                                                             "NR.",
                                                             "N)R.",
                                                             "NQ.",
                                                             "Nb.",
                                                             "NN\x81.",
                                                             "ctorch",
                                                             "ctorch\nFloatStorage\n.",
                                                             "ccollections\nOrderedDict\n(NtR.",
                                                             "ctorch._utils\n_rebuild_tensor_v2\n)R.",
                                                             "\x80\x09N.",
                                                             "\x8a\x09 ",
                                                             "\xff.",
                                                             "ctorch._utils\n_rebuild_parameter\n(NNtR."}) {
    EXPECT_NE(message_of([&] { parse(program); }).find("file: "), std::string::npos) << program;
  }
}

struct Transient : nn::Cloneable<Transient> {
  Transient() { inner = register_module("inner", nn::Linear(2, 2)); }
  void reset() override {}
  bool is_serializable() const override { return false; }
  nn::Linear inner = nullptr;
};
struct Keeper : nn::Cloneable<Keeper> {
  Keeper() {
    kept = register_module("kept", nn::Linear(2, 2));
    left_out = register_module("left_out", std::make_shared<Transient>());
  }
  void reset() override {}
  nn::Linear kept = nullptr;
  std::shared_ptr<Transient> left_out;
};

TEST(Archive, LeavesOutModulesThatAreNotSerializable) {
  const auto saved = std::make_shared<Keeper>(), loaded = std::make_shared<Keeper>();
  const Tensor before = loaded->left_out->inner->weight.clone();
  std::stringstream stream;
  torch::save(saved, stream);
  auto target = loaded;
  torch::load(target, stream);
  EXPECT_TRUE(equal(loaded->kept->weight, saved->kept->weight));
  EXPECT_TRUE(equal(loaded->left_out->inner->weight, before));
}

TEST(Pickle, ListsWithoutEnd) {
  // A list that contains itself; and lists of two references to the one before, 2^60 in all.
  EXPECT_EQ(message_of([] { parse("]q\1h\1a."); }), "file: the lists in the pickle are nested too deeply");
  std::string doubled = "]q";
  doubled += '\0';
  for (char i = 1; i < 60; ++i) doubled += std::string("](h") + char(i - 1) + 'h' + char(i - 1) + "eq" + i;
  EXPECT_EQ(message_of([&] { parse(doubled + "."); }), "file: the lists in the pickle are nested too deeply");
  EXPECT_EQ(message_of([&] { parse(std::string(100000, ']') + std::string(99999, 'a') + "."); }),
            "file: the lists in the pickle are nested too deeply");
}

// The program of a file, which would else be protected by its checksum.
std::string program_of(const std::string& name) {
  const std::string file = io::read_file(golden(name));
  const io::ZipReader zip(file, name);
  std::string buffer;
  for (const auto& [member, content] : zip.members()) if (member.ends_with("data.pkl")) return std::string(zip.open(member, buffer));
  return "";
}

TEST(Pickle, FuzzOfPrograms) {
  for (const char* name : {"values.pt", "script.pt", "checkpoint.pt"}) {
    std::mt19937 random(11);
    const std::string program = program_of(name);
    for (int i = 0; i < 1000; ++i) {
      try {
        parse(test::mutated(program, random));
      } catch (const Error&) {  // the only thing that may come out of it
      }
    }
  }
}

TEST(Pickle, FuzzOfFiles) {
  const std::string file = io::read_file(golden("state_dict.pt"));
  test::fuzz(file, 1000, [](const std::string& bytes) { torch::pickle_load({bytes.begin(), bytes.end()}); });
}

}  // namespace
}  // namespace wick
