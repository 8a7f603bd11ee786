"$TRACEFOLD" group app/traces.otf2 | "$TRACEFOLD" iterations --format csv
