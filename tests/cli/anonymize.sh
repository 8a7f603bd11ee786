#!/usr/bin/env bash
# A trace that is given away: no name of a function, file, host or counter of the original is in
# anything that `reduce --anonymize` writes or prints, and its figures are the original's.
#   anonymize.sh TRACEFOLD MAKE_TRACE
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
python=/usr/bin/python3  # Debian's, which has otf2 and zstandard
"$python" -c 'import otf2, zstandard' 2> /dev/null || { skipped "python3-otf2 or zstandard is missing"; exit 77; }

visit() { # visit ANCHOR NAME…: names besides those that are found in it
  rm -rf small table.json out.json
  expect 0 "$TRACEFOLD" reduce "$1" -o small --anonymize table.json
  cat out.txt err.txt > said.txt
  checks=$((checks + 1))
  "$python" "$here/anonymize_check.py" "$1" small table.json said.txt --also "${@:2}" > found.txt || fail "names of $1: $(head -n 5 found.txt)"
  check "the table can be read by others" test "$(stat -c %a table.json)" = 600
  check "a strict reader complains of $1" is_clean small/traces.otf2
  expect 0 "$TRACEFOLD" verify small/traces.otf2 --against "$1" --anonymize table.json
  expect 1 "$TRACEFOLD" verify small/traces.otf2 --against "$1"
  check "nothing says which option checks codes" grep -q 'are codes: --anonymize TABLE checks them' err.txt
  check "more than that is said: $(cat out.txt)" [ "$(wc -l < out.txt)" = 1 ]
  check "codes are not named" grep -q 'names in the reduced trace are codes' out.txt
  "$TRACEFOLD" profile "$1" --format json -q > profile.json < /dev/null
  expect 0 "$TRACEFOLD" profile small/traces.otf2 --format json -q
  check "figures of $1" "$python" - << 'END'
import json
table = json.load(open("table.json"))["names"]
original, small = (json.load(open(name)) for name in ("profile.json", "out.txt"))
def visits(document, find_name):
    rows = [row for group in document["groups"] for row in group["rows"]]
    named = [(find_name(row["function"]["name"]), row["visits"]["total"]) for row in rows]
    return sorted((name, total) for name, total in named if "@" not in name)
one, other = visits(original, str), visits(small, lambda name: table.get(name, name))
assert one and one == other, [pair for pair in zip(one, other) if pair[0] != pair[1]][:3]
END
}

trace_in app --ranks 6 --threads 2 --iterations 5
visit app/traces.otf2

# Own functions that are called as those of interfaces begin; the latter stay.
"$python" "$here/make_named_trace.py" named
visit named/traces.otf2 secret SECRETPROJECT ACME secretlock secret.c
for name in MPI_Send omp_set_lock cudaMemcpy NAME::P1; do
  check "$name is not in the trace" grep -qa "$name" small/traces.def small/traces.otf2
done

# Globs name codes, as the plan has them.
for options in "--ignore compute" "--combine Mast*r" "--begin-at compute" "--region compute"; do
  # shellcheck disable=SC2086
  expect 2 "$TRACEFOLD" reduce app/traces.otf2 -o small3 --anonymize table.json $options
  no_output small3
done
expect 2 "$TRACEFOLD" reduce app/traces.otf2 -o small3 --anonymize table.json --ignore compute
check "nothing says that options name codes: $(cat err.txt)" grep -q 'options name their codes' err.txt
expect 0 "$TRACEFOLD" reduce app/traces.otf2 -o small3 --anonymize table.json --ignore 'f*' --combine 'OMP*'
check "the plan lacks its globs" grep -q '"f\*"' small3/tracefold.json
rm -rf small3

# The same table for the next trace: the same codes.
cp table.json before.json
trace_in other --ranks 3 --iterations 4
expect 0 "$TRACEFOLD" reduce other/traces.otf2 -o small2 -q --anonymize table.json
check "codes have changed" "$python" -c '
import json
before, after = (json.load(open(name))["names"] for name in ("before.json", "table.json"))
assert all(after[code] == name for code, name in before.items())'

echo '{"tracefold_names": 1, "names": {"f901": "main", "f902": "solve"}}' > other_table.json
expect 1 "$TRACEFOLD" verify small/traces.otf2 --against app/traces.otf2 --anonymize other_table.json
check "nothing says that the table is another one" grep -q 'are codes of another table' err.txt

# A table that is not there is no table without names.
expect 3 "$TRACEFOLD" verify small/traces.otf2 --against app/traces.otf2 --anonymize nothing.json
check "the file is not named" grep -q 'nothing.json: no such file' err.txt

# What cannot be.
expect 2 "$TRACEFOLD" reduce app/traces.otf2 -o small3 --anonymize small3/table.json
no_output small3
ln -s . here
expect 2 "$TRACEFOLD" reduce app/traces.otf2 -o small3 --anonymize here/small3/table.json
no_output small3
expect 2 "$TRACEFOLD" reduce app/traces.otf2 -o small3.tar --anonymize small3.tar --force
no_output small3.tar
expect 2 "$TRACEFOLD" reduce app/traces.otf2 -o small3 --anonymize ""
no_output small3
expect 2 "$TRACEFOLD" reduce app/traces.otf2 -o small3 --anonymize table.json --like small2/traces.otf2
no_output small3
expect 3 "$TRACEFOLD" reduce small2/traces.otf2 -o small3 --anonymize table.json
no_output small3
echo '{"f1": "main"}' > no_table.json
expect 3 "$TRACEFOLD" reduce app/traces.otf2 -o small3 --anonymize no_table.json
check "the file is not named" grep -q 'no_table.json' err.txt
"$TRACEFOLD" group app/traces.otf2 > plan.json < /dev/null
checks=$((checks + 1))
status=0
"$TRACEFOLD" reduce - -o small3 --anonymize table.json < plan.json > out.txt 2> err.txt || status=$?
[ "$status" = 2 ] || fail "a plan is taken with --anonymize ($status)"
no_output small3

packs=${TRACEFOLD_SHARED:-$root/../shared}/traces
for name in npb_lu_W_16 lulesh_8x2 miniamr_8; do
  [ -e "$packs/$name.tar.zst" ] || { skipped "$name is not there"; continue; }
  tar --zstd -xf "$packs/$name.tar.zst"
  visit "$(find "$name" -name '*.otf2')"
  rm -rf "$name"
done

# EZTrace records MPI's functions as those of the program, and python3-otf2 cannot read its definitions: a summary has to say the same
# as without codes.
if [ -e "$packs/ez_hpcc_4.tar.zst" ]; then
  tar --zstd -xf "$packs/ez_hpcc_4.tar.zst"
  rm -rf small table.json
  expect 0 "$TRACEFOLD" reduce ez_hpcc_4/eztrace_log.otf2 -o plain -q
  expect 0 "$TRACEFOLD" reduce ez_hpcc_4/eztrace_log.otf2 -o small -q --anonymize table.json
  check "MPI_Sendrecv is not there" grep -qa MPI_Sendrecv small/traces.def
  check "the original has no name of its own" grep -qa Working plain/traces.def
  check "an own name is there" [ "$(grep -cae Working -e 'EZTrace finalize' small/traces.def)" = 0 ]
  "$TRACEFOLD" summary plain/traces.otf2 --json -q < /dev/null > plain.json
  expect 0 "$TRACEFOLD" summary small/traces.otf2 --json -q
  check "a summary with codes says something else" "$python" - << 'END'
import json, re
table = json.load(open("table.json"))["names"]
with_codes = re.sub(r"\b[a-z]+[0-9]+\b", lambda code: table.get(code[0], code[0]), open("out.txt").read())
plain, decoded = (re.sub(r'"[^"]*traces.otf2"', '""', text) for text in (open("plain.json").read(), with_codes))
assert json.loads(plain) == json.loads(decoded), [pair for pair in zip(plain.split(","), decoded.split(",")) if pair[0] != pair[1]][:5]
END
else
  skipped "ez_hpcc_4 is not there"
fi
finish
