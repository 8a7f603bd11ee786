#!/usr/bin/env bash
# Which files a run reads and writes, by whom and how fast, as an independent computation has it: of
# a trace with MPI's operations, those of the layer below in them, lost and cancelled ones, and of
# shared ones; and small traces say the same of their originals.
#   files.sh TRACEFOLD MAKE_TRACE
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
shared=${TRACEFOLD_SHARED:-$root/../shared}

# same_files NAME TRACE.otf2
same_files() {
  local status=0
  expect 0 "$TRACEFOLD" reduce -q "$2" -o "$1-small"
  PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$here/files_check.py" "$TRACEFOLD" "$2" "$1-small/traces.otf2" || status=$?
  if [ "$status" = 77 ]; then
    skipped "no python3-otf2 to compare with"
  else
    check "$1: other figures of files than an independent computation's" [ "$status" = 0 ]
  fi
}

PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$here/make_records_trace.py" records
same_files records records/traces.otf2
expect 0 "$TRACEFOLD" summary -q --wide records/traces.otf2
check "MPI's file is not told, or with the bytes of the layer below" grep -q "^I/O: 144 KiB written to /scratch/shared.dat by all 8 ranks in .* each (3.0 % of the run)" out.txt
check "files of single ranks are not told together" grep -q "^I/O: .* written to 9 other files in .* together" out.txt
check "more than three lines" [ "$(grep -c "^I/O: " out.txt)" = 2 ]
# Who is left of those who used a file is known, and not what the others did.
expect 0 "$TRACEFOLD" reduce -q records-small/traces.otf2 -o again --locations rank:0
expect 0 "$TRACEFOLD" summary -q --json again/traces.otf2
check "files of processes that are gone are told" grep -q '"files": *null' out.txt

trace_in app --ranks 4
expect 0 "$TRACEFOLD" summary -q --json app/traces.otf2
check "a program without files has some" grep -q '"files": *\[\]' out.txt

for name in io_is_useful checkpoint_period; do
  [ -e "$shared/cases-answers/$name/trace.tar.zst" ] || continue
  mkdir "$name" && tar --zstd -xf "$shared/cases-answers/$name/trace.tar.zst" -C "$name"
  same_files "$name" "$name/trace/traces.otf2"
done
finish
