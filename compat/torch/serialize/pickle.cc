#include <torch/serialize/pickle.h>

#include <algorithm>
#include <bit>
#include <map>
#include <unordered_map>

#include "wick/framework/cuda.h"
#include "wick/framework/io/zip.h"

namespace wick::io {
namespace {

constexpr char kRebuild[] = "torch._utils _rebuild_tensor_v2", kParameter[] = "torch._utils _rebuild_parameter";
constexpr char kOrderedDict[] = "collections OrderedDict", kJit[] = "torch.jit._pickle ";

// "torch FloatStorage"
std::string storage_class(ScalarType t) { return std::string("torch ") + to_string(t) + "Storage"; }

constexpr ScalarType kDtypes[] = {kByte,  kChar,   kShort, kInt,      kLong,         kHalf,
                                  kFloat, kDouble, kBool,  kBFloat16, kComplexFloat, kComplexDouble};

Tensor alias(const Tensor& x, IntArrayRef sizes, IntArrayRef strides, int64_t offset) {
  return Tensor(alias_base(x, sizes, strides, offset));
}

// ---- Writing -----------------------------------------------------------------------------------------------------------------------

class Pickler {
 public:
  void write(const IValue& value, const Sink& sink) {
    survey(value);
    out_ = "\x80\x02";
    add(value);
    out_ += '.';
    ZipWriter zip(sink);
    zip.add("archive/data.pkl", out_);
    zip.add("archive/byteorder", "little");
    for (size_t i = 0; i < parts_.size(); ++i) zip.add("archive/data/" + std::to_string(i), bytes_of(parts_[i].cpu().contiguous()));
    zip.add("archive/version", "3\n");
    zip.finish();
  }

 private:
  // The elements of a storage that the tensors in the file use.
  struct Use {
    int64_t begin = INT64_MAX, end = 0, tensors = 0;
    std::optional<size_t> part;
  };
  using Key = std::pair<const StorageImpl*, ScalarType>;
  static Key key_of(const Tensor& x) { return {x.storage_ref().get(), x.scalar_type()}; }

  void survey(const IValue& value) {
    if (value.isList() || value.isTuple()) {
      for (const IValue& item : value.toList()) survey(item);
    } else if (value.isGenericDict()) {
      for (const auto& [key, item] : value.toGenericDict()) survey(key), survey(item);
    } else if (value.isTensor() && value.toTensor().defined()) {
      const Tensor& x = value.toTensor();
      WICK_CHECK(!x.is_meta(), "save: a tensor on the meta device has no data that could be saved");
      Use& use = uses_[key_of(x)];
      int64_t end = x.storage_offset() + (x.numel() > 0);
      for (int64_t d = 0; d < x.dim() && x.numel() > 0; ++d) end += (x.size(d) - 1) * x.stride(d);
      use.begin = std::min(use.begin, x.storage_offset());
      use.end = std::max(use.end, end);
      ++use.tensors;
    }
  }

  void add(const IValue& value) {
    if (value.isNone()) out_ += 'N';
    else if (value.isBool()) out_ += value.toBool() ? '\x88' : '\x89';
    else if (value.isInt()) add_int(value.toInt());
    else if (value.isDouble()) out_ += 'G', put(out_, __builtin_bswap64(std::bit_cast<uint64_t>(value.toDouble())));
    else if (value.isString()) add_text(value.toStringRef());
    else if (value.isTensor()) add_tensor(value.toTensor());
    else if (value.isTuple()) add_items("(", value.toList(), 't');
    else if (value.isList()) add_items("](", value.toList(), 'e');
    else {
      out_ += "}(";
      for (const auto& [key, item] : value.toGenericDict()) add(key), add(item);
      out_ += 'u';
    }
  }
  void add_items(const char* begin, const IValue::List& items, char end) {
    out_ += begin;
    for (const IValue& item : items) add(item);
    out_ += end;
  }
  void add_int(int64_t x) {
    if (x == static_cast<int32_t>(x)) out_ += 'J', put(out_, static_cast<int32_t>(x));
    else out_ += "\x8a\x08", put(out_, x);
  }
  void add_text(const std::string& text) { out_ += 'X', put(out_, static_cast<uint32_t>(text.size())), out_ += text; }
  // 'c', the module, '\n', the name, '\n'
  void add_global(std::string name) {
    name[name.find(' ')] = '\n';
    out_ += 'c' + name + '\n';
  }

  void add_tensor(const Tensor& tensor) {
    if (!tensor.defined()) return add(IValue());
    Tensor x = tensor.detach();
    Use& use = uses_.at(key_of(x));
    int64_t offset = x.storage_offset() - use.begin;
    if (!use.part) {
      use.part = parts_.size();
      if (use.tensors == 1 && use.end - use.begin > x.numel()) x = x.contiguous(), offset = 0, parts_.push_back(x);
      else parts_.push_back(alias(x, {use.end - use.begin}, {1}, use.begin));
    }
    add_global(kRebuild);
    out_ += "((";
    add_text("storage");
    add_global(storage_class(x.scalar_type()));
    add_text(std::to_string(*use.part));
    add_text(x.device().str());
    add_int(parts_[*use.part].numel());
    out_ += "tQ";
    add_int(offset);
    for (const IntArrayRef list : {x.sizes(), x.strides()}) add_items("(", IValue::List(list.begin(), list.end()), 't');
    add(tensor.requires_grad());
    add_global(kOrderedDict);
    out_ += ")RtR";
  }

  std::string out_;
  std::map<Key, Use> uses_;
  std::vector<Tensor> parts_;
};

// ---- Reading -----------------------------------------------------------------------------------------------------------------------

class Unpickler {
 public:
  Unpickler(std::string_view file, const std::string& name, std::optional<Device> device) : zip_(file, name), name_(name), device_(device) {
    for (const auto& [member, content] : zip_.members()) {
      if (member.ends_with("/data.pkl")) folder_ = member.substr(0, member.size() - 8);
    }
    const std::string order = folder_ + "byteorder";
    std::string buffer;
    WICK_CHECK(!zip_.members().contains(order) || zip_.open(order, buffer) == "little", name,
               ": the file was written on a machine with another byte order");
  }

  IValue read() {
    std::string buffer;
    const std::string_view program = zip_.open(folder_ + "data.pkl", buffer);
    ByteReader in(program, name_);
    while (step(in)) {}
    budget_ = 64 * program.size() + 4096;
    return value_of(pop(), 0);
  }

 private:
  enum Kind { kValue, kList, kTuple, kDict, kObject, kGlobal, kStorage };
  // Lists refer to their items, as in Python, and become values at the end.
  struct Node {
    Kind kind;
    IValue value;
    std::vector<size_t> items = {};  // of a dict, keys and values in turn
  };

  template <class... Parts>
  void check(bool ok, const Parts&... parts) const { WICK_CHECK(ok, name_, ": ", parts...); }
  void push(Kind kind, IValue value = {}, std::vector<size_t> items = {}) {
    stack_.push_back(nodes_.size());
    nodes_.push_back({kind, std::move(value), std::move(items)});
  }
  size_t pop() {
    check(stack_.size() > (marks_.empty() ? 0 : marks_.back()), "the pickle is damaged: nothing is left on its stack");
    const size_t top = stack_.back();
    stack_.pop_back();
    return top;
  }
  std::vector<size_t> pop_items(size_t count) {
    std::vector<size_t> items(count);
    while (count > 0) items[--count] = pop();
    return items;
  }
  std::vector<size_t> pop_to_mark() {
    check(!marks_.empty(), "the pickle is damaged: it lacks a mark");
    std::vector<size_t> items = pop_items(stack_.size() - marks_.back());
    marks_.pop_back();
    return items;
  }
  // Appends to the list or dict on top of the stack.
  void extend(Kind kind, const std::vector<size_t>& items) {
    const size_t top = pop();
    const bool fits = nodes_[top].kind == kind && (kind == kList || items.size() % 2 == 0);
    check(fits, "the pickle is damaged: items without a list or dict");
    nodes_[top].items.insert(nodes_[top].items.end(), items.begin(), items.end());
    stack_.push_back(top);
  }

  // Executes an instruction; false after the last one.
  bool step(ByteReader& in) {
    const uint8_t op = in.number<uint8_t>();
    switch (op) {
      case 0x80: check(in.number<uint8_t>() <= 5, "the pickle has an unknown version"); break;
      case '(': marks_.push_back(stack_.size()); break;
      case 'N': push(kValue); break;
      case 0x88: push(kValue, true); break;
      case 0x89: push(kValue, false); break;
      case 'K': push(kValue, in.number<uint8_t>()); break;
      case 'M': push(kValue, in.number<uint16_t>()); break;
      case 'J': push(kValue, in.number<int32_t>()); break;
      case 'G': push(kValue, std::bit_cast<double>(__builtin_bswap64(in.number<uint64_t>()))); break;
      case 0x8a: {
        const std::string_view digits = in.take(in.number<uint8_t>());
        check(digits.size() <= 8, "an integer is too large for 64 bits");
        int64_t value = !digits.empty() && digits.back() < 0 ? -1 : 0;
        std::memcpy(&value, digits.data(), digits.size());
        push(kValue, value);
        break;
      }
      case 'X': push(kValue, std::string(in.take(in.number<uint32_t>()))); break;
      case ']': push(kList); break;
      case '}': push(kDict); break;
      case ')': push(kTuple); break;
      case 't': push(kTuple, {}, pop_to_mark()); break;
      case 0x85: case 0x86: case 0x87: push(kTuple, {}, pop_items(op - 0x84u)); break;
      case 'a': extend(kList, pop_items(1)); break;
      case 's': extend(kDict, pop_items(2)); break;
      case 'e': extend(kList, pop_to_mark()); break;
      case 'u': extend(kDict, pop_to_mark()); break;
      case 'q': remember(in.number<uint8_t>()); break;
      case 'r': remember(in.number<uint32_t>()); break;
      case 'h': recall(in.number<uint8_t>()); break;
      case 'j': recall(in.number<uint32_t>()); break;
      case 'c': {
        std::string name(in.take_line());
        add_global(name.append(" ").append(in.take_line()));
        break;
      }
      case 'Q': add_storage(nodes_[pop()]); break;
      case 0x81: pop(); check(nodes_[pop()].kind == kGlobal, "the pickle is damaged: an object without a class"); push(kObject); break;
      case 'R': call(); break;
      case 'b': build(); break;
      case '.': return false;
      default: check(false, "the pickle has instruction ", int{op}, ", which no file of weights needs");
    }
    return true;
  }

  void remember(uint32_t index) { memo_[index] = pop(), stack_.push_back(memo_[index]); }
  void recall(uint32_t index) {
    check(memo_.contains(index), "the pickle is damaged: it refers to an object that is not there");
    stack_.push_back(memo_[index]);
  }

  void add_global(const std::string& name) {
    const bool is_storage = std::ranges::any_of(kDtypes, [&](ScalarType t) { return name == storage_class(t); });
    for (const ScalarType t : kDtypes)
      if (name == std::string("torch ") + dtype_name(t)) return push(kValue, std::string("torch.") + dtype_name(t));
    const bool known = is_storage || name == kRebuild || name == kParameter || name == kOrderedDict || name == "torch Size" ||
                       name == "torch device" || name.starts_with(kJit) || name.starts_with("__torch__");
    std::string dotted = name;
    dotted[name.find(' ')] = '.';
    check(known, "Unsupported global: GLOBAL ", dotted,
          " was not an allowed global by default.\nwick reads tensors of its dtypes, numbers, "
          "strings, lists, tuples and dicts, and calls nothing; in Python, torch.save(model.state_dict(), path) writes such a file");
    push(kGlobal, name);
  }

  // ('storage', class, name, location, number of elements)
  void add_storage(const Node& id) {
    check(id.kind == kTuple && id.items.size() == 5, "the pickle is damaged: a storage of unknown form");
    const std::string& type = text(id.items[1]);
    const std::string member = folder_ + "data/" + text(id.items[2]), &location = text(id.items[3]);
    const int64_t numel = integer(id.items[4]);
    const auto dtype = std::ranges::find_if(kDtypes, [&](ScalarType t) { return type == storage_class(t); });
    check(dtype != std::end(kDtypes), "the pickle is damaged: a storage of class ", type);
    const auto [it, is_new] = storages_.try_emplace({member, *dtype});
    if (is_new) {
      std::string buffer;
      it->second = tensor_from_bytes(zip_.open(member, buffer), *dtype, {numel}, name_).to(device_.value_or(device_at(location)));
    }
    check(it->second.numel() == numel, "two sizes of one storage");
    push(kStorage, it->second);
  }
  Device device_at(const std::string& location) const {
    if (!location.starts_with("cuda")) return kCPU;
    check(cuda::is_available(), "Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. If you are "
          "running on a CPU-only machine, please use torch.load with map_location=torch.device('cpu') to map your storages to the CPU.");
    return Device(location);
  }

  // function(*arguments)
  void call() {
    const std::vector<size_t> arguments = items_of(pop());
    const size_t callee = pop();
    check(nodes_[callee].kind == kGlobal, "the pickle is damaged: a call of what is no function");
    const std::string& function = nodes_[callee].value.toStringRef();
    const auto has = [&](size_t count) { check(arguments.size() >= count, "the pickle is damaged: ", function, " lacks arguments"); };
    if (function == kOrderedDict) {
      check(arguments.empty(), "an OrderedDict that is built from a list");
      push(kDict);
    } else if (function == kRebuild) {
      has(5);
      push(kValue, rebuild(arguments));
    } else if (function == kParameter) {
      has(2);
      const Node& data = nodes_[arguments[0]];
      check(data.kind == kValue && data.value.isTensor(), "the pickle is damaged: a parameter without a tensor");
      push(kValue, with_grad(data.value.toTensor().detach(), arguments[1]));
    } else {  // torch.Size, torch.device, lists of TorchScript: their first argument
      has(1);
      stack_.push_back(arguments[0]);
    }
  }

  // (storage, offset, sizes, strides, requires_grad, hooks)
  Tensor rebuild(const std::vector<size_t>& arguments) {
    check(nodes_[arguments[0]].kind == kStorage, "the pickle is damaged: a tensor without a storage");
    const Tensor& storage = nodes_[arguments[0]].value.toTensor();
    const int64_t offset = integer(arguments[1]);
    std::vector<int64_t> sizes, strides;
    for (const size_t item : items_of(arguments[2])) sizes.push_back(integer(item));
    for (const size_t item : items_of(arguments[3])) strides.push_back(integer(item));
    int64_t last = offset, numel = 1, step;
    bool fits = sizes.size() == strides.size() && offset >= 0;
    for (size_t d = 0; fits && d < sizes.size(); ++d) {
      const int64_t size = std::max<int64_t>(sizes[d], 1);
      fits = sizes[d] >= 0 && strides[d] >= 0 && !__builtin_mul_overflow(numel, size, &numel) &&
             !__builtin_mul_overflow(size - 1, strides[d], &step) && !__builtin_add_overflow(last, step, &last);
    }
    const bool empty = std::ranges::count(sizes, 0) > 0;
    check(fits && (empty || last < storage.numel()), "a tensor of shape ", IntArrayRef(sizes), " and strides ", IntArrayRef(strides),
          " from element ", offset, " on is not within its storage of ", storage.numel(), " elements");
    return with_grad(alias(storage, sizes, strides, empty ? 0 : offset), arguments[4]);
  }
  Tensor with_grad(Tensor x, size_t requires_grad) const {
    const IValue& wanted = nodes_[requires_grad].value;
    if (wanted.isBool() && wanted.toBool() && x.is_floating_point()) x.set_requires_grad(true);
    return x;
  }

  // The state of an object: of a TorchScript module its attributes; of an OrderedDict (its _metadata) not needed.
  void build() {
    const size_t state = pop(), object = pop();
    if (nodes_[object].kind == kObject && nodes_[state].kind == kDict) nodes_[object].items = nodes_[state].items;
    stack_.push_back(object);
  }

  const std::vector<size_t>& items_of(size_t node) const {
    check(nodes_[node].kind == kTuple || nodes_[node].kind == kList, "the pickle is damaged: a tuple expected");
    return nodes_[node].items;
  }
  int64_t integer(size_t node) const {
    check(nodes_[node].value.isInt(), "the pickle is damaged: an integer expected");
    return nodes_[node].value.toInt();
  }
  const std::string& text(size_t node) const {
    check(nodes_[node].value.isString(), "the pickle is damaged: a string expected");
    return nodes_[node].value.toStringRef();
  }

  // A list may be part of many others, or of itself: what a small file describes may have no end.
  IValue value_of(size_t index, int depth) {
    const Node& node = nodes_[index];
    const size_t cost = 1 + (node.value.isString() ? node.value.toStringRef().size() : 0);
    check(depth < 200 && cost <= budget_, "the lists in the pickle are nested too deeply");
    budget_ -= cost;
    if (node.kind == kValue) return node.value;
    check(node.kind != kGlobal && node.kind != kStorage, "the pickle is damaged: a function or storage where a value should be");
    IValue::List items;
    for (const size_t item : node.items) items.push_back(value_of(item, depth + 1));
    if (node.kind == kList) return items;
    if (node.kind == kTuple) return IValue::Tuple(std::make_move_iterator(items.begin()), std::make_move_iterator(items.end()));
    IValue::Dict dict;
    for (size_t i = 0; i < items.size(); i += 2) dict.emplace_back(std::move(items[i]), std::move(items[i + 1]));
    return dict;
  }

  ZipReader zip_;
  const std::string& name_;
  std::optional<Device> device_;
  std::string folder_;
  std::vector<Node> nodes_;
  std::vector<size_t> stack_, marks_;
  std::unordered_map<uint32_t, size_t> memo_;
  std::map<std::pair<std::string, ScalarType>, Tensor> storages_;
  size_t budget_ = 0;
};

}  // namespace

void write_pt(const IValue& value, const Sink& sink) { Pickler().write(value, sink); }

IValue read_pt(std::string_view file, const std::string& name, std::optional<Device> device) {
  WICK_CHECK(file.starts_with("PK"), name,
             ": this is no file of torch.save (a zip archive). Files of PyTorch before 1.6 must be saved anew "
             "by a later version; safetensors, .npy and .npz files have functions of their own");
  return Unpickler(file, name, device).read();
}

}  // namespace wick::io
