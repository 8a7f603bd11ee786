"$TRACEFOLD" group app/traces.otf2 --exact | "$TRACEFOLD" similarity --ignore "MPI_*" --ignore nosuch --format csv
