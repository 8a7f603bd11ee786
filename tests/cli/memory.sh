#!/usr/bin/env bash
# A memory limit may cost time, and never changes what is found: the same bytes at 1 MiB, 16 MiB
# and without a limit, of made traces and of real ones, $PACKS of $TRACEFOLD_SHARED/traces.
#   memory.sh TRACEFOLD MAKE_TRACE
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# same NAME TRACE LIMIT...: every limit gives what no limit gives.
same() {
  local name=$1 trace=$2 limit
  shift 2
  expect 0 "$TRACEFOLD" reduce "$trace" -o much --memory 4G --force
  mv err.txt much.txt
  for limit in "$@"; do
    expect 0 "$TRACEFOLD" reduce "$trace" -o little --memory "$limit" --force
    check "$name: $limit gives another trace" diff -rq much little
    check "$name: $limit is told other things" cmp much.txt err.txt
  done
  expect 0 "$TRACEFOLD" verify much/traces.otf2 --against "$trace" --memory "$1"
}

trace_in long --ranks 4 --threads 1 --iterations 40000
same "40,000 iterations" long/traces.otf2 1M 16M
expect 0 "$TRACEFOLD" reduce --verbose long/traces.otf2 -o bounded --memory 32M
check "32 MiB: $(tail -n 1 err.txt)" \
  awk '/peak memory/ { found = $(NF - 1) <= 112 && $NF == "MiB" } END { exit !found }' err.txt

packs=${TRACEFOLD_SHARED:-$root/../shared}/traces
compgen -G "$packs/*.tar.zst" > /dev/null || skipped "no shared traces at $packs"
for name in ${PACKS:-npb_lu_W_64 hpccg_16 lulesh_8x2 luleshph_8x4 btmz_W_4x4 npb_mg_S_16 npb_is_S_64 minife_32 ez_hpcc_4}; do
  [ -e "$packs/$name.tar.zst" ] || continue
  tar --zstd -xf "$packs/$name.tar.zst"
  same "$name" "$(find "$name" -name '*.otf2')" 1M
  rm -rf "$name"
done
finish
