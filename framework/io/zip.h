// Zip archives in memory: what PyTorch's .pt files and NumPy's .npz files are (PKWARE's APPNOTE; 64-bit sizes included).
#pragma once

#include <map>

#include "wick/framework/io/bytes.h"

namespace wick::io {

// Reads stored and deflated members. Archives that are encrypted, in several parts, or whose members overlap, are errors.
class ZipReader {
 public:
  // The file must outlive the reader. Throws Error, as open() does, where it is damaged.
  ZipReader(std::string_view file, std::string name);

  struct Member {
    std::string_view data;  // as it is in the file
    uint64_t size;
    uint32_t crc;
    bool deflated;
  };
  // By name, in the order of names.
  const std::map<std::string, Member, std::less<>>& members() const { return members_; }
  // The content, checked; it is in the file itself or, if it was compressed, in `buffer`.
  std::string_view open(std::string_view member, std::string& buffer) const;

 private:
  std::string name_;
  std::map<std::string, Member, std::less<>> members_;
};

// Writes members uncompressed, each beginning at a multiple of 64 bytes, as PyTorch does.
class ZipWriter {
 public:
  // Sizes and offsets from `limit` on are written with 64 bits.
  explicit ZipWriter(Sink sink, uint64_t limit = 0xffffffff) : sink_(std::move(sink)), limit_(limit) {}
  void add(const std::string& name, std::string_view content);
  // Call once, last.
  void finish();

 private:
  void write(std::string_view bytes);

  Sink sink_;
  uint64_t limit_, offset_ = 0, count_ = 0;
  std::string directory_;
};

}  // namespace wick::io
