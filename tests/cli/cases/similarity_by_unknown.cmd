"$TRACEFOLD" similarity app/traces.otf2 --by colours
