// OrderedDict: a dictionary that remembers the order of insertion; what named_parameters() and its siblings return.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "wick/framework/core/error.h"

namespace wick {

// Look-up by key takes constant time, erase() linear time. Iteration gives Items: `item.key()`, `item.value()`, and `*item`, `item->`
// for the value. A reference to a value holds until the next insertion or removal.
template <class Key, class Value>
class OrderedDict {
 public:
  class Item {
   public:
    Item(Key key, Value value) : pair_(std::move(key), std::move(value)) {}

    const Key& key() const noexcept { return pair_.first; }
    Value& value() noexcept { return pair_.second; }
    const Value& value() const noexcept { return pair_.second; }
    const std::pair<Key, Value>& pair() const noexcept { return pair_; }
    Value& operator*() { return value(); }
    const Value& operator*() const { return value(); }
    Value* operator->() { return &value(); }
    const Value* operator->() const { return &value(); }

   private:
    std::pair<Key, Value> pair_;
  };
  using Iterator = typename std::vector<Item>::iterator;
  using ConstIterator = typename std::vector<Item>::const_iterator;

  // The description stands for "Key" in error messages: "Parameter 'weight' already defined".
  explicit OrderedDict(std::string key_description = "Key") : key_description_(std::move(key_description)) {}
  OrderedDict(std::initializer_list<Item> items) : OrderedDict() {
    reserve(items.size());
    for (const Item& item : items) insert(item.key(), item.value());
  }

  const std::string& key_description() const noexcept { return key_description_; }

  size_t size() const noexcept { return items_.size(); }
  bool is_empty() const noexcept { return items_.empty(); }
  void reserve(size_t capacity) {
    index_.reserve(capacity);
    items_.reserve(capacity);
  }

  Iterator begin() { return items_.begin(); }
  ConstIterator begin() const { return items_.begin(); }
  Iterator end() { return items_.end(); }
  ConstIterator end() const { return items_.end(); }

  Item& front() { return checked("front", 0); }
  const Item& front() const { return checked("front", 0); }
  Item& back() { return checked("back", size() - 1); }
  const Item& back() const { return checked("back", size() - 1); }

  // By position. Throws where there is none.
  Item& operator[](size_t index) { return const_cast<Item&>(std::as_const(*this)[index]); }
  const Item& operator[](size_t index) const {
    WICK_CHECK(index < size(), "Index ", index, " is out of bounds");
    return items_[index];
  }
  // By key. Throws where there is none; insert() makes one.
  Value& operator[](const Key& key) { return const_cast<Value&>(std::as_const(*this)[key]); }
  const Value& operator[](const Key& key) const {
    const Value* value = find(key);
    WICK_CHECK(value, key_description_, " '", key, "' is not defined");
    return *value;
  }
  // Null where there is none.
  Value* find(const Key& key) noexcept { return const_cast<Value*>(std::as_const(*this).find(key)); }
  const Value* find(const Key& key) const noexcept {
    const auto it = index_.find(key);
    return it == index_.end() ? nullptr : &items_[it->second].value();
  }
  bool contains(const Key& key) const noexcept { return index_.count(key) > 0; }

  // Throws for a key that is there already.
  Value& insert(Key key, Value value) {
    WICK_CHECK(!contains(key), key_description_, " '", key, "' already defined");
    index_.emplace(key, size());
    items_.emplace_back(std::move(key), std::move(value));
    return items_.back().value();
  }
  void update(const OrderedDict& other) {
    reserve(size() + other.size());
    for (const Item& item : other) insert(item.key(), item.value());
  }
  void update(OrderedDict&& other) {
    reserve(size() + other.size());
    for (Item& item : other) insert(item.key(), std::move(item.value()));
  }
  void erase(const Key& key) {
    const auto it = index_.find(key);
    WICK_CHECK(it != index_.end(), "Key '", key, "' doesn't exist");
    const size_t position = it->second;
    index_.erase(it);
    items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(position));
    for (auto& entry : index_) entry.second -= entry.second > position;
  }
  void clear() {
    index_.clear();
    items_.clear();
  }

  const std::vector<Item>& items() const noexcept { return items_; }
  std::vector<Key> keys() const {
    return collect<Key>([](const Item& item) { return item.key(); });
  }
  std::vector<Value> values() const {
    return collect<Value>([](const Item& item) { return item.value(); });
  }
  std::vector<std::pair<Key, Value>> pairs() const {
    return collect<std::pair<Key, Value>>([](const Item& item) { return item.pair(); });
  }

  friend bool operator==(const OrderedDict& a, const OrderedDict& b) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i) {
      if (a.items_[i].pair() != b.items_[i].pair()) return false;
    }
    return true;
  }

 private:
  Item& checked(const char* method, size_t index) { return const_cast<Item&>(std::as_const(*this).checked(method, index)); }
  const Item& checked(const char* method, size_t index) const {
    WICK_CHECK(!is_empty(), "Called ", method, "() on an empty OrderedDict");
    return items_[index];
  }
  template <class T, class F>
  std::vector<T> collect(F&& part) const {
    std::vector<T> parts;
    parts.reserve(size());
    for (const Item& item : items_) parts.push_back(part(item));
    return parts;
  }

  std::unordered_map<Key, size_t> index_;
  std::vector<Item> items_;
  std::string key_description_;
};

}  // namespace wick
