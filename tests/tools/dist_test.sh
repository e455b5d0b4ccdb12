#!/usr/bin/env bash
# usage: dist_test.sh DIST.tar.gz PROGRAM.cc
# Unpacks the archive and builds a program written for LibTorch against it with plain g++, linked to each of its two libraries.
set -eu -o pipefail
archive=$PWD/$1 program=$PWD/$2
cd "$TEST_TMPDIR"

fail() { echo "$*"; exit 1; }

tar xzf "$archive"
tops=(*)
[[ ${#tops[@]} == 1 && ${tops[0]} == wick-* ]] || fail "the archive holds more than one top folder: ${tops[*]}"
cd "${tops[0]}"
for file in include/wick.h include/wick/framework/core/error.h include/compat/{torch/torch.h,ATen/ATen.h,c10/util/Exception.h} \
            lib/{libwick.so,libwick.a,cmake/wick/wickConfig.cmake,pkgconfig/wick.pc} LICENSE; do
  [[ -f $file ]] || fail "$file is missing"
done
strays=$(find . -path '*compat*' ! -path ./include/compat ! -path './include/compat/*' ! -name compat_list.h)
[[ -z $strays ]] || fail "LibTorch's headers outside of include/compat: $strays"

libraries=$(sed -n 's/^Libs.private: //p' lib/pkgconfig/wick.pc)
g++ -std=c++20 -O2 -DONLY_IRIS -c "$program" -Iinclude -Iinclude/compat -o program.o
g++ program.o -Llib -lwick -Wl,-rpath,"$PWD/lib" -o shared
g++ program.o lib/libwick.a $libraries -o static
for linked in shared static; do
  ./$linked > $linked.txt || fail "the program linked to the $linked library failed"
  [[ -s $linked.txt ]] || fail "the program linked to the $linked library printed nothing"
  cat $linked.txt
done
