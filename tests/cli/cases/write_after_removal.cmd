"$TRACEFOLD" group app/traces.otf2 | "$TRACEFOLD" select > plan.json
mv app gone
"$TRACEFOLD" write -o out < plan.json
