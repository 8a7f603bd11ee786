"$TRACEFOLD" group nowhere/traces.otf2
