"$TRACEFOLD" filter app/traces.otf2 --keep main | "$TRACEFOLD" iterations --format table
