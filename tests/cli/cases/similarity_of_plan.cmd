"$TRACEFOLD" group app/traces.otf2 | "$TRACEFOLD" similarity --format json
