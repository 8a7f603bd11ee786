#!/usr/bin/env bash
# Times of waiting are what an independent computation says, of the example and of real traces in
# $TRACEFOLD_SHARED/traces; whichever processes are kept, and nothing where processes are missing.
#   waits.sh TRACEFOLD MAKE_TRACE
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

command -v otf2-print > /dev/null || { skipped "otf2-print is missing"; exit 77; }

agrees() { python3 "$here/waits_check.py" "$TRACEFOLD" "$1" > said.txt || { cat said.txt >&2; false; }; }

trace_in app --ranks 6 --threads 2 --iterations 9
check "a made trace" agrees app/traces.otf2

"$TRACEFOLD" reduce -q app/traces.otf2 -o small --iterations off --profiles off
for metric in 'MPI late-receiver time' 'MPI wait-at-NxN time' 'MPI late-broadcast time'; do
  expect 0 "$TRACEFOLD" iterations app/traces.otf2 --map "$metric" --format csv
  expect 2 "$TRACEFOLD" iterations small/traces.otf2 --map "$metric" --format csv
  check "$metric: says why it is not known" grep -q "'$metric': is not known, since the trace was reduced before" err.txt
  expect 2 "$TRACEFOLD" correlate small/traces.otf2 --metric "$metric" --all-pairs
  check "$metric: correlate says why" grep -q "$metric is not known, since the trace was reduced before" err.txt
done
expect 0 "$TRACEFOLD" profile small/traces.otf2 --per-process --format csv
check "no column where it is not known" [ "$(grep -c 'late_sender\|wait_at\|late_receiver' out.txt)" = 0 ]
check "a warning where it is not known" grep -q 'times of waiting are not known, since the trace was reduced before' err.txt

# What was known when iterations were folded is stored, and is not warned of. What is not known has no error.
"$TRACEFOLD" reduce -q app/traces.otf2 -o folded --iterations 3
expect 0 "$TRACEFOLD" profile folded/traces.otf2 --per-process --format csv
check "stored times of waiting are not told" grep -q 'MPI_wait_at_NxN_time_seconds' out.txt
check "a warning of what is known" [ "$(grep -c 'times of waiting' err.txt)" = 0 ]
"$TRACEFOLD" filter -q app/traces.otf2 --locations 0-2 < /dev/null | "$TRACEFOLD" group -q | "$TRACEFOLD" select -q > selected.json
"$TRACEFOLD" iterations --clusters 3 --json < selected.json > out.txt 2> err.txt
check "iterations do not say what is not known" grep -q 'times of waiting are not known, since processes are left out' err.txt
check "an error of what is not known" [ "$(grep -c waiting_error out.txt)" = 0 ]
"$TRACEFOLD" write -q -o partly < out.txt
expect 0 "$TRACEFOLD" profile partly/traces.otf2 --per-process --format csv
check "nothing says that waiting was not stored" grep -q 'times of waiting are not known, since they were not stored with the rest' err.txt

expect 2 "$TRACEFOLD" correlate small/traces.otf2 --explain
check "nothing is explained where it is not known" grep -q 'who waits is not known, since the trace was reduced before' err.txt

# Where every process is kept and no iteration is folded, what was known is stored, too. The trace
# that is written numbers its locations anew, so that rows are compared by rank and times.
"$TRACEFOLD" group -q app/traces.otf2 | "$TRACEFOLD" select -q --always 0-5,4294967296-4294967301 > all.json
"$TRACEFOLD" iterations -q --clusters 9 < all.json | "$TRACEFOLD" write -q -o whole
for name in app whole; do
  expect 0 "$TRACEFOLD" iterations $name/traces.otf2 --map 'MPI wait-at-NxN time' --csv map --format csv
  cut -d, -f2- out.txt | sort > $name.csv
done
check "times of waiting" grep -q '0\.0005' app.csv
check "times of waiting are lost where nothing is folded" cmp app.csv whole.csv

packs=${TRACEFOLD_SHARED:-$root/../shared}/traces
compgen -G "$packs/*.tar.zst" > /dev/null || skipped "no shared traces at $packs"
for name in btmz_W_4x4 minife_8 npb_ft_S_4 npb_is_S_16 npbph_mg_S_8 lulesh_8x2 npbph_lu_W_9; do
  [ -e "$packs/$name.tar.zst" ] || continue
  tar --zstd -xf "$packs/$name.tar.zst"
  trace=$(find "$name" -name '*.otf2')
  check "$name" agrees "$trace"

  if [ "$name" = npbph_lu_W_9 ]; then
    "$TRACEFOLD" group "$trace" | "$TRACEFOLD" select --always 5 \
      | "$TRACEFOLD" iterations -q --map 'MPI late-sender time' --format csv --csv processes > map.csv
    check "late senders are found among all processes" \
      [ "$(awk -F, '$2 == 5 { printf "%.4f", $7 * $9 }' map.csv)" = 0.1315 ]
  fi
  rm -rf "$name"
done
finish
