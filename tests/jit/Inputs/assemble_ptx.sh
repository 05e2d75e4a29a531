#!/usr/bin/env bash
# assemble_ptx.sh <ptxas> <bitcode> <kind> <dimensions> <scratch prefix> <kernel>...: compiles kernels to PTX for
# several architectures, each with other knowledge about the launch, and assembles all of it. OLDEST_SM in the
# environment leaves out those before it.
set -euo pipefail
ptxas=$1 bitcode=$2 kind=$3 dimensions=$4 scratch=$5
shift 5
local_range=64,1,1
[ "$dimensions" -lt 2 ] || local_range=8,8,1

assemble() { # <architecture> <option>...
  local sm=$1 kernel
  shift
  for kernel in "${kernels[@]}"; do
    if ! falx-jit-run "$bitcode" "$kernel" "$kind" "$dimensions" --target=ptx --cpu=sm_$sm "$@" \
      > "$scratch.ptx" 2> "$scratch.log" ||
      ! "$ptxas" -arch=sm_$sm "$scratch.ptx" -o /dev/null > "$scratch.log" 2>&1; then
      echo "$kernel for sm_$sm with $*:"
      cat "$scratch.log"
      exit 1
    fi
  done
}

kernels=("$@")
# Toolkits drop old architectures; sm_70 has no others' instructions.
[ "${OLDEST_SM:-0}" -gt 75 ] || assemble 75
assemble 80 --level=0
assemble 90 --local=$local_range --fixed-local --narrow
assemble 100 --narrow --linear-grid
