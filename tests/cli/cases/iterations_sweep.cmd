"$TRACEFOLD" iterations app/traces.otf2 --sweep 2,3,64
