"$TRACEFOLD" reduce app/traces.otf2 -o out --iterations 2 | sed -E "s/, [0-9.]+ [KMG]?i?B -> .*//"
