#!/usr/bin/env bash
# Benchmark traces are what is said of them: clean, of the size asked for, with
# as many groups as behaviours, and no message is received before it is sent.
#   trace_test.sh TRACEFOLD MAKE_BENCH_TRACE LIBRARY_FLOOR
set -euo pipefail
export LC_ALL=C.UTF-8
tracefold=$(realpath "$1") make_bench_trace=$(realpath "$2") library_floor=$(realpath "$3")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
  echo "FAIL: $*" >&2
  exit 1
}
"$make_bench_trace" a --locations 20 --events 3000 --functions 100 --behaviours 7
"$make_bench_trace" b --locations 20 --events 3000 --functions 100 --behaviours 7
"$make_bench_trace" one --locations 1 --events 208 --functions 29
for trace in a one; do otf2-print -Werror --silent $trace/traces.otf2 >/dev/null || fail "$trace is not clean"; done

# Sorted, because events at the same time come in any order.
otf2-print a/traces.otf2 | sort >a.txt
otf2-print b/traces.otf2 | sort | cmp a.txt - || fail "two traces of the same options differ"
[ "$(grep -Ec '^(ENTER|LEAVE|MPI)' a.txt)" = 60000 ] || fail "not 60,000 events"
[ "$(grep -Ec '^MPI_(SEND|RECV)' a.txt)" = $((20 * 14 * 8)) ] || fail "not 4 % of all events are messages"

"$library_floor" read a/traces.otf2 2 | grep -q '^60000 events' || fail "the floor does not read all events"
"$library_floor" copy a/traces.otf2 copy >/dev/null
otf2-print copy/traces.otf2 | sort | cmp a.txt - || fail "the floor's copy differs"

"$tracefold" reduce a/traces.otf2 -o small --exact --halo off -q </dev/null
"$tracefold" verify small/traces.otf2 --against a/traces.otf2 >/dev/null </dev/null || fail "the reduced trace does not stand for it"
[ "$(otf2-print -G small/traces.otf2 | grep -c '^LOCATION ')" = 7 ] || fail "not 7 groups"

# Each sender has one receiver; messages between them keep their order.
otf2-print a/traces.otf2 | awk '
  $1 == "MPI_SEND" {sent[$2, n[$2]++] = $3}
  $1 == "MPI_RECV" {from = ($2 + 19) % 20; if (++got[from] > n[from] || sent[from, got[from] - 1] > $3) bad = 1}
  END {for (s in n) if (n[s] != got[s]) bad = 1; exit bad}' || fail "a message is received before it is sent, or never"
echo "all as it should be"
