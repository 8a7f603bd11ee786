"$TRACEFOLD" similarity app/traces.otf2
