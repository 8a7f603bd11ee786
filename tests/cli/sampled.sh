#!/usr/bin/env bash
# Traces whose calls are known from samples and calling contexts: the same program, recorded in several
# ways, has the same calls of MPI and nearly the same times, its loop is found, it is folded by what
# leads to MPI, and what is written is valid, judged where $TRACEFOLD_SHARED/check is there.
#   sampled.sh TRACEFOLD MAKE_TRACE
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

shared=${TRACEFOLD_SHARED:-$root/../shared}
judged=no
[ -e "$shared/check/judge.py" ] && build_facts "$shared" && judged=yes
[ $judged = yes ] || skipped "no judge at $shared/check"

make_sampled() { /usr/bin/python3 "$root/tests/sampled_traces/make_sampled_trace.py" "$@"; }

# functions_of ANCHOR: function, visits and exclusive seconds of all processes.
functions_of() {
  "$TRACEFOLD" profile -q --per-process --format csv "$1" | /usr/bin/python3 -c '
import collections, csv, sys
visits, times = collections.Counter(), collections.Counter()
rows = list(csv.DictReader(sys.stdin))
for row in rows:
    name = row["call_path"].split(" > ")[-1]
    visits[name] += int(row["visits"])
    times[name] += sum(float(row[key]) for key in ("execution_time_seconds", "MPI_point_to_point_time_seconds", "MPI_collective_time_seconds")
                       if key in row) if not name.startswith("MPI_") else float(row["inclusive_time_seconds"])
for name in sorted(visits):
    print(name, visits[name], f"{times[name]:.9f}")'
}

# loops_of ANCHOR: the number of iterations of each loop, and what phantoms there are.
loops_of() {
  "$TRACEFOLD" iterations -q --json "$@" | /usr/bin/python3 -c '
import json, sys
for loop in json.load(sys.stdin)["iterations"]["loops"]:
    paths = loop["fidelity"]["kept_processes"] if "kept_processes" in loop["fidelity"] else loop["fidelity"]
    print(loop["iterations"], paths.get("phantom_mpi_call_paths"))'
}

# each ARGUMENTS...: what each kept process did, in the order of names.
each() {
  "$TRACEFOLD" profile -q --per-process --format csv "$@" | /usr/bin/python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    print(*(row.get(key) for key in ("location", "call_path", "execution_time_seconds", "MPI_collective_time_seconds", "visits", "bytes")))' | sort
}

# reduces NAME OPTIONS...: a valid trace, which says of its processes what the original says.
reduces() {
  local name=$1
  shift
  rm -rf small
  expect 0 "$TRACEFOLD" reduce "$name/traces.otf2" -o small --keep-ids --iterations 16
  check "$name: warns" [ ! -s err.txt ]
  expect 0 "$TRACEFOLD" verify small/traces.otf2 --against "$name/traces.otf2"
  check "$name: otf2-print" is_clean small/traces.otf2
  [ $judged = no ] || check "$name: the judge" /usr/bin/python3 "$shared/check/judge.py" --collapsed --keep-ids "$@" \
    "$name/traces.otf2" small/traces.otf2 > judged.txt

  "$TRACEFOLD" group -q "$name/traces.otf2" | "$TRACEFOLD" select -q > selected.json
  each < selected.json > original.csv
  each small/traces.otf2 > reduced.csv
  check "$name: call paths" [ "$(wc -l < reduced.csv)" -gt 5 ]
  check "$name: other profiles: $(diff original.csv reduced.csv | head -n 2)" cmp original.csv reduced.csv

  # The records of contexts still say which calls are new since the record before.
  check "$name: unwind distances" otf2-print small/traces.otf2 > records.txt
  check "$name: a distance is too large" [ "$(grep -c 'Unwind Distance: [7-9]' records.txt)" = 0 ]
}

for way in instrumented hybrid mixed unwound; do
  make_sampled $way --as $way --iterations 60
  functions_of $way/traces.otf2 > $way.txt
  check "$way: iterations" [ "$(loops_of $way/traces.otf2)" = "60 0" ]
  reduces $way
done
# Behind a kept iteration that is no instance of a region, nothing tells where it ends.
expect 2 "$TRACEFOLD" iterations small/traces.otf2 --map 'execution time'
check "not said: only of marked iterations" grep -q 'only of marked iterations' err.txt
expect 3 "$TRACEFOLD" expand small/traces.otf2 -o full
check "not said: was sampled, and of iterations that were not marked" grep -q 'was sampled, and of iterations that were not marked' err.txt
expect 3 "$TRACEFOLD" iterations small/traces.otf2 --map 'execution time' -o map.svg
check "not said: nothing to draw beside" grep -q 'nothing to draw beside' err.txt

make_sampled marked --as hybrid --marked --iterations 60
check "marked: iterations" [ "$(loops_of marked/traces.otf2)" = "60 0" ]
reduces marked
"$TRACEFOLD" iterations -q small/traces.otf2 --map 'execution time' --view map --format csv > small.csv
"$TRACEFOLD" iterations -q marked/traces.otf2 --map 'execution time' --view map --format csv > marked.csv
check "marked: the map of the reduced trace is far off" /usr/bin/python3 - small.csv marked.csv <<'EOF'
import csv, sys
small, marked = ([list(map(float, row[2:])) for row in list(csv.reader(open(name)))[1:]] for name in sys.argv[1:])
sums = [sum(map(sum, rows)) / len(rows) for rows in (small, marked)]
sys.exit(not 0.9 < sums[0] / sums[1] < 1.1)
EOF
expect 0 "$TRACEFOLD" expand small/traces.otf2 -o full
check "not said: calls that only samples show are not expanded" grep -q 'calls that only samples show are not expanded' err.txt

check "calls of MPI differ" diff <(grep MPI_ instrumented.txt) <(grep MPI_ hybrid.txt)
check "calls of MPI differ without samples" diff <(grep MPI_ instrumented.txt) <(grep MPI_ unwound.txt)
for name in exchange norm step setup report main; do
  check "visits of $name differ" [ "$(awk -v name=$name '$1 == name {print $2}' instrumented.txt)" = "$(awk -v name=$name '$1 == name {print $2}' hybrid.txt)" ]
done
check "sampled times are far off: $(paste instrumented.txt hybrid.txt)" /usr/bin/python3 - instrumented.txt hybrid.txt <<'EOF'
import sys
times = [{line.split()[0]: float(line.split()[2]) for line in open(name)} for name in sys.argv[1:]]
total = sum(times[0].values())
sys.exit(any(abs(times[0][name] - times[1].get(name, 0)) > 0.04 * total for name in times[0]) or abs(sum(times[1].values()) / total - 1) > 0.01)
EOF

# Threads that only samples show: two kinds, whatever chance does to each.
make_sampled threads --as threads --ranks 12 --iterations 300
expect 0 "$TRACEFOLD" group threads/traces.otf2 --format csv
check "threads are told apart by their work" [ "$(grep -c . out.txt)" = 3 ]
reduces threads --extra
check "both readers agree" diff <("$TRACEFOLD" profile -q --per-process --format csv hybrid/traces.otf2) \
  <("$TRACEFOLD" profile -q --per-process --format csv --reader otf2 hybrid/traces.otf2)
check "any number of threads" diff <("$TRACEFOLD" group -q threads/traces.otf2 --threads 1) <("$TRACEFOLD" group -q threads/traces.otf2 --threads 4)
finish
