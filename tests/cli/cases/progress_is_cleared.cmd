# On a terminal the progress line is gone before results come.
script -qec "\"$TRACEFOLD\" group app/traces.otf2" /dev/null | tr -d '\r' > screen.txt
script -qec "\"$TRACEFOLD\" info app/traces.otf2" /dev/null | tr -d '\r' >> screen.txt
grep -aoE 'of [0-9]+ locations(group|written)' screen.txt
grep -ac '^.*group  processes' screen.txt
