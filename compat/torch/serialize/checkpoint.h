// A run in one file: whatever it takes to go on from there as if it had not been interrupted.
//
//     torch::save_checkpoint("run.pt", "model", model, "optimizer", optimizer, "scheduler", scheduler, "loader", *loader,
//                            "generator", at::detail::getDefaultCPUGenerator(), "epoch", epoch);
//     torch::load_checkpoint("run.pt", "model", model, "optimizer", optimizer, "scheduler", scheduler, "loader", *loader,
//                            "generator", at::detail::getDefaultCPUGenerator(), "epoch", epoch);
//
// A part is whatever save() and load() take, or a number. In Python the file is torch.load(path), a dict of the parts: of the model and
// the optimiser their state dicts. Load when every part has been made: making a model or a loader draws from the generator.
#pragma once

#include <concepts>

#include <torch/serialize/archive.h>

namespace wick {
namespace serialize {

template <class Value>
void write_part(OutputArchive& archive, const std::string& key, const Value& value) {
  if constexpr (std::is_arithmetic_v<Value>) return archive.write(key, IValue(value));
  else {
    OutputArchive part;
    part << value;
    archive.write(key, part.content());
  }
}

template <class Value>
void read_part(const InputArchive& archive, const std::string& key, Value& value) {
  const IValue* found = nullptr;
  std::string names;
  for (const auto& [name, part] : archive.whole().toGenericDict()) {
    if (!name.isString()) continue;
    if (name.toStringRef() == key) found = &part;
    names += (names.empty() ? "'" : ", '") + name.toStringRef() + "'";
  }
  WICK_CHECK(found, "load_checkpoint: the file has no '", key, "'; it has ", names.empty() ? "nothing" : names);
  if constexpr (std::is_arithmetic_v<Value>) value = found->toScalar().template to<Value>();
  else {
    InputArchive part(*found);
    part >> const_cast<std::remove_const_t<Value>&>(value);  // a handle, as getDefaultCPUGenerator() returns
  }
}

inline void write_parts(OutputArchive&) {}
template <class Value, class... Rest>
void write_parts(OutputArchive& archive, const std::string& key, const Value& value, const Rest&... rest) {
  write_part(archive, key, value);
  write_parts(archive, rest...);
}

inline void read_parts(const InputArchive&) {}
template <class Value, class... Rest>
void read_parts(const InputArchive& archive, const std::string& key, Value& value, Rest&... rest) {
  read_part(archive, key, value);
  read_parts(archive, rest...);
}

}  // namespace serialize

// Keys and values in turn. The file appears whole or not at all.
template <class... Parts>
void save_checkpoint(const std::string& path, const Parts&... parts) {
  serialize::OutputArchive archive;
  serialize::write_parts(archive, parts...);
  archive.save_to(path);
}

// Throws, and leaves every part as it was, where the file lacks one or has one that does not fit.
template <class... Parts>
void load_checkpoint(const std::string& path, Parts&&... parts) {
  serialize::InputArchive archive;
  archive.load_from(path);
  WICK_CHECK(archive.whole().isGenericDict(), path, ": this is no checkpoint, which is a dict of parts");
  serialize::OutputArchive before;
  serialize::write_parts(before, parts...);
  // A copy: the parts' tensors are about to change.
  const std::vector<char> saved = pickle_save(before.content());
  try {
    serialize::read_parts(archive, parts...);
  } catch (...) {
    serialize::InputArchive back;
    back.load_from(saved.data(), saved.size());
    serialize::read_parts(back, parts...);
    throw;
  }
}

}  // namespace wick

namespace torch {
using wick::load_checkpoint;
using wick::save_checkpoint;
}  // namespace torch
