"$TRACEFOLD" group app/traces.otf2 --threshold nan
