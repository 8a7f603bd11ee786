"$TRACEFOLD" lattice app/traces.otf2 -o app.cxt -q && cat app.cxt
