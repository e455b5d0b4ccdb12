#include "wick/framework/io/npy.h"

#include <algorithm>
#include <charconv>

#include "wick/framework/io/zip.h"

namespace wick {
namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);

struct NpyType {
  ScalarType dtype;
  std::string_view code;
};
constexpr NpyType kTypes[] = {{kBool, "b1"}, {kByte, "u1"}, {kChar, "i1"}, {kShort, "i2"}, {kInt, "i4"},
                              {kLong, "i8"}, {kHalf, "f2"}, {kFloat, "f4"}, {kDouble, "f8"},
                              {kComplexFloat, "c8"}, {kComplexDouble, "c16"}};

// What precedes the elements.
std::string header_of(const Tensor& x) {
  const auto type = std::ranges::find(kTypes, x.scalar_type(), &NpyType::dtype);
  WICK_CHECK_TYPE(type != std::end(kTypes), "NumPy has no ", dtype_name(x.scalar_type()), "; convert the tensor to float32");
  std::string header = "{'descr': '";
  header.append(x.element_size() == 1 ? "|" : "<").append(type->code).append("', 'fortran_order': False, 'shape': (");
  for (const int64_t size : x.sizes()) header += std::to_string(size) + ", ";
  header += "), }";
  header.append(63 - (kMagic.size() + 4 + header.size()) % 64, ' ');
  header += '\n';
  std::string start(kMagic);
  io::put<uint16_t>(start, 1);
  io::put(start, static_cast<uint16_t>(header.size()));
  return start + header;
}

// The text behind 'key': in a header, up to one of the ends.
std::string_view field(const io::ByteReader& reader, std::string_view header, std::string_view key, std::string_view ends) {
  size_t at = header.find("'" + std::string(key) + "'");
  if (at != header.npos) at = header.find_first_not_of(": ", at + key.size() + 2);
  const size_t end = at == header.npos ? at : header.find_first_of(ends, at + 1);
  if (end == header.npos) reader.fail("the header of the array lacks '", key, "'");
  return header.substr(at, end - at);
}

Tensor parse_npy(std::string_view content, const std::string& name) {
  io::ByteReader reader(content, name);
  if (!content.starts_with(kMagic)) reader.fail("this is no .npy file");
  reader.take(kMagic.size());
  const uint8_t version = reader.number<uint8_t>();
  reader.take(1);
  if (version < 1 || version > 3) reader.fail("version ", int{version}, " of .npy files is unknown");
  const std::string_view header = reader.take(version == 1 ? reader.number<uint16_t>() : reader.number<uint32_t>());

  const std::string_view descr = field(reader, header, "descr", "',");
  const auto type = descr.size() >= 4 ? std::ranges::find(kTypes, descr.substr(2), &NpyType::code) : std::end(kTypes);
  if (type == std::end(kTypes) || std::string_view("<>|=").find(descr[1]) == descr.npos)
    reader.fail("the array has elements of type ", descr, "', which tensors do not have");
  const std::string_view fortran = field(reader, header, "fortran_order", ",}"), shape = field(reader, header, "shape", ")");
  if ((fortran != "True" && fortran != "False") || shape[0] != '(') reader.fail("the header of the array is damaged");
  std::vector<int64_t> sizes;
  for (const char *at = shape.data() + 1, *end = shape.data() + shape.size(); at != end;) {
    if (*at == ' ' || (*at == ',' && !sizes.empty())) {
      ++at;
      continue;
    }
    const auto [next, error] = std::from_chars(at, end, sizes.emplace_back());
    if (error != std::errc()) reader.fail("the shape ", shape, ") cannot be read");
    at = next;
  }

  std::string swapped;
  std::string_view bytes = reader.rest();
  const size_t width = static_cast<size_t>(element_size(to_real_type(type->dtype)));
  if (descr[1] == '>' && width > 1 && bytes.size() % width == 0) {
    swapped = bytes;
    for (size_t i = 0; i < swapped.size(); i += width) std::reverse(&swapped[i], &swapped[i] + width);
    bytes = swapped;
  }
  if (fortran == "False") return io::tensor_from_bytes(bytes, type->dtype, sizes, name);
  std::ranges::reverse(sizes);
  std::vector<int64_t> dims(sizes.size());
  for (size_t i = 0; i < dims.size(); ++i) dims[i] = static_cast<int64_t>(dims.size() - 1 - i);
  return io::tensor_from_bytes(bytes, type->dtype, sizes, name).permute(dims).contiguous();
}

}  // namespace

void save_npy(const Tensor& x, const std::string& path) {
  const Tensor rows = x.detach().cpu().contiguous();
  const std::string header = header_of(rows);
  io::write_file(path, [&](const io::Sink& sink) {
    sink(header.data(), header.size());
    sink(rows.const_data_ptr(), io::bytes_of(rows).size());
  });
}

Tensor load_npy(const std::string& path) { return parse_npy(io::read_file(path), path); }

void save_npz(const OrderedDict<std::string, Tensor>& arrays, const std::string& path) {
  io::write_file(path, [&](const io::Sink& sink) {
    io::ZipWriter zip(sink);
    for (const auto& item : arrays) {
      const Tensor rows = item->detach().cpu().contiguous();
      zip.add(item.key() + ".npy", header_of(rows).append(io::bytes_of(rows)));
    }
    zip.finish();
  });
}

OrderedDict<std::string, Tensor> load_npz(const std::string& path) {
  const std::string content = io::read_file(path);
  const io::ZipReader zip(content, path);
  OrderedDict<std::string, Tensor> arrays;
  for (const auto& [member, packed] : zip.members()) {
    if (!member.ends_with(".npy")) continue;
    std::string buffer;
    arrays.insert(member.substr(0, member.size() - 4), parse_npy(zip.open(member, buffer), path + '/' + member));
  }
  return arrays;
}

}  // namespace wick
