#!/usr/bin/env bash
# Both readers of events give the same records, or both refuse: of made traces
# in either byte order, of damaged copies, and of the real traces in
# $TRACEFOLD_SHARED/traces.
#   readers.sh COMPARE_READERS [MUTANTS]
set -uo pipefail
compare=$1
mutants=${2:-200}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
try() { "$compare" "$@" >"$work/out" 2>&1 || { status=1; echo "FAIL: $*"; }; tail -1 "$work/out"; [ "$status" = 0 ] || head -5 "$work/out"; }

for order in little big; do
  try --made $order
  try --made $order "$mutants" 1
done
shared="${TRACEFOLD_SHARED:-$(dirname "$0")/../../../shared}/traces"
[ -d "$shared" ] || { echo "no real traces: set TRACEFOLD_SHARED to the folder that holds traces/"; exit $status; }
for pack in "$shared"/*.tar.zst; do
  mkdir "$work/trace"
  tar --zstd -xf "$pack" -C "$work/trace"
  anchor=$(find "$work/trace" -name '*.otf2' | head -1)
  try "$anchor"
  [ "$(stat -c %s "$pack")" -gt 100000 ] || try --mutants "$((mutants / 3))" 1 "$anchor"
  rm -rf "$work/trace"
done
exit $status
