#!/usr/bin/env bash
# Installs what is needed and runs what takes longer than the tests of run_tests.sh.
#   run_long.sh [STEP...]      answers and sanitizers without a name, as CI does
#     answers        what is answered about real and made traces, held against independent programs; bad input
#     sanitizers     unit tests and bad input under the address and undefined sanitizers
#     fuzzers        each fuzzer of what reads files, for some seconds
#     longer         all other tests: signals, teams, pages in a browser, little memory, benchmarks, Debian packages, a real Slurm
#                    (root only); the judge and pages in all ways; all fuzzers
#     all-sanitized  nearly all command-line tests under the sanitizers
set -euo pipefail
cd "$(dirname "$0")/.."

# Packages for npm: none where it is there. Node.js that does not come from Debian has npm with it, and would be
# removed by Debian's.
list_npm() {
  command -v npm > /dev/null || echo nodejs npm
}

run_answers() {
  # shellcheck disable=SC2046
  ./install.sh --tests clang-format ccache mold valgrind graphviz python3-pandas $(list_npm)
  cmake --build --preset release --target test_tools
  ctest --preset answers
}

run_longer() {
  # shellcheck disable=SC2046
  ./install.sh --tests clang-format ccache mold valgrind graphviz chromium vite $(list_npm) \
    slurmctld slurmd slurm-client munge sudo eztrace lintian
  cmake --build --preset release --target longer_tools
  ctest --preset longer
  TRACEFOLD_ALL_WAYS=1 ctest --preset release -R '^(cli\.judge_all|report\.browser)$'
  run_fuzzers
  tests/fuzz/run_fuzz.sh plan 60
}

build_sanitized() {
  ./install.sh --tests clang-format ccache mold
  cmake --preset asan
  cmake --build --preset asan --target "$@"
}
run_sanitizers() { build_sanitized sanitized_tests && ctest --preset asan; }
run_all-sanitized() { build_sanitized all longer_tools && ctest --preset asan-all; }

run_fuzzers() {
  ./install.sh --tests clang-format ccache mold clang libclang-rt-dev
  tests/fuzz/run_fuzz.sh readers 5
}

[ $# -gt 0 ] || set -- answers sanitizers
for step in "$@"; do "run_$step"; done
echo "all tests passed: $*"
