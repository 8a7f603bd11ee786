#!/usr/bin/env bash
# Who sends messages to whom and waits for whom, what made others wait, and what is between MPI_Init
# and MPI_Finalize, in tracefold.profiles: what an independent computation says, of the example and of real traces in
# $TRACEFOLD_SHARED/traces. And the matrix of waiting is the same before and after reducing.
#   partners.sh TRACEFOLD MAKE_TRACE
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

command -v otf2-print > /dev/null || { skipped "otf2-print is missing"; exit 77; }
python=/usr/bin/python3  # Debian's, which has numpy and zstandard
"$python" -c 'import numpy, zstandard' 2> /dev/null || { skipped "numpy or zstandard is missing"; exit 77; }

delays_agree() { "$python" "$here/delays_check.py" "$TRACEFOLD" "$1" > said.txt || { cat said.txt >&2; false; }; }
agrees() { "$python" "$here/partners_check.py" "$TRACEFOLD" "$1" > said.txt || { cat said.txt >&2; false; }; }

trace_in app --ranks 6 --threads 2 --iterations 9
check "a made trace" agrees app/traces.otf2
check "nothing was compared" grep -q '[1-9][0-9]* values compared, 0 wrong' said.txt
check "what made others wait in a made trace" delays_agree app/traces.otf2
check "no delay was compared" grep -q '[1-9][0-9]* charges compared, 0 wrong' said.txt

"$TRACEFOLD" reduce app/traces.otf2 -o small -q
expect 0 "$TRACEFOLD" matrix --metric waiting --format csv app/traces.otf2
cp out.txt of_original.csv
expect 0 "$TRACEFOLD" matrix --metric waiting --format csv small/traces.otf2
check "a note does not say how exact it is" grep -q 'times to 1 %, from tracefold.profiles' err.txt
check "the matrix is another one" "$python" - << 'END'
import csv, sys
original, small = (list(csv.DictReader(open(name))) for name in ("of_original.csv", "out.txt"))
near = lambda a, b: abs(float(a["waiting_seconds"]) - float(b["waiting_seconds"])) <= 0.0101 * float(b["waiting_seconds"])
same = lambda a, b: all(a[name] == b[name] for name in ("from", "to", "messages", "bytes")) and near(a, b)
sys.exit(not (original and len(original) == len(small) and all(map(same, small, original))))
END
expect 2 "$TRACEFOLD" matrix --metric waiting --split tag app/traces.otf2
"$TRACEFOLD" reduce app/traces.otf2 -o without -q --profiles off
expect 3 "$TRACEFOLD" matrix --metric waiting without/traces.otf2
check "it does not say why" grep -q 'keeps nothing of who waits for whom' err.txt

# Where nothing is left out, the small trace answers as the original does.
expect 0 "$TRACEFOLD" write app/traces.otf2 -o whole -q
check "a trace that keeps all does not say so" grep -qa 'TRACEFOLD::WHOLE' whole/traces.otf2
check "a trace that leaves out much says that it is whole" sh -c '! grep -qa TRACEFOLD::WHOLE small/traces.otf2'
expect 0 "$TRACEFOLD" verify whole/traces.otf2 --against app/traces.otf2
expect 0 "$TRACEFOLD" matrix --metric waiting --format csv whole/traces.otf2
check "the matrix of a whole trace is another one" cmp out.txt of_original.csv
for rows in rank node; do
  "$TRACEFOLD" matrix -q --rows $rows --format csv app/traces.otf2 > original_rows.csv < /dev/null
  expect 0 "$TRACEFOLD" matrix -q --rows $rows --format csv whole/traces.otf2
  check "rows by $rows of a whole trace are others" cmp out.txt original_rows.csv
done
# Groups are numbered by the places of their processes, which are others in what was written.
numbers() { cut -d , -f 3- "$1" | sort; }
"$TRACEFOLD" matrix -q --rows group --format csv app/traces.otf2 > original_rows.csv < /dev/null
expect 0 "$TRACEFOLD" matrix -q --rows group --format csv whole/traces.otf2
check "groups of a whole trace exchange other messages" [ "$(numbers out.txt)" = "$(numbers original_rows.csv)" ]
for command in summary "compare app/traces.otf2"; do
  expect 0 "$TRACEFOLD" $command whole/traces.otf2
  check "$command says that processes are missing" sh -c '! grep -q "kept processes only" out.txt err.txt'
done

packs=${TRACEFOLD_SHARED:-$root/../shared}/traces
compgen -G "$packs/*.tar.zst" > /dev/null || skipped "no shared traces at $packs"
visit() { # visit CHECK WORDS NAME...: the traces of these packs, as far as they are there
  local check_one=$1 words=$2 name
  for name in "${@:3}"; do
    [ -e "$packs/$name.tar.zst" ] || continue
    tar --zstd -xf "$packs/$name.tar.zst"
    check "$words $name" "$check_one" "$(find "$name" -name '*.otf2')"
    rm -rf "$name"
  done
}
visit agrees "who talks to whom in" npb_lu_W_16 minife_8 npb_ft_S_16 amg_8x2
visit delays_agree "what made others wait in" npb_lu_W_16 npb_is_S_16 hpccg_16 npbph_lu_W_9 lulesh_8x2
finish
