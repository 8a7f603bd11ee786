#!/usr/bin/env bash
# Makes a trace of an MPI program with threads, and folds it.
#   examples/demo.sh [RANKS [THREADS]]
set -euo pipefail
build="$(cd "$(dirname "$0")/.." && pwd)/build/release"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$build/examples/make_trace" "$work/app" --ranks "${1:-32}" --threads "${2:-4}"
"$build/cli/tracefold" reduce "$work/app/traces.otf2" -o "$work/small"
"$build/cli/tracefold" verify "$work/small/traces.otf2" --against "$work/app/traces.otf2"
