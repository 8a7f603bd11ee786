"$TRACEFOLD" reduce --treshold 0.9 app/traces.otf2 -o out
