#!/usr/bin/env bash
# Names with terminal escapes, quotes, line ends, markup and bytes that are no
# UTF-8, in every format that names come out in: hostile_names.sh TRACEFOLD MAKE_TRACE
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

trace_in app --ranks 4 --threads 2
# Names of equal length, so that the definitions stay whole.
python3 - app/traces.def <<'PY'
import sys
data = open(sys.argv[1], "rb").read()
for plain, hostile in {b"read_input": b"\x1b[31m\"<&\n\xff", b"write_output": b"a\";}\\\r\n,'$`!", b"Master thread": b"\xc2\x9b\xed\xa0\x80]]><b>,\"",
                       b"exchange": b"a&#1;&lt", b"ITERATION": b"\xf0\x9f\x98\x80 \xe2\x89\x88 "}.items():
    assert data.count(plain) >= 1 and len(plain) == len(hostile), plain
    data = data.replace(plain, hostile)
open(sys.argv[1], "wb").write(data)
PY

# no_control FILE: nothing that a terminal would take as a command.
no_control() { ! LC_ALL=C grep -qP '[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]' "$1" && ! LC_ALL=C grep -qP '\xc2[\x80-\x9f]' "$1"; }

as_json() { python3 -c 'import json, sys; json.loads(open(sys.argv[1], "rb").read().decode("utf-8"))' "$1"; }
as_xml() { python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' "$1"; }
as_utf8() { python3 -c 'import sys; open(sys.argv[1], "rb").read().decode("utf-8")' "$1"; }
# Every line has as many fields as the first.
as_csv() { python3 -c 'import csv, sys; rows = list(csv.reader(open(sys.argv[1], encoding="utf-8", errors="surrogateescape", newline=""))); assert len(rows) > 1 and len({len(r) for r in rows}) == 1, rows' "$1"; }

for command in similarity pairs profile "profile --call-paths"; do
  # shellcheck disable=SC2086  # a command with its options
  for format in table csv json; do
    expect 0 "$TRACEFOLD" $command app/traces.otf2 --format $format
    mv out.txt "$format.txt"
  done
  check "$command: control characters in the table" no_control table.txt
  check "$command: CSV is torn" as_csv csv.txt
  check "$command: JSON is torn" as_json json.txt
done

for ending in dot json graphml cxt; do
  expect 0 "$TRACEFOLD" lattice app/traces.otf2 -o app.$ending
  check "lattice: no UTF-8 in .$ending" as_utf8 app.$ending
  [ "$ending" = json ] || check "lattice: control characters in .$ending" no_control app.$ending
done
check "lattice: JSON is torn" as_json app.json
check "lattice: GraphML is torn" as_xml app.graphml
if command -v dot > /dev/null; then
  expect 0 "$TRACEFOLD" lattice app/traces.otf2 -o app.svg
  check "lattice: SVG is torn" as_xml app.svg
else
  skipped "SVG: Graphviz is not installed"
fi

for command in group select info; do
  expect 0 "$TRACEFOLD" $command app/traces.otf2 --json
  check "$command: JSON is torn" as_json out.txt
done
expect 0 "$TRACEFOLD" reduce app/traces.otf2 -o small
check "reduce: control characters in the table" no_control out.txt
expect 0 "$TRACEFOLD" verify small/traces.otf2 --against app/traces.otf2
check "the reduced trace is not clean" is_clean small/traces.otf2
finish
