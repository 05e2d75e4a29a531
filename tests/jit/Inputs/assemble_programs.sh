#!/usr/bin/env bash
# assemble_programs.sh <ptxas> <directory of objects> <scratch directory>: every kernel of the objects as PTX,
# assembled.
set -euo pipefail
ptxas=$1 objects=$2 scratch=$3
shopt -s nullglob
for object in "$objects"/sycl_*.o; do
  rm -rf "$scratch"
  mkdir -p "$scratch"
  if ! falx-ptx "$object" --cpu=sm_90 --local=32 --narrow --directory="$scratch" 2> "$scratch/log"; then
    grep -q "holds no device image" "$scratch/log" && continue
    # Some functions are defined only when their kernel is launched, some kernels demand what only CPUs have, such as
    # private arrays of a megabyte or a property of the launch, and one of the tests of asynchronous barriers is
    # refused everywhere.
    if grep -v -e "bytes of private variables per work-item" -e "a dynamic function without a definition of its own" -e "requires sub-groups of" \
        -e "its launch has no property" -e "uses an asynchronous barrier, at which work-items wait one by one" "$scratch/log"; then
      exit 1
    fi
  fi
  for kernel in "$scratch"/*.ptx; do
    "$ptxas" -arch=sm_90 "$kernel" -o /dev/null || { head -1 "$kernel"; exit 1; }
  done
done
