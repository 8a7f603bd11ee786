"$TRACEFOLD" group app/traces.otf2 | "$TRACEFOLD" filter --drop "MPI_*"
