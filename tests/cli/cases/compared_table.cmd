# What was compared stands below the groups, where it is not just call pairs.
script -qec "\"$TRACEFOLD\" group app/traces.otf2 --exact --by functions --ignore 'MPI_*' --ignore '*_*put' --combine 'MPI Rank [1-3]/*' -q" /dev/null | tr -d "\r"
