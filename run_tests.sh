#!/usr/bin/env bash
# Installs what is needed, builds the program and its quick tests, and runs these: unit
# tests, transcripts of the command line, layers, format. What takes longer is in
# tests/run_long.sh.
set -euo pipefail
cd "$(dirname "$0")"
./install.sh --tests clang-format ccache mold
ctest --preset quick
echo "all quick tests passed"
