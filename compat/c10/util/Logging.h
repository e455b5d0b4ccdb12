// What LibTorch's logging makes printable: std::cout << std::vector<int>{1, 2, 3} writes "1 2 3", and of longer containers the first
// hundred elements and " ...".
#pragma once

#include <map>
#include <ostream>
#include <set>
#include <utility>
#include <vector>

namespace std {
template <class First, class Second>
ostream& operator<<(ostream& out, const pair<First, Second>& x);
}  // namespace std

namespace c10 {
template <class Iterator>
void PrintSequence(std::ostream& out, Iterator begin, Iterator end);
}  // namespace c10

namespace std {
#define WICK_PRINT_CONTAINER(Container)                                  \
  template <class... Types>                                              \
  ostream& operator<<(ostream& out, const Container<Types...>& sequence) { \
    c10::PrintSequence(out, sequence.begin(), sequence.end());           \
    return out;                                                          \
  }
WICK_PRINT_CONTAINER(vector)
WICK_PRINT_CONTAINER(map)
WICK_PRINT_CONTAINER(set)
#undef WICK_PRINT_CONTAINER
template <class First, class Second>
ostream& operator<<(ostream& out, const pair<First, Second>& x) { return out << '(' << x.first << ", " << x.second << ')'; }
}  // namespace std

namespace c10 {
template <class Iterator>
void PrintSequence(std::ostream& out, Iterator begin, Iterator end) {
  for (int i = 0; begin != end && i < 100; ++i, ++begin) out << (i ? " " : "") << *begin;
  if (begin != end) out << " ...";
}
}  // namespace c10
