#!/usr/bin/env bash
# Installs what is needed, builds, and runs all tests: unit tests, layers,
# command-line cases, both readers of events against each other, instruction
# counts, the judge over real traces where they are at hand, the unit tests once
# more under the address and undefined sanitizers, and each fuzzer for some seconds.
set -euo pipefail
cd "$(dirname "$0")"
./install.sh --tests clang clang-format libclang-rt-dev valgrind graphviz
ctest --preset release
cmake --preset asan
cmake --build --preset asan
ctest --preset asan
tests/fuzz/run_fuzz.sh all 5
echo "all tests passed"
