// Dims: a short list of sizes, strides or dimension numbers, held by value without touching the heap.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "wick/framework/core/array_ref.h"

namespace wick {

// More dimensions than a tensor of any program we met; PyTorch stops at 64.
inline constexpr int kMaxDims = 16;

class Dims {
 public:
  Dims() = default;
  Dims(std::initializer_list<int64_t> list) : Dims(IntArrayRef(list)) {}
  Dims(IntArrayRef list) {
    check_size(list.size());
    copy(list.data(), list.size());
  }
  explicit Dims(size_t size, int64_t value = 0) {
    check_size(size);
    size_ = static_cast<int>(size);
    for (size_t i = 0; i < size; ++i) data_[i] = value;
  }
  Dims(const Dims& other) { copy(other.data_, other.size()); }
  Dims& operator=(const Dims& other) {
    copy(other.data_, other.size());
    return *this;
  }

  int64_t* data() { return data_; }
  const int64_t* data() const { return data_; }
  size_t size() const { return static_cast<size_t>(size_); }
  bool empty() const { return size_ == 0; }
  int64_t* begin() { return data_; }
  int64_t* end() { return data_ + size_; }
  const int64_t* begin() const { return data_; }
  const int64_t* end() const { return data_ + size_; }
  int64_t& operator[](size_t i) { return data_[i]; }
  int64_t operator[](size_t i) const { return data_[i]; }
  int64_t& back() { return data_[size_ - 1]; }
  int64_t back() const { return data_[size_ - 1]; }

  void push_back(int64_t value) {
    check_size(size() + 1);
    data_[size_++] = value;
  }
  void pop_back() { --size_; }
  void resize(size_t size) {
    check_size(size);
    for (size_t i = static_cast<size_t>(size_); i < size; ++i) data_[i] = 0;
    size_ = static_cast<int>(size);
  }
  void insert(size_t at, int64_t value) {
    push_back(value);
    for (size_t i = size() - 1; i > at; --i) data_[i] = data_[i - 1];
    data_[at] = value;
  }
  void erase(size_t at) {
    for (--size_; at < size(); ++at) data_[at] = data_[at + 1];
  }
  friend bool operator==(const Dims& a, const Dims& b) { return IntArrayRef(a) == IntArrayRef(b); }

 private:
  // The library's <algorithm> is a tenth of what it costs to compile a program that includes this.
  void copy(const int64_t* from, size_t size) {
    size_ = static_cast<int>(size);
    for (size_t i = 0; i < size; ++i) data_[i] = from[i];
  }
  static void check_size(size_t size) {
    WICK_CHECK(size <= kMaxDims, "a tensor of wick has at most ", kMaxDims, " dimensions, got ", size);
  }

  int size_ = 0;
  int64_t data_[kMaxDims];  // only the first size_ are initialised
};

inline void append_text(std::string& out, const Dims& dims) { append_text(out, IntArrayRef(dims)); }

// The number of elements of a tensor with these sizes; throws where a size is negative or the product does not fit into 63 bits.
int64_t checked_numel(IntArrayRef sizes);
// The number of bytes of `numel` elements; throws where the product does not fit into 63 bits.
int64_t checked_nbytes(int64_t numel, int64_t element_size);

// Row-major strides for the sizes; a dimension of size 0 counts as 1, as in PyTorch.
Dims contiguous_strides(IntArrayRef sizes);

// Turns a dimension counted from the end (-1 is the last) into one counted from the front. A 0-dim tensor accepts 0 and -1.
int64_t wrap_dim(int64_t dim, int64_t ndim);

// All values of the lists, one list after the other.
Dims joined_dims(std::initializer_list<IntArrayRef> lists);

// "2x3x5" with the separator "x".
std::string joined_text(IntArrayRef list, std::string_view separator);

// The shape that two shapes broadcast to; throws PyTorch's sentence where they do not.
Dims broadcast_shapes(IntArrayRef a, IntArrayRef b);

}  // namespace wick
