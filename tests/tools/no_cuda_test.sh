#!/usr/bin/env bash
# usage: no_cuda_test.sh PROGRAM...
# A build without CUDA names nothing of CUDA's runtime and libraries, and loads none of them.
set -eu -o pipefail
failed=0
for program in "$@"; do
  symbols=$(nm "$program")
  grep -q ' main$' <<< "$symbols" || { echo "$program: has no symbols to look at"; failed=1; }
  if found=$(grep -E ' (cuda|cublas|cudnn|__cuda|cu)[A-Z]' <<< "$symbols"); then
    printf '%s: names of CUDA:\n%s\n' "$program" "$found"
    failed=1
  fi
  if found=$(ldd "$program" | grep -E '^[[:space:]]*lib(cu|nv)'); then
    printf '%s: libraries of CUDA:\n%s\n' "$program" "$found"
    failed=1
  fi
done
exit $failed
