// Hash maps under LibTorch's names; the standard ones.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "wick/optim/optimizer.h"

namespace wick::detail {
template <class K, class V, class Hash, class Equal, class Alloc>
struct HashMap {
  using type = std::unordered_map<K, V, Hash, Equal, Alloc>;
};
// The states of an optimiser, whose keys are texts in LibTorch up to 2.0. (c10::guts::to_string)
template <class Hash, class Equal, class Alloc>
struct HashMap<std::string, std::unique_ptr<optim::OptimizerParamState>, Hash, Equal, Alloc> {
  using type = optim::OptimizerState;
};
}  // namespace wick::detail

namespace ska {
template <class K, class V, class Hash = std::hash<K>, class Equal = std::equal_to<K>, class Alloc = std::allocator<std::pair<const K, V>>>
using flat_hash_map = typename wick::detail::HashMap<K, V, Hash, Equal, Alloc>::type;
template <class T, class Hash = std::hash<T>, class Equal = std::equal_to<T>, class Alloc = std::allocator<T>>
using flat_hash_set = std::unordered_set<T, Hash, Equal, Alloc>;
}  // namespace ska
