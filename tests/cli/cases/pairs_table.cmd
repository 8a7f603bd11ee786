"$TRACEFOLD" pairs app/traces.otf2 --threshold 0.5
