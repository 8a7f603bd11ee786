"$TRACEFOLD" iterations app/traces.otf2
