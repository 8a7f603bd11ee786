#!/usr/bin/env bash
# Installs what tracefold needs from Debian's packages, and builds it in
# build/release. Run from anywhere; as root, or where sudo works.
#   install.sh [MORE PACKAGES...]
set -euo pipefail
cd "$(dirname "$0")"
sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
packages=(g++ cmake ninja-build pkg-config ca-certificates gzip file dpkg-dev
  libopen-trace-format2-dev libtbb-dev libboost-graph-dev libcli11-dev libfmt-dev nlohmann-json3-dev nettle-dev
  libgtest-dev libgmock-dev otf2-tools python3 python3-otf2 zstd "$@")
if ! dpkg-query -W -f='${Status}\n' "${packages[@]}" 2>/dev/null | awk '!/install ok installed/ {bad=1} END {exit bad || NR < '"${#packages[@]}"'}'; then
  $sudo apt-get update -q
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${packages[@]}"
fi
cmake --preset release
cmake --build --preset release
