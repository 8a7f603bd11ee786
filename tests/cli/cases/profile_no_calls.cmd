"$TRACEFOLD" filter app/traces.otf2 --drop "*" | "$TRACEFOLD" profile
