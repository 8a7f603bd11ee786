#!/usr/bin/env bash
# `reduce --accuracy` keeps to the errors that are asked for, with not many more events than the best pair of numbers of
# processes and of clusters that does so: of a made trace, and of small shared ones where these are at hand.
#   accuracy.sh TRACEFOLD MAKE_TRACE
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/lib.sh"
shared=${TRACEFOLD_SHARED:-$here/../../../shared}/traces

trace_in app --ranks 6 --threads 2 --iterations 10
traces=(app/traces.otf2)
for pack in npb_cg_S_4 npb_mg_S_4 npb_is_S_4; do
  [ -f "$shared/$pack.tar.zst" ] || continue
  mkdir "$pack"
  tar --zstd -xf "$shared/$pack.tar.zst" -C "$pack"
  traces+=("$(find "$pack" -name traces.otf2)")
done
status=0
python3 "$here/accuracy.py" "$TRACEFOLD" "${traces[@]}" > found.txt 2>&1 || status=$?
check "--accuracy keeps too much: $(cat found.txt)" [ "$status" = 0 ]
check "nothing was compared" grep -q 'the best pair' found.txt
finish
