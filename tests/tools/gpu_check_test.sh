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
exit $failed
