"$TRACEFOLD" reduse app/traces.otf2 -o out
