#!/usr/bin/env bash
# Pages of reports, as a browser without scripts reads them (report_check.py), of traces, reduced traces and
# traces with hostile names; equal bytes for any number of threads; outputs that exist: report.sh TRACEFOLD MAKE_TRACE
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# page NAME TRACE... [OPTION...]: writes NAME.html with one thread and with two, and checks it.
page() {
  local name=$1 traces=()
  shift
  expect 0 "$TRACEFOLD" report "$@" -o "$name.html" --force -q --threads 1
  expect 0 "$TRACEFOLD" report "$@" -o - -q --threads 2
  check "$name: the page depends on threads, or on where it goes" cmp -s out.txt "$name.html"
  check "$name: the page is wrong" python3 "$here/report_check.py" "$TRACEFOLD" "$name.html" "$@"
}
has() { grep -qF -- "$2" "$1"; }
has_not() { ! grep -qF -- "$2" "$1"; }

trace_in app --ranks 8
trace_in other --ranks 8 --iterations 30
trace_in threads --ranks 4 --threads 2
trace_in alone --ranks 1

# -- traces, and what is made of them ---------------------------------------------------
page app app/traces.otf2
check "no loop is drawn" has app.html 'data-view="iterations"'
check "no message is drawn" has app.html 'data-view="matrix"'
check "the whole trace is not said to be whole" has app.html 'nothing of it was left out'
check "the way to a small trace is missing" has app.html 'tracefold reduce'
(cd app && "$TRACEFOLD" report traces.otf2 -o ../inside.html -q)
check "the way to a small trace is another one inside of its folder" has inside.html '<code>tracefold reduce traces.otf2 -o small</code>'
tar -cf 'of app.tar' -C app .
expect 0 "$TRACEFOLD" report 'of app.tar' -o tar.html -q
check "the way to a small trace of a tar is another one" has tar.html '<code>tracefold reduce &#39;of app.tar&#39; -o small</code>'
page threads threads/traces.otf2
page alone alone/traces.otf2

expect 0 "$TRACEFOLD" reduce app/traces.otf2 -o small -q
page small small/traces.otf2
check "what is kept is missing" has small.html 'What is kept'
check "what the fold costs is missing" has small.html 'of all time over processes'
check "the page is not of all processes" has small.html 'This page is of all processes'

expect 0 "$TRACEFOLD" reduce app/traces.otf2 -o bare -q --profiles off
expect 3 "$TRACEFOLD" report bare/traces.otf2 -o bare.html
check "without profiles: $(cat err.txt)" grep -q 'what its processes did in the original is unknown' err.txt
no_output bare.html

# -- beside others ----------------------------------------------------------------------
page against app/traces.otf2 --against other/traces.otf2
page three app/traces.otf2 threads/traces.otf2 small/traces.otf2
check "computation scaling is missing" has three.html 'computation scaling'
expect 2 "$TRACEFOLD" report app/traces.otf2 other/traces.otf2 --against small/traces.otf2 -o x.html
no_output x.html

# -- outputs ------------------------------------------------------------------------------
expect 0 "$TRACEFOLD" report app/traces.otf2 -q
expect 4 "$TRACEFOLD" report app/traces.otf2
expect 0 env BROWSER=true "$TRACEFOLD" report app/traces.otf2 -q --force --open
expect 4 env BROWSER=./no-browser "$TRACEFOLD" report app/traces.otf2 -q --force --open
expect 2 "$TRACEFOLD" report app/traces.otf2 -o - --open
rm report.html
expect 2 "$TRACEFOLD" report -o x.html
expect 2 "$TRACEFOLD" report app/traces.otf2 -o x.pdf
no_output x.pdf
echo mine > kept.html
expect 4 "$TRACEFOLD" report app/traces.otf2 -o kept.html
check "an existing file was replaced" has kept.html mine
expect 0 "$TRACEFOLD" report app/traces.otf2 -o kept.html --force
check "no note says where the page is" has err.txt kept.html
check "the page was not replaced" cmp -s kept.html app.html
expect 3 "$TRACEFOLD" report nothing.otf2 -o x.html
no_output x.html
check "unfinished pages are left" no_pending

# -- names ----------------------------------------------------------------------------------
cp -r app hostile
python3 - hostile/traces.def <<'PY'
import sys
data = open(sys.argv[1], "rb").read()
for plain, hostile in {b"read_input": b"</script>\"", b"write_output": b"<!--\xe2\x80\xae<b>'=", b"exchange": b"a&#1;&lt",
                       b"MPI_Allreduce": b"\x1b[31m\r\n<&\xffx>\"", b"MPI_Waitall": b"]]><svg/on=", b"compute": b"\xe2\x81\xa6<i>\x07"}.items():
    if plain not in data:
        continue
    assert len(plain) == len(hostile), plain
    data = data.replace(plain, hostile)
open(sys.argv[1], "wb").write(data)
PY
page hostile hostile/traces.otf2
check "markup of a name is in the page" has_not hostile.html '</script>&quot;</bdi>'
expect 0 "$TRACEFOLD" reduce hostile/traces.otf2 -o hostile-small -q
page hostile-small hostile-small/traces.otf2

# -- real traces ----------------------------------------------------------------------------
shared=${TRACEFOLD_SHARED:-$root/../shared}
for case in "$shared"/cases/*/traces.otf2 "$shared"/cases/*/*/traces.otf2; do
  [ -e "$case" ] || continue
  page case "$case"
done
pack=$(compgen -G "$shared/traces/npb_lu_*64.tar.zst" | head -n 1 || true)
if [ -n "$pack" ]; then
  mkdir lu
  tar --zstd -xf "$pack" -C lu
  lu=$(find lu -name traces.otf2 | head -n 1)
  page lu64 "$lu"
  check "the page of 64 ranks of LU is larger than 500 kB: $(stat -c %s lu64.html)" test "$(stat -c %s lu64.html)" -le 500000
else
  skipped "real traces: no folder $shared/traces"
fi

finish
