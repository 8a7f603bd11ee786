"$TRACEFOLD" group app/traces.otf2 --threads 0
