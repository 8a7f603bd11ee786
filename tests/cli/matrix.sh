#!/usr/bin/env bash
# The communication matrix of the shared traces: what a program of its own adds up from the records of
# sends, and the same, byte for byte, from the reduced trace, for ranks and nodes and groups and
# whatever it is split by. Packs: $TRACEFOLD_SHARED/traces, beside the project by default.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

shared=${TRACEFOLD_SHARED:-$root/../shared}
if ! compgen -G "$shared/traces/*.tar.zst" > /dev/null; then
  skipped "no shared traces at $shared"
  exit 77
fi

# matrix TRACE OPTIONS...: of CSV, so that it can be compared.
matrix() { "$TRACEFOLD" matrix -q "$@" --format csv < /dev/null; }

for pack in "$shared"/traces/*.tar.zst; do
  name=$(basename "$pack" .tar.zst)
  tar --zstd -xf "$pack"
  trace=$(find "$name" -name '*.otf2' | head -n 1)
  expect 0 "$TRACEFOLD" reduce -q "$trace" -o small

  for way in "" "--rows node" "--rows group" "--split communicator" "--split tag" "--split call-path" \
    "--rows group --split tag"; do
    # shellcheck disable=SC2086
    matrix "$trace" $way > original.csv || fail "$name: no matrix $way"
    # shellcheck disable=SC2086
    matrix small/traces.otf2 $way > reduced.csv || fail "$name: no matrix $way of the reduced trace"
    check "$name: the matrix $way of the reduced trace is another one" cmp -s original.csv reduced.csv
  done

  # Lines are as wide as they have to be: rows of both have the same names.
  "$TRACEFOLD" matrix -q "$trace" --rows group --format table > original.txt < /dev/null
  "$TRACEFOLD" matrix -q small/traces.otf2 --rows group --format table > reduced.txt < /dev/null
  check "$name: no table of groups" [ -s original.txt ]
  check "$name: the table of groups of the reduced trace differs" cmp -s original.txt reduced.txt

  "$TRACEFOLD" matrix -q "$trace" --json > original.json < /dev/null
  "$TRACEFOLD" matrix -q small/traces.otf2 --json > reduced.json < /dev/null
  check "$name: JSON of the reduced trace differs" cmp -s original.json reduced.json
  "$TRACEFOLD" matrix -q "$trace" -o - > original.svg < /dev/null
  "$TRACEFOLD" matrix -q small/traces.otf2 -o - > reduced.svg < /dev/null
  check "$name: the drawing of the reduced trace differs" cmp -s original.svg reduced.svg
  check "$name: the drawing is no XML" python3 -c \
    'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' original.svg

  # Sends as otf2-print tells them, where it is small enough: all messages and bytes.
  case $name in
    npb_lu_W_4 | npb_cg_S_4 | minife_8)
      otf2-print "$trace" 2> /dev/null | awk '
        /^MPI_I?SEND / {
          messages++
          for (i = 1; i < NF; i++) if ($i == "Length:") bytes += $(i + 1)
        }
        END { printf "%d %d\n", messages, bytes }' > told.txt
      matrix "$trace" | awk -F, 'NR > 1 { m += $3; b += $4 } END { printf "%d %d\n", m, b }' > added.txt
      check "$name: the matrix has other messages than the records: $(cat added.txt told.txt)" \
        cmp -s told.txt added.txt
      ;;
  esac
  rm -rf "$name" small
done

# Reduced again, from a plan, with other threads and the other reader.
tar --zstd -xf "$shared/traces/npb_lu_W_64.tar.zst"
trace=$(find npb_lu_W_64 -name '*.otf2' | head -n 1)
matrix "$trace" > original.csv
expect 0 "$TRACEFOLD" reduce -q "$trace" --by signature -o small
expect 0 "$TRACEFOLD" reduce -q small/traces.otf2 --threshold 0.1 -o smaller
matrix smaller/traces.otf2 > other.csv
check "the matrix of a trace that was reduced twice is another one" cmp -s original.csv other.csv
"$TRACEFOLD" group -q "$trace" --messages on < /dev/null | "$TRACEFOLD" matrix --format csv > other.csv
check "the matrix of a plan is another one" cmp -s original.csv other.csv
matrix "$trace" --threads 1 --reader otf2 > other.csv
check "the matrix depends on the reader" cmp -s original.csv other.csv

expect 0 "$TRACEFOLD" reduce -q "$trace" --messages off -o silent
expect 3 "$TRACEFOLD" matrix silent/traces.otf2
check "what is missing is not said" grep -q 'keeps no messages beside it' err.txt
expect 2 "$TRACEFOLD" matrix "$trace" --rows thread
expect 2 "$TRACEFOLD" matrix "$trace" -o matrix.png
expect 2 "$TRACEFOLD" matrix "$trace" -o matrix.svg --split tag
expect 0 "$TRACEFOLD" matrix "$trace" -o matrix.svg
expect 4 "$TRACEFOLD" matrix "$trace" -o matrix.svg
expect 0 "$TRACEFOLD" matrix "$trace" -o matrix.svg --force
finish
