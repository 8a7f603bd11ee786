#!/usr/bin/env bash
# Call-path profiles of iterations add up to what the whole location has, in a made
# trace and in the real ones in $TRACEFOLD_SHARED/traces.
#   series.sh TRACEFOLD MAKE_TRACE CHECK_SERIES
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
check_series=$(realpath "${3:?the program that checks is missing}")

holds() { "$check_series" "$1" > said.txt 2>&1 || { cat said.txt >&2; false; }; }

trace_in app --ranks 4 --threads 3 --iterations 9
check "a made trace" holds app/traces.otf2

packs=${TRACEFOLD_SHARED:-$root/../shared}/traces
compgen -G "$packs/*.tar.zst" > /dev/null || skipped "no shared traces at $packs"
for pack in "$packs"/*.tar.zst; do
  [ -e "$pack" ] || continue
  name=$(basename "$pack" .tar.zst)
  tar --zstd -xf "$pack"
  check "$name" holds "$(find "$name" -name '*.otf2')"
  printf '%-14s %s\n' "$name" "$(tail -n 1 said.txt)"
  rm -rf "$name"
done
finish
