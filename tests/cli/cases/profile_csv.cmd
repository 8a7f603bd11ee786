"$TRACEFOLD" profile app/traces.otf2 --exact --group 2 --format csv
