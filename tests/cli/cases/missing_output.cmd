"$TRACEFOLD" reduce app/traces.otf2
