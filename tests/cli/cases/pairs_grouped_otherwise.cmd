"$TRACEFOLD" group app/traces.otf2 --exact | "$TRACEFOLD" pairs --threshold 0.8 --format csv
