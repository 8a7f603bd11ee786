"$TRACEFOLD" group app/traces.otf2 --exact | "$TRACEFOLD" lattice -o - --by functions --ignore "MPI_*"
