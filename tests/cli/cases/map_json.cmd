"$TRACEFOLD" iterations app/traces.otf2 --map visits --format json --bins 2x2 | sed 's|"/[^"]*app|"FOLDER/app|'
