"$TRACEFOLD" group app/traces.otf2 | head -c 300 | "$TRACEFOLD" select
