"$TRACEFOLD" profile app/traces.otf2 --function 'exch*'
