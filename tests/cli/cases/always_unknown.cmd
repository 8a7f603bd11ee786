"$TRACEFOLD" reduce app/traces.otf2 -o out --always 0,8-10,4294967303-4294967304
