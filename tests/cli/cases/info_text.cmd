"$TRACEFOLD" info app/traces.otf2
