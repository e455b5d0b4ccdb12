// c10::Dict and c10::List, as programs take apart what a file of PyTorch holds:
//
//     c10::Dict<c10::IValue, c10::IValue> weights = torch::pickle_load(bytes).toGenericDict();
//     for (const auto& w : weights) parameters[w.key().toStringRef()].copy_(w.value().toTensor());
//
// A copy refers to the same entries. A Dict keeps them in the order of insertion, and looks for one from the first to the last.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <iosfwd>
#include <memory>
#include <utility>
#include <vector>

#include "wick/framework/autograd/ivalue.h"

namespace c10 {

template <class K, class V>
class Dict {
 public:
  class Entry {
   public:
    Entry(K key, V value) : key_(std::move(key)), value_(std::move(value)) {}
    const K& key() const { return key_; }
    const V& value() const { return value_; }
    void setValue(V value) { value_ = std::move(value); }

   private:
    K key_;
    V value_;
  };
  using iterator = typename std::vector<Entry>::iterator;

  Dict() = default;
  // From what IValue::toGenericDict() returns.
  Dict(const wick::IValue::Dict& entries)
    requires(std::is_same_v<K, wick::IValue> && std::is_same_v<V, wick::IValue>)
  {
    for (const auto& [key, value] : entries) entries_->emplace_back(key, value);
  }

  operator wick::IValue() const {
    wick::IValue::Dict entries;
    for (const Entry& entry : *entries_) entries.emplace_back(entry.key(), entry.value());
    return entries;
  }

  iterator begin() const { return entries_->begin(); }
  iterator end() const { return entries_->end(); }
  size_t size() const { return entries_->size(); }
  bool empty() const { return entries_->empty(); }
  void clear() const { entries_->clear(); }
  void reserve(size_t count) const { entries_->reserve(count); }
  iterator find(const K& key) const {
    return std::find_if(begin(), end(), [&](const Entry& entry) { return same(entry.key(), key); });
  }
  bool contains(const K& key) const { return find(key) != end(); }
  const V& at(const K& key) const {
    const iterator found = find(key);
    WICK_CHECK_INDEX(found != end(), "Argument passed to at() was not in the map.");
    return found->value();
  }
  // Leaves an entry that there is; returns where it is, and whether it is new.
  std::pair<iterator, bool> insert(K key, V value) const {
    const iterator found = find(key);
    if (found != end()) return {found, false};
    entries_->emplace_back(std::move(key), std::move(value));
    return {end() - 1, true};
  }
  std::pair<iterator, bool> insert_or_assign(K key, V value) const {
    const auto [at, is_new] = insert(std::move(key), value);
    if (!is_new) at->setValue(std::move(value));
    return {at, is_new};
  }
  size_t erase(const K& key) const {
    const iterator found = find(key);
    if (found == end()) return 0;
    entries_->erase(found);
    return 1;
  }
  Dict copy() const {
    Dict result;
    *result.entries_ = *entries_;
    return result;
  }

 private:
  static bool same(const K& a, const K& b) {
    if constexpr (std::is_same_v<K, wick::IValue>) {
      if (a.isString() && b.isString()) return a.toStringRef() == b.toStringRef();
      if (!a.isScalar() || !b.isScalar() || a.isBool() != b.isBool()) return false;
      return a.toScalar().template to<double>() == b.toScalar().template to<double>();
    } else {
      return a == b;
    }
  }
  std::shared_ptr<std::vector<Entry>> entries_ = std::make_shared<std::vector<Entry>>();
};

template <class T>
class List {
 public:
  using value_type = T;
  using iterator = typename std::vector<T>::iterator;

  List() = default;
  List(std::initializer_list<T> items) { *items_ = items; }
  explicit List(wick::ArrayRef<T> items) { items_->assign(items.begin(), items.end()); }
  List(const std::vector<T>& items) { *items_ = items; }
  operator wick::IValue() const { return *items_; }

  iterator begin() const { return items_->begin(); }
  iterator end() const { return items_->end(); }
  size_t size() const { return items_->size(); }
  bool empty() const { return items_->empty(); }
  void clear() const { items_->clear(); }
  void reserve(size_t count) const { items_->reserve(count); }
  T get(size_t i) const { return items_->at(i); }
  void set(size_t i, T item) const { items_->at(i) = std::move(item); }
  decltype(auto) operator[](size_t i) const { return (*items_)[i]; }
  void push_back(T item) const { items_->push_back(std::move(item)); }
  template <class... Args>
  void emplace_back(Args&&... args) const { items_->emplace_back(std::forward<Args>(args)...); }
  void append(const List& other) const { items_->insert(end(), other.begin(), other.end()); }
  void pop_back() const { items_->pop_back(); }
  std::vector<T> vec() const { return *items_; }
  List copy() const { return List(*items_); }
  friend bool operator==(const List& a, const List& b) { return *a.items_ == *b.items_; }

 private:
  std::shared_ptr<std::vector<T>> items_ = std::make_shared<std::vector<T>>();
};

namespace impl {
using GenericDict = Dict<wick::IValue, wick::IValue>;
using GenericList = List<wick::IValue>;
}  // namespace impl

namespace ivalue {
// What a pointer to it stands for: out.toTuple()->elements()[0].toTensor().
class Tuple {
 public:
  explicit Tuple(std::vector<wick::IValue> elements) : elements_(std::move(elements)) {}
  template <class... T>
  static std::shared_ptr<Tuple> create(T&&... elements) {
    return std::make_shared<Tuple>(std::vector<wick::IValue>{wick::IValue(std::forward<T>(elements))...});
  }
  const std::vector<wick::IValue>& elements() const& { return elements_; }
  size_t size() const { return elements_.size(); }

 private:
  std::vector<wick::IValue> elements_;
};
template <class T>
wick::IValue from(T&& value) { return wick::IValue(std::forward<T>(value)); }
}  // namespace ivalue

}  // namespace c10

namespace wick {
// 2., True, a, None, [1, 2], (1, 2), {a: 1}; a tensor as a tensor is printed.
std::ostream& operator<<(std::ostream& out, const IValue& value);

inline auto IValue::toTuple() const {
  WICK_CHECK(isTuple(), "Expected Tuple but got ", tagKind());
  return std::make_shared<c10::ivalue::Tuple>(toList());
}
inline auto IValue::toTensorList() const { return c10::List<Tensor>(toTensorVector()); }
inline auto IValue::toIntList() const { return c10::List<int64_t>(toIntVector()); }
inline auto IValue::toDoubleList() const { return c10::List<double>(toDoubleVector()); }
}  // namespace wick
