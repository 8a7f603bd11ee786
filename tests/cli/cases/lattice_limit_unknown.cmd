"$TRACEFOLD" lattice app/traces.otf2 -o app.dot --full --max-nodes 2 --on-limit never
