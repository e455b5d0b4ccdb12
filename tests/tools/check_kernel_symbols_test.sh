#!/usr/bin/env bash
# usage: check_kernel_symbols_test.sh CHECK
# What kernel objects may define, and what may not.
set -eu -o pipefail
check=$1
work=$TEST_TMPDIR

object() {  # NAME, source on standard input
  g++ -std=c++20 -O1 -fPIC -x c++ -c - -o "$work/$1.o"
}

accepts() {
  object "$1"
  "$check" "$work/$1.o" || { echo "$1: refused"; exit 1; }
}

refuses() {  # NAME SYMBOL, which the report must name
  object "$1"
  if report=$("$check" "$work/$1.o" 2>&1); then
    echo "$1: accepted"
    exit 1
  fi
  grep -qF "$2" <<< "$report" || { printf '%s: the report does not name %s:\n%s\n' "$1" "$2" "$report"; exit 1; }
}

accepts functions_and_data <<< '
  namespace wick::cpu::avx2 {
  float twice(float x) { return 2 * x; }
  extern const int table[2];
  const int table[2] = {1, 2};
  template <class T> T next(T x) { static T last = x * 3; return last += x; }
  template int next(int);
  template float next(float);
  struct Base { virtual ~Base(); virtual int f() const; };
  Base::~Base() {}
  int Base::f() const { return 1; }
  }'
accepts local_symbols <<< '
  #include <exception>
  static int hidden(int x) { return x + 1; }
  namespace { struct Guard { ~Guard() noexcept(false) { if (std::uncaught_exceptions()) throw 1; } }; }
  namespace wick::avx512 { int run(int (*f)()) { Guard guard; return hidden(f()); } }'
refuses inline_function 'helper(int)' <<< '
  [[gnu::noinline]] inline int helper(int x) { return x * 3; }
  namespace wick::cpu::avx2 { int run(int x) { return helper(x); } }'
refuses library_template 'std::vector' <<< '
  #include <vector>
  template class std::vector<float>;
  namespace wick::cpu::avx512 { int run() { return 1; } }'
refuses other_namespace 'wick::cpu::run(int)' <<< '
  namespace wick::cpu { int run(int x) { return x; } }
  namespace wick::cpu::avx2 { int run(int x) { return x; } }'
refuses foreign_isa 'user::avx2::run()' <<< '
  namespace user::avx2 { int run() { return 1; } }
  namespace wick::avx2 { int run() { return 1; } }'
refuses c_symbol 'plain' <<< '
  extern "C" int plain() { return 1; }
  namespace wick::avx2 { int run() { return 1; } }'
refuses nothing 'no symbol' <<< 'static int unused;'
