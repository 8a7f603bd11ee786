"$TRACEFOLD" group app/traces.otf2 > plan.json
"$TRACEFOLD" select app/traces.otf2 < plan.json
