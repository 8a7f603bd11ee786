"$TRACEFOLD" reduce app -o out
