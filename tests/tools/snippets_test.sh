#!/usr/bin/env bash
# What tools/snippets makes of each kind of block.
set -eu
snippets=$PWD/$1
cd "${TEST_TMPDIR:-$(mktemp -d)}"

fail() {
  echo "$1" >&2
  exit 1
}
has() { grep -qF -- "$1" out.cc || fail "missing: $1"; }

cat > page.md <<'END'
# A page
<!-- cpp declarations int hidden(); -->
## The first section
```cpp
#include <cmath>
int shown = hidden();
```
```output
7
```
```cpp throws
throw shown;
```
```error
seven
```
## Another section
```cpp
int main() { std::puts("a program"); }
```
```cpp listing source.h
two lines
that follow
```
```sh
not C++
```
<!-- cpp table -->
| Python | C++ |
| --- | --- |
| `x.shape` | `x.sizes()`, `{ int y; }` |
END
printf '  two lines \\\n  that follow\n' > source.h
"$snippets" page.md > out.cc
has '#include <cmath>'
has 'int hidden();'
has 'TEST(Page, TheFirstSection)'
has '#line 5 "page.md"'
has 'int shown = hidden();'
has 'snippet_output.expect('
has 'nothing was thrown'
has 'inline void run_program() { std::puts("a program"); }'
has '(void)(x.sizes());'
grep -q 'not C++' out.cc && fail "a block of another language was taken"
grep -q 'ADD_FAILURE() << "page.md:.*do not stand in' out.cc && fail "a true quotation was refused"

printf 'two lines\nwith something between\nthat follow\n' > source.h
"$snippets" page.md > out.cc
has 'these lines do not stand in source.h any more'

printf '```cpp nonsense\n```\n' > page.md
"$snippets" page.md > out.cc 2> err && fail "an unknown kind of block was taken"
grep -q '^page.md:1: what is' err || fail "$(cat err)"
printf '```cpp\nint x;\n' > page.md
"$snippets" page.md > out.cc 2> err && fail "a block without an end was taken"
"$snippets" --help | grep -q '^usage: snippets PAGE.md' || fail "--help says nothing"
"$snippets" > out.cc 2> err && fail "no page is no error"
grep -q '^usage: snippets PAGE.md' err || fail "$(cat err)"
echo passed
