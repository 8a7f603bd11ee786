"$TRACEFOLD" lattice app/traces.otf2
