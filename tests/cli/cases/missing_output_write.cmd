"$TRACEFOLD" group app/traces.otf2 | "$TRACEFOLD" write
