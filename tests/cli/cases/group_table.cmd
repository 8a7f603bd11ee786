# On a terminal a table for people.
script -qec "\"$TRACEFOLD\" group app/traces.otf2 --exact -q" /dev/null | tr -d "\r"
