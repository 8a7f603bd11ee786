"$TRACEFOLD" iterations app/traces.otf2 --map colour
