"$TRACEFOLD" group app/traces.otf2 --threshold 1.5
