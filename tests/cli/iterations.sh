#!/usr/bin/env bash
# `iterations` finds as many as the program ran, in every shared trace where that
# can be known; it says the same for any number of threads, either reader, and a
# plan in place of a trace. Packs: $TRACEFOLD_SHARED/traces, beside the project by
# default.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# Trace, how, iterations of the largest loop of each group, and what the program ran where that differs.
expected() {
  cat << 'TABLE'
amg_27x1|call path|14|not said: solver iterations until it converges
amg_8x1|call path|12|not said: solver iterations until it converges
amg_8x2|call path|10|not said: solver iterations until it converges
btmz_S_2x3|marked|10|
btmz_W_4x4|marked|6|
ez_hpcc_4|sequence|281|not said: many tests in turn, MPI functions only
hpccg_16|sequence|150|
hpccg_64|sequence|150|
lulesh_27x1|call path|5|
lulesh_8x2|call path|8|
luleshph_8x4|marked|4|
miniamr_8|none|0|4 steps, but none has a function, and two of them refine the mesh, which takes most of the time
minife_100|sequence|39|not said: solver iterations until it converges
minife_32|sequence|33|not said: solver iterations until it converges
minife_8|sequence|27|not said: solver iterations until it converges
npb_bt_W_16|call path|8|
npb_bt_W_64|call path|6|
npb_cg_S_16|call path|4|3 and 1 for warm-up, which counts since three are too few
npb_cg_S_4|call path|4|3 and 1 for warm-up, which counts since three are too few
npb_ft_S_16|call path|6|
npb_ft_S_4|call path|6|
npb_is_S_16|call path|10|
npb_is_S_4|call path|10|
npb_is_S_64|call path|10|
npb_lu_W_16|sequence|6|
npb_lu_W_4|sequence|10|
npb_lu_W_64|sequence|4|
npb_mg_S_16|call path|4|
npb_mg_S_4|call path|4|
npb_mg_S_64|call path|4|
npbph_bt_W_36|marked|12|
npbph_cg_S_8|marked|6|
npbph_lu_W_9|marked|8|
npbph_mg_S_8|marked|4|
TABLE
}

# Of each group "how|iterations" of its largest loop, without those said already.
largest_loops() {
  "$TRACEFOLD" iterations -q "$1" --loops --format csv < /dev/null | /usr/bin/python3 -c '
import csv, sys
most = {}
for row in csv.DictReader(sys.stdin):
    share = float(row["share"] or 0)
    if row["group"] not in most or share > most[row["group"]][0]:
        most[row["group"]] = (share, row["how"] + "|" + row["iterations"])
print("\n".join(sorted({found for _, found in most.values()})))'
}

same_answer() {
  local format
  for format in table csv json; do
    "$TRACEFOLD" iterations app/traces.otf2 --loops --format $format --threads 1 > one.txt
    "$TRACEFOLD" iterations app/traces.otf2 --loops --format $format --threads 2 > two.txt
    check "$format: depends on threads" cmp one.txt two.txt
    "$TRACEFOLD" iterations app/traces.otf2 --loops --format $format --reader otf2 > library.txt
    check "$format: depends on the reader" cmp one.txt library.txt
    "$TRACEFOLD" group app/traces.otf2 | "$TRACEFOLD" iterations --loops --format $format > of_plan.txt
    check "$format: a plan gives another answer than its trace" cmp one.txt of_plan.txt
  done
}

# However many there are, marked or not.
generated() {
  local n
  for n in 4 7 100; do
    trace_in "loop$n" --ranks 3 --threads 2 --iterations $n
    check "$n marked iterations" [ "$(largest_loops "loop$n/traces.otf2")" = "marked|$n" ]
    "$TRACEFOLD" filter "loop$n/traces.otf2" --drop ITERATION | "$TRACEFOLD" iterations --loops --format csv > found.csv
    check "$n iterations without a region" grep -q ",call path,main > solve,compute,$n," found.csv
  done
  trace_in loop3 --ranks 3 --threads 2 --iterations 3
  "$TRACEFOLD" filter loop3/traces.otf2 --drop ITERATION | "$TRACEFOLD" iterations --loops --format csv > found.csv
  check "three repetitions are no loop" [ "$(grep -c ',none,' found.csv)" = "$(($(wc -l < found.csv) - 1))" ]
}

real_traces() {
  local packs=${TRACEFOLD_SHARED:-$root/../shared}/traces name how n why found
  if ! compgen -G "$packs/*.tar.zst" > /dev/null; then
    skipped "no shared traces at $packs"
    return
  fi
  while IFS='|' read -r name how n why; do
    [ -e "$packs/$name.tar.zst" ] || continue
    tar --zstd -xf "$packs/$name.tar.zst"
    found=$(largest_loops "$(find "$name" -name '*.otf2')")
    printf '%-14s %s%s\n' "$name" "${found//$'\n'/, }" "${why:+ (the program: $why)}"
    check "$name: $found instead of $how|$n" [ "$found" = "$how|$n" ]
    rm -rf "$name"
  done < <(expected)
}

# A loop that the figures of all iterations do not fit for is read in pieces.
little_memory() {
  local threads
  trace_in long --ranks 3 --threads 1 --iterations 8000
  "$TRACEFOLD" iterations long/traces.otf2 --json > much.json
  "$TRACEFOLD" iterations long/traces.otf2 --json --memory 1M > little.json
  check "--memory: another answer" cmp much.json little.json
  check "--memory: all iterations" grep -q '"iterations":8000,' little.json
  trace_in longer --ranks 1 --threads 1 --iterations 20000
  for threads in 1 2; do
    "$TRACEFOLD" filter longer/traces.otf2 --drop ITERATION | "$TRACEFOLD" iterations --memory 64M --threads $threads --json > threads$threads.json
  done
  check "--memory: depends on threads" cmp threads1.json threads2.json
  "$TRACEFOLD" filter longer/traces.otf2 --drop ITERATION | "$TRACEFOLD" iterations --memory 1M > none.txt 2> warning.txt
  check "--memory: which calls are too many" grep -q 'too many to search for iterations.*--memory' warning.txt
}

# fails WORDS STATUS COMMAND...: ends with the status, and says so in one line.
refuses() {
  local words=$1 status=$2 got=0
  shift 2
  "$@" > refused.txt 2> said.txt < /dev/null || got=$?
  check "$words: status $got" [ "$got" = "$status" ]
  check "$words: $(cat said.txt)" [ "$(wc -l < said.txt)" = 1 ]
}

odd_wishes() {
  refuses "reduce --region without a match" 2 "$TRACEFOLD" reduce app/traces.otf2 -o none --region nosuch
  refuses "iterations --region without a match" 2 "$TRACEFOLD" iterations app/traces.otf2 --region nosuch
  refuses "--call-path without a match" 2 "$TRACEFOLD" iterations app/traces.otf2 --map visits --call-path 'nosuch*'
  refuses "--view without CSV" 2 "$TRACEFOLD" iterations app/traces.otf2 --map visits --view map
  refuses "an empty metric" 2 "$TRACEFOLD" iterations app/traces.otf2 --map ''
  refuses "an empty number of clusters" 2 "$TRACEFOLD" reduce app/traces.otf2 -o none --iterations ''
  check "output of a refused run" [ ! -e none ]
  "$TRACEFOLD" iterations app/traces.otf2 --clusters 2 > plan.json
  check "write --region without a match" bash -c '! "$TRACEFOLD" write -o none --region nosuch < plan.json 2> said.txt && grep -q "no region that is entered matches" said.txt'
  "$TRACEFOLD" select --by slowest < plan.json > other.json 2> said.txt
  check "select after iterations keeps them" bash -c 'grep -qE "\"iterations\": *\{" plan.json && ! grep -qE "\"iterations\": *\{" other.json'
  check "select after iterations says nothing" grep -q "run 'iterations' after 'select'" said.txt
  "$TRACEFOLD" write -q -o folded < plan.json
  check "a folded trace is searched for loops" bash -c '"$TRACEFOLD" iterations folded/traces.otf2 --loops --format csv 2> said.txt | grep -q ",none,"'
  check "of a folded trace nothing is said" grep -q 'folded by an earlier reduction' said.txt
  "$TRACEFOLD" verify folded/traces.otf2 --against app/traces.otf2 > verified.txt
  check "verify on folded iterations" grep -q '^time in folded iterations: [1-9]' verified.txt
}

trace_in app --ranks 8 --threads 2
odd_wishes
same_answer
little_memory
generated
real_traces
finish
