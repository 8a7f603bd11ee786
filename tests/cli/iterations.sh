#!/usr/bin/env bash
# `iterations` finds as many as the program ran; it says the same for any number of
# threads, either reader, and a plan in place of a trace. What it finds in real traces
# is compared in loop_counts.py.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

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

# The sections `iterations` and `errors` of a plan, with names of functions instead of their numbers in the plan.
section() {
  python3 - "$1" <<'END'
import json, sys
plan = json.load(open(sys.argv[1]))
names = dict(enumerate(function["name"] for function in plan["functions"]))
for process in plan["iterations"]["processes"]:
    for loop in process["loops"]:
        loop["function"], loop["path"] = names.get(loop["function"]), [names.get(f) for f in loop["path"]]
print(json.dumps([plan["iterations"], plan["errors"]]))
END
}

# `reduce`, `iterations` and the chain of stages find and fold the same loops on the same processes, and tell the same errors.
one_answer() {
  "$TRACEFOLD" reduce -q app/traces.otf2 -o reduced --force --iterations 3
  section reduced/tracefold.json > of_reduce.txt
  "$TRACEFOLD" iterations -q app/traces.otf2 --clusters 3 --json > plan.json
  section plan.json > of_iterations.txt
  "$TRACEFOLD" group app/traces.otf2 | "$TRACEFOLD" select | "$TRACEFOLD" iterations -q --clusters 3 --json > plan.json
  section plan.json > of_chain.txt
  check "reduce and iterations differ" cmp of_reduce.txt of_iterations.txt
  check "reduce and the chain differ" cmp of_reduce.txt of_chain.txt
}

# What is chosen by an error keeps to it, with fewer rows and iterations than there are, and is the same in the chain.
accurate() {
  "$TRACEFOLD" reduce -q app/traces.otf2 -o accurate --accuracy 0.5
  check "--accuracy is met, and does not keep all" python3 -c '
import json
plan = json.load(open("accurate/tracefold.json"))
assert all(plan["errors"][part]["of_all_time"] <= 0.005 for part in ("of_processes", "of_iterations"))
rows = len(plan["representatives"])
assert len(plan["groups"]["list"]) < rows == plan["selection"]["rows"] < plan["trace"]["locations"], rows'
  "$TRACEFOLD" group -q app/traces.otf2 --messages on | "$TRACEFOLD" select -q --accuracy 0.5 | "$TRACEFOLD" iterations -q --accuracy 0.5 |
    "$TRACEFOLD" write -q -o by_chain
  check "--accuracy gives other files in the chain" diff -r accurate by_chain
  check "--accuracy: verify" "$TRACEFOLD" verify -q accurate/traces.otf2 --against app/traces.otf2
  "$TRACEFOLD" filter -q app/traces.otf2 > ungrouped.json
  refuses "--accuracy without groups" 3 "$TRACEFOLD" select --accuracy 5 < ungrouped.json
  refuses "--accuracy without profiles" 2 "$TRACEFOLD" reduce app/traces.otf2 -o none --accuracy 5 --profiles off
  refuses "--accuracy and --iterations" 2 "$TRACEFOLD" reduce app/traces.otf2 -o none --accuracy 5 --iterations 8
  refuses "--accuracy and --per-group" 2 "$TRACEFOLD" reduce app/traces.otf2 -o none --accuracy 5 --per-group 2
  refuses "--accuracy of a reduced trace" 2 "$TRACEFOLD" reduce accurate/traces.otf2 -o none --accuracy 5
  refuses "--accuracy and --to" 2 "$TRACEFOLD" reduce app/traces.otf2 -o none --accuracy 5 --to 3
  refuses "--accuracy that all processes are needed for" 1 "$TRACEFOLD" reduce app/traces.otf2 -o none --accuracy 0
  refuses "--accuracy that is no share" 2 "$TRACEFOLD" reduce app/traces.otf2 -o none --accuracy much
}

# What begins at calls that are asked for is folded as any other loop is.
begun_loops() {
  local begin
  for begin in exchange 'exchange#3' compute; do
    "$TRACEFOLD" reduce -q app/traces.otf2 -o begun --force --iterations 2 --begin-at "$begin" --keep-iterations 1
    check "--begin-at $begin: iterations are folded" grep -q '"begin_at": *"' begun/tracefold.json
    check "--begin-at $begin: verify" "$TRACEFOLD" verify -q begun/traces.otf2 --against app/traces.otf2
  done
}

# However many there are, marked or not.
generated() {
  local n
  for n in 3 4 7 100; do
    trace_in "loop$n" --ranks 3 --threads 2 --iterations $n
    check "$n marked iterations" [ "$(largest_loops "loop$n/traces.otf2")" = "marked|$n" ]
    "$TRACEFOLD" filter "loop$n/traces.otf2" --drop ITERATION | "$TRACEFOLD" iterations --loops --format csv > found.csv
    check "$n iterations without a region" grep -q ",call path,main > solve,compute,$n," found.csv
  done
  trace_in loop2 --ranks 3 --threads 2 --iterations 2
  "$TRACEFOLD" filter loop2/traces.otf2 --drop ITERATION | "$TRACEFOLD" iterations --loops --format csv > found.csv
  check "two repetitions are no loop" [ "$(grep -c ',none,' found.csv)" = "$(($(wc -l < found.csv) - 1))" ]
}

# A loop that the figures of all iterations do not fit for is read in pieces.
little_memory() {
  local threads
  trace_in long --ranks 3 --threads 1 --iterations 8000
  "$TRACEFOLD" iterations long/traces.otf2 --json > much.json
  "$TRACEFOLD" iterations long/traces.otf2 --json --memory 10M > little.json
  check "--memory: another answer" cmp much.json little.json
  check "--memory: all iterations" grep -q '"iterations": *8000,' little.json
  trace_in longer --ranks 1 --threads 1 --iterations 20000
  for threads in 1 2; do
    "$TRACEFOLD" filter longer/traces.otf2 --drop ITERATION | "$TRACEFOLD" iterations --memory 64M --threads $threads --json > threads$threads.json
  done
  check "--memory: depends on threads" cmp threads1.json threads2.json
  "$TRACEFOLD" filter longer/traces.otf2 --drop ITERATION | "$TRACEFOLD" iterations --memory 1M --json > least.json
  check "--memory: another answer with least memory" cmp threads1.json least.json
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
  refuses "--csv without CSV" 2 "$TRACEFOLD" iterations app/traces.otf2 --map visits --csv map
  refuses "an empty metric" 2 "$TRACEFOLD" iterations app/traces.otf2 --map ''
  refuses "an empty number of clusters" 2 "$TRACEFOLD" reduce app/traces.otf2 -o none --iterations ''
  check "output of a refused run" [ ! -e none ]
  "$TRACEFOLD" iterations app/traces.otf2 --clusters 2 > plan.json
  check "write --region without a match" bash -c '! "$TRACEFOLD" write -o none --region nosuch < plan.json 2> said.txt && grep -q "no region that is entered matches" said.txt'
  "$TRACEFOLD" select --representative slowest < plan.json > other.json 2> said.txt
  check "select after iterations keeps them" bash -c 'grep -qE "\"iterations\": *\{" plan.json && ! grep -qE "\"iterations\": *\{" other.json'
  check "select after iterations says nothing" grep -q "run 'iterations' after 'select'" said.txt
  "$TRACEFOLD" write -q -o folded < plan.json
  check "a folded trace is searched for loops" bash -c '"$TRACEFOLD" iterations folded/traces.otf2 --loops --format csv 2> said.txt | grep -q ",none,"'
  check "of a folded trace nothing is said" grep -q 'folded by an earlier reduction' said.txt
  "$TRACEFOLD" verify folded/traces.otf2 --against app/traces.otf2 -v > verified.txt 2> said.txt
  check "verify on folded iterations" grep -q '^of iterations ' verified.txt
}

trace_in app --ranks 8 --threads 2
odd_wishes
same_answer
one_answer
accurate
begun_loops
little_memory
generated
finish
