"$TRACEFOLD" group app/traces.otf2 --threshold 0.9 --exact
