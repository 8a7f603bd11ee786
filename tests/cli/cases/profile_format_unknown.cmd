"$TRACEFOLD" profile app/traces.otf2 --format xml
