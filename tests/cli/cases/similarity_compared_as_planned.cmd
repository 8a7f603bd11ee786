"$TRACEFOLD" group app/traces.otf2 --by functions --exact | "$TRACEFOLD" similarity
