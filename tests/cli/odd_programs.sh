#!/usr/bin/env bash
# Programs that do what few do: what is said of them, of what is left of them, and that it verifies.
#   odd_programs.sh TRACEFOLD MAKE_TRACE
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# made STYLE: in a folder of that name.
made() {
  /usr/bin/python3 "$here/make_odd_program.py" "$1" "$1"
  check "$1: not clean" is_clean "$1/traces.otf2"
}

# reduced STYLE OPTIONS...: what is left is in folder small, without profiles of all, and verifies.
reduced() { reduced_to "$@" --profiles off; }
reduced_to() {
  local style=$1
  shift
  rm -rf small
  expect 0 "$TRACEFOLD" reduce "$style/traces.otf2" -o small --keep-ids -q "$@"
  check "$style $*: not clean" is_clean small/traces.otf2
  check "$style $*: it does not verify" "$TRACEFOLD" verify small/traces.otf2 --against "$style/traces.otf2" -q
}

# printed PATTERN: otf2-print shows so many such records of what is left.
printed() { otf2-print small/traces.otf2 | grep -c "^$1" || true; }

# A call of the second thread counts for the step in which it begins, and may outlast others.
made helper
for clusters in 1 2 4 29; do
  reduced helper --iterations "$clusters"
done

# What a stream records outside of its calls is neither lost in profiles nor in maps.
made stream
reduced_to stream --iterations 4
for trace in stream small; do
  expect 0 "$TRACEFOLD" profile "$trace/traces.otf2" --per-process --format csv -q
  check "$trace: copies are not counted" /usr/bin/python3 -c '
import csv
rows = [row for row in csv.DictReader(open("out.txt")) if row["location"] == "1"]
outside = [row for row in rows if not row["path"]]
assert len(outside) == 1 and outside[0]["call_path"] == "", rows
assert (outside[0]["puts"], outside[0]["gets"], outside[0]["one_sided_bytes"]) == ("30", "30", "45000"), outside'
  expect 0 "$TRACEFOLD" profile "$trace/traces.otf2" --per-process --format json -q
  check "$trace: JSON does not have the copies" /usr/bin/python3 -c '
import json
read = json.load(open("out.txt"))
at = [metric["name"] for metric in read["metrics"]].index("puts")
assert "outside_calls" not in read["processes"][0]
assert read["processes"][1]["outside_calls"][at] == 30'
  for metric in puts 'one-sided bytes'; do
    expect 0 "$TRACEFOLD" iterations "$trace/traces.otf2" --map "$metric" --csv map --format csv --bins 99x99 -q
    cp out.txt "$trace $metric.csv"
  done
done
for metric in puts 'one-sided bytes'; do
  check "the map of $metric differs" cmp "stream $metric.csv" "small $metric.csv"
done
check "the map has no copies" grep -q ',1500' 'small one-sided bytes.csv'

# Behind a call that is never left all others seem to be in it: nobody can be sure of a loop there.
made thrown
expect 0 "$TRACEFOLD" iterations thrown/traces.otf2 --loops --format json -q
check "a loop with a call that is never left is sure" bash -c '! grep -q "\"sure\"" out.txt && grep -q "\"likely\"" out.txt'

# Who is on a processor when is no loop, and a processor without samples is no thread with many.
made scheduled
expect 0 "$TRACEFOLD" iterations scheduled/traces.otf2 --loops --format csv
check "times on a processor are told as iterations" [ "$(grep -c ,none, out.txt)" = 4 ]
reduced scheduled
check "samples are lost" [ "$(printed CALLING_CONTEXT_SAMPLE)" = 400 ]

# Kept iterations count what they did, also where the last reading before them was no number.
made readings
reduced readings --iterations 2 --keep-iterations 12
for trace in readings small; do
  expect 0 "$TRACEFOLD" iterations "$trace/traces.otf2" --map energy --csv map --format csv --bins 99x99 -q
  tail -n 1 out.txt | cut -d , -f 15 > "$trace.txt"
done
check "a kept step counts $(cat small.txt), not 1010" [ "$(cat readings.txt small.txt | tr -d '\r' | xargs)" = "1010 1010" ]

# Maps of what is left have what the original has: calls between steps are in none of them, and a
# kernel counts for the step in which it begins, if that is one of another loop.
maps_alike() {
  local style=$1 trace
  shift
  for trace in "$style" small; do
    expect 0 "$TRACEFOLD" iterations "$trace/traces.otf2" --csv map --format csv --bins 99x99 -q "$@"
    cp out.txt "$trace.csv"
  done
  check "$style: the map differs: $*" cmp "$style.csv" small.csv
}

made between
reduced between --region step --iterations 3 --keep-iterations 5,8,11
expect 0 "$TRACEFOLD" iterations between/traces.otf2 --region step --map visits --csv map --format csv --bins 99x99 -q
cp out.txt original.csv
expect 0 "$TRACEFOLD" iterations small/traces.otf2 --map visits --csv map --format csv --bins 99x99 -q
check "calls between steps are in them" cmp original.csv out.txt
made overlap
reduced overlap --iterations 3
for loop in 1 2; do
  maps_alike overlap --map 'execution time' --loop $loop
done

# Where no loop is folded, messages go with their partners, and still count.
made whole
reduced_to whole --halo off
check "all messages stay" [ "$(printed MPI_SEND)" = 0 ]
"$TRACEFOLD" profile whole/traces.otf2 --per-process --format csv -q > original.csv
"$TRACEFOLD" profile small/traces.otf2 --per-process --format csv -q > reduced.csv
check "messages do not count: $("$here/compare_calls.py" 2>&1 | head -c 400)" "$here/compare_calls.py"
finish
