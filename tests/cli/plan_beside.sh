#!/usr/bin/env bash
# The plan beside a written trace: it is small, also where there are many processes, its bytes are
# counted, and it is enough to write the trace again.
#   plan_beside.sh TRACEFOLD MAKE_TRACE
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

bytes_of() { find "$1" -type f -printf '%s\n' | awk '{ sum += $1 } END { print sum }'; }
stated_bytes() { grep -o '"bytes": *{[^}]*}' "$1" | grep -o '"after": *[0-9]*' | grep -o '[0-9]*$'; }

trace_in app --ranks 1024 --threads 2 --iterations 4
"$TRACEFOLD" reduce app/traces.otf2 -o small --messages off --json > summary.json
plan=$(stat -c %s small/tracefold.json)
check "a plan of 2048 processes has $plan bytes" [ "$plan" -le $((64 * 1024)) ]
check "it keeps profiles" [ -z "$(grep -e '"profiles"' -e '"intents"' small/tracefold.json)" ]
check "the summary states $(stated_bytes summary.json) bytes" [ "$(stated_bytes summary.json)" = "$(bytes_of small)" ]

"$TRACEFOLD" info small/traces.otf2 --json > info.json
check "info leaves the plan out of its size" grep -q "\"bytes\": *$(bytes_of small)," info.json

"$TRACEFOLD" reduce app/traces.otf2 --dry-run --messages off --json > estimate.json
estimate=$(stated_bytes estimate.json)
check "a dry run estimates $estimate bytes" \
  [ $((10 * estimate)) -ge $((9 * plan)) ] && [ "$estimate" -le $((2 * $(bytes_of small))) ]

"$TRACEFOLD" reduce app/traces.otf2 -o whole -q
"$TRACEFOLD" write -o again -q < whole/tracefold.json
check "written again by its plan, it differs: $(diff -rq whole again)" diff -rq whole again
"$TRACEFOLD" write -o part -q --iterations off < whole/tracefold.json
check "written with all iterations, it does not verify" "$TRACEFOLD" verify part/traces.otf2 --against app/traces.otf2 -q
check "it verifies" "$TRACEFOLD" verify whole/traces.otf2 --against app/traces.otf2 -q

for command in group iterations profile 'write --iterations 4 -o folded'; do
  got=0
  "$TRACEFOLD" $command < whole/tracefold.json > out.txt 2> err.txt || got=$?
  check "$command: status $got" [ "$got" = 3 ]
  check "$command: $(cat err.txt)" grep -q 'keeps no profiles' err.txt
done

finish
