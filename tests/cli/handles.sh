#!/usr/bin/env bash
# Many locations need few open files: 4096 of them with 256 file handles.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

trace_in many --ranks 1024 --threads 4 --iterations 1
ulimit -n 256
expect 0 "$TRACEFOLD" info many/traces.otf2
check "not 4096 threads: $(grep threads out.txt)" grep -Eq 'CPU threads +4 ?096' out.txt
expect 0 "$TRACEFOLD" group many/traces.otf2
expect 0 "$TRACEFOLD" reduce many/traces.otf2 -o small
check "the output is not clean" is_clean small/traces.otf2
# All of them are written, too.
"$TRACEFOLD" filter many/traces.otf2 > plan.json
expect 0 bash -c '"$1" write -o all < plan.json' - "$TRACEFOLD"
# So are the messages of all of them.
expect 0 "$TRACEFOLD" group many/traces.otf2 --by signature --messages on
expect 0 "$TRACEFOLD" matrix many/traces.otf2 --format csv
mv out.txt original.csv
expect 0 "$TRACEFOLD" matrix small/traces.otf2 --format csv
check "another matrix" cmp -s out.txt original.csv
expect 0 "$TRACEFOLD" expand small/traces.otf2 -o full
expect 0 "$TRACEFOLD" info full/traces.otf2
check "not 4096 threads: $(grep threads out.txt)" grep -Eq 'CPU threads +4 ?096' out.txt
finish
