"$TRACEFOLD" iterations app/traces.otf2 --map visits --loop 9
