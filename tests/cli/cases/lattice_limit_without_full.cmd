"$TRACEFOLD" lattice app/traces.otf2 -o app.dot --max-nodes 2
