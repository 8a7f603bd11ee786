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

# loops_of ANCHOR: the number of iterations of each loop, and how many call paths that lead to MPI are only in what stands for others.
loops_of() {
  "$TRACEFOLD" iterations -q --json "$@" | /usr/bin/python3 -c '
import json, sys
for loop in json.load(sys.stdin)["iterations"]["loops"]:
    paths = loop["fidelity"]["kept_processes"] if "kept_processes" in loop["fidelity"] else loop["fidelity"]
    print(loop["iterations"], paths.get("mpi_call_paths_only_in_stand_in"))'
}

# each ARGUMENTS...: what each kept process did, in the order of names.
# reduces NAME OPTIONS...: a valid trace, which says of its processes what the original says.
reduces() {
  local name=$1
  shift
  rm -rf small
  expect 0 "$TRACEFOLD" reduce "$name/traces.otf2" -o small --keep-ids --iterations 16 --profiles off
  check "$name: warns" [ ! -s err.txt ]
  expect 0 "$TRACEFOLD" verify small/traces.otf2 --against "$name/traces.otf2"
  check "$name: otf2-print" is_clean small/traces.otf2
  [ $judged = no ] || check "$name: the judge" /usr/bin/python3 "$shared/check/judge.py" --collapsed --keep-ids "$@" \
    "$name/traces.otf2" small/traces.otf2 > judged.txt

  rm -rf told
  expect 0 "$TRACEFOLD" reduce "$name/traces.otf2" -o told --keep-ids --iterations 16
  "$TRACEFOLD" profile -q --per-process --format csv "$name/traces.otf2" > original.csv
  "$TRACEFOLD" profile -q --per-process --format csv told/traces.otf2 > reduced.csv
  check "$name: call paths" [ "$(wc -l < reduced.csv)" -gt 5 ]
  check "$name: other profiles: $("$here/compare_calls.py" 2>&1 | head -c 400)" "$here/compare_calls.py"
}

# tells_kept_iterations NAME: maps of the reduced trace have the values of the original's kept
# iterations, and the records of contexts are what the format says.
tells_kept_iterations() {
  local name=$1 metric
  for metric in 'execution time' 'MPI point-to-point time' 'MPI collective time'; do
    "$TRACEFOLD" iterations -q small/traces.otf2 --map "$metric" --csv map --format csv > small.csv
    "$TRACEFOLD" iterations -q "$name/traces.otf2" --map "$metric" --csv map --format csv > original.csv
    check "$name: the map of $metric" /usr/bin/python3 "$root/tests/sampled_traces/check_map.py" small.csv original.csv small/tracefold.json
  done
}

for way in instrumented hybrid mixed unwound marked; do
  arguments=(--as $way)
  [ $way != marked ] || arguments=(--as hybrid --marked)
  make_sampled $way "${arguments[@]}" --iterations 60
  functions_of $way/traces.otf2 > $way.txt
  check "$way: iterations" [ "$(loops_of $way/traces.otf2)" = "60 0" ]
  reduces $way
  tells_kept_iterations $way
  case $way in
  mixed) check "$way: contexts" /usr/bin/python3 "$root/tests/sampled_traces/check_contexts.py" small/traces.otf2 ;;
  instrumented) ;;
  *) check "$way: contexts" /usr/bin/python3 "$root/tests/sampled_traces/check_contexts.py" small/traces.otf2 --contexts-only ;;
  esac

  # The profiles of all processes tell the same groups.
  rm -rf small
  expect 0 "$TRACEFOLD" reduce "$way/traces.otf2" -o small
  expect 0 "$TRACEFOLD" group -q --format csv "$way/traces.otf2"
  mv out.txt groups.csv
  expect 0 "$TRACEFOLD" group -q --format csv small/traces.otf2
  check "$way: other groups" cmp groups.csv out.txt

  # Where all iterations stay, nothing is written but what is there.
  rm -rf whole
  expect 0 "$TRACEFOLD" reduce "$way/traces.otf2" -o whole --iterations 60
  expect 0 "$TRACEFOLD" verify whole/traces.otf2 --against "$way/traces.otf2"
  check "$way: an iteration is folded" bash -c '! otf2-print -G whole/traces.otf2 | grep -q "iteration ≈"'

  rm -rf full
  expect 0 "$TRACEFOLD" expand small/traces.otf2 -o full
  check "$way: iterations of the expanded trace" [ "$("$TRACEFOLD" profile -q --per-process --format csv full/traces.otf2 | grep -c 'MPI_Allreduce.*,60,')" = 4 ]
  [ $way = instrumented ] || check "$way: not said: calls that only samples show are not expanded" grep -q 'calls that only samples show are not expanded' err.txt
done

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
