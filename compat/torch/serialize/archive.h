// save() and load(), and the archives between values and files, under LibTorch's names.
//
//     torch::save(model, "model.pt");      // Python: model.load_state_dict(torch.load("model.pt"))
//     torch::load(model, "model.pt");      // the same, or what Python's torch.save(model.state_dict(), "model.pt") wrote
//
// A file is what torch.save in Python writes (pickle.h): of a module its state dict, of a tensor or a vector of tensors just that, of
// anything else a dict of what was written under each key. What is nested in LibTorch, submodules and archives in archives, has here one
// name with dots, "encoder.fc1.weight". Files that LibTorch wrote are read as well.
#pragma once

#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "wick/framework/autograd/ivalue.h"
#include "wick/nn/module.h"
#include "wick/nn/module_holder.h"
#include "wick/optim/grad_scaler.h"
#include "wick/optim/lr_scheduler.h"
#include "wick/optim/optimizer.h"

namespace wick {
namespace jit {
// LibTorch's constructors of archives take one; it stands for nothing here.
struct CompilationUnit {};
}  // namespace jit

namespace serialize {

class OutputArchive {
 public:
  OutputArchive() = default;
  explicit OutputArchive(std::shared_ptr<jit::CompilationUnit>) {}
  OutputArchive(OutputArchive&&) = default;
  OutputArchive& operator=(OutputArchive&&) = default;

  // Each key once.
  void write(const std::string& key, const IValue& value);
  void write(const std::string& key, const Tensor& tensor, bool is_buffer = false);
  void write(const std::string& key, OutputArchive& nested);
  template <class... Ts>
  void operator()(Ts&&... ts) { write(std::forward<Ts>(ts)...); }
  // Makes the file this value instead of a dict.
  void write_whole(IValue value) { content_ = std::move(value); }
  const IValue& content() const { return content_; }

  // A file appears whole or not at all. The function returns how many bytes it took.
  void save_to(const std::string& filename);
  void save_to(std::ostream& stream);
  void save_to(const std::function<size_t(const void*, size_t)>& write);

 private:
  IValue content_ = IValue::Dict();
  std::unordered_set<std::string> keys_;
};

class InputArchive {
 public:
  InputArchive() = default;
  // An archive of what such a file would hold.
  explicit InputArchive(IValue whole) { set_content(std::move(whole)); }
  InputArchive(InputArchive&&) = default;
  InputArchive& operator=(InputArchive&&) = default;

  // What was written under the key; try_read() returns false, read() throws, where there is nothing. A tensor that is defined gets the
  // data of the one in the file and stays the same tensor; an undefined one becomes it.
  bool try_read(const std::string& key, IValue& value);
  bool try_read(const std::string& key, Tensor& tensor, bool is_buffer = false);
  bool try_read(const std::string& key, InputArchive& archive);
  void read(const std::string& key, IValue& value);
  void read(const std::string& key, Tensor& tensor, bool is_buffer = false);
  void read(const std::string& key, InputArchive& archive);
  template <class... Ts>
  void operator()(Ts&&... ts) { read(std::forward<Ts>(ts)...); }
  // The first parts of the keys, each once.
  std::vector<std::string> keys() const;
  // What is no dict, and no list of dicts, under its key.
  std::map<std::string, IValue> leaves() const;
  // All that the file holds.
  const IValue& whole() const { return content_->whole; }

  // Tensors come to `device`, or to where they were saved from. Throws, and leaves the archive as it was, for files that wick cannot read.
  void load_from(const std::string& filename, std::optional<Device> device = std::nullopt);
  void load_from(std::istream& stream, std::optional<Device> device = std::nullopt);
  void load_from(const char* data, size_t size, std::optional<Device> device = std::nullopt);
  void load_from(const std::function<size_t(uint64_t position, void* buffer, size_t nbytes)>& read, const std::function<size_t()>& size,
                 std::optional<Device> device = std::nullopt);

 private:
  struct Content {
    IValue whole;
    OrderedDict<std::string, IValue> values;  // nested dicts and lists under names with dots
  };
  void set_content(IValue whole);
  bool has_below(const std::string& path) const;

  std::shared_ptr<const Content> content_ = std::make_shared<Content>();
  std::string prefix_;  // of this archive's keys: "" or "encoder."
};

// ---- What archives hold ------------------------------------------------------------------------------------------------------------

inline OutputArchive& operator<<(OutputArchive& archive, const Tensor& tensor) { return archive.write_whole(tensor), archive; }
inline OutputArchive& operator<<(OutputArchive& archive, const IValue& value) { return archive.write_whole(value), archive; }
inline OutputArchive& operator<<(OutputArchive& archive, const std::vector<Tensor>& tensors) {
  return archive.write_whole(tensors), archive;
}
inline InputArchive& operator>>(InputArchive& archive, Tensor& tensor) { return archive.read("0", tensor), archive; }
inline InputArchive& operator>>(InputArchive& archive, IValue& value) { return value = archive.whole(), archive; }
InputArchive& operator>>(InputArchive& archive, std::vector<Tensor>& tensors);  // appended

template <class M>
  requires std::is_base_of_v<nn::Module, M>
OutputArchive& operator<<(OutputArchive& archive, const std::shared_ptr<M>& module) {
  WICK_CHECK(module != nullptr, "save: the module is null");
  return module->save(archive), archive;
}
template <class M>
  requires std::is_base_of_v<nn::Module, M>
InputArchive& operator>>(InputArchive& archive, const std::shared_ptr<M>& module) {
  WICK_CHECK(module != nullptr, "load: the module is null");
  return module->load(archive), archive;
}
// As Python's optimizer.state_dict(), {"state": {0: {...}, ...}, "param_groups": [...]}; what Python and LibTorch wrote can be loaded as
// well, LibTorch before its version 1.5 included (with a warning: such a file has no options).
OutputArchive& operator<<(OutputArchive& archive, const optim::Optimizer& optimizer);
InputArchive& operator>>(InputArchive& archive, optim::Optimizer& optimizer);
// As Python's scheduler.state_dict(), of which only what changes from step to step is written and read.
OutputArchive& operator<<(OutputArchive& archive, const optim::LRScheduler& scheduler);
InputArchive& operator>>(InputArchive& archive, optim::LRScheduler& scheduler);
OutputArchive& operator<<(OutputArchive& archive, const optim::ReduceLROnPlateauScheduler& scheduler);
InputArchive& operator>>(InputArchive& archive, optim::ReduceLROnPlateauScheduler& scheduler);
// As Python's scaler.state_dict().
OutputArchive& operator<<(OutputArchive& archive, const amp::GradScaler& scaler);
InputArchive& operator>>(InputArchive& archive, amp::GradScaler& scaler);
// As Python's Generator.get_state().
OutputArchive& operator<<(OutputArchive& archive, const Generator& generator);
InputArchive& operator>>(InputArchive& archive, Generator& generator);
template <class M>
OutputArchive& operator<<(OutputArchive& archive, const nn::ModuleHolder<M>& module) { return archive << module.ptr(); }
template <class M>
InputArchive& operator>>(InputArchive& archive, nn::ModuleHolder<M>& module) { return archive >> module.ptr(); }

}  // namespace serialize

namespace serialize {
// The state of a module without that of its submodules that are not serializable.
OrderedDict<std::string, Tensor> serializable_state(const nn::Module& module);
}  // namespace serialize

template <class Archive>
void nn::Module::save(Archive& archive) const {
  for (const auto& item : serialize::serializable_state(*this)) archive.write(item.key(), *item);
}
template <class Archive>
void nn::Module::load(Archive& archive) {
  OrderedDict<std::string, Tensor> state = serialize::serializable_state(*this);
  for (auto& item : state) item->reset(), archive.read(item.key(), *item);
  load_state_dict(state, /*strict=*/false);
}
template <class Archive>
void optim::Optimizer::save(Archive& archive) const { archive << *this; }
template <class Archive>
void optim::Optimizer::load(Archive& archive) { archive >> *this; }

// ---- save and load -----------------------------------------------------------------------------------------------------------------

// save(value, filename), save(value, ostream), save(value, function): values are tensors, vectors of them, modules, optimisers, IValues,
// and whatever else has an operator<< for OutputArchive.
template <class Value, class... To>
void save(const Value& value, To&&... to) {
  using serialize::operator<<;
  serialize::OutputArchive archive;
  archive << value;
  archive.save_to(std::forward<To>(to)...);
}
// save({a, b}, filename): a vector of tensors.
template <class... To>
void save(const std::vector<Tensor>& tensors, To&&... to) { save<std::vector<Tensor>>(tensors, std::forward<To>(to)...); }
// load(value, filename), load(value, istream), load(value, data, size), load(value, function, size function); each takes a device last.
template <class Value, class... From>
void load(Value& value, From&&... from) {
  using serialize::operator>>;
  serialize::InputArchive archive;
  archive.load_from(std::forward<From>(from)...);
  archive >> value;
}

// The bytes of the file that save(value, ...) writes, and the value in such bytes.
std::vector<char> pickle_save(const IValue& value);
IValue pickle_load(const std::vector<char>& data);

}  // namespace wick

namespace c10 {
using std::to_string;
using wick::IValue;
}  // namespace c10
namespace torch {
using wick::IValue;
using wick::load;
using wick::pickle_load;
using wick::pickle_save;
using wick::save;
namespace serialize {
using namespace wick::serialize;
}
namespace jit {
using namespace wick::jit;
using wick::pickle_load;
using wick::pickle_save;
}  // namespace jit
}  // namespace torch
