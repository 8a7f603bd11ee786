"$TRACEFOLD" iterations app/traces.otf2 --view map
