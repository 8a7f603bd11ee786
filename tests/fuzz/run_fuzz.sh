#!/usr/bin/env bash
# Fuzzes the decoder of event files under the address and undefined sanitizers.
#   run_fuzz.sh [SECONDS] [CORPUS FOLDER]     (60 seconds; a new folder)
# Seeds the corpus with files of a generated trace. Needs clang.
set -euo pipefail
root="$(cd "$(dirname "$0")/../.." && pwd)"
seconds=${1:-60}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
corpus=${2:-$work/corpus}
command -v clang++ >/dev/null || { echo "run_fuzz: needs clang"; exit 77; }
mkdir -p "$corpus"
clang++ -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -I"$root" -o "$work/fuzz" \
  "$root"/tests/fuzz/event_decoder_fuzz.cpp "$root"/pipeline/{event_decoder,chunk_file,local_definitions}.cpp
"$root/build/release/tests/compare_readers" --seeds "$corpus"
cd "$work"
"$work/fuzz" -max_total_time="$seconds" -max_len=8192 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 "$corpus" 2>"$work/log" || {
  tail -40 "$work/log"
  for found in crash-* timeout-* oom-*; do [ -e "$found" ] && cp "$found" "${TMPDIR:-/tmp}/" && echo "kept as ${TMPDIR:-/tmp}/$found"; done
  exit 1
}
grep -E "stat::number_of_executed_units|cov:" "$work/log" | tail -2
