"$TRACEFOLD" lattice app/traces.otf2 -o - --by functions
