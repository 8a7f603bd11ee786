"$TRACEFOLD" iterations app/traces.otf2 --map 'mpi time' --format csv --view map --bins 4x5
