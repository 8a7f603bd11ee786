#!/usr/bin/env bash
# Fuzzes a target, or all one after the other, under the address and undefined
# sanitizers. Needs clang.
#   run_fuzz.sh [TARGET|readers|all] [SECONDS] [CORPUS FOLDER]   (all; 60 each; a new folder)
# Readers are all but `plan`, which goes through all stages and is long to build.
# Begins with the target's seeds in corpus/, and adds what it finds to the
# corpus folder. What makes a target fail is kept in $TMPDIR.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
root="$(cd "$here/../.." && pwd)"
readers="event_decoder file_checks glob local_definitions profiles ranges"
targets=${1:-all}
seconds=${2:-60}
[ "$targets" = readers ] && targets=$readers
[ "$targets" = all ] && targets="$readers plan"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v clang++ > /dev/null || { echo "run_fuzz: needs clang"; exit 77; }

# shellcheck disable=SC2086  # several targets
(cd "$root" && cmake --preset fuzz > /dev/null && cmake --build --preset fuzz --target ${targets// /_fuzz }_fuzz > "$work/build" || { cat "$work/build"; exit 1; })

fuzz() {
  local target=$1 corpus=${2:-$work/corpus/$1} options=()
  mkdir -p "$corpus" "$work/$target"
  [ -e "$here/corpus/$target.dict" ] && options=("-dict=$here/corpus/$target.dict")
  (cd "$work/$target" && "$root/build/fuzz/tests/fuzz/${target}_fuzz" -max_total_time="$seconds" -max_len=8192 -timeout=10 -rss_limit_mb=2048 -print_funcs=0 -print_final_stats=1 \
    "${options[@]}" "$corpus" "$here/corpus/$target") 2> "$work/log" || failed "$target"
  printf '%s: %s runs, %s\n' "$target" "$(sed -n 's/stat::number_of_executed_units: *//p' "$work/log")" "$(grep -o 'cov: [0-9]*' "$work/log" | tail -n 1)"
}

failed() {
  tail -n 40 "$work/log"
  local found
  for found in "$work/$1"/{crash,timeout,oom,leak}-*; do
    [ -e "$found" ] && cp "$found" "${TMPDIR:-/tmp}/" && echo "$1: kept as ${TMPDIR:-/tmp}/${found##*/}"
  done
  exit 1
}

for target in $targets; do fuzz "$target" "${3:-}"; done
