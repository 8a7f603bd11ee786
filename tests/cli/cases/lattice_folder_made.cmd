"$TRACEFOLD" lattice app/traces.otf2 -o deep/er/app.dot -q && ls deep/er
