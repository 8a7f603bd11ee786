#!/usr/bin/env bash
# A reduced trace says of its processes what the original says, also of what was folded and left
# out: by what is stored beside it. Maps show each iteration as the kept one that stands for it.
#   aggregates.sh TRACEFOLD MAKE_TRACE
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# Drops the columns that are named.
stored_columns() {
  /usr/bin/python3 -c '
import csv, sys
rows = list(csv.reader(sys.stdin))
parts = sys.argv[1:]
stay = [c for c, name in enumerate(rows[0]) if not any(part in name for part in parts)] if rows else []
csv.writer(sys.stdout).writerows([row[c] for c in stay] for row in rows)' "$@"
}

# each ARGUMENTS...: what all kept processes did, without their threads, which are counted anew.
each() { "$TRACEFOLD" profile --per-process --format csv "$@" | stored_columns thread; }

# same WORDS: two files with what was said of the original and of the reduced trace.
same() { check "$1: $(diff original.csv reduced.csv | head -n 2)" cmp original.csv reduced.csv; }

# compare NAME ANCHOR OPTIONS...
compare() {
  local name=$1 anchor=$2
  shift 2
  rm -rf small again
  expect 0 "$TRACEFOLD" reduce "$anchor" -o small --profiles off --keep-ids "$@"
  "$TRACEFOLD" group "$anchor" | "$TRACEFOLD" select > selected.json
  each < selected.json > original.csv
  each small/traces.otf2 2> note.txt > reduced.csv
  same "$name"
  check "$name: nothing says where numbers come from" grep -q 'as it was stored' note.txt
  for options in '--threads 1' '--reader otf2'; do
    each -q $options small/traces.otf2 > reduced.csv
    same "$name $options"
  done
  [ "$name" = amg_8x1 ] || maps "$name" "$anchor"
  check "$name: it does not verify" "$TRACEFOLD" verify small/traces.otf2 --against "$anchor" -q

  expect 0 "$TRACEFOLD" reduce small/traces.otf2 -o again --profiles off --keep-ids
  each -q again/traces.otf2 > reduced.csv
  same "$name, reduced again"
  check "$name, reduced again: it does not verify" "$TRACEFOLD" verify again/traces.otf2 --against small/traces.otf2 -q
  printf '%-12s %s bytes of aggregates in %s\n' "$name" "$(/usr/bin/python3 -c '
import json
print(len(json.dumps(json.load(open("small/tracefold.json"))["aggregates"], separators=(",", ":"))))')" "$(du -sb small | cut -f 1)"
}

# maps NAME ANCHOR: a reduced trace in folder small shows the original's maps, of kept processes, with
# the values of kept iterations in place of the others.
maps() {
  local metric paths
  for metric in visits 'computation time' bytes 'MPI late-sender time' 'MPI late-receiver time' 'MPI wait-at-NxN time' \
    'MPI late-broadcast time'; do
    for paths in '*' '*MPI_*'; do
      "$TRACEFOLD" iterations "$2" --map "$metric" --call-path "$paths" --loop 1 --format csv --csv map --bins 99999x99999 -q > whole_map.csv 2> /dev/null || continue
      "$TRACEFOLD" iterations small/traces.otf2 --map "$metric" --call-path "$paths" --loop 1 --format csv --csv map --bins 99999x99999 -q > kept_map.csv
      check "$1: the map of $metric in $paths differs" /usr/bin/python3 -c '
import csv, json
loop = json.load(open("small/tracefold.json"))["iterations"]["loops"][0]
def ids(text):
    for part in text.split(","):
        run, _, step = part.partition(":")
        begin, _, end = run.partition("-")
        yield from range(int(begin), int(end or begin) + 1, int(step or 1))
kept = list(ids(loop["kept"]))
original, reduced = ([row for row in csv.reader(open(f + ".csv"))] for f in ("whole_map", "kept_map"))
rows = {row[0]: row[2:] for row in original[1:]}
assert reduced[0] == original[0] and len(reduced) > 1
for row in reduced[1:]:
    assert row[2:] == [rows[row[0]][kept[of]] for of in loop["kept_of"]], row[0]'
    done
  done
}

# Where every process stays, all that is printed is the same, with any filter of functions, but for names of
# groups, which are of the whole program.
compare_whole() {
  local name=$1 anchor=$2 view drop
  rm -rf small
  expect 0 "$TRACEFOLD" write "$anchor" -o small --profiles off --iterations 4 --keep-ids
  for view in --sort=name --call-paths '--function=MPI_*' --per-process; do
    "$TRACEFOLD" profile "$anchor" "$view" --format csv | stored_columns group_name > original.csv
    "$TRACEFOLD" profile small/traces.otf2 "$view" --format csv -q | stored_columns group_name > reduced.csv
    same "$name $view"
    for drop in 'MPI_*' main; do
      "$TRACEFOLD" filter "$anchor" --drop "$drop" | "$TRACEFOLD" profile "$view" --format csv 2> /dev/null | stored_columns group_name > original.csv || true
      "$TRACEFOLD" filter small/traces.otf2 --drop "$drop" | "$TRACEFOLD" profile "$view" --format csv -q 2> /dev/null | stored_columns group_name > reduced.csv || true
      same "$name $view without $drop"
    done
  done
  "$TRACEFOLD" group small/traces.otf2 --json | "$TRACEFOLD" profile --format csv -q > reduced.csv
  "$TRACEFOLD" group "$anchor" --json | "$TRACEFOLD" profile --format csv > original.csv
  check "$name: a plan is profiled with what was folded" [ -z "$(grep '≈' reduced.csv)" ]
}

trace_in app --ranks 8 --threads 2 --iterations 40
compare made app/traces.otf2 --iterations 4
compare_whole made app/traces.otf2

# A map of a trace that was reduced twice is that of the trace that was reduced once.
rm -rf small again
expect 0 "$TRACEFOLD" reduce app/traces.otf2 -o small --profiles off --iterations 4 --keep-ids
expect 0 "$TRACEFOLD" reduce small/traces.otf2 -o again --profiles off --keep-ids
"$TRACEFOLD" iterations small/traces.otf2 --map bytes --format csv -q > original.csv
"$TRACEFOLD" iterations again/traces.otf2 --map bytes --format csv > reduced.csv 2> note.txt
same 'a map, reduced again'
check "nothing says where iterations come from: $(cat note.txt)" grep -q 'of 40 iterations . were kept' note.txt
expect 2 "$TRACEFOLD" iterations small/traces.otf2 --map bytes --loop 2
check "a loop that is not there: $(cat err.txt)" grep -q 'there is no such loop' err.txt
"$TRACEFOLD" iterations app/traces.otf2 --clusters 4 --json | "$TRACEFOLD" write -o unfolded --iterations off -q
check "amounts of iterations that are all there are stored" [ -z "$(grep '"amounts"' unfolded/tracefold.json)" ]

# What is stored is carried on, or left out, and is not trusted.
rm -rf small whole
expect 0 "$TRACEFOLD" reduce app/traces.otf2 -o small --profiles off --iterations 4
expect 0 "$TRACEFOLD" write small/traces.otf2 -o whole
check "what is stored is lost where all is written again" grep -q '"aggregates"' whole/tracefold.json
expect 0 "$TRACEFOLD" reduce app/traces.otf2 -o off --profiles off --iterations off
check "nothing is stored where all iterations stay" grep -q '"aggregates"' off/tracefold.json

cp -r small alone
rm alone/tracefold.json
expect 0 "$TRACEFOLD" profile alone/traces.otf2
check "without a plan: $(cat err.txt)" grep -q "count as 'iteration ≈ #K' only" err.txt
check "without a plan, calls that stand for iterations are not shown" grep -q '≈' out.txt

cp -r small changed
sed -i 's/"visits"/"visitz"/' changed/tracefold.json
expect 3 "$TRACEFOLD" profile changed/traces.otf2
check "a changed plan: $(cat err.txt)" grep -q 'changed/tracefold.json: is not the plan' err.txt
check "a changed plan verifies" [ "$("$TRACEFOLD" verify changed/traces.otf2 --against app/traces.otf2 -q > /dev/null 2>&1; echo $?)" = 1 ]

# lie NAME OLD NEW: the stored plan with another text, and with its hash.
lie() {
  rm -rf lied
  cp -r small lied
  /usr/bin/python3 - "$2" "$3" <<'PYTHON'
import hashlib, pathlib, re, sys
old, new = sys.argv[1:]
plan = pathlib.Path("lied/tracefold.json")
before = plan.read_bytes()
text = before.decode()
at = text.index('"aggregates"')
text = text[:at] + re.sub(old, new, text[at:], count=1)
assert text.encode() != before, old
plan.write_text(text)
anchor = pathlib.Path("lied/traces.otf2")
hashes = [hashlib.sha256(t).hexdigest().encode() for t in (before, text.encode())]
anchor.write_bytes(anchor.read_bytes().replace(*hashes))
PYTHON
  expect "$4" "$TRACEFOLD" profile lied/traces.otf2
  check "$1: $(cat err.txt)" grep -q -e "$5" err.txt
}
lie 'another metric' '"visits"' '"visitz"' 3 "lied/tracefold.json: the aggregates of the plan name a metric 'visitz'"
lie 'no metrics' '"metrics"' '"metric"' 3 'this is not a plan'
lie 'another path' '"paths": *\[\s*-1' '"paths": [7' 3 'before its caller'
lie 'another value' '"shape": *0' '"shape": 77' 3 'shape 77'
lie 'another time' '(\["", *")[0-9]' '\g<1>7' 0 'as it was stored'
check "verify believes another time" [ "$("$TRACEFOLD" verify lied/traces.otf2 --against app/traces.otf2 2> /dev/null | grep -c '^tracefold.json: aggregates')" -gt 0 ]

packs=${TRACEFOLD_SHARED:-$root/../shared}/traces
for name in hpccg_16 lulesh_8x2 minife_8 amg_8x1 npb_lu_W_4; do
  [ -e "$packs/$name.tar.zst" ] || { skipped "no $name at $packs"; continue; }
  tar --zstd -xf "$packs/$name.tar.zst"
  compare "$name" "$name/traces.otf2" --iterations 8
done
[ ! -d npb_lu_W_4 ] || compare_whole npb_lu_W_4 npb_lu_W_4/traces.otf2
finish
