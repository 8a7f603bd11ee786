"$TRACEFOLD" reduce app/traces.otf2 -o out --verify maybe
