# Where a group keeps several, a table says whom each stands for.
script -qec "\"$TRACEFOLD\" group app/traces.otf2 --exact -q | \"$TRACEFOLD\" select -q --per-group 2 --keep-extremes --always 3,4294967297" /dev/null | tr -d "\r"
