#!/usr/bin/env bash
# `reduce` is the chain group | select | iterations | write in one process; the result does
# not depend on --threads; a reduced trace can be reduced again.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# same LEFT RIGHT: equal archives, but for the 8 bytes of the trace's id.
same() {
  diff -r --exclude=traces.otf2 "$1" "$2" || return 1
  [ "$(stat -c %s "$1/traces.otf2")" = "$(stat -c %s "$2/traces.otf2")" ] || return 1
  [ "$({ cmp -l "$1/traces.otf2" "$2/traces.otf2" || true; } | wc -l)" -le 8 ]
}

# chain_equals WAY [GROUP OPTIONS] [-- SELECT OPTIONS]: both ways, and with one thread and two.
chain_equals() {
  local way=$1 grouping=()
  shift
  while [ $# -gt 0 ] && [ "$1" != -- ]; do grouping+=("$1"); shift; done
  [ $# = 0 ] || shift
  rm -rf one whole chain
  local exact=()
  [[ " ${grouping[*]} " != *" --exact "* ]] || exact=(--exact)
  expect 0 "$TRACEFOLD" reduce app/traces.otf2 -o whole --threads 2 --representative "$way" "${grouping[@]}" "$@"
  cp out.txt whole.txt
  expect 0 "$TRACEFOLD" reduce app/traces.otf2 -o one --threads 1 --representative "$way" "${grouping[@]}" "$@"
  "$TRACEFOLD" group app/traces.otf2 --messages on "${grouping[@]}" | "$TRACEFOLD" select --representative "$way" "${exact[@]}" "$@" | "$TRACEFOLD" iterations | "$TRACEFOLD" write -q -o chain
  set -- "${grouping[@]}" "$@"
  check "$way $*: the chain and reduce differ" same whole chain
  check "$way $*: one thread and two differ" same whole one
  check "$way $*: the table depends on threads" diff <(steps whole.txt) <(steps out.txt)
}

steps() { sed -E 's/[0-9.]+ s$/N s/; s#: (whole|one)/traces#: FOLDER/traces#' "$1"; }

all_chains() {
  local way
  for way in first medoid slowest connected; do
    chain_equals "$way"
    chain_equals "$way" --exact
    chain_equals "$way" --threshold 0.5
  done
  expect 0 "$TRACEFOLD" reduce app/traces.otf2 -o default_way
  expect 0 "$TRACEFOLD" reduce app/traces.otf2 -o medoid_way --representative medoid
  check "medoid is not the default" same default_way medoid_way
  check "the anchor holds another plan's hash" [ "$(otf2-print -I whole/traces.otf2 | awk 'seen { print $NF } { seen = /TRACEFOLD::PLAN_SHA256/ }')" = "$(sha256sum whole/tracefold.json | cut -d ' ' -f 1)" ]
  expect 0 "$TRACEFOLD" group app/traces.otf2 --threads 1
  cp out.txt one.json
  expect 0 "$TRACEFOLD" group app/traces.otf2 --threads 2
  check "the plan depends on threads" cmp one.json out.txt
}

# What is compared and who is kept, one by one and all together.
chosen_chains() {
  chain_equals medoid --exact --by functions
  chain_equals medoid --exact --ignore 'MPI_*' --ignore-root
  judged whole --merged
  check "an ignored function is gone from the trace" grep -q '^ENTER.*"MPI_' <(otf2-print whole/traces.otf2)
  chain_equals first --combine '*'
  judged whole --merged
  chain_equals slowest --exact -- --per-group 3
  judged whole --extra
  chain_equals medoid --exact -- --per-group auto
  judged whole --extra
  chain_equals medoid --exact -- --per-group 3 --time-features all
  judged whole --extra
  expect 0 "$TRACEFOLD" verify whole/traces.otf2 --against app/traces.otf2
  chain_equals first -- --always 1,4294967296-4294967297
  judged whole --extra --merged
  check "not all of --always are there" [ "$(property whole source | grep -cxE '1|4294967296|4294967297')" = 3 ]
  chain_equals medoid --by functions --ignore 'MPI_*' --ignore-root --combine 'OMP*' --combine 'MPI Rank 1/*' -- --per-group 2 --always 0,3
  judged whole --extra --merged
  expect 0 "$TRACEFOLD" verify whole/traces.otf2 --against app/traces.otf2
  chain_equals first --exact -- --halo all
  judged whole --halo --collapsed
  chain_equals medoid --threshold 0.5 -- --halo 1
  judged whole --merged --collapsed
  chain_equals first --exact -- --halo off
  check "a halo that was not asked for" lacks_halo whole
  expect 0 "$TRACEFOLD" reduce app/traces.otf2 -o ranks --always 0-7
  check "messages are left out where all ranks are kept" [ "$(cut_records ranks)" = 0 ]
  check "none are left out where few are kept" [ "$(cut_records default_way)" -gt 0 ]
  judged ranks --extra --merged
}

lacks_halo() { ! otf2-print -G "$1/traces.otf2" | grep -q '◌'; }

# How many records were left out with their partners, of all kinds.
cut_records() { otf2-print -I "$1/traces.otf2" | awk 'is_cut { n += $NF } { is_cut = /TRACEFOLD::CUT::/ } END { print n + 0 }'; }

# A filter before the chain: what is dropped is in no event, all else is verified by the judge.
functions_dropped() {
  "$TRACEFOLD" filter app/traces.otf2 --drop 'MPI_Wait*' | "$TRACEFOLD" group --exact | "$TRACEFOLD" select | "$TRACEFOLD" write -q -o dropped
  check "not clean" is_clean dropped/traces.otf2
  otf2-print app/traces.otf2 > before.txt
  otf2-print dropped/traces.otf2 > after.txt
  check "the example has no call to drop" grep -q '^ENTER.*MPI_Wait' before.txt
  check "dropped calls are there" lacks 'MPI_Wait' after.txt
  check "other calls are gone, too" grep -q '^ENTER' after.txt
  judged dropped --filtered
  "$TRACEFOLD" filter app/traces.otf2 --keep 'MPI_*' --keep main | "$TRACEFOLD" group | "$TRACEFOLD" select | "$TRACEFOLD" write -q -o kept
  otf2-print kept/traces.otf2 | grep '^ENTER' > after.txt || true
  check "nothing is kept" [ -s after.txt ]
  check "calls that were not asked for are there" [ -z "$(grep -Ev '"(MPI_[^"]*|main)"' after.txt)" ]
  judged kept --filtered --merged
}

lacks() { ! grep -q -- "$1" "$2"; }

# Judged from outside where the judge is at hand.
judged() {
  local reduced=$1 shared=${TRACEFOLD_SHARED:-$root/../shared}
  shift
  if [ ! -e "$shared/check/judge.py" ] || ! build_facts "$shared"; then
    skipped "no judge at $shared/check"
    return
  fi
  expect 0 /usr/bin/python3 "$shared/check/judge.py" app/traces.otf2 "$reduced/traces.otf2" "$@"
  [ ! -s out.txt ] || grep -v '^ok' out.txt || true
}

locations_chosen() {
  local ids first second
  mapfile -t ids < <(locations app)
  first=${ids[0]} second=${ids[1]}
  "$TRACEFOLD" filter app/traces.otf2 --locations "$first,$second" | "$TRACEFOLD" write -q -o part
  check "not clean" is_clean part/traces.otf2
  check "locations are there that were not asked for" [ "$(locations part | wc -l)" = 2 ]
  check "sources are not those asked for" [ "$(property part source | sort -n | xargs)" = "$first $second" ]
  expect 2 bash -c '"$1" filter app/traces.otf2 --locations 123456789 | "$1" write -o nothing' - "$TRACEFOLD"
  no_output nothing
}

locations() { otf2-print -G "$1/traces.otf2" | awk '$1 == "LOCATION" { print $2 }'; }

# property FOLDER NAME: the values of tracefold::NAME, one a location.
property() { otf2-print -G "$1/traces.otf2" | grep "^LOCATION_PROPERTY .*\"tracefold::$2\"" | sed -E 's/.*Value: //; s/ <[0-9]+>$//; s/^"(.*)"$/\1/'; }

sum() { awk '{ n += $1 } END { print n + 0 }'; }

# The ids in member ranges, first-last:stride, one a line.
expanded() {
  tr -d ' ' | tr ',' '\n' | awk -F '[-:]' '{ last = NF > 1 && $0 ~ /-/ ? $2 : $1; stride = $0 ~ /:/ ? $NF : 1; for (id = $1 + 0; id <= last + 0; id += stride) printf "%.0f\n", id }'
}

# reduced_twice [SELECT OPTIONS]: exactly, then with all of a type in one group.
reduced_twice() {
  rm -rf once twice
  expect 0 "$TRACEFOLD" reduce app/traces.otf2 -o once --exact "$@"
  expect 0 "$TRACEFOLD" reduce once/traces.otf2 -o twice --threshold 0 "$@"
  check "not clean" is_clean twice/traces.otf2
  check "the second time folds nothing" [ "$(locations twice | wc -l)" -lt "$(locations once | wc -l)" ]
  local folder
  for folder in once twice; do
    check "$folder: counts are not the number of processes" [ "$(property $folder count | sum)" = "$(locations app | wc -l)" ]
    check "$folder: members are not the original's" diff <(locations app | sort -n) <(property $folder members | expanded | sort -n)
    check "$folder: a source is not in the original" [ -z "$(comm -23 <(property $folder source | sort) <(locations app | sort))" ]
  done
}

reduced_again() {
  reduced_twice --per-group 2 --always 0
  judged twice --extra --merged
  reduced_twice
  expect 0 "$TRACEFOLD" reduce once/traces.otf2 -o again --exact
  check "an exact reduction changes when repeated" [ "$(property once members | sort)" = "$(property again members | sort)" ]
  expect 0 "$TRACEFOLD" write once/traces.otf2 -o written  # chooses nothing
  for reduced in again twice written; do
    expect 0 "$TRACEFOLD" verify $reduced/traces.otf2 --against once/traces.otf2
    expect 1 "$TRACEFOLD" verify $reduced/traces.otf2 --against app/traces.otf2
  done
  check "what processes were compared by is forgotten" grep -q TRACEFOLD::COMPARED_BY <(otf2-print -I written/traces.otf2)
  check "a count is in a name twice" lacks 'Name: "[^"]*×[^"]*×' <(otf2-print -G again/traces.otf2 | grep '^LOCATION ')
}

names_and_ids() {
  expect 0 "$TRACEFOLD" reduce app/traces.otf2 -o plain --plain-names
  check "--plain-names gives counts" lacks '× ' <(otf2-print -G plain/traces.otf2 | grep '^LOCATION')
  expect 0 "$TRACEFOLD" reduce app/traces.otf2 -o ids --keep-ids
  check "--keep-ids changes ids" [ "$(locations ids | sort -n)" = "$(property ids source | sort -n)" ]
}

trace_in app --ranks 8 --threads 2
before=$(hash_of app)
all_chains
chosen_chains
functions_dropped
locations_chosen
reduced_again
names_and_ids
check "the input has changed" [ "$before" = "$(hash_of app)" ]
finish
