#!/usr/bin/env bash
# usage: compat_test.sh DIST.tar.gz COMPAT_TABLE PORT_CHECK
# docs/compat.md says which of LibTorch's names are there, and port_check what a program would miss.
set -eu -o pipefail
archive=$PWD/$1 table=$PWD/$2 port_check=$PWD/$3

fail() { echo "$*"; exit 1; }

tar xzf "$archive" -C "$TEST_TMPDIR"
include=$(echo "$TEST_TMPDIR"/wick-*/include)
"$table" --check -I "$include" -I "$include/compat" || fail "docs/compat.md is not what the headers have"

cd "$TEST_TMPDIR"
cat > good.cc <<'EOF'
#include <torch/torch.h>
#include "torch/csrc/autograd/variable.h"
// torch::_no_such_thing and torch::jit in a comment
namespace F = torch::nn::functional;
int main() {
  torch::nn::Linear fc(torch::nn::LinearOptions(4, 3).bias(false));
  std::cout << F::relu(fc(torch::ones({2, 4}))) << "torch::sparse_coo_tensor";
}
EOF
"$port_check" good.cc > good.txt || fail "port_check finds something missing in good.cc: $(cat good.txt)"
[[ ! -s good.txt ]] || fail "port_check prints something for good.cc: $(cat good.txt)"

cat > bad.cc <<'EOF'
#include <torch/no_such_header.h>
namespace N = torch::nested;
int main() {
  auto x = N::nested_tensor({});
  C10_CUDA_CHECK(0);
  torch::jit::load("model.pt");
}
EOF
! "$port_check" bad.cc > bad.txt || fail "port_check finds nothing in bad.cc"
cat > expected.txt <<'EOF'
bad.cc:1: header torch/no_such_header.h
bad.cc:4: torch::nested::nested_tensor
bad.cc:5: macro C10_CUDA_CHECK
bad.cc:6: torch::jit::load (throws: wick does not run TorchScript)
EOF
diff expected.txt bad.txt || fail "port_check says something else of bad.cc"

status=0
"$port_check" no_such_file.cc 2> error.txt || status=$?
[[ $status == 2 && $(wc -l < error.txt) == 1 ]] || fail "port_check of a file that is not there: $status, $(cat error.txt)"
