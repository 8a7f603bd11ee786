"$TRACEFOLD" filter app/traces.otf2 --drop "MPI_*" | "$TRACEFOLD" group --exact | "$TRACEFOLD" profile --group 1 --sort name
