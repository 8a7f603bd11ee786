#!/usr/bin/env bash
# Makes a trace of an MPI program with threads, folds it, checks that, and leaves all of it in a new folder to look at and go on in.
#   examples/demo.sh [RANKS [THREADS]]
set -euo pipefail
build="$(cd "$(dirname "$0")/.." && pwd)/build/release"
work=$(mktemp -d "${TMPDIR:-/tmp}/tracefold-demo.XXXXXX")

"$build/examples/make_trace" "$work/app" --ranks "${1:-16}" --threads "${2:-4}"
"$build/cli/tracefold" reduce "$work/app/traces.otf2" -o "$work/demo-small"
"$build/cli/tracefold" verify "$work/demo-small/traces.otf2" --against "$work/app/traces.otf2"
"$build/cli/tracefold" write -q "$work/demo-small/traces.otf2" -o "$work/demo.pftrace"

cat <<END

The results are in $work, which you may delete:
  app/traces.otf2         the trace that was made
  demo-small/traces.otf2  what is left of it: open it in Vampir or ViTE
  demo.pftrace            the same for a browser: drop it on https://ui.perfetto.dev
Ask it what the run spends its time on:
  $build/cli/tracefold summary $work/demo-small/traces.otf2
To go on with section 3 of docs/tutorial.md, since app is what its section 2 makes:
  cd $work; export PATH=$build/cli:$build/examples:\$PATH
END
