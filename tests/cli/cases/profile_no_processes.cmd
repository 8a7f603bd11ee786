"$TRACEFOLD" filter app/traces.otf2 --locations 99 | "$TRACEFOLD" profile
