"$TRACEFOLD" profile app/traces.otf2 --top -3
