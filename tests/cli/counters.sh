#!/usr/bin/env bash
# Recorded metrics with fractions count in small parts of their unit: in profiles and in maps of
# iterations, of a trace and of what is left of it.
#   counters.sh TRACEFOLD MAKE_TRACE
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
export PYTHONPATH=$here PYTHONDONTWRITEBYTECODE=1
/usr/bin/python3 "$here/make_counter_trace.py" whole

# right SCRIPT: a script of Python that reads out.txt as rows of CSV has nothing to say.
right() {
  /usr/bin/python3 -c "
import csv, math
import make_counter_trace as made
rows = list(csv.DictReader(open('out.txt')))
def near(a, b): return math.isclose(float(a), b, rel_tol=1e-9)
whole = range(made.ITERATIONS)
$1"
}

expect 0 "$TRACEFOLD" profile whole/traces.otf2 --per-process --format csv
check "what processes counted is wrong" right '
step = [row for row in rows if row["call_path"] == "main > step"]
assert len(step) == made.RANKS
for rank, row in enumerate(step):
    assert near(row["energy"], sum(made.energy(rank, k) for k in whole)), row
    assert near(row["heat"], sum(made.heat(k) for k in whole)), row
    assert row["cycles"] == str(sum(made.cycles(k) for k in whole)), row'
cp out.txt original.csv
expect 0 "$TRACEFOLD" profile whole/traces.otf2 --per-process --format json
check "numbers of JSON are wrong" /usr/bin/python3 -c '
import json
read = json.load(open("out.txt"))
at = [metric["name"] for metric in read["metrics"]].index("energy")
assert abs(read["processes"][0]["rows"][1]["values"][at] - 15) < 1e-9'

check "units of JSON are wrong" /usr/bin/python3 -c '
import json
read = json.load(open("out.txt"))
units = {metric["name"]: metric["unit"] for metric in read["metrics"]}
told = [units[name] for name in ("execution time", "bytes sent", "visits", "energy", "heat", "cycles")]
assert told == ["seconds", "bytes", "", "J", "10^-3 J", ""], units'

expect 0 "$TRACEFOLD" iterations whole/traces.otf2 --map heat --format json
check "the unit of a map is wrong" grep -q '"metric":"heat","unit":"10^-3 J"' out.txt
expect 0 "$TRACEFOLD" iterations whole/traces.otf2 --map energy -o map.svg
check "the unit is not in the picture" grep -q "by iteration and process \[J\]" map.svg
for unit in J J/s; do
  expect 0 "$TRACEFOLD" correlate whole/traces.otf2 --view "energy${unit#J}:main > step" --format json
  check "the unit of a view is not $unit" grep -q "\"view\": .*\"unit\":\"$unit\"}" out.txt
done

for refusal in "iterations whole/traces.otf2 --map temperature" "correlate whole/traces.otf2 --view energy:main --metric temperature"; do
  expect 2 "$TRACEFOLD" $refusal
  check "it is not said why: $refusal" grep -q "hold for a time, and have no sum" err.txt
done

expect 0 "$TRACEFOLD" iterations whole/traces.otf2 --map energy --format csv --bins 99999x99999
check "the energy of iterations is wrong" right '
assert len(rows) == made.ITERATIONS
for k, row in enumerate(rows):
    assert near(row["minimum"], made.energy(0, k)) and near(row["maximum"], made.energy(made.RANKS - 1, k)), row'
expect 0 "$TRACEFOLD" iterations whole/traces.otf2 --map heat --format csv --bins 99999x99999
check "the heat of iterations is wrong" right '
for k, row in enumerate(rows):
    assert near(row["median"], made.heat(k)), row'
expect 0 "$TRACEFOLD" iterations whole/traces.otf2 --map cycles --format csv --bins 99999x99999
check "the cycles of iterations are wrong" right '
for k, row in enumerate(rows):
    assert row["median"] == str(made.cycles(k)), row'

# Quotients are of sums; what is not counted is not known.
for view in --top=0 --call-paths; do
  expect 0 "$TRACEFOLD" profile whole/traces.otf2 $view --ratio energy/cycles --format csv
  check "energy by cycle is wrong: $view" right '
energy = sum(made.energy(rank, k) for rank in range(made.RANKS) for k in whole)
cycles = made.RANKS * sum(map(made.cycles, whole))
for row in rows:
    assert near(row["ratio"], energy / cycles) if row["function"] == "step" else row["ratio"] == "", row
    assert near(row["group_ratio"], energy / cycles), row'
done
expect 0 "$TRACEFOLD" profile whole/traces.otf2 --ratio energy/time --format json
cp out.txt rates.json
check "watts are wrong" /usr/bin/python3 -c '
import json, math
import make_counter_trace as made
read = json.load(open("out.txt"))
assert read["ratio"] == {"name": "energy/time", "unit": "J/s"}, read["ratio"]
for row in read["groups"][0]["rows"]:
    wanted = row["counters"]["energy"]["total"] / row["exclusive_seconds"]["total"]
    assert math.isclose(row["ratio"], wanted, rel_tol=1e-9) and (wanted > 0) == (row["function"]["name"] == "step"), row'
expect 0 "$TRACEFOLD" profile whole/traces.otf2 --ratio heat/visits
check "text has no unit, or no '-'" bash -c 'grep -q "^heat/visits \[10^-3 J\]: " out.txt && "$1" profile whole/traces.otf2 --ratio energy/cycles | grep -q " - .* main"' - "$TRACEFOLD"
expect 0 "$TRACEFOLD" profile whole/traces.otf2 --per-process --ratio energy/cycles --format csv
check "energy by cycle of a process is wrong" right '
step = [row for row in rows if row["call_path"] == "main > step"]
assert len(step) == made.RANKS and all(row["ratio"] == "" for row in rows if row not in step)
for rank, row in enumerate(step):
    assert near(row["ratio"], sum(made.energy(rank, k) for k in whole) / sum(map(made.cycles, whole))), row'
for refusal in "energy/temperature:hold for a time" "energy/power:its counters are energy, heat, cycles;" "energy:no quotient of two"; do
  expect 2 "$TRACEFOLD" profile whole/traces.otf2 --ratio "${refusal%%:*}"
  check "it is not said why: $refusal" grep -q "${refusal#*:}" err.txt
done

# In a part of the time counters count with what they grew by there, not between its spans. So does
# what is written of it.
"$TRACEFOLD" filter whole/traces.otf2 --iterations-only 1,4 -q > part.json
"$TRACEFOLD" profile --per-process --format csv -q < part.json > out.txt
part='
step = [row for row in rows if row["call_path"] == "main > step"]
assert len(step) == made.RANKS
for rank, row in enumerate(step):
    assert near(row["energy"], made.energy(rank, 1) + made.energy(rank, 4)), row
    assert near(row["heat"], made.heat(1) + made.heat(4)), row
    assert row["cycles"] == str(made.cycles(1) + made.cycles(4)), row
assert all(float(row[name]) == 0 for row in rows if row not in step for name in ("energy", "heat", "cycles"))'
check "what a counter grew by outside of a window counts" right "$part"
"$TRACEFOLD" write -q -o part < part.json
expect 0 "$TRACEFOLD" verify part/traces.otf2 --against whole/traces.otf2
expect 0 "$TRACEFOLD" profile part/traces.otf2 --per-process --format csv -q
check "what was written of a window counts something else" right "$part"

# What folding leaves says the same of all iterations, and of kept ones in place of the others.
reduce_whole() { expect 0 "$TRACEFOLD" reduce whole/traces.otf2 -o "$@" --iterations 4 --keep-iterations 0-9 --keep-ids; }
reduce_whole small
check "it does not verify" "$TRACEFOLD" verify small/traces.otf2 --against whole/traces.otf2 -q
check "nothing was folded" bash -c '[ "$(otf2-print small/traces.otf2 | grep -c "^ENTER")" -lt "$(otf2-print whole/traces.otf2 | grep -c "^ENTER")" ]'
expect 0 "$TRACEFOLD" profile small/traces.otf2 --per-process --format csv -q
check "what was folded does not count" right '
step = [row for row in rows if row["call_path"] == "main > step"]
assert len(step) == made.RANKS
for rank, row in enumerate(step):
    for name, of_iteration in (("energy", [made.energy(rank, k) for k in whole]), ("heat", map(made.heat, whole)), ("cycles", map(made.cycles, whole))):
        assert math.isclose(float(row[name]), sum(of_iteration), rel_tol=0.0101), row'
expect 0 "$TRACEFOLD" profile small/traces.otf2 --ratio energy/time --format json -q
check "a quotient of what was folded is wrong" /usr/bin/python3 -c '
import json, math
ratios = [{row["function"]["name"]: row["ratio"] for row in json.load(open(name))["groups"][0]["rows"]} for name in ("rates.json", "out.txt")]
assert ratios[0]["main"] == ratios[1]["main"] == 0 and math.isclose(ratios[0]["step"], ratios[1]["step"], rel_tol=0.02), ratios'
rm -r small
reduce_whole small --profiles off
expect 0 "$TRACEFOLD" profile small/traces.otf2 --ratio energy/time -q
check "a quotient of kept processes stands for all" grep -q "^energy/time .*: -$" out.txt
expect 0 "$TRACEFOLD" iterations small/traces.otf2 --map energy --format csv --bins 99999x99999 -q
expect 0 "$TRACEFOLD" iterations small/traces.otf2 --map heat --format json -q
check "what is left has no unit" grep -q '"unit":"10^-3 J"' out.txt
expect 0 "$TRACEFOLD" iterations small/traces.otf2 --map energy --format csv --bins 99999x99999 -q
check "the energy of what is left is wrong" right '
assert len(rows) == made.ITERATIONS
for k, row in enumerate(rows[:10]):
    assert near(row["mean"], made.energy(0, k)), row
possible = [made.energy(0, k) for k in whole]
for row in rows:
    assert any(near(row["mean"], one) for one in possible), row'
finish
