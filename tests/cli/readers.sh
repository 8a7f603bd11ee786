#!/usr/bin/env bash
# Both readers of events give the same records, or both refuse: of made traces
# in either byte order, of damaged copies, and of the real traces in
# $TRACEFOLD_SHARED/traces.
#   readers.sh TRACEFOLD MAKE_TRACE COMPARE_READERS [MUTANTS]
set -uo pipefail
tracefold=$1 make_trace=$2 compare=$3
mutants=${4:-200}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
try() { "$compare" "$@" >"$work/out" 2>&1 || { status=1; echo "FAIL: $*"; }; tail -1 "$work/out"; [ "$status" = 0 ] || head -5 "$work/out"; }

# A local definition, a String, in the file of one location.
"$make_trace" "$work/app" --ranks 2 --threads 1 --iterations 2 >/dev/null
def=$work/app/traces/0.def
{ head -c -2 "$def"; printf '\x0a\x04\x01\x07x\x00\x02\x01'; } >"$work/def" && mv "$work/def" "$def"
"$tracefold" info "$work/app/traces.otf2" >"$work/own" 2>/dev/null
"$tracefold" info --reader otf2 "$work/app/traces.otf2" >"$work/library" 2>/dev/null
cmp "$work/own" "$work/library" || { status=1; echo "FAIL: the readers differ where a location has definitions of its own"; }

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
