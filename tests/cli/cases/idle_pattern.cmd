# A misspelt pattern is no error, but said.
"$TRACEFOLD" group app/traces.otf2 --ignore 'mpi_*' --combine 'CUDA*' | grep -c '"ignored": \[\],'
