"$TRACEFOLD" group app/traces.otf2 > plan.json
"$TRACEFOLD" write plan.json -o out
