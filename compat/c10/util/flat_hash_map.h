// Hash maps under LibTorch's names; the standard ones.
#pragma once

#include <functional>
#include <memory>
#include <unordered_map>
#include <unordered_set>

namespace ska {
template <class K, class V, class Hash = std::hash<K>, class Equal = std::equal_to<K>, class Alloc = std::allocator<std::pair<const K, V>>>
using flat_hash_map = std::unordered_map<K, V, Hash, Equal, Alloc>;
template <class T, class Hash = std::hash<T>, class Equal = std::equal_to<T>, class Alloc = std::allocator<T>>
using flat_hash_set = std::unordered_set<T, Hash, Equal, Alloc>;
}  // namespace ska
