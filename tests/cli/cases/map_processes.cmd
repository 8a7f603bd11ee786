"$TRACEFOLD" iterations app/traces.otf2 --map visits --call-path '*MPI_*' --format csv --view processes
