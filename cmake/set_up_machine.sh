#!/usr/bin/env bash
# Installs the Debian packages that building and testing Falx needs. Quick and silent when all are there.
set -euo pipefail

packages=(
  clang-22 libclc-22 clang-format-22 clang-tidy-22 llvm-22-dev llvm-22-tools libclang-22-dev libclang-rt-22-dev lld-22 liblld-22-dev
  libc++-22-dev libc++abi-22-dev
  cmake ninja-build make ccache git python3 g++ zlib1g-dev libzstd-dev
  libtbb-dev libsleef-dev libxxhash-dev libfmt-dev libcli11-dev nlohmann-json3-dev libpng-dev
  libgtest-dev libgmock-dev libbenchmark-dev
)
missing=()
for package in "${packages[@]}"; do
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  exit 0
fi
echo "== installing: ${missing[*]}"
as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
"${as_root[@]}" apt-get update -q
DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -q --no-install-recommends "${missing[@]}"
