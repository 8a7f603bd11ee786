"$TRACEFOLD" filter app/traces.otf2 --drop ITERATION | "$TRACEFOLD" iterations --format table
