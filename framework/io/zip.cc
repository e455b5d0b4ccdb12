#include "wick/framework/io/zip.h"

#include <zlib.h>

namespace wick::io {
namespace {

constexpr uint32_t kLocal = 0x04034b50, kCentral = 0x02014b50, kEnd = 0x06054b50, kEnd64 = 0x06064b50, kLocator = 0x07064b50;
constexpr uint32_t kFull = 0xffffffff;  // the 32-bit field whose value is in a 64-bit one
constexpr uint64_t kLocatorSize = 20, kAlignment = 64;

uint32_t checksum(std::string_view bytes) {
  return static_cast<uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

struct Directory {
  uint64_t count, size, offset;
};

// The record at the end of the file, or the one with 64-bit numbers before it.
Directory find_directory(std::string_view file, const std::string& name) {
  const size_t end = file.rfind(std::string_view("PK\5\6", 4));
  WICK_CHECK(file.starts_with("PK") && end != file.npos, name, ": this is no zip archive, or it is cut short");
  ByteReader record(file.substr(end), name);
  record.take(4 + 2 + 2 + 2);
  Directory directory{record.number<uint16_t>(), record.number<uint32_t>(), record.number<uint32_t>()};
  if (record.take(record.number<uint16_t>()); !record.rest().empty()) record.fail("there are bytes behind the end of the zip archive");
  if (end < kLocatorSize) return directory;
  ByteReader locator(file.substr(end - kLocatorSize), name);
  if (locator.number<uint32_t>() != kLocator) return directory;
  locator.take(4);
  ByteReader record64(file.substr(0, end), name);
  record64.take(locator.number<uint64_t>());
  if (record64.number<uint32_t>() != kEnd64) record64.fail("the end record is damaged");
  record64.take(8 + 2 + 2 + 4 + 4 + 8);
  const uint64_t count = record64.number<uint64_t>(), size = record64.number<uint64_t>();
  return {count, size, record64.number<uint64_t>()};
}

}  // namespace

ZipReader::ZipReader(std::string_view file, std::string name) : name_(std::move(name)) {
  const Directory directory = find_directory(file, name_);
  ByteReader reader(file, name_);
  reader.take(directory.offset);
  reader = ByteReader(reader.take(directory.size), name_);
  uint64_t total = 0;
  for (uint64_t i = 0; i < directory.count; ++i) {
    if (reader.number<uint32_t>() != kCentral) reader.fail("the directory of the zip archive is damaged");
    reader.take(4);
    const uint16_t flags = reader.number<uint16_t>(), method = reader.number<uint16_t>();
    reader.take(4);
    const uint32_t crc = reader.number<uint32_t>();
    uint64_t packed = reader.number<uint32_t>(), size = reader.number<uint32_t>();
    const uint16_t name_size = reader.number<uint16_t>(), extra_size = reader.number<uint16_t>(), comment = reader.number<uint16_t>();
    reader.take(2 + 2 + 4);
    uint64_t offset = reader.number<uint32_t>();
    const std::string member(reader.take(name_size));
    ByteReader extra(reader.take(extra_size), name_);
    reader.take(comment);
    while (extra.rest().size() >= 4) {
      const uint16_t id = extra.number<uint16_t>(), length = extra.number<uint16_t>();
      ByteReader field(extra.take(length), name_);
      for (uint64_t* value : {&size, &packed, &offset}) if (id == 1 && *value == kFull) *value = field.number<uint64_t>();
    }
    if (flags & 1) reader.fail(member, " is encrypted");
    if (method != 0 && method != 8) reader.fail(member, " is compressed by method ", method, "; stored and deflated members can be read");
    ByteReader local(file, name_);
    local.take(offset);
    if (local.number<uint32_t>() != kLocal) local.fail("the header of ", member, " is damaged");
    local.take(22);
    const uint16_t local_name = local.number<uint16_t>(), local_extra = local.number<uint16_t>();
    local.take(local_name + local_extra);
    // Members may not share bytes: a small file could hold any number of large ones.
    if (total += packed; total > file.size()) reader.fail("the members of the zip archive overlap");
    if (!members_.try_emplace(member, Member{local.take(packed), size, crc, method == 8}).second) reader.fail(member, " is there twice");
  }
}

std::string_view ZipReader::open(std::string_view member, std::string& buffer) const {
  const auto it = members_.find(member);
  WICK_CHECK(it != members_.end(), name_, ": the file lacks ", member);
  const auto& [data, size, crc, deflated] = it->second;
  WICK_CHECK(deflated || data.size() == size, name_, ": the size of ", member, " is wrong");
  if (deflated) buffer = inflate(data, name_, /*raw=*/true, size);
  const std::string_view content = deflated ? std::string_view(buffer) : data;
  WICK_CHECK(checksum(content) == crc, name_, ": ", member, " is damaged (its checksum is wrong)");
  return content;
}

void ZipWriter::write(std::string_view bytes) {
  sink_(bytes.data(), bytes.size());
  offset_ += bytes.size();
}

void ZipWriter::add(const std::string& name, std::string_view content) {
  const uint64_t size = content.size(), offset = offset_;
  const auto field = [this](uint64_t value) { return value < limit_ ? static_cast<uint32_t>(value) : kFull; };
  // Version 4.5, UTF-8 names, stored, 1 January 1980.
  std::string common;
  for (const uint16_t value : {45, 1 << 11, 0, 0, 0x21}) put<uint16_t>(common, value);
  put(common, checksum(content));
  put(common, field(size)), put(common, field(size));
  put(common, static_cast<uint16_t>(name.size()));
  const auto extra64 = [&](std::initializer_list<uint64_t> values) {
    std::string extra, numbers;
    for (const uint64_t value : values) if (value >= limit_) put(numbers, value);
    if (numbers.empty()) return extra;
    put<uint16_t>(extra, 1), put(extra, static_cast<uint16_t>(numbers.size()));
    return extra + numbers;
  };
  std::string extra = extra64({size, size});
  const uint64_t pad = (kAlignment - (offset + 4 + common.size() + 2 + name.size() + extra.size() + 4) % kAlignment) % kAlignment;
  extra += "FB", put(extra, static_cast<uint16_t>(pad)), extra.append(pad, 'Z');
  std::string local;
  put(local, kLocal), local += common, put(local, static_cast<uint16_t>(extra.size()));
  write(local + name + extra);
  write(content);

  extra = extra64({size, size, offset});
  put(directory_, kCentral), put<uint16_t>(directory_, 45), directory_ += common, put(directory_, static_cast<uint16_t>(extra.size()));
  directory_.append(2 + 2 + 2 + 4, '\0');
  put(directory_, field(offset));
  directory_ += name + extra;
  ++count_;
}

void ZipWriter::finish() {
  const uint64_t offset = offset_, size = directory_.size();
  write(directory_);
  std::string end;
  const bool big = count_ >= 0xffff || offset >= limit_ || size >= limit_;
  if (big) {
    put(end, kEnd64), put<uint64_t>(end, 44), put<uint32_t>(end, 45 | 45 << 16), put<uint64_t>(end, 0);
    for (const uint64_t value : {count_, count_, size, offset}) put(end, value);
    put(end, kLocator), put<uint32_t>(end, 0), put(end, offset + size), put<uint32_t>(end, 1);
  }
  put(end, kEnd), put<uint32_t>(end, 0);
  const uint16_t count = big ? 0xffff : static_cast<uint16_t>(count_);
  put(end, count), put(end, count);
  for (const uint64_t value : {size, offset}) put(end, big ? kFull : static_cast<uint32_t>(value));
  put<uint16_t>(end, 0);
  write(end);
}

}  // namespace wick::io
