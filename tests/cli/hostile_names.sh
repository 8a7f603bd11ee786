#!/usr/bin/env bash
# Names with terminal escapes, quotes, line ends, markup, paths, commands and bytes
# that are no UTF-8, in every format that names come out in, and in errors:
# hostile_names.sh TRACEFOLD MAKE_TRACE
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

trace_in app --ranks 4 --threads 2
# Names of equal length, so that the definitions stay whole.
python3 - app/traces.def app/traces.otf2 <<'PY'
import sys
names = [{b"read_input": b"\x1b[31m\"<&\n\xff", b"write_output": b"a\";}\\\r\n,'$`!", b"Master thread": b"\xc2\x9b\xed\xa0\x80]]><b>,\"",
          b"exchange": b"a&#1;&lt", b"ITERATION": b"\xf0\x9f\x98\x80 \xe2\x89\x88 ", b"MPI_Allreduce": b"$(touch evil)", b"MPI_Finalize": b"=cmd|' /C x'",
          b"MPI_Waitall": b"../../evil/", b"solver.c": b"/evil\x1b]0", b"compute": b"\x1b]0;xy\x07", b"MPI_Isend": b"\x7f\xc2\x85\t`evil", b"node0": b"\x1b[2J\x07"},
         {b"tracefold make_trace": b"\x1b]0;evil\x07 \x9b31m \xffxyz\r"}]
for file, hostile_of in zip(sys.argv[1:], names):
    data = open(file, "rb").read()
    for plain, hostile in hostile_of.items():
        if plain == b"node0" and plain not in data: continue
        assert data.count(plain) >= 1 and len(plain) == len(hostile), plain
        data = data.replace(plain, hostile)
    open(file, "wb").write(data)
PY
before=$(hash_of app)

# no_control FILE: nothing that a terminal would take as a command.
no_control() { ! LC_ALL=C grep -qP '[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]' "$1" && ! LC_ALL=C grep -qP '\xc2[\x80-\x9f]' "$1"; }

as_json() { python3 -c 'import json, sys; json.loads(open(sys.argv[1], "rb").read().decode("utf-8"))' "$1"; }
as_xml() { python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' "$1"; }
as_utf8() { python3 -c 'import sys; open(sys.argv[1], "rb").read().decode("utf-8")' "$1"; }
# Every line has as many fields as the first.
as_csv() { python3 -c 'import csv, sys; rows = list(csv.reader(open(sys.argv[1], encoding="utf-8", newline=""))); assert len(rows) > 1 and len({len(r) for r in rows}) == 1, rows' "$1"; }

for command in similarity "similarity --pairs" "group --why" iterations profile "profile --call-paths" "profile --function *"; do
  # shellcheck disable=SC2086  # a command with its options
  for format in table csv json; do
    set -f
    expect 0 "$TRACEFOLD" $command app/traces.otf2 --format $format
    set +f
    mv out.txt "$format.txt"
    check "$command: control characters in the $format" no_control "$format.txt"
  done
  check "$command: CSV is torn" as_csv csv.txt
  check "$command: JSON is torn" as_json json.txt
done

for ending in dot json graphml cxt; do
  expect 0 "$TRACEFOLD" lattice app/traces.otf2 -o app.$ending
  check "lattice: no UTF-8 in .$ending" as_utf8 app.$ending
  check "lattice: control characters in .$ending" no_control app.$ending
done
check "lattice: JSON is torn" as_json app.json
check "lattice: GraphML is torn" as_xml app.graphml
if command -v dot > /dev/null; then
  expect 0 "$TRACEFOLD" lattice app/traces.otf2 -o app.svg
  check "lattice: SVG is torn" as_xml app.svg
else
  skipped "SVG: Graphviz is not installed"
fi

cp -r app $'a<&\x1b[31m"\xff'
expect 0 "$TRACEFOLD" iterations $'a<&\x1b[31m"\xff'/traces.otf2 --map 'MPI time' --call-path '*' -o map.svg
check "iterations: SVG is torn" as_xml map.svg
check "iterations: control characters in the SVG" no_control map.svg

for command in group select filter info; do
  for json in "" --json; do
    # shellcheck disable=SC2086  # no option at all
    [ "$command$json" = info ] || expect 0 "$TRACEFOLD" $command app/traces.otf2 $json
    [ "$command$json" = info ] || check "$command: JSON is torn" as_json out.txt
    check "$command $json: control characters" no_control out.txt
    [ "$command$json" != info ] || expect 0 "$TRACEFOLD" info app/traces.otf2
    check "$command $json: control characters" no_control out.txt
    # shellcheck disable=SC2016  # for the shell that script starts
    NO_COLOR=1 C=$command J=$json script -qec '"$TRACEFOLD" "$C" app/traces.otf2 $J 2> /dev/null' /dev/null < /dev/null | tr -d '\r' > terminal.txt
    check "$command $json: control characters on a terminal" no_control terminal.txt
  done
done
expect 0 "$TRACEFOLD" reduce app/traces.otf2 -o small
check "reduce: control characters in the table" no_control out.txt
check "reduce: control characters in the plan" no_control small/tracefold.json

# Files for viewers.
expect 0 "$TRACEFOLD" reduce app/traces.otf2 -o view.json -q
check "reduce: JSON for viewers is torn" as_json view.json
check "reduce: control characters in JSON for viewers" no_control view.json
expect 0 "$TRACEFOLD" reduce app/traces.otf2 -o view.pftrace -q
expect 0 bash -c 'protoc --proto_path="$1" --decode=Trace perfetto_fields.proto < view.pftrace' - "$here"
check "reduce: the file for Perfetto is torn" grep -q 'track_descriptor' out.txt
expect 0 "$TRACEFOLD" verify small/traces.otf2 --against app/traces.otf2
check "the reduced trace is not clean" is_clean small/traces.otf2

# quiet_error STATUS COMMAND...: an error in one line that steers no terminal.
quiet_error() {
  expect "$@"
  check "not one line: $(head -c 300 err.txt)" [ "$(wc -l < err.txt)" = 1 ]
  check "control characters in: $(cat -v err.txt)" no_control err.txt
  check "no UTF-8 in: $(cat -v err.txt)" as_utf8 err.txt
}
folder=$'a\e[31m\n\xff $(touch evil)'
cp -r app "$folder"
quiet_error 3 "$TRACEFOLD" info "$folder/missing.otf2"
quiet_error 3 "$TRACEFOLD" info "$folder/traces"
quiet_error 4 "$TRACEFOLD" reduce app/traces.otf2 -o "$folder"
quiet_error 4 "$TRACEFOLD" lattice app/traces.otf2 -o "$folder/traces/0.def/x.dot"
quiet_error 2 "$TRACEFOLD" lattice app/traces.otf2 -o "$folder/x.$folder"
quiet_error 2 "$TRACEFOLD" "$folder"
quiet_error 2 "$TRACEFOLD" info "--$folder"
quiet_error 2 "$TRACEFOLD" info app/traces.otf2 --threads "$folder"
quiet_error 2 "$TRACEFOLD" profile app/traces.otf2 --function $'\e[31m'
quiet_error 2 "$TRACEFOLD" profile app/traces.otf2 --function '?]0;'
quiet_error 2 "$TRACEFOLD" iterations app/traces.otf2 --region '?]0;'
quiet_error 2 "$TRACEFOLD" select app/traces.otf2 --representative "$folder"
quiet_error 0 "$TRACEFOLD" group app/traces.otf2 --ignore "$folder"
quiet_error 0 "$TRACEFOLD" lattice app/traces.otf2 -o "$folder/x.dot"
truncate -s 40 "$folder/traces/0.evt"
quiet_error 3 "$TRACEFOLD" info "$folder/traces.otf2"
rm "$folder/traces.def"
quiet_error 3 "$TRACEFOLD" info "$folder/traces.otf2"
quiet_error 3 bash -c 'printf "{\"tracefold_plan\": 2, \"trace\": \"\e[31m" | "$TRACEFOLD" group'

# A plan from elsewhere: whatever its names say, nothing but the output is made.
"$TRACEFOLD" group app/traces.otf2 | "$TRACEFOLD" select > plan.json
python3 - plan.json <<'PY'
import json, sys
plan = json.load(open(sys.argv[1]))
for key in ("out", "output", "-o", "force", "log", "include"):
    plan[key] = "../evil"
plan["trace"]["out"] = "/tmp/evil"
for process in plan["profiles"]:
    process["name"] = process["location_group_name"] = "../../evil; touch evil `touch evil` \x1b[31m\0"
for function in plan["functions"]:
    function["name"] = function["canonical"] = function["file"] = "/../evil"
for one in plan["representatives"]:
    one["why"] = "$(touch evil)\n\x1b[31m"
json.dump(plan, open(sys.argv[1], "w"))
PY
touch names.txt
find . | grep -avE '^./(part|out.txt|err.txt)' | sort > names.txt
expect 0 bash -c '"$TRACEFOLD" write -o part < plan.json'
check "write makes more than its output" diff <(find . | grep -avE '^./(part|out.txt|err.txt)' | sort) names.txt
check "write: control characters in its plan" no_control part/tracefold.json
check "the written trace is not clean" is_clean part/traces.otf2
for command in select "similarity --pairs" similarity profile; do
  expect 0 bash -c '"$TRACEFOLD" '"$command"' < plan.json'
  check "$command of a plan: control characters" no_control out.txt
done
check "something was made or run that a name says" [ -z "$(find . -name 'evil*')" ]
check "something is made beside the folder" [ ! -e ../evil ]
check "the input has changed" [ "$before" = "$(hash_of app)" ]
finish
