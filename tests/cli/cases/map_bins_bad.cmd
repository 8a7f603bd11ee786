"$TRACEFOLD" iterations app/traces.otf2 --map visits --bins 4
