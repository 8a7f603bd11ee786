"$TRACEFOLD" similarity app/traces.otf2 --format yaml
