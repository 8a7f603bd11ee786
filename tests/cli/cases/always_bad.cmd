"$TRACEFOLD" select app/traces.otf2 --always 3-1
