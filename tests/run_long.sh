#!/usr/bin/env bash
# Installs what is needed and runs what takes longer than the tests of run_tests.sh: whole
# programs on real and made traces with the judge, benchmarks and instruction counts; unit
# tests and hostile input under the address and undefined sanitizers; each fuzzer of what reads
# files for some seconds.
#   run_long.sh [STEP...]      release, sanitizers, fuzzers; all three without a name
#   run_long.sh longer         little memory, many messages, calls that fail, few handles, windows that tile traces, all
#                              benchmarks, the judge and pages in all ways, streams of all real traces, Debian packages, a real
#                              Slurm (root only), and the fuzzer of plans
#   run_long.sh all-sanitized  nearly all command-line tests under the sanitizers, too
set -euo pipefail
cd "$(dirname "$0")/.."

run_release() {
  cmake --build --preset release --target test_tools
  ctest --preset long
}

run_longer() {
  ./install.sh --tests slurmctld slurmd slurm-client munge sudo openmpi-bin libopenmpi-dev eztrace lintian
  cmake --build --preset release --target test_tools
  ctest --preset longer
  TRACEFOLD_ALL_WAYS=1 ctest --preset long -R '^(cli\.judge_all|report\.browser)$'
  tests/fuzz/run_fuzz.sh plan 60
}

build_sanitized() {
  cmake --preset asan
  cmake --build --preset asan --target "$@"
}
run_sanitizers() { build_sanitized sanitized_tests && ctest --preset asan; }
run_all-sanitized() { build_sanitized all test_tools && ctest --preset asan-all; }

run_fuzzers() { tests/fuzz/run_fuzz.sh readers 5; }

# Node.js that does not come from Debian has npm with it, and would be removed by Debian's.
npm=()
command -v npm > /dev/null || npm=(nodejs npm)
./install.sh --tests clang libclang-rt-dev valgrind graphviz ccache mold chromium vite "${npm[@]}"
[ $# -gt 0 ] || set -- release sanitizers fuzzers
for step in "$@"; do "run_$step"; done
echo "all long tests passed"
