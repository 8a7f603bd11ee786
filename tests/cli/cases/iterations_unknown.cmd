"$TRACEFOLD" reduce app/traces.otf2 -o out --iterations few
