#!/usr/bin/env bash
# A reduced trace says of its processes what the original says, also of what was folded and left out: from the file
# beside it, whatever functions are dropped. Maps show each iteration as the kept one that stands for it.
#   stored_calls.sh TRACEFOLD MAKE_TRACE
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# same WORDS: original.csv and reduced.csv tell the same.
same() { check "$1: $("$here/compare_calls.py" 2>&1 | head -c 400)" "$here/compare_calls.py"; }

each() { "$TRACEFOLD" profile --per-process --format csv -q "$@"; }

# compare NAME ANCHOR OPTIONS...: also of a trace that is reduced twice, and without some functions.
compare() {
  local name=$1 anchor=$2 drop small
  shift 2
  rm -rf small again
  expect 0 "$TRACEFOLD" reduce "$anchor" -o small --keep-ids "$@"
  expect 0 "$TRACEFOLD" reduce small/traces.otf2 -o again --keep-ids
  for drop in nothing 'MPI_*' main; do
    "$TRACEFOLD" filter "$anchor" --drop "$drop" | each > original.csv
    for small in small again; do
      "$TRACEFOLD" filter "$small/traces.otf2" --drop "$drop" | each > reduced.csv
      same "$name in $small without $drop"
    done
  done
  "$TRACEFOLD" group small/traces.otf2 | "$TRACEFOLD" profile --format csv > reduced.csv 2> note.txt
  check "$name: nothing says how exact it is: $(cat note.txt)" grep -q 'is counted, too: counts exactly, times to' note.txt
  check "$name: a plan is profiled with what was folded" [ -z "$(grep '≈' reduced.csv)" ]
  check "$name: it does not verify" "$TRACEFOLD" verify small/traces.otf2 --against "$anchor" -q
  check "$name: reduced again, it does not verify" "$TRACEFOLD" verify again/traces.otf2 --against small/traces.otf2 -q
  [ "$name" = amg_8x1 ] || maps "$name" "$anchor"
}

# maps NAME ANCHOR: folders small and again show the original's maps, of kept processes, with the values of kept
# iterations in place of the others, where no file is there that has all.
maps() {
  local metric paths small
  for small in small again; do
    cp -r "$small" without
    rm without/tracefold.profiles
    for metric in visits 'execution time' 'computation time'; do
      for paths in '*' '*MPI_*'; do
        "$TRACEFOLD" iterations "$2" --map "$metric" --call-path "$paths" --loop 1 --format csv --csv map --bins 99999x99999 -q > whole_map.csv 2> /dev/null || continue
        "$TRACEFOLD" iterations without/traces.otf2 --map "$metric" --call-path "$paths" --loop 1 --format csv --csv map --bins 99999x99999 -q > kept_map.csv
        check "$1: the map of $metric in $paths differs in $small" /usr/bin/python3 -c '
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
    rm -r without
  done
}

trace_in app --ranks 8 --threads 2 --iterations 40
compare made app/traces.otf2 --iterations 4

# Where nothing is stored, nothing is invented.
rm -rf small
expect 0 "$TRACEFOLD" reduce app/traces.otf2 -o small --profiles off --iterations 4
"$TRACEFOLD" iterations small/traces.otf2 --map visits --format csv > kept_map.csv 2> note.txt
check "nothing says where iterations come from: $(cat note.txt)" grep -q 'of 40 iterations . were kept' note.txt
expect 2 "$TRACEFOLD" iterations small/traces.otf2 --map bytes
check "messages that were left out: $(cat err.txt)" grep -q 'records were left out' err.txt
expect 2 "$TRACEFOLD" iterations small/traces.otf2 --map visits --loop 2
check "a loop that is not there: $(cat err.txt)" grep -q 'there is no such loop' err.txt
expect 0 "$TRACEFOLD" profile small/traces.otf2
check "without a file: $(cat err.txt)" grep -q "count as 'iteration ≈ #K' only" err.txt
check "without a file, calls that stand for iterations are not shown" grep -q '≈' out.txt

cp -r small changed
sed -i 's/"iterations"/"iterationz"/' changed/tracefold.json
expect 3 "$TRACEFOLD" iterations changed/traces.otf2 --map visits
check "a changed plan: $(cat err.txt)" grep -q 'changed/tracefold.json: is not the plan' err.txt
check "a changed plan verifies" [ "$("$TRACEFOLD" verify changed/traces.otf2 --against app/traces.otf2 -q > /dev/null 2>&1; echo $?)" = 1 ]

packs=${TRACEFOLD_SHARED:-$root/../shared}/traces
for name in hpccg_16 lulesh_8x2 minife_8 amg_8x1 npb_lu_W_4; do
  [ -e "$packs/$name.tar.zst" ] || { skipped "no $name at $packs"; continue; }
  tar --zstd -xf "$packs/$name.tar.zst"
  compare "$name" "$name/traces.otf2" --iterations 8
done
finish
