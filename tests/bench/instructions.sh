#!/usr/bin/env bash
# Instructions that each command takes per event, which unlike seconds are the
# same on a busy machine: fails where one takes 10 % more than it should.
#   instructions.sh TRACEFOLD MAKE_BENCH_TRACE EXPECTED
# A trace and one with twice the events are counted; their difference leaves
# out what start and end cost. UPDATE=1 writes EXPECTED anew.
set -euo pipefail
export LC_ALL=C
command -v valgrind >/dev/null || { echo "skipped: valgrind is not installed"; exit 77; }
tracefold=$(realpath "$1") make_bench_trace=$(realpath "$2") expected=$(realpath -m "$3")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
locations=8 events=20000
"$make_bench_trace" once --locations $locations --events $events --functions 300
"$make_bench_trace" twice --locations $locations --events $((2 * events)) --functions 300

# count COMMAND TRACE OPTIONS...: instructions of one run.
count() {
  rm -rf out
  if ! valgrind --tool=callgrind --callgrind-out-file=/dev/null "$tracefold" "$1" "$2/traces.otf2" "${@:3}" -q --threads 1 </dev/null >/dev/null 2>log; then
    cat log >&2
    return 1
  fi
  sed -n 's/.*Collected : \([0-9]*\)$/\1/p' log
}

# measure NAME COMMAND OPTIONS...: "NAME INSTRUCTIONS_PER_EVENT".
measure() {
  local once twice
  once=$(count "$2" once "${@:3}")
  twice=$(count "$2" twice "${@:3}")
  awk -v name="$1" -v n="$((twice - once))" -v events="$((locations * events))" 'BEGIN {printf "%s %.1f\n", name, n / events}'
}

{
  measure group group --exact
  measure reduce reduce --exact --iterations off --profiles off --halo off -o out
  measure profiles reduce --exact --iterations off --halo off -o out
  measure write write -o out
} >measured
if [ "${UPDATE:-}" = 1 ]; then
  cat measured
  cp measured "$expected"
  exit
fi
awk 'FILENAME == ARGV[1] {expected[$1] = $2; next}
  !($1 in expected) {print $1 ": no figure is expected"; bad = 1; next}
  {
    verdict = "ok"
    if ($2 > 1.1 * expected[$1]) {verdict = "WORSE"; bad = 1}
    if ($2 < 0.9 * expected[$1]) verdict = "better: update the file"
    printf "%-8s %8.1f instructions per event, %8.1f expected (%+.1f %%)  %s\n", $1, $2, expected[$1], 100 * ($2 / expected[$1] - 1), verdict
  }
  END {exit bad}' "$expected" measured
