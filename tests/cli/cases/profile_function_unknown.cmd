"$TRACEFOLD" profile app/traces.otf2 --function MPI_Allreduse
