"$TRACEFOLD" verify app/traces.otf2
