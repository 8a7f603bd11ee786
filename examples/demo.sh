#!/usr/bin/env bash
# Makes a trace of an MPI program with threads, folds it, checks that, and leaves both in a new folder to look at.
#   examples/demo.sh [RANKS [THREADS]]
set -euo pipefail
build="$(cd "$(dirname "$0")/.." && pwd)/build/release"
work=$(mktemp -d "${TMPDIR:-/tmp}/tracefold-demo.XXXXXX")

"$build/examples/make_trace" "$work/app" --ranks "${1:-32}" --threads "${2:-4}"
"$build/cli/tracefold" reduce "$work/app/traces.otf2" -o "$work/small"
"$build/cli/tracefold" verify "$work/small/traces.otf2" --against "$work/app/traces.otf2"
"$build/cli/tracefold" write -q "$work/small/traces.otf2" -o "$work/small.pftrace"

cat <<END

The results are in $work, which you may delete:
  app/traces.otf2    the trace that was made
  small/traces.otf2  what is left of it: open it in Vampir or ViTE
  small.pftrace      the same for a browser: drop it on https://ui.perfetto.dev
Ask it what the run spends its time on:
  $build/cli/tracefold summary $work/small/traces.otf2
To go on with docs/tutorial.md:
  cd $work; export PATH=$build/cli:$build/examples:\$PATH
END
