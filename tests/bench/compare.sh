#!/usr/bin/env bash
# Whole-process wall time of `reduce` against one plain read of all events with
# libotf2 (read_floor), in turn, five rounds: medians and the median ratio.
#   compare.sh TRACE.otf2 [reduce options]
set -euo pipefail
build="$(cd "$(dirname "$0")/../.." && pwd)/build/release"
trace=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
now() { date +%s%N; }
median() { sort -n "$1" | sed -n 3p; }
for threads in 1 2; do
  rm -f "$work"/{floor,reduce,ratio}
  for round in 0 1 2 3 4 5; do  # round 0 warms up
    a=$(now); "$build/tests/read_floor" "$trace" "$threads" >/dev/null
    b=$(now); "$build/cli/tracefold" reduce "$trace" -o "$work/out" --force -q --threads "$threads" "$@" </dev/null
    c=$(now)
    [ "$round" = 0 ] && continue
    echo $(( (b - a) / 1000 )) >>"$work/floor"
    echo $(( (c - b) / 1000 )) >>"$work/reduce"
    echo $(( (c - b) * 1000 / (b - a) )) >>"$work/ratio"
  done
  printf '%s thread(s): read floor %d us, reduce %d us, ratio %d/1000\n' "$threads" "$(median "$work/floor")" "$(median "$work/reduce")" "$(median "$work/ratio")"
done
"$build/cli/tracefold" reduce "$trace" -o "$work/out" --force -v "$@" </dev/null 2>&1 | grep 'peak memory'
