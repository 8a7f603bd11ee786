"$TRACEFOLD" reduce app/traces.otf2 -o out --iterations 2 -q
"$TRACEFOLD" reduce out/traces.otf2 -o again --iterations 2 | tail -n 1 | sed -E "s/, [0-9.]+ [KMG]?i?B -> .*//"
