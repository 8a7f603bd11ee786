"$TRACEFOLD" iterations app/traces.otf2 --format table
