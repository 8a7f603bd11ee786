#!/usr/bin/env bash
# `profile` says what an independent computation says, of the example and of
# small real traces; it says the same for any number of threads, either reader,
# and a plan in place of a trace; a process that stands for others counts so often.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# json NAME ARGUMENTS...: of `tracefold profile ARGUMENTS`, in NAME.json.
json() {
  local name=$1
  shift
  expect 0 "$TRACEFOLD" profile --format json "$@"
  cp out.txt "$name.json"
}

same_numbers() {
  local view
  for view in --sort=name --call-paths --function=* --function-groups=role --quartiles --per-process; do
    json one app/traces.otf2 "$view" --threads 1
    json two app/traces.otf2 "$view" --threads 2
    check "$view: depends on threads" cmp one.json two.json
    json library app/traces.otf2 "$view" --reader otf2
    check "$view: depends on the reader" cmp one.json library.json
    "$TRACEFOLD" group app/traces.otf2 > plan.json
    "$TRACEFOLD" profile "$view" --format json < plan.json > of_plan.json
    check "$view: a plan gives other numbers than its trace" cmp one.json of_plan.json
    "$TRACEFOLD" profile "$view" --format json --threshold 0.5 < plan.json > regrouped.json
    json merged app/traces.otf2 "$view" --threshold 0.5
    check "$view: --threshold is not heard after group" cmp merged.json regrouped.json
  done
}

# The processes of a reduced trace weigh as much as those that they stand for.
weights() {
  expect 0 "$TRACEFOLD" reduce app/traces.otf2 -o small --exact
  json all app/traces.otf2
  json few small/traces.otf2
  check "a reduced trace stands for fewer processes" [ "$(grep -oE '"processes": *[0-9]+' all.json)" = "$(grep -oE '"processes": *[0-9]+' few.json || echo none)" ]
}

# A part of the run, and clusters of groups.
parts() {
  json whole app/traces.otf2 --call-paths
  json run app/traces.otf2 --call-paths --scope run
  check "--scope run is not the whole run" cmp whole.json run.json
  json loop app/traces.otf2 --scope loop
  check "MPI_Init is in the main loop" [ -z "$(grep MPI_Init loop.json)" ]
  json few small/traces.otf2 --scope loop
  check "a reduced trace has another main loop" /usr/bin/python3 - << 'EOF'
import json
one, other = (json.load(open(name))["groups"] for name in ("loop.json", "few.json"))
assert len(one) == len(other)
for a, b in zip(one, other):
    times = [{row["function"]["name"]: row["exclusive_seconds"]["total"] for row in group["rows"]} for group in (a, b)]
    assert times[0].keys() == times[1].keys()
    assert all(abs(times[0][name] - times[1][name]) <= 0.011 * times[0][name] for name in times[0])
EOF
  "$TRACEFOLD" group app/traces.otf2 | "$TRACEFOLD" select --per-group 2 | "$TRACEFOLD" profile --format json > clusters.json
  check "clusters are not shown by themselves" /usr/bin/python3 - << 'EOF'
import json
groups = json.load(open("clusters.json"))["groups"]
assert any(group.get("cluster") for group in groups)
numbers = [group["group"] for group in groups]
assert max(map(numbers.count, numbers)) == 2
EOF
  json own app/traces.otf2 --per-group 2
  check "--per-group: no clusters" grep -q '"cluster"' own.json
  refuse_profile "--per-process shows" --per-process --per-group 2
}

# refuse_profile WORDS OPTIONS...
refuse_profile() {
  expect 2 "$TRACEFOLD" profile app/traces.otf2 "${@:2}"
  check "$*: not refused in words" grep -q -e "$1" err.txt
}

formats() {
  local view
  for view in --sort=name --call-paths --function=* --function-groups=library --quartiles --per-process; do
    "$TRACEFOLD" profile app/traces.otf2 "$view" --format csv > out.csv
    check "$view: not CSV" /usr/bin/python3 -c 'import csv; rows = list(csv.reader(open("out.csv"))); assert len(rows) > 4 and len({len(r) for r in rows}) == 1'
    "$TRACEFOLD" profile app/traces.otf2 "$view" --format json > out.json
    check "$view: not JSON" /usr/bin/python3 -m json.tool out.json /dev/null
  done
}

# As an independent computation has it, of traces that take seconds.
independent() {
  local status=0 shared=${TRACEFOLD_SHARED:-$root/../shared} name traces=(app/traces.otf2)
  PYTHONPATH=$here PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$here/make_counter_trace.py" whole && traces+=(whole/traces.otf2)
  for name in miniamr_8 npb_mg_S_4 btmz_S_2x3 minife_8; do
    [ -e "$shared/traces/$name.tar.zst" ] || continue
    tar --zstd -xf "$shared/traces/$name.tar.zst"
    traces+=("$name/traces.otf2")
  done
  name=$shared/traces-public/scorep71-pingpong-papi-2.tar.zst  # with counters
  [ -e "$name" ] && tar --zstd -xf "$name" && traces+=(ping-pong-otf2-papi/traces.otf2)
  /usr/bin/python3 "$here/profile_check.py" "$TRACEFOLD" "${traces[@]}" || status=$?
  if [ "$status" = 77 ]; then
    skipped "no python3-otf2 to compare with"
  else
    check "other numbers than an independent computation's" [ "$status" = 0 ]
  fi
}

trace_in app --ranks 8 --threads 2
same_numbers
weights
parts
formats
independent
finish
