#!/usr/bin/env bash
# Judges from outside what is made of every shared trace: --exact with all iterations
# and with few, with all partners as halo, merged at 0.83, with groups in the system tree, with several
# kept per group, compared in other ways, and of small traces copies that keep every process. Packs: $TRACEFOLD_SHARED/traces, beside the project by default.
# Of large traces, which take most of the time, all is made only with $TRACEFOLD_ALL_WAYS; else what is merged or has few iterations
# is judged with the groups in the system tree alone.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

shared=${TRACEFOLD_SHARED:-$root/../shared}
export judge=$shared/check/judge.py
small=$((1 << 20))  # bytes, below which a trace is copied whole, too
large=$((5 << 20))  # bytes, from which on a trace is not made in all ways
export small large

if ! compgen -G "$shared/traces/*.tar.zst" > /dev/null || [ ! -e "$judge" ]; then
  skipped "no shared traces at $shared, nothing was judged"
  exit 77
fi
build_facts "$shared"

# One trace: a line that says how it went, and what failed below it.
judge_pack() {
  set -euo pipefail
  local pack=$1 name
  name=$(basename "$pack" .tar.zst)
  mkdir "$name"
  cd "$name"
  tar --zstd -xf "$pack"
  local trace report="" all_ways=${TRACEFOLD_ALL_WAYS:-}
  trace=$(find . -name '*.otf2' | head -n 1)
  [ -n "$all_ways" ] || [ "$(du -sb . | cut -f 1)" -ge "$large" ] || all_ways=yes
  step() {
    local words=$1
    shift
    "$@" > step.txt 2>&1 || { report+=" $words FAILED;"; { printf '%s: %s: ' "$name" "$words"; grep -Eiv '^ok' step.txt | head -n 5; } >> ../failed.txt; return 0; }
    report+=" $words ok;"
  }
  order_all() { "$TRACEFOLD" group "$trace" | "$TRACEFOLD" write -q --fold off --tree groups -o ordered; }
  keep_all() { "$TRACEFOLD" group --exact "$trace" | "$TRACEFOLD" write -q -o all; }
  step "reduce --exact" "$TRACEFOLD" reduce --exact --iterations off "$trace" -o exact
  step "judged" /usr/bin/python3 "$judge" "$trace" exact/traces.otf2
  step "verified" "$TRACEFOLD" verify exact/traces.otf2 --against "$trace"
  if [ -n "$all_ways" ]; then
    step "reduce --iterations 2" "$TRACEFOLD" reduce --exact --iterations 2 "$trace" -o few
    step "judged" /usr/bin/python3 "$judge" "$trace" few/traces.otf2 --collapsed
    step "verified" "$TRACEFOLD" verify few/traces.otf2 --against "$trace"
    step "reduce" "$TRACEFOLD" reduce --threshold 0.83 "$trace" -o merged
    step "judged" /usr/bin/python3 "$judge" "$trace" merged/traces.otf2 --merged --collapsed
    step "verified" "$TRACEFOLD" verify merged/traces.otf2 --against "$trace"
  fi
  step "reduce --halo all" "$TRACEFOLD" reduce --exact --iterations off --halo all "$trace" -o halo
  step "judged" /usr/bin/python3 "$judge" "$trace" halo/traces.otf2 --halo
  step "verified" "$TRACEFOLD" verify halo/traces.otf2 --against "$trace"
  step "reduce --tree groups" "$TRACEFOLD" reduce --threshold 0.83 --per-group 2 --tree groups "$trace" -o tree
  step "judged" /usr/bin/python3 "$judge" "$trace" tree/traces.otf2 --merged --collapsed --extra
  step "verified" "$TRACEFOLD" verify tree/traces.otf2 --against "$trace"
  if [ "$(du -sb . | cut -f 1)" -lt "$small" ]; then
    step "write --fold off" order_all
    step "judged" /usr/bin/python3 "$judge" "$trace" ordered/traces.otf2 --extra
    step "verified" "$TRACEFOLD" verify ordered/traces.otf2 --against "$trace"
    step "reduce --per-group" "$TRACEFOLD" reduce --exact --iterations off --per-group auto --always 0 "$trace" -o several
    step "judged" /usr/bin/python3 "$judge" "$trace" several/traces.otf2 --extra
    step "verified" "$TRACEFOLD" verify several/traces.otf2 --against "$trace"
    step "reduce --combine" "$TRACEFOLD" reduce --by functions --ignore 'MPI_*' --ignore-root --combine '*' --per-group 2 "$trace" -o other
    step "judged" /usr/bin/python3 "$judge" "$trace" other/traces.otf2 --extra --merged --collapsed
    step "verified" "$TRACEFOLD" verify other/traces.otf2 --against "$trace"
    step "all kept" keep_all
    step "judged" /usr/bin/python3 "$judge" "$trace" all/traces.otf2 --extra
    step "write --iterations 2" "$TRACEFOLD" write -q --iterations 2 "$trace" -o alike
    step "judged" /usr/bin/python3 "$judge" "$trace" alike/traces.otf2 --extra --collapsed
  fi
  printf '%-14s%s\n' "$name" "$report"
  cd ..
  rm -rf "$name"
}
export -f judge_pack

packs=$(cd "$shared/traces" && pwd)
find "$packs" -name '*.tar.zst' | sort | xargs -P "$(nproc)" -I '{}' bash -c 'judge_pack "$1"' - '{}' | tee judged.txt
checks=$(grep -o ';' judged.txt | wc -l)
check "not every pack was judged" [ "$(wc -l < judged.txt)" = "$(find "$packs" -name '*.tar.zst' | wc -l)" ]
if [ -e failed.txt ]; then
  cat failed.txt >&2
  failures=$((failures + $(grep -o FAILED judged.txt | wc -l)))
fi
finish
