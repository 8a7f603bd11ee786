"$TRACEFOLD" group app/traces.otf2 | "$TRACEFOLD" pairs --format csv
