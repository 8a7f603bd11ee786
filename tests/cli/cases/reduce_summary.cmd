"$TRACEFOLD" reduce app/traces.otf2 -o out | tail -n 3 | sed -E "s/, [0-9.]+ [KMG]?i?B -> [0-9.]+ [KMG]?i?B,/, A -> B,/"
