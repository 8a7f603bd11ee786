"$TRACEFOLD" group app/traces.otf2 | "$TRACEFOLD" select > plan.json
touch app/traces.otf2
"$TRACEFOLD" write -o out < plan.json
