"$TRACEFOLD" filter app/traces.otf2 | "$TRACEFOLD" similarity
