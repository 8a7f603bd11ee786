#!/usr/bin/env bash
# Installs what tracefold needs from Debian's packages, and builds the program and
# its example in build/release. Run from anywhere; as root, or where sudo works.
#   install.sh [--tests] [MORE PACKAGES...]     --tests: builds the tests, too
set -euo pipefail
cd "$(dirname "$0")"
tests=OFF
packages=(g++ cmake ninja-build pkg-config ca-certificates gzip file dpkg-dev
  libarchive-dev libopen-trace-format2-dev libtbb-dev libboost-graph-dev libcli11-dev libfmt-dev
  nlohmann-json3-dev nettle-dev libpng-dev libprotozero-dev libzstd-dev zlib1g-dev)
if [ "${1:-}" = --tests ]; then
  shift
  tests=ON
  packages+=(libgtest-dev libgmock-dev otf2-tools python3 python3-numpy python3-otf2 python3-zstandard python3-jsonschema
    protobuf-compiler procps zstd bzip2 xz-utils jq zsh fish
    libopenmpi-dev openmpi-bin libmpich-dev mpich)
fi
packages+=("$@")

# Succeeds where all packages are installed.
have_packages() {
  dpkg-query -W -f='${Status}\n' "${packages[@]}" 2>/dev/null |
    awk -v wanted="${#packages[@]}" '!/install ok installed/ {missing = 1} END {exit missing || NR < wanted}'
}

if ! have_packages; then
  sudo=
  [ "$(id -u)" = 0 ] || sudo=sudo
  $sudo apt-get update -q
  $sudo env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -q --no-install-recommends "${packages[@]}"
fi
cmake --preset release -D TRACEFOLD_TESTS="$tests"
cmake --build --preset release
