"$TRACEFOLD" filter app/traces.otf2 --locations 0-3 | "$TRACEFOLD" profile --sort inclusive --top 2
