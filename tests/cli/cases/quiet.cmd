"$TRACEFOLD" reduce app/traces.otf2 -o out -q
"$TRACEFOLD" reduce app/traces.otf2 -o out -q
