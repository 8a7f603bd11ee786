"$TRACEFOLD" filter app/traces.otf2 > plan.json
touch app/traces.def
"$TRACEFOLD" group < plan.json
