"$TRACEFOLD" profile app/traces.otf2 --exact --top 4
