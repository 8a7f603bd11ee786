"$TRACEFOLD" lattice app/traces.otf2 -o app.png
