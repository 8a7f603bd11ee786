PATH=/nowhere "$TRACEFOLD" lattice app/traces.otf2 -o app.svg; status=$?; ls app.*; exit $status
