#!/usr/bin/env bash
# gpu_check says what it is for, and on a machine without a GPU that nothing was tried.
set -u
tool=$PWD/$1
failed=0
expect() {  # WHAT TEXT OUTPUT
  case $3 in
    *"$2"*) ;;
    *) echo "$1: expected '$2' in: $3"; failed=1 ;;
  esac
}
expect 'without arguments' 'tools/gpu_check pack OUT.tar.xz' "$("$tool")"
expect 'pack without a name' 'usage:' "$("$tool" pack 2>&1)"
status_of() { "$@" > /dev/null 2>&1; echo $?; }
expect '--help' './gpu_check run' "$("$tool" --help)"
expect 'status of --help' 0 "$(status_of "$tool" --help)"
expect 'status without arguments' 2 "$(status_of "$tool")"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf '#!/bin/sh\nexit 9\n' > "$folder/nvidia-smi"
chmod +x "$folder/nvidia-smi"
expect run 'verdict: there is no GPU here; nothing was tried' "$(PATH=$folder:$PATH "$tool" run)"
expect 'status of run' 3 "$(PATH=$folder:$PATH status_of "$tool" run)"

# pack, with a build of its own: a program that prints what it was called with stands for all of them.
tree=$folder/tree
mkdir -p "$tree/tools"
cp "$tool" "$tree/tools/gpu_check"
printf '#include <iostream>\nint main(int, char** a) { std::cout << a[0]; }\n' > "$folder/program.cc"
g++ -O1 -o "$folder/program" "$folder/program.cc" || exit 1
cat > "$tree/bazelw" << 'END'
#!/usr/bin/env bash
root=$(cd "$(dirname "$0")" && pwd)
if [[ $1 == query ]]; then
  printf '//tests/framework/cuda:%s_test\n' tensor tensor_no_caching kernels
  exit
fi
printf '%s\n' "$@" > "$root/called_with"
mkdir -p "$root"/bazel-bin/{examples,benchmarks,tests/framework/cuda}
for name in examples/{iris_mlp,sync_overhead,matmul_timing} benchmarks/gpu_bench tests/framework/cuda/{tensor,kernels}_test; do
  cp "$root/../program" "$root/bazel-bin/$name"
done
END
chmod +x "$tree/bazelw"
# From another folder, by a relative path.
output=$(cd "$tree/tools" && ./gpu_check pack "$folder/out.tar.xz" 75,90 2>&1) || { echo "pack: failed: $output"; failed=1; }
expect pack "$folder/out.tar.xz: 0 MB" "$output"
called=$(cat "$tree/called_with")
expect 'the architectures' '--define=wick_cuda_archs=75,90' "$called"
expect 'the targets' '//tests/framework/cuda:tensor_test' "$called"
case $called in *no_caching*) echo 'pack: the tests without caching are the same programs'; failed=1 ;; esac
mkdir "$folder/empty"
tar -C "$folder/empty" -xf "$folder/out.tar.xz"
found=$(cd "$folder/empty" && find . -type f | sort | tr '\n' ' ')
for file in ./gpu_check/gpu_check ./gpu_check/bin/{iris_mlp,sync_overhead,matmul_timing,gpu_bench} ./gpu_check/tests/{tensor,kernels}_test ./gpu_check/lib/libstdc++; do
  expect 'the archive' "$file" "$found"
done
case $found in *libc.so*) echo "pack: the C library is the machine's own: $found"; failed=1 ;; esac
expect 'run of the archive' 'verdict: there is no GPU here; nothing was tried' "$(PATH=$folder:$PATH "$folder/empty/gpu_check/gpu_check" run)"

# With a GPU, as far as nvidia-smi knows: every program is run, the verdict counts them.
printf '#!/bin/sh\necho A GPU\n' > "$folder/nvidia-smi"
output=$(PATH=$folder:$PATH "$folder/empty/gpu_check/gpu_check" run 2>&1)
expect 'a good run' ' checks passed, 0 failed' "$output"
expect 'a good run' 'tensor_test, no caching' "$output"
expect 'status of a good run' 0 "$(PATH=$folder:$PATH status_of "$folder/empty/gpu_check/gpu_check" run)"
printf '#!/bin/sh\necho no CUDA device >&2; exit 1\n' > "$folder/empty/gpu_check/bin/iris_mlp"
output=$(PATH=$folder:$PATH "$folder/empty/gpu_check/gpu_check" run 2>&1)
expect 'a GPU that cannot be used' 'verdict: the GPU cannot be used' "$output"
expect 'its reason' 'no CUDA device' "$output"
exit $failed
