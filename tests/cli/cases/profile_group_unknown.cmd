"$TRACEFOLD" profile app/traces.otf2 --group 7
