"$TRACEFOLD" profile app/traces.otf2 --sort exclusiv
