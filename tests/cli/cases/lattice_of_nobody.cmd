"$TRACEFOLD" filter app/traces.otf2 --locations 99999 | "$TRACEFOLD" group | "$TRACEFOLD" lattice -o -
