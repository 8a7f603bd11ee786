#!/usr/bin/env bash
# Drawings of maps: their pixels are the values that CSV has and what stands for them by the plan, and
# equal runs draw equal bytes. In another language: map_drawing_check.py.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# draw OPTIONS...: the drawing of the trace.
draw() { "$TRACEFOLD" iterations -q app/traces.otf2 "$@" -o - < /dev/null; }

is_xml() { python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$1"; }

# pixels CLUSTERS METRIC
pixels() {
  "$TRACEFOLD" iterations -q app/traces.otf2 --clusters "$1" --json > plan.json
  draw --map "$2" --clusters "$1" > map.svg
  "$TRACEFOLD" iterations app/traces.otf2 --map "$2" --format csv --csv map > map.csv
  "$TRACEFOLD" iterations app/traces.otf2 --map "$2" --format csv --csv processes > processes.csv
  check "$2, $1 clusters: the drawing shows something else" \
    python3 "$here/map_drawing_check.py" map.svg map.csv processes.csv plan.json
}

same_bytes() {
  local scale
  for scale in linear zero equalized; do
    draw --map 'execution time' --scale $scale --threads 1 > one.svg
    draw --map 'execution time' --scale $scale --threads 2 > two.svg
    draw --map 'execution time' --scale $scale --reader otf2 > library.svg
    check "$scale: depends on threads" cmp -s one.svg two.svg
    check "$scale: depends on the reader" cmp -s one.svg library.svg
    check "$scale: is no XML" is_xml one.svg
    cp one.svg $scale.svg
  done
  check "scales look alike" bash -c '! cmp -s linear.svg equalized.svg && ! cmp -s linear.svg zero.svg'
  "$TRACEFOLD" group app/traces.otf2 | "$TRACEFOLD" select | "$TRACEFOLD" iterations -q --map 'execution time' -o - > of_plan.svg
  check "a plan is drawn in another way than its trace" cmp -s linear.svg of_plan.svg
  draw --map 'execution time' --clusters 3 --begin-at exchange > folded.svg
  "$TRACEFOLD" iterations -q app/traces.otf2 --clusters 3 --begin-at exchange --json \
    | "$TRACEFOLD" iterations -q --map 'execution time' -o - > of_plan.svg
  check "what a plan folds is drawn in another way" cmp -s folded.svg of_plan.svg
}

# Pictures are bounded, however many iterations there are and however little memory.
large() {
  local images
  trace_in long --ranks 2 --threads 1 --iterations 3000
  for memory in 1M 1G; do
    "$TRACEFOLD" iterations -q long/traces.otf2 --map visits --memory $memory -o long.svg --force
    check "--memory $memory: is no XML" is_xml long.svg
    check "--memory $memory: is large" [ "$(stat -c %s long.svg)" -lt 1000000 ]
  done
  images=$(grep -c '<image' long.svg)
  check "$images pictures" [ "$images" = 3 ]
}

odd_maps() {
  local metric
  trace_in tiny --ranks 1 --threads 1 --iterations 3
  for metric in visits 'MPI time' 'bytes sent'; do
    "$TRACEFOLD" iterations -q tiny/traces.otf2 --map "$metric" -o - < /dev/null > tiny.svg
    check "$metric of one process: is no XML" is_xml tiny.svg
    check "$metric of one process: all stays" grep -q 'all processes and iterations stay' tiny.svg
  done
  expect 2 "$TRACEFOLD" iterations tiny/traces.otf2 --map visits -o tiny.png
  expect 2 "$TRACEFOLD" iterations tiny/traces.otf2 --map visits -o tiny.svg --format csv
  expect 0 "$TRACEFOLD" iterations tiny/traces.otf2 -o kinds.svg
  check "no kinds of iterations without --map" grep -q 'by group and kind of iteration' kinds.svg
  expect 2 "$TRACEFOLD" iterations tiny/traces.otf2 --loops -o none.svg
  expect 2 "$TRACEFOLD" iterations tiny/traces.otf2 --sweep 2,4 -o none.svg
  expect 2 "$TRACEFOLD" iterations tiny/traces.otf2 --map visits --scale equalized
  expect 2 "$TRACEFOLD" iterations tiny/traces.otf2 --map visits --scale loud -o tiny.svg --force
  expect 4 "$TRACEFOLD" iterations tiny/traces.otf2 --map visits -o tiny.svg
  expect 0 "$TRACEFOLD" iterations tiny/traces.otf2 --map visits -o tiny.svg --force
  check "where the map is" grep -q 'the map is in tiny.svg' err.txt
  check "an unfinished drawing is left" no_pending
}

# reduced METRIC: a reduced trace is drawn by what is stored beside it.
reduced() {
  local options=(small/traces.otf2 --map "$1" -q)
  "$TRACEFOLD" iterations "${options[@]}" -o reduced.svg --force
  "$TRACEFOLD" iterations "${options[@]}" --format csv --csv map > map.csv
  "$TRACEFOLD" iterations "${options[@]}" --format csv --csv processes > processes.csv
  check "$1 of a reduced trace: the drawing shows something else" \
    python3 "$here/map_drawing_check.py" reduced.svg map.csv processes.csv small/tracefold.json --reduced
  check "$1 of a reduced trace: what it is" grep -q 'as a reduced trace tells it, from [0-9]* of [0-9]* iterations' reduced.svg
  check "$1 of a reduced trace: its parts" grep -q '>parts of ' reduced.svg
}

trace_in app --ranks 6 --threads 2
"$TRACEFOLD" reduce -q app/traces.otf2 -o small --iterations 4 --profiles off
reduced 'execution time'
reduced 'MPI point-to-point time'
rm small/tracefold.json
expect 3 "$TRACEFOLD" iterations small/traces.otf2 --map visits -o none.svg
check "not said: nothing is stored" grep -q 'nothing is stored of them' err.txt

pixels 2 'execution time'
pixels 5 'MPI point-to-point time'
same_bytes
large
odd_maps
finish
