"$TRACEFOLD" lattice app/traces.otf2 -o app.json; cat app.json; "$TRACEFOLD" lattice app/traces.otf2 -o app.json
