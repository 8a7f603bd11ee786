"$TRACEFOLD" filter app/traces.otf2 --locations 6-0
