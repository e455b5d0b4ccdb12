// The pickle of a checkpoint, in an archive whose checksums are right: what it builds goes into a module, an optimiser and a generator,
// which a failed load must leave as they were.
#include <torch/torch.h>

#include <torch/serialize/pickle.h>

#include "wick/framework/io/zip.h"
#include "wick/tests/fuzz/fuzz.h"

namespace wick::fuzz {

const char* const kName = "archive";

namespace {

struct Program {
  nn::Sequential model{nn::Linear(2, 3), nn::BatchNorm1d(3)};
  optim::Adam optimizer{model->parameters(), optim::AdamOptions(0.1).amsgrad(true)};
  Generator generator = make_generator(7);

  void step() {
    model->forward(ones({4, 2})).sum().backward();
    optimizer.step();
  }
};

struct Archive {
  std::string program;  // the pickle
  std::vector<std::pair<std::string, std::string>> members;  // the rest, by name
};

Archive take_apart(const std::string& file) {
  const io::ZipReader zip(file, "seed");
  Archive result;
  std::string buffer;
  for (const auto& [name, member] : zip.members()) {
    const std::string content(zip.open(name, buffer)), in_folder = name.substr(name.find('/') + 1);
    if (in_folder == "data.pkl") result.program = content;
    else result.members.emplace_back("archive/" + in_folder, content);
  }
  return result;
}

std::string checkpoint() {
  manual_seed(0);
  Program program;
  program.step();
  const auto part = [](const auto& x) {
    serialize::OutputArchive archive;
    archive << x;
    return archive.content();
  };
  const auto& optimizer = static_cast<const optim::Optimizer&>(program.optimizer);
  const std::vector<char> file = pickle_save(IValue(IValue::Dict{
      {"model", part(program.model)}, {"optimizer", part(optimizer)}, {"generator", part(program.generator)}, {"epoch", 3}}));
  return {file.begin(), file.end()};
}

// Of each the first byte of an input chooses the members.
const std::vector<Archive>& archives() {
  static const std::vector<Archive> made{take_apart(checkpoint()), take_apart(golden("script.pt")), take_apart(golden("values.pt"))};
  return made;
}

std::vector<Tensor> copies(const std::vector<Tensor>& tensors) {
  std::vector<Tensor> result;
  for (const Tensor& x : tensors) result.push_back(x.detach().clone());
  return result;
}

bool same(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (a[i].sizes() != b[i].sizes() || !a[i].equal(b[i])) return false;
  return true;
}

std::vector<Tensor> tensors_of(Program& program) {
  std::vector<Tensor> result = program.model->parameters();
  for (const Tensor& x : program.model->buffers()) result.push_back(x);
  for (const auto& [key, value] : program.optimizer.state_dict()) if (value.isTensor()) result.push_back(value.toTensor());
  result.push_back(tensor(program.generator.get_state(), kByte));
  return copies(result);
}

// Loads one part; where that fails, nothing may have changed.
template <class Load>
void load_part(Program& program, const Load& load) {
  const std::vector<Tensor> before = tensors_of(program);
  try {
    load();
  } catch (const Error&) {
    require(same(tensors_of(program), before), "a failed load changed something");
    throw;
  }
}

}  // namespace

std::vector<std::string> seeds() {
  std::vector<std::string> result;
  for (const Archive& archive : archives()) result.push_back(static_cast<char>(result.size()) + archive.program);
  return result;
}

void parse(const std::string& bytes) {
  const size_t chosen = bytes.empty() ? 0 : static_cast<unsigned char>(bytes[0]) % archives().size();
  std::string file;
  io::ZipWriter zip([&](const void* data, size_t size) { file.append(static_cast<const char*>(data), size); });
  zip.add("archive/data.pkl", bytes.substr(bytes.empty() ? 0 : 1));
  for (const auto& [name, content] : archives()[chosen].members) zip.add(name, content);
  zip.finish();
  serialize::InputArchive archive, part;
  archive.load_from(file.data(), file.size());
  archive.keys();
  archive.leaves();
  static Program& program = *[] {
    static Program made;
    made.step();
    return &made;
  }();
  if (archive.try_read("model", part)) load_part(program, [&] { program.model->load(part); });
  auto& optimizer = static_cast<optim::Optimizer&>(program.optimizer);
  if (archive.try_read("optimizer", part)) load_part(program, [&] { serialize::operator>>(part, optimizer); });
  Tensor state;
  if (archive.try_read("generator", state)) {
    load_part(program, [&] {
      serialize::InputArchive in;
      serialize::OutputArchive out;
      out << state;
      const std::vector<char> saved = pickle_save(out.content());
      in.load_from(saved.data(), saved.size());
      in >> program.generator;
    });
  }
}

}  // namespace wick::fuzz
