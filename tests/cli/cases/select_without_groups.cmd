"$TRACEFOLD" filter app/traces.otf2 --drop "MPI_*" | "$TRACEFOLD" select
