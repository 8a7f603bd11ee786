#!/usr/bin/env bash
# Installs what is needed, builds, and runs all tests: unit tests, layers,
# command-line cases, the judge over real traces where they are at hand, and
# the unit tests once more under the address and undefined sanitizers.
set -euo pipefail
cd "$(dirname "$0")"
./install.sh
ctest --preset release
cmake --preset asan
cmake --build --preset asan
ctest --preset asan
echo "all tests passed"
