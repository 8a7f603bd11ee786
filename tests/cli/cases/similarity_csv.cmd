"$TRACEFOLD" similarity app/traces.otf2 --subsumption --by functions --format csv
