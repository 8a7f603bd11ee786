"$TRACEFOLD" write app/traces.otf2 -o out --iterations off --region main
