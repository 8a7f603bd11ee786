"$TRACEFOLD" group app/traces.otf2 | head -c 40 | "$TRACEFOLD" select
