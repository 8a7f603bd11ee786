#!/usr/bin/env bash
# Runs tracefold on damaged and hostile archives and tells which it does not survive.
#   run.sh [COUNT] [FIRST SEED]      (150 archives, from seed 1; 20000 take about an hour)
#   run.sh --make SEED FOLDER        (writes the archive of a seed, to look at it)
# The archives are made of generated traces and of the small real ones in
# $TRACEFOLD_SHARED/traces, where they are. $TRACEFOLD_BUILD is the build folder.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=${TRACEFOLD_BUILD:-$here/../../build/release}
shared=${TRACEFOLD_SHARED:-$here/../../../shared}/traces
bases=$(mktemp -d)
trap 'rm -rf "$bases"' EXIT

"$build/examples/make_trace" "$bases/made_app" --ranks 4 --threads 2 --iterations 3 >/dev/null
"$build/cli/tracefold" reduce --quiet "$bases/made_app/traces.otf2" -o "$bases/made_reduced"
for kind in own little big; do
  mkdir "$bases/made_every_record_$kind"
  "$build/tests/damage/make_every_record" "$bases/made_every_record_$kind" $kind
done
for name in npb_is_S_4 npb_ft_S_4 npb_cg_S_4 btmz_S_2x3; do
  [ -e "$shared/$name.tar.zst" ] || continue
  mkdir "$bases/unpacked"
  tar --zstd -xf "$shared/$name.tar.zst" -C "$bases/unpacked"
  mv "$(dirname "$(find "$bases/unpacked" -name traces.otf2)")" "$bases/$name"
  rm -rf "$bases/unpacked"
done
python3 "$here/damage.py" "$build/cli/tracefold" "$bases" "$@"
