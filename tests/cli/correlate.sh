#!/usr/bin/env bash
# `correlate` says the same for any number of threads, any memory, either reader and a plan in place
# of a trace; table, CSV and JSON hold the same findings; wrong use is told in one line. The views are
# those of `profile --per-process`.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

view='time:*exchange > MPI_Waitall'
view_word='time:*MPI_Waitall'  # the same, without spaces

# json NAME ARGUMENTS...: of `tracefold correlate ARGUMENTS`, in NAME.json.
json() {
  local name=$1
  shift
  expect 0 "$TRACEFOLD" correlate --format json "$@"
  cp out.txt "$name.json"
}

same_findings() {
  local ways
  for ways in "--view $view_word --chance 1" "--view $view_word --over iterations --chance 1" \
    "--view $view_word --grid 4x2 --axes y --chance off" "--all-pairs --threshold 0.8" \
    "--all-pairs --over iterations --min-share 0 --chance off" "--explain --chance 1" \
    "--explain --over iterations --chance 1"; do
    # shellcheck disable=SC2086
    json one app/traces.otf2 $ways --threads 1
    # shellcheck disable=SC2086
    json two app/traces.otf2 $ways --threads 2
    check "$ways: depends on threads" cmp one.json two.json
    # shellcheck disable=SC2086
    json little app/traces.otf2 $ways --memory 1M
    check "$ways: depends on memory" cmp one.json little.json
    # shellcheck disable=SC2086
    json library app/traces.otf2 $ways --reader otf2
    check "$ways: depends on the reader" cmp one.json library.json
    check "$ways: finds nothing" grep -q '"r":' one.json
  done

  "$TRACEFOLD" group app/traces.otf2 > plan.json
  "$TRACEFOLD" correlate --view "$view" --chance 1 --format json < plan.json > of_plan.json
  json one app/traces.otf2 --view "$view" --chance 1
  check "a plan gives other findings than its trace" cmp one.json of_plan.json
}

formats() {
  expect 0 "$TRACEFOLD" correlate app/traces.otf2 --view "$view" --chance 1 --format csv
  local rows
  rows=$(grep -c '^-\?[01]\.' out.txt)
  check "CSV and JSON differ" [ "$rows" = "$(grep -c '"r":' one.json)" ]
  check "CSV has no shift of the axis" grep -q '^r,shift_process,' out.txt

  expect 0 "$TRACEFOLD" correlate app/traces.otf2 --view "$view" --chance 1 --top 1
  check "the table does not say which grid" grep -q '8 processes on process 8.*, ranks$' out.txt
  check "the table has no head" grep -q '^r  *shift  *unshifted  *Pearson  *chance  *sum' out.txt

  expect 0 "$TRACEFOLD" correlate app/traces.otf2 --view "$view" --metric time/s --metric bytes/s
  expect 0 "$TRACEFOLD" correlate app/traces.otf2 --view "$view" --metric all --min-share 0
}

# measure LIMIT ARGUMENTS...: `tracefold correlate --memory LIMIT ARGUMENTS`, its output in out.txt and
# its peak memory in MiB in peak.txt.
measure() {
  /usr/bin/python3 - "$@" <<'END'
import os, resource, subprocess, sys
limit, *arguments = sys.argv[1:]
with open("out.txt", "wb") as out:
    subprocess.run([os.environ["TRACEFOLD"], "correlate", "--memory", limit, *arguments], stdout=out, check=True)
with open("peak.txt", "w") as out:
    out.write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024))
END
}

# A rank that is not in a trace leaves a hole where it was.
ranks_keep_their_places() {
  "$TRACEFOLD" filter app/traces.otf2 --locations 4-7 > some.json
  "$TRACEFOLD" correlate --view "$view" --chance 1 < some.json > out.txt 2> err.txt
  check "ranks that were filtered out have no places" grep -q '^4 processes on process 8' out.txt

  "$TRACEFOLD" reduce app/traces.otf2 -o whole --quiet
  expect 0 "$TRACEFOLD" correlate whole/traces.otf2 --view "$view" --chance 1 --metric time
  check "a reduced trace has not all processes" grep -q '^8 processes on process 8' out.txt

  "$TRACEFOLD" reduce app/traces.otf2 -o small --quiet --profiles off
  expect 0 "$TRACEFOLD" correlate small/traces.otf2 --view "$view" --chance 1 --metric time
  check "ranks that were folded have no places" grep -q '^[2-7] processes on process 8' out.txt
  check "it does not say that ranks were folded" \
    grep -q '[2-7] of 8 ranks are in the trace.*: correlate the original to have all of them' err.txt

  trace_in single --ranks 1 --threads 1
  expect 2 "$TRACEFOLD" correlate single/traces.otf2 --view "$view_word"
  check "a single process is not refused in one line" \
    grep -q 'fewer than 2 processes along the chosen axes (choose others with --axes, or a trace of' err.txt
  expect 0 "$TRACEFOLD" correlate single/traces.otf2 --view "$view_word" --over iterations --axes iteration
}

# Memory on grids of many axes, whose surrogates take room, and of many views that are leaders.
memory_is_kept() {
  # `grep -q` would end before ldd has written all, and ldd would fail.
  if ldd "$TRACEFOLD" | grep 'lib[at]san' > /dev/null; then
    skipped "memory: a sanitizer takes more"
    return
  fi

  trace_in long --ranks 8 --threads 1 --iterations 2400
  local ways
  for ways in "app/traces.otf2 --view $view_word --metric time --chance 1 --grid 4x4x4x4x4x4" \
    "long/traces.otf2 --over iterations --all-pairs --metric all --min-share 0"; do
    # shellcheck disable=SC2086
    check "$ways: fails" measure 1G $ways --json
    cp out.txt much.json
    # shellcheck disable=SC2086
    check "$ways: fails in 64 MiB" measure 64M $ways --json
    check "$ways: takes $(cat peak.txt) MiB" [ "$(cat peak.txt)" -le 64 ]
    check "$ways: depends on memory" cmp much.json out.txt
  done

  refuses "give it 2815 MiB with --memory, or a smaller grid, or with --max-shift 1 or --wrap less room" \
    --view "$view" --grid 8x8x8x8x8x8 --memory 64M
  refuses "needs more memory than there is (give more with --memory" \
    --view "$view" --grid 1024x1024x1024 --memory 64M
}

# refuses WORDS ARGUMENTS...: status 2, and one line with the words on stderr.
refuses() {
  local words=$1
  shift
  expect 2 "$TRACEFOLD" correlate app/traces.otf2 "$@"
  check "'$words' is not said" grep -qF -- "$words" err.txt
  check "more than a line: $words" [ "$(wc -l < err.txt)" = 1 ]
}

# What is the same everywhere correlates with nothing, and it says so.
constant_views() {
  expect 0 "$TRACEFOLD" correlate app/traces.otf2 --view visits:main
  check "a constant view is not named" grep -q 'nothing correlates with it: it does not vary' out.txt
}

# The sum of a view is that of the column of the metric, over all processes.
views_are_profiles() {
  expect 0 "$TRACEFOLD" profile app/traces.otf2 --per-process --format csv
  cp out.txt profiles.csv
  json one app/traces.otf2 --view "$view" --chance off --min-share 0
  check "views and profiles differ" /usr/bin/python3 - <<'END'
import csv, json
sums = {}
for row in csv.DictReader(open("profiles.csv")):
    path = row["call_path"]
    for metric, column in (("execution time", "execution_time_seconds"), ("visits", "visits"),
                           ("inclusive time", "inclusive_time_seconds"),
                           ("MPI late-sender time", "MPI_late_sender_time_seconds"),
                           ("MPI late-receiver time", "MPI_late_receiver_time_seconds"),
                           ("MPI wait-at-NxN time", "MPI_wait_at_NxN_time_seconds"),
                           ("MPI late-broadcast time", "MPI_late_broadcast_time_seconds"),
                           ("MPI early-reduce time", "MPI_early_reduce_time_seconds")):
        sums[metric, path] = sums.get((metric, path), 0) + float(row[column])
report = json.load(open("one.json"))
views = [report["view"]] + report["findings"] + [v for f in report["findings"] for v in f["identical"]]
assert any(v["metric"] == "inclusive time" for v in views), views
checked = [abs(v["sum"] - sums[v["metric"], v["call_path"]]) < 1e-6 for v in views if v["metric"] != "bytes"]
assert len(checked) > 10 and all(checked), views
END
}

wrong_use() {
  refuses "no view is given"
  refuses "no process has such a view" --view time:nowhere
  refuses "no such metric" --view "$view" --metric luck
  refuses "there is no such loop" --explain --over iterations --loop 99
  refuses "7 places do not hold 8 processes" --view "$view" --grid 7
  refuses "--grid 4x: a part of it is empty" --view "$view" --grid 4x
  refuses "there is no such axis (one of: process, place)" --view "$view" --axes process,thread
  refuses "--grid 0x8: 0 is no size of an axis (sizes begin at 1, as in 8x8)" --view "$view" --grid 0x8
  refuses "fewer than 2 processes along the chosen axes" --view "$view" --grid 1x8 --axes x
  refuses "no such topology" --view "$view" --topology torus
  refuses "not between 0 and 1" --view "$view" --chance 7
  refuses "not between 0 and 1" --view "$view" --min-share few
  refuses "give --over iterations, too" --view "$view" --loop 1
  refuses "exclude each other" --view "$view" --explain
  refuses "give --all-pairs, too" --explain --threshold 0.5
  refuses "all views would be one cluster" --all-pairs --threshold 0
}

# Where the example's ranks are on its machine: they fill one node after the other.
places_on_the_machine() {
  trace_in machine --ranks 48 --threads 1 --iterations 4
  local nodes
  nodes=$(otf2-print -G machine/traces.otf2 | grep -c 'SYSTEM_TREE_NODE  .*Class: "node"')
  expect 0 "$TRACEFOLD" correlate machine/traces.otf2 --view "$view" --chance 1 --axes node
  check "ranks are not on the nodes" grep -q "^48 processes on node $nodes x place [0-9]*, places on the machine; what varies along node counts" out.txt
  cp out.txt node.txt

  "$TRACEFOLD" reduce machine/traces.otf2 -o machine_small --quiet
  expect 0 "$TRACEFOLD" correlate machine_small/traces.otf2 --view "$view" --chance 1 --axes node
  check "ranks of a reduced trace are elsewhere" cmp <(sed -n 2p node.txt) <(sed -n 2p out.txt)
}

# A call path with all that it calls, in a small trace as in the original.
inclusive_time() {
  json one app/traces.otf2 --view 'inclusive time:*exchange' --chance off
  "$TRACEFOLD" reduce app/traces.otf2 -o nested --quiet
  json two nested/traces.otf2 --view 'inclusive time:*exchange' --chance off
  check "inclusive times differ" /usr/bin/python3 - <<'END'
import json
one, two = (json.load(open(name)) for name in ("one.json", "two.json"))
assert one["view"]["metric"] == "inclusive time" and one["views"] == two["views"], (one["view"], one["views"], two["views"])
assert abs(one["view"]["sum"] - two["view"]["sum"]) < 0.01 * one["view"]["sum"]
paths = [v["call_path"] for f in one["findings"] for v in [f] + f["identical"] if v["metric"] == "inclusive time"]
assert "main > solve > ITERATION > compute" in paths and "main > solve" not in paths, paths
END
}

# Ranks of LU at the sides of the grid call what others do not.
who_calls_what() {
  local pack=${TRACEFOLD_SHARED:-$root/../shared}/traces/npb_lu_W_16.tar.zst
  [ -e "$pack" ] || { skipped "npb_lu_W_16 is not there"; return; }
  tar --zstd -xf "$pack"
  mv npb_lu_W_16 lu
  expect 0 "$TRACEFOLD" correlate lu/traces.otf2 --explain --chance 1
  check "nothing is said on who calls what" grep -q '^[0-9]* ranks that call .* → .* wait [0-9.]* times as long as others (r ' out.txt
  check "too much is said" [ "$(grep -c ' ranks that ' out.txt)" -le 5 ]
  json one lu/traces.otf2 --explain --chance 1
  expect 0 "$TRACEFOLD" correlate lu/traces.otf2 --explain --chance 1 --format csv
  check "CSV and JSON differ on who calls what" [ "$(grep -c ',structure,' out.txt)" = "$(grep -c '"other_calls"' one.json)" ]
  expect 0 "$TRACEFOLD" correlate lu/traces.otf2 --explain --chance 0
  check "what luck explains is said" [ "$(grep -c ' ranks that ' out.txt)" = 0 ]
}

trace_in app --ranks 8 --threads 1
same_findings
formats
views_are_profiles
constant_views
wrong_use
ranks_keep_their_places
inclusive_time
places_on_the_machine
who_calls_what
memory_is_kept
finish
