"$TRACEFOLD" group app/traces.otf2 | "$TRACEFOLD" select --by fastest
