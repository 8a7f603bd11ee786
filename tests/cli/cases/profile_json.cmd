"$TRACEFOLD" profile app/traces.otf2 --format json --group 1 --top 1 | sed '/"anchor"/d'
