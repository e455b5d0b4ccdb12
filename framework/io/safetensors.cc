#include "wick/framework/io/safetensors.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "wick/framework/io/bytes.h"

namespace wick {
namespace {

using Json = nlohmann::json;

struct NamedType {
  ScalarType dtype;
  std::string_view name;
};
constexpr NamedType kTypes[] = {{kBool, "BOOL"}, {kByte, "U8"}, {kChar, "I8"}, {kShort, "I16"}, {kInt, "I32"}, {kLong, "I64"},
                                {kHalf, "F16"}, {kBFloat16, "BF16"}, {kFloat, "F32"}, {kDouble, "F64"}};

// A header is an object of flat objects; what is nested deeper, or has a name twice, is none.
Json parse_header(std::string_view text) {
  std::vector<std::set<std::string>> names(3);
  return Json::parse(text, [&](int depth, Json::parse_event_t event, Json& parsed) {
    WICK_CHECK(depth <= 3, "it is nested too deeply");
    const size_t level = static_cast<size_t>(depth);
    if (event == Json::parse_event_t::object_start && level < names.size()) names[level].clear();
    if (event == Json::parse_event_t::key) {
      const auto& name = parsed.get_ref<const std::string&>();
      WICK_CHECK(level > 0 && names[level - 1].insert(name).second, "\"", name, "\" is there twice");
    }
    return true;
  });
}

// The place of a tensor in the file.
struct Entry {
  std::string name;
  ScalarType dtype;
  std::vector<int64_t> sizes;
  uint64_t begin, end;
};

Entry entry_of(const std::string& name, const Json& json) {
  const std::string type = json.at("dtype");
  const auto known = std::ranges::find(kTypes, type, &NamedType::name);
  WICK_CHECK(known != std::end(kTypes), name, " has dtype ", type, ", which tensors do not have");
  const auto unsigned_numbers = [&](const char* key) {
    std::vector<uint64_t> numbers;
    for (const Json& number : json.at(key)) {
      WICK_CHECK(number.is_number_unsigned(), key, " of ", name, " are not numbers from 0 to 2^64 - 1");
      numbers.push_back(number);
    }
    return numbers;
  };
  const std::vector<uint64_t> shape = unsigned_numbers("shape"), offsets = unsigned_numbers("data_offsets");
  WICK_CHECK(offsets.size() == 2 && offsets[0] <= offsets[1], "data_offsets of ", name, " are not two numbers in order");
  WICK_CHECK(std::ranges::all_of(shape, [](uint64_t size) { return size <= INT64_MAX; }), "the shape of ", name, " is too large");
  return {name, known->dtype, {shape.begin(), shape.end()}, offsets[0], offsets[1]};
}

}  // namespace

void save_safetensors(const OrderedDict<std::string, Tensor>& tensors, const std::string& path,
                      const std::map<std::string, std::string>& metadata) {
  Json header = Json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  std::vector<Tensor> parts;
  uint64_t offset = 0;
  // By falling size of the elements, so that all begin where their type may.
  for (const int64_t width : {16, 8, 4, 2, 1}) {
    for (const auto& item : tensors) {
      WICK_CHECK(item->defined(), "save_safetensors: ", item.key(), " is an undefined tensor");
      WICK_CHECK_VALUE(item.key() != "__metadata__", "save_safetensors: a tensor cannot be called __metadata__");
      if (item->element_size() != width) continue;
      parts.push_back(item->detach().cpu().contiguous());
      const auto type = std::ranges::find(kTypes, item->scalar_type(), &NamedType::dtype);
      WICK_CHECK_TYPE(type != std::end(kTypes), "safetensors has no ", dtype_name(item->scalar_type()));
      const uint64_t end = offset + static_cast<uint64_t>(item->nbytes());
      header[item.key()] = {{"dtype", type->name}, {"shape", item->sizes().vec()}, {"data_offsets", {offset, end}}};
      offset = end;
    }
  }
  std::string text;
  try {
    text = header.dump();
  } catch (const Json::exception& error) { WICK_CHECK_VALUE(false, "save_safetensors: a name is not UTF-8: ", error.what()); }
  text.append((8 - text.size() % 8) % 8, ' ');
  std::string start;
  io::put<uint64_t>(start, text.size());
  io::write_file(path, [&](const io::Sink& sink) {
    sink(start.data(), start.size());
    sink(text.data(), text.size());
    for (const Tensor& part : parts) sink(part.const_data_ptr(), io::bytes_of(part).size());
  });
}

OrderedDict<std::string, Tensor> load_safetensors(const std::string& path, Device device, std::map<std::string, std::string>* metadata) {
  const std::string content = io::read_file(path);
  io::ByteReader reader(content, path);
  const uint64_t length = reader.number<uint64_t>();
  if (length > reader.rest().size()) {
    reader.fail("this is no .safetensors file, or it is cut short: its header would have ", length, " bytes, and ", reader.rest().size(),
                " follow");
  }
  const std::string_view text = reader.take(length);
  std::map<std::string, std::string> strings;
  std::vector<Entry> entries;
  try {
    const Json header = parse_header(text);
    WICK_CHECK(header.is_object(), "it is no object");
    for (const auto& [name, json] : header.items()) {
      if (name == "__metadata__") strings = json.get<std::map<std::string, std::string>>();
      else entries.push_back(entry_of(name, json));
    }
  } catch (const std::exception& error) {
    reader.fail("the header of the safetensors file cannot be read: ", error.what());
  }
  std::ranges::sort(entries, {}, [](const Entry& entry) { return std::pair(entry.begin, entry.end); });
  OrderedDict<std::string, Tensor> tensors;
  uint64_t end = 0;
  for (const Entry& entry : entries) {
    if (entry.begin != end) reader.fail(entry.name, " does not begin where the tensor before it ends: ", entry.begin, " instead of ", end);
    end = entry.end;
    tensors.insert(entry.name, io::tensor_from_bytes(reader.take(end - entry.begin), entry.dtype, entry.sizes, path).to(device));
  }
  if (!reader.rest().empty()) reader.fail(reader.rest().size(), " bytes belong to no tensor");
  if (metadata) *metadata = std::move(strings);
  return tensors;
}

}  // namespace wick
