"$TRACEFOLD" group app/traces.otf2 --by medoid
