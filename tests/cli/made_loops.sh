#!/usr/bin/env bash
# `iterations` finds the loops of made-up programs: each iteration begins and ends
# where it does, and holds as many calls and messages as the program made, whatever
# the program does over time and however it tells its iterations.
#   made_loops.sh TRACEFOLD MAKE_LOOP_TRACE PRINT_ITERATIONS [all]
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
PRINT_ITERATIONS=$(realpath "${3:?the printer of iterations is missing}")
export PRINT_ITERATIONS

# The options of each trace.
traces() {
  local shape style more
  for shape in steady drift peaks change imbalance hot-spot modes; do
    for style in marked numbered function inline; do
      echo "--shape $shape --loop $style"
      [ "$style" = inline ] || [ "${1:-}" = all ] || continue
      for more in "--checkpoint 5" "--frame" "--frame --warm-up 2" "--second-loop 30" "--threads 3" "--resolution 50000" "--inner 4" "--inner 0" "--odd 9" \
        "--uneven-visits" "--frame --warm-up 1 --checkpoint 6 --second-loop 15 --inner 3 --uneven-visits --counters --odd 11 --threads 2" \
        "--iterations 200 --checkpoint 20"; do
        echo "--shape $shape --loop $style $more"
      done
    done
  done
}

# What is found in a trace of the given options, in a folder that is named like them.
find_in() {
  local folder=$*
  folder=${folder#--}
  folder=${folder// /_}
  "$MAKE_TRACE" "$folder" "$@"
  "$PRINT_ITERATIONS" "$folder/traces.otf2" > "$folder/found.txt"
  "$TRACEFOLD" iterations -q "$folder/traces.otf2" --loops --format json > "$folder/iterations.json" < /dev/null
}
export -f find_in
export MAKE_TRACE TRACEFOLD

found_as_made() {
  traces "${1:-}" | xargs -P "$(nproc)" -I {} bash -c 'find_in {}'
  checks=$((checks + $(find . -name truth.json | wc -l)))
  /usr/bin/python3 "$here/made_loops_check.py" */ || fail "what is found differs from what was made"
}

# What otf2-print reads in a trace is what its truth says.
true_as_written() {
  local more
  for more in "" "--loop inline --frame --checkpoint 3 --shape hot-spot --counters --uneven-visits" "--threads 3 --shape peaks --odd 5 --second-loop 6"; do
    rm -rf written
    # shellcheck disable=SC2086
    "$MAKE_TRACE" written --iterations 9 $more
    check "$more: not clean" is_clean written/traces.otf2
    check "$more: the truth is wrong" /usr/bin/python3 "$here/made_loops_truth.py" written
    rm -rf again
    # shellcheck disable=SC2086
    "$MAKE_TRACE" again --iterations 9 $more
    check "$more: made anew it differs" cmp written/truth.json again/truth.json
  done
}

# A checker that sees nothing is no check.
differences_are_seen() {
  local folder=shape_steady_--loop_inline what
  for what in 's/"begin":\[\([0-9]*\)/"begin":[1\1/' 's/"sends":\[\([0-9]*\)/"sends":[1\1/' 's/"visits":\[\([0-9]*\),[0-9]*,[0-9]*/"visits":[\1,1,1/g' 's/"iterations":20/"iterations":21/'; do
    rm -rf wrong
    cp -r "$folder" wrong
    sed -i "$what" wrong/truth.json
    check "a wrong truth passes: $what" bash -c '! /usr/bin/python3 "$0" wrong > differences.txt && [ -s differences.txt ]' "$here/made_loops_check.py"
  done
  rm -rf wrong
}

usage_is_told() {
  expect 0 "$MAKE_TRACE" --help
  check "help is wider than 80 columns" bash -c '! grep -q "^.\{81\}" out.txt'
  expect 2 "$MAKE_TRACE"
  expect 2 "$MAKE_TRACE" new --loop sideways
  expect 2 "$MAKE_TRACE" new --processes 1 --odd 3
  expect 4 "$MAKE_TRACE" shape_steady_--loop_inline
}

found_as_made "${4:-}"
true_as_written
differences_are_seen
usage_is_told
finish
