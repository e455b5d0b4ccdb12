#include <torch/serialize/archive.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <istream>
#include <iterator>
#include <ostream>

#include <torch/serialize/pickle.h>

#include "wick/framework/core/warning.h"
#include "wick/framework/ops/tensor_literal.h"
#include "wick/optim/optim.h"

namespace wick {
namespace serialize {

// ---- OutputArchive -----------------------------------------------------------------------------------------------------------------

void OutputArchive::write(const std::string& key, const IValue& value) {
  WICK_CHECK(content_.isGenericDict(), "OutputArchive: a value has been written that is the whole file");
  WICK_CHECK(keys_.insert(key).second, "OutputArchive: '", key, "' has been written already");
  content_.toGenericDict().emplace_back(key, value);
}

void OutputArchive::write(const std::string& key, const Tensor& tensor, bool) { write(key, IValue(tensor)); }

void OutputArchive::write(const std::string& key, OutputArchive& nested) {
  if (!nested.content_.isGenericDict()) return write(key, nested.content_);
  for (const auto& [name, value] : nested.content_.toGenericDict()) write(key + '.' + name.toStringRef(), value);
}

void OutputArchive::save_to(const std::string& filename) {
  io::write_file(filename, [&](const io::Sink& sink) { io::write_pt(content_, sink); });
}

void OutputArchive::save_to(std::ostream& stream) {
  io::write_pt(content_,
               [&](const void* data, size_t size) { stream.write(static_cast<const char*>(data), static_cast<std::streamsize>(size)); });
  WICK_CHECK(stream.good(), "OutputArchive: the stream takes no more");
}

void OutputArchive::save_to(const std::function<size_t(const void*, size_t)>& write) {
  io::write_pt(content_, [&](const void* data, size_t size) {
    WICK_CHECK(write(data, size) == size, "OutputArchive: the function has not written all bytes");
  });
}

// ---- InputArchive ------------------------------------------------------------------------------------------------------------------

namespace {

void flatten(const std::string& path, const IValue& value, OrderedDict<std::string, IValue>& to) {
  const auto below = [&](const std::string& name) { return path.empty() ? name : path + '.' + name; };
  if (!path.empty() && !to.contains(path)) to.insert(path, value);
  if (value.isGenericDict()) {
    for (const auto& [key, item] : value.toGenericDict()) {
      if (key.isString() || key.isInt()) flatten(below(key.isInt() ? std::to_string(key.toInt()) : key.toStringRef()), item, to);
    }
  } else if (value.isList() || value.isTuple()) {
    for (size_t i = 0; i < value.toList().size(); ++i) flatten(below(std::to_string(i)), value.toList()[i], to);
  } else if (path.empty()) {
    to.insert("0", value);
  }
}

}  // namespace

void InputArchive::set_content(IValue whole) {
  auto content = std::make_shared<Content>();
  flatten("", whole, content->values);
  content->whole = std::move(whole);
  content_ = std::move(content);
  prefix_.clear();
}

bool InputArchive::has_below(const std::string& path) const {
  for (const auto& item : content_->values) if (item.key().starts_with(path)) return true;
  return false;
}

bool InputArchive::try_read(const std::string& key, IValue& value) {
  const IValue* found = content_->values.find(prefix_ + key);
  if (found) value = *found;
  return found;
}

bool InputArchive::try_read(const std::string& key, Tensor& tensor, bool) {
  const IValue* found = content_->values.find(prefix_ + key);
  if (!found || !found->isTensor()) return false;
  if (tensor.defined()) tensor.set_data(found->toTensor().detach());
  else tensor = found->toTensor();
  return true;
}

bool InputArchive::try_read(const std::string& key, InputArchive& archive) {
  const std::string path = prefix_ + key + '.';
  if (!has_below(path)) return false;
  archive.content_ = content_;
  archive.prefix_ = path;
  return true;
}

void InputArchive::read(const std::string& key, IValue& value) {
  WICK_CHECK(try_read(key, value), "Module does not have a field with name '", prefix_, key, "'");
}

void InputArchive::read(const std::string& key, Tensor& tensor, bool is_buffer) {
  if (try_read(key, tensor, is_buffer)) return;
  const std::string path = prefix_ + key;
  for (size_t dot = path.find('.'); dot != path.npos; dot = path.find('.', dot + 1)) {
    WICK_CHECK(has_below(path.substr(0, dot + 1)), "No such serialized submodule: '", path.substr(0, dot), "'");
  }
  detail::raise<Error>("No such serialized tensor '", path, "'");
}

void InputArchive::read(const std::string& key, InputArchive& archive) {
  WICK_CHECK(try_read(key, archive), "No such serialized submodule: '", prefix_, key, "'");
}

std::vector<std::string> InputArchive::keys() const {
  OrderedDict<std::string, bool> found;
  for (const auto& item : content_->values) {
    if (!item.key().starts_with(prefix_)) continue;
    const std::string name = item.key().substr(prefix_.size(), item.key().find('.', prefix_.size()) - prefix_.size());
    if (!found.contains(name)) found.insert(name, true);
  }
  return found.keys();
}

std::map<std::string, IValue> InputArchive::leaves() const {
  std::map<std::string, IValue> found;
  std::string leaf = "\n";  // the last one; parts of it follow it
  for (const auto& item : content_->values) {
    const IValue& value = item.value();
    const auto is_dict = [](const IValue& x) { return x.isGenericDict(); };
    if (!item.key().starts_with(prefix_) || item.key().starts_with(leaf) || is_dict(value)) continue;
    if (value.isList() && std::ranges::any_of(value.toList(), is_dict)) continue;
    leaf = item.key() + '.';
    found.emplace(item.key().substr(prefix_.size()), value);
  }
  return found;
}

void InputArchive::load_from(const std::string& filename, std::optional<Device> device) {
  std::FILE* const file = std::fopen(filename.c_str(), "rb");
  WICK_CHECK(file, "open file failed because of errno ", errno, " on fopen: ", std::strerror(errno), ", file path: ", filename);
  std::fclose(file);
  set_content(io::read_pt(io::read_file(filename), filename, device));
}

void InputArchive::load_from(std::istream& stream, std::optional<Device> device) {
  const std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  stream.clear();
  set_content(io::read_pt(bytes, "load", device));
}

void InputArchive::load_from(const char* data, size_t size, std::optional<Device> device) {
  set_content(io::read_pt({data, size}, "load", device));
}

void InputArchive::load_from(const std::function<size_t(uint64_t, void*, size_t)>& read, const std::function<size_t()>& size,
                             std::optional<Device> device) {
  std::string bytes(size(), '\0');
  size_t got = 0;
  while (got < bytes.size()) {
    const size_t count = read(got, bytes.data() + got, bytes.size() - got);
    WICK_CHECK(count > 0 && count <= bytes.size() - got, "load: the function reads ", got, " bytes, where there should be ", bytes.size());
    got += count;
  }
  set_content(io::read_pt(bytes, "load", device));
}

InputArchive& operator>>(InputArchive& archive, std::vector<Tensor>& tensors) {
  Tensor tensor;
  for (size_t i = 0; archive.try_read(std::to_string(i), tensor); ++i) tensors.push_back(std::exchange(tensor, Tensor()));
  return archive;
}

namespace {

// Puts a value where keys joined by dots say: numbers are the integer keys of dicts.
void insert_at(IValue::Dict& dict, std::string_view path, const IValue& value) {
  const size_t dot = path.find('.');
  const std::string name(path.substr(0, dot));
  const bool is_number = name.find_first_not_of("0123456789") == name.npos;
  const IValue key = is_number ? IValue(std::stoll(name)) : IValue(name);
  if (dot == path.npos) return void(dict.emplace_back(key, value));
  const auto same = [&](const IValue& other) {
    return is_number ? other.isInt() && other.toInt() == key.toInt() : other.isString() && other.toStringRef() == name;
  };
  auto at = std::ranges::find_if(dict, same, &std::pair<IValue, IValue>::first);
  if (at == dict.end()) at = dict.insert(dict.end(), {key, IValue::Dict()});
  insert_at(at->second.toGenericDict(), path.substr(dot + 1), value);
}

// Writes a state dict as the nested dicts that Python has; under `list` it has a list of dicts.
OutputArchive& write_state(OutputArchive& archive, const optim::StateDict& state, const std::string& list, IValue::Dict whole = {}) {
  for (const auto& [key, value] : state) insert_at(whole, key, value);
  for (auto& [key, value] : whole) {
    if (key.toStringRef() != list) {
      archive.write(key.toStringRef(), value);
      continue;
    }
    IValue::List items;
    std::ranges::sort(value.toGenericDict(), {}, [](const auto& item) { return item.first.toInt(); });
    for (const auto& [number, item] : value.toGenericDict()) items.push_back(item);
    archive.write(list, items);
  }
  return archive;
}

}  // namespace

OutputArchive& operator<<(OutputArchive& archive, const optim::Optimizer& optimizer) {
  return write_state(archive, optimizer.state_dict(), "param_groups", {{"state", IValue::Dict()}});
}

namespace {

bool begins(const std::map<std::string, IValue>& leaves, const std::string& prefix) {
  const auto at = leaves.lower_bound(prefix);
  return at != leaves.end() && at->first.starts_with(prefix);
}

// From what LibTorch writes: the state of each parameter under the address that the parameter had.
optim::StateDict from_libtorch(const std::map<std::string, IValue>& leaves) {
  optim::StateDict dict;
  int64_t number = 0;
  for (int64_t g = 0;; ++g) {
    const std::string from = "param_groups.param_groups/" + std::to_string(g) + '.', to = "param_groups." + std::to_string(g) + '.';
    if (!begins(leaves, from)) return dict;
    std::vector<int64_t> params;
    const auto next = [&] { return leaves.find(from + "params/" + std::to_string(params.size())); };
    for (auto key = next(); key != leaves.end(); key = next()) {
      const std::string state = "state." + key->second.toStringRef() + '.';
      for (auto at = leaves.lower_bound(state); at != leaves.end() && at->first.starts_with(state); ++at) {
        dict["state." + std::to_string(number) + '.' + at->first.substr(state.size())] = at->second;
      }
      params.push_back(number++);
    }
    dict[to + "params"] = params;
    const std::string options = from + "options.";
    for (auto at = leaves.lower_bound(options); at != leaves.end() && at->first.starts_with(options); ++at) {
      dict[to + at->first.substr(options.size())] = at->second;
    }
  }
}

const char* class_name(const optim::Optimizer& optimizer) {
  if (dynamic_cast<const optim::SGD*>(&optimizer)) return "SGD";
  if (dynamic_cast<const optim::Adam*>(&optimizer)) return "Adam";
  if (dynamic_cast<const optim::AdamW*>(&optimizer)) return "AdamW";
  if (dynamic_cast<const optim::RMSprop*>(&optimizer)) return "RMSprop";
  if (dynamic_cast<const optim::Adagrad*>(&optimizer)) return "Adagrad";
  return dynamic_cast<const optim::LBFGS*>(&optimizer) ? "LBFGS" : "";
}

// From what LibTorch wrote before version 1.5: lists of buffers for the parameters of the one group, and no options.
optim::StateDict from_old_libtorch(const std::map<std::string, IValue>& leaves, const optim::Optimizer& optimizer) {
  const std::string name = class_name(optimizer);
  const char* const typical = name == "LBFGS" ? "prev_flat_grad" : name == "SGD" ? "momentum_buffers/"
                              : name == "RMSprop" ? "square_average_buffers/" : "step_buffers/";
  WICK_CHECK(begins(leaves, typical), "load: the file holds no state of an optimizer", name.empty() ? "" : " ", name);
  WICK_WARN("Your serialized ", name, " optimizer is still using the old serialization format. You should re-save your ", name,
            " optimizer to use the new serialization format.");
  optim::StateDict dict;
  for (auto& [key, value] : optimizer.state_dict()) if (key.starts_with("param_groups.")) dict[key] = value;
  const auto leaf = [&](const std::string& key) -> const IValue& {
    const auto found = leaves.find(key);
    WICK_CHECK(found != leaves.end(), "load: the file's state of an optimizer ", name, " has no ", key);
    return found->second;
  };
  const auto numbered = [&](const std::string& list, const auto& take) {
    const int64_t size = leaf(list + "/size").toTensor().item<int64_t>();
    for (int64_t i = 0; i < size; ++i) take(std::to_string(i), leaf(list + '/' + std::to_string(i)));
  };
  static constexpr std::pair<const char*, const char*> kBuffers[] = {
      {"step_buffers", "step"}, {"sum_buffers", "sum"}, {"momentum_buffers", "momentum_buffer"}, {"exp_average_buffers", "exp_avg"},
      {"exp_average_sq_buffers", "exp_avg_sq"}, {"max_exp_average_sq_buffers", "max_exp_avg_sq"}, {"square_average_buffers", "square_avg"},
      {"grad_average_buffers", "grad_avg"}};
  for (const auto& [list, field] : kBuffers) {
    if (leaves.contains(std::string(list) + "/size")) {
      numbered(list, [&](const std::string& i, const IValue& value) { dict["state." + i + '.' + field] = value; });
    }
  }
  if (name == "SGD") {  // a parameter has a momentum buffer from its first step on
    numbered("momentum_buffers", [&](const std::string& i, const IValue&) { dict["state." + i + ".step"] = 1; });
  }
  if (name == "LBFGS") {
    for (const char* field : {"d", "H_diag", "prev_flat_grad"}) dict[std::string("state.0.") + field] = leaf(field);
    for (const char* field : {"t", "prev_loss"}) dict[std::string("state.0.") + field] = leaf(field).toTensor().item();
    for (const char* field : {"old_dirs", "old_stps"}) {
      std::vector<Tensor> list;
      numbered(field, [&](const std::string&, const IValue& value) { list.push_back(value.toTensor()); });
      dict[std::string("state.0.") + field] = list;
    }
  }
  return dict;
}

}  // namespace

InputArchive& operator>>(InputArchive& archive, optim::Optimizer& optimizer) {
  const std::map<std::string, IValue> leaves = archive.leaves();
  if (begins(leaves, "param_groups.param_groups/")) optimizer.load_state_dict(from_libtorch(leaves));
  else if (begins(leaves, "param_groups.")) optimizer.load_state_dict(leaves);
  else optimizer.load_state_dict(from_old_libtorch(leaves, optimizer));
  return archive;
}

OutputArchive& operator<<(OutputArchive& archive, const optim::LRScheduler& scheduler) {
  return write_state(archive, scheduler.state_dict(), "_schedulers");
}

InputArchive& operator>>(InputArchive& archive, optim::LRScheduler& scheduler) {
  return scheduler.load_state_dict(archive.leaves()), archive;
}

OutputArchive& operator<<(OutputArchive& archive, const optim::ReduceLROnPlateauScheduler& scheduler) {
  return write_state(archive, scheduler.state_dict(), "");
}

InputArchive& operator>>(InputArchive& archive, optim::ReduceLROnPlateauScheduler& scheduler) {
  return scheduler.load_state_dict(archive.leaves()), archive;
}

OutputArchive& operator<<(OutputArchive& archive, const amp::GradScaler& scaler) {
  return write_state(archive, scaler.state_dict(), "");
}

InputArchive& operator>>(InputArchive& archive, amp::GradScaler& scaler) {
  return scaler.load_state_dict(archive.leaves()), archive;
}

OutputArchive& operator<<(OutputArchive& archive, const Generator& generator) {
  const std::vector<uint8_t> state = generator.get_state();
  return archive << tensor(state, kByte);
}

InputArchive& operator>>(InputArchive& archive, Generator& generator) {
  Tensor state;
  archive >> state;
  WICK_CHECK(state.scalar_type() == kByte && state.is_cpu() && state.is_contiguous(), "load: the file has no state of a generator");
  generator.set_state(std::vector<uint8_t>(state.data_ptr<uint8_t>(), state.data_ptr<uint8_t>() + state.numel()));
  return archive;
}

OrderedDict<std::string, Tensor> serializable_state(const nn::Module& module) {
  OrderedDict<std::string, Tensor> state = module.state_dict();
  for (const auto& child : module.named_modules("", /*include_self=*/false)) {
    if ((*child)->is_serializable()) continue;
    for (const std::string& key : state.keys()) {
      if (key.starts_with(child.key() + '.')) state.erase(key);
    }
  }
  return state;
}

}  // namespace serialize

std::vector<char> pickle_save(const IValue& value) {
  std::vector<char> bytes;
  io::write_pt(value, [&](const void* data, size_t size) {
    const char* from = static_cast<const char*>(data);
    bytes.insert(bytes.end(), from, from + size);
  });
  return bytes;
}

IValue pickle_load(const std::vector<char>& data) { return io::read_pt({data.data(), data.size()}, "pickle_load"); }

}  // namespace wick
